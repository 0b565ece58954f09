"""Studies: how far one is, and the answers to headroom and to the number of nodes that are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed

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
UNCERTAIN_ANSWER: Final = gettext_lazy("This is uncertain: not everything that may reject a pod is computed.")
NOT_LEAST: Final = gettext_lazy(
    "Fewer nodes may be enough: the scheduler may choose otherwise when there are other nodes."
)

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


def like_node(node: str) -> str:
    """Name a template of nodes by the node that it copies."""
    return _("like %(node)s") % {"node": node}


def node_of(*, cpu: str, memory: str) -> str:
    """Name a template of nodes by its CPU and memory, as they were given."""
    return _("%(cpu)s CPU, %(memory)s") % {"cpu": cpu, "memory": memory}


def below(percent: int) -> str:
    """Name a threshold: nodes of which less is requested could go."""
    return _("< %(percent)s %%") % {"percent": grouped(percent)}


def shape(workloads: Sequence[tuple[str, int]]) -> str:
    """Name a shape by its workloads, each with how many of it come in each turn."""
    if len(workloads) == 1:
        return workloads[0][0]
    return " + ".join(
        _("%(count)s × %(workload)s") % {"count": grouped(count), "workload": name} for name, count in workloads
    )


def deleted(title: str) -> str:
    """Say that a study was deleted."""
    return _("The study “%(title)s” is deleted.") % {"title": title}


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


def counting_ended(limit: int) -> str:
    """Say after how many pods nothing more was tried."""
    return _("Counting ended at %(limit)s; more may fit.") % {"limit": grouped(limit)}


def more_nodes(nodes: int) -> str:
    """Count the nodes beside those that are named."""
    return ngettext("and %(nodes)s more node", "and %(nodes)s more nodes", nodes) % {"nodes": grouped(nodes)}


def rejected_by(*, nodes: int, plugin: str, reasons: Iterable[str]) -> str:
    """Say how many nodes a plugin rejects, in the words of the scheduler."""
    return _("%(nodes)s: %(plugin)s, %(reasons)s") % {
        "nodes": counts.nodes(nodes),
        "plugin": plugin,
        "reasons": ", ".join(reasons),
    }


# -- nodes needed ------------------------------------------------------------------------------------------------------


def nodes_do_not_help(pods: int) -> str:
    """Say that an empty node of the kind rejects one of the pods."""
    return ngettext(
        "More nodes of this kind do not help: even an empty one rejects %(pods)s pod.",
        "More nodes of this kind do not help: even an empty one rejects one of the %(pods)s pods.",
        pods,
    ) % {"pods": grouped(pods)}


def nodes_do_not_create(pods: int) -> str:
    """Say that the API server refuses one of the pods, whatever nodes there are."""
    return ngettext(
        "More nodes do not help: the API server does not create %(pods)s pod.",
        "More nodes do not help: the API server does not create all %(pods)s pods.",
        pods,
    ) % {"pods": grouped(pods)}


def not_enough(nodes: int) -> str:
    """Say that as many nodes as were tried are not enough."""
    return ngettext("%(nodes)s node is not enough.", "Not even %(nodes)s nodes are enough.", nodes) % {
        "nodes": grouped(nodes)
    }


def no_node_needed(pods: int) -> str:
    """Say that the pods fit on the nodes that there are."""
    return ngettext(
        "None: %(pods)s pod fits on the nodes that there are.",
        "None: the %(pods)s pods fit on the nodes that there are.",
        pods,
    ) % {"pods": grouped(pods)}


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
    said = [_enough(number) if fits else _too_few(number) for number, fits in trials]
    return _("Tried: %(trials)s.") % {"trials": ", ".join(said)}


def _enough(nodes: int) -> str:
    return pgettext("number of nodes", "%(nodes)s enough") % {"nodes": grouped(nodes)}


def _too_few(nodes: int) -> str:
    return pgettext("number of nodes", "%(nodes)s too few") % {"nodes": grouped(nodes)}
