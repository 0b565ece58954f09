"""Studies: how far one is, and the answers to headroom and to the number of nodes that are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# By the name of its kind.
KINDS: Final = {
    "sweep": gettext_lazy("Several configurations"),
    "headroom": gettext_lazy("Headroom"),
    "nodes-needed": gettext_lazy("Nodes needed"),
    "removable": gettext_lazy("Removable nodes"),
}

NO_ZONE: Final = gettext_lazy("No zone")
NONE_FITS: Final = gettext_lazy("None fits.")
UNCERTAIN_ANSWER: Final = gettext_lazy("Uncertain: something that may reject a pod is not computed.")
NOT_LEAST: Final = gettext_lazy("Fewer nodes may suffice: other nodes change the scheduler's choices.")

# Columns of files.
PART_COLUMNS: Final = (
    pgettext_lazy("column of a file", "shape"),
    pgettext_lazy("column of a file", "state"),
    pgettext_lazy("column of a file", "answer"),
    pgettext_lazy("column of a file", "what stops more"),
)


def progress(*, answered: int, parts: int) -> str:
    """Say how many parts of a study have an answer."""
    if not answered:
        return _("Running …")
    return _("Running: %(answered)s of %(parts)s done.") % {"answered": grouped(answered), "parts": grouped(parts)}


LIKE_NODE = message("like %(node)s")
NODE_OF = message("%(cpu)s CPU, %(memory)s")
BELOW = message("< %(percent)s %%")


def shape(workloads: Sequence[tuple[str, int]]) -> str:
    """Name a shape by its workloads, each with how many of it come in each turn."""
    if len(workloads) == 1:
        return workloads[0][0]
    return " + ".join(
        _("%(count)s × %(workload)s") % {"count": grouped(count), "workload": name} for name, count in workloads
    )


DELETED = message("The study “%(title)s” is deleted.")


# -- headroom ----------------------------------------------------------------------------------------------------------


def more_fit(*, pods: int, nodes: int) -> str:
    """Say how many more pods fit, and on how many nodes."""
    if not pods:
        return str(NONE_FITS)
    if pods == 1:
        return _("1 more fits on 1 node.")
    return ngettext("%(pods)s more fit on %(nodes)s node.", "%(pods)s more fit on %(nodes)s nodes.", nodes) % {
        "pods": grouped(pods),
        "nodes": grouped(nodes),
    }


def of_mix(parts: Iterable[tuple[str, int]]) -> str:
    """Say how many pods of each workload of a mix fit."""
    said = [pgettext("part of a mix", "%(pods)s of %(name)s") % {"pods": grouped(n), "name": name} for name, n in parts]
    return _("Of the mix: %(parts)s.") % {"parts": listed(said)}


COUNTING_ENDED = message("Counting ended at %(limit)s; more may fit.")
MORE_NODES = plural("and %(nodes)s more node", "and %(nodes)s more nodes", by="nodes")


def rejected_by(*, nodes: int, plugin: str, reasons: Iterable[str]) -> str:
    """Say how many nodes a plugin rejects, in the words of the scheduler."""
    return _("%(nodes)s: %(plugin)s, %(reasons)s") % {
        "nodes": counts.nodes(nodes),
        "plugin": plugin,
        "reasons": ", ".join(reasons),
    }


# -- nodes needed ------------------------------------------------------------------------------------------------------


NODES_DO_NOT_HELP = plural(
    "More such nodes do not help: even an empty one rejects %(pods)s pod.",
    "More such nodes do not help: even an empty one rejects %(pods)s pods.",
    by="pods",
)
NODES_DO_NOT_CREATE = plural(
    "More nodes do not help: the API server does not create %(pods)s pod.",
    "More nodes do not help: the API server does not create all %(pods)s pods.",
    by="pods",
)
NOT_ENOUGH = plural("%(nodes)s node is not enough.", "Not even %(nodes)s nodes are enough.", by="nodes")
NO_NODE_NEEDED = plural(
    "None: %(pods)s pod fits on the nodes that there are.",
    "None: the %(pods)s pods fit on the nodes that there are.",
    by="pods",
)


def nodes_needed(*, nodes: int, pods: int) -> str:
    """Say how many more nodes let all pods fit."""
    values = {"nodes": grouped(nodes), "pods": grouped(pods)}
    if pods == 1:
        return ngettext(
            "%(nodes)s more node: then the pod fits.", "%(nodes)s more nodes: then the pod fits.", nodes
        ) % {"nodes": values["nodes"]}
    return (
        ngettext(
            "%(nodes)s more node: then all %(pods)s pods fit.",
            "%(nodes)s more nodes: then all %(pods)s pods fit.",
            nodes,
        )
        % values
    )


def tried(trials: Iterable[tuple[int, bool]]) -> str:
    """Say which numbers of nodes were tried, and whether each was enough."""
    said = [_ENOUGH(nodes=number) if fits else _TOO_FEW(nodes=number) for number, fits in trials]
    return _("Tried: %(trials)s.") % {"trials": ", ".join(said)}


_ENOUGH = message("%(nodes)s enough", context="number of nodes")
_TOO_FEW = message("%(nodes)s too few", context="number of nodes")
