"""Words for why something is thought to be missing from a source."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.problems.inputs import NeverAdmitted, NodesNotInSource, NoneInSource, NotReadable
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of
from clusters.wording.problems.places import input_sentence
from clusters.wording.problems.registry import Words, words


@words.register(NoneInSource)
def none_in_source(problem: NoneInSource) -> Words:
    """Say what may be the reason."""
    said = _(
        "The source has neither an object nor a list of this kind: the cluster may have none, or they were not asked "
        "for."
    )
    return Words(said, "")


@words.register(NodesNotInSource)
def nodes_not_in_source(problem: NodesNotInSource) -> Words:
    """Name the nodes and the pods on them."""
    said = [
        ngettext(
            "The source does not hold the node %(node)s, on which %(pods)s runs.",
            "The source does not hold the node %(node)s, on which %(pods)s run.",
            number,
        )
        % {"node": node, "pods": first_of(pods, total=number)}
        for node, pods, number in zip(problem.nodes, problem.pods, problem.pod_numbers, strict=True)
    ]
    if more := problem.number - len(problem.nodes):
        said.append(
            ngettext(
                "Nor does it hold %(more)s other node on which pods run.",
                "Nor does it hold %(more)s other nodes on which pods run.",
                more,
            )
            % {"more": grouped(more)}
        )
    return Words(" ".join(said), "")


@words.register(NeverAdmitted)
def never_admitted(problem: NeverAdmitted) -> Words:
    """Name the pods and say what they lack."""
    said = ngettext(
        "%(pods)s looks written by hand: no API server has given it requests from limits, the priority of its class, "
        "the overhead of its RuntimeClass or the defaults of a LimitRange.",
        "%(pods)s look written by hand: no API server has given them requests from limits, the priority of their "
        "class, the overhead of their RuntimeClass or the defaults of a LimitRange.",
        problem.number,
    ) % {"pods": first_of(problem.pods, total=problem.number)}
    return Words(said, "")


@words.register(NotReadable)
def not_readable(problem: NotReadable) -> Words:
    """Count what could not be read, and say what is wrong with the first."""
    first = input_sentence(
        problem.why, file=problem.file, document=problem.document, subject=problem.subject, field=problem.field
    )
    counted = ngettext("%(number)s could not be read.", "%(number)s could not be read; the first:", problem.number) % {
        "number": grouped(problem.number)
    }
    return Words(f"{counted} {first}", "")
