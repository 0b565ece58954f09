"""The map of a pod's decision in words: what the nodes of each colour have in common, and which nodes stand out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from clusters.engine.resources import CPU
from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of, side_by_side
from clusters.wording.reasons import reason_phrases
from clusters.wording.resources import resource_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine import Explanation

PRE_FILTER: Final = "PreFilter"
EXTENDERS: Final = pgettext_lazy("who rejects nodes", "extenders")

# Longer than this, what plugins say of nodes is shortened to its first reason.
_LONG: Final = 48


def taken(explanation: Explanation) -> str:
    """Say what the nodes have in common of which the scheduler takes one."""
    if explanation.takes_nominated:
        return taken_by("nomination")
    return taken_by("only-node" if len(explanation.cycle.feasible) == 1 else "score")


def taken_by(reason: str) -> str:
    """Say why the scheduler takes a node, by what documents of explanations call that."""
    match reason:
        case "nomination":
            return pgettext("nodes of the map", "nominated, taken at once")
        case "only-node":
            return pgettext("nodes of the map", "the only feasible node")
        case _:
            return pgettext("nodes of the map", "feasible, with the most points")


def feasible(*, is_certain: bool, is_outscored: bool) -> str:
    """Say of nodes that no filter rejects the pod there, as far as is computed; and that others have more points."""
    if is_certain and is_outscored:
        return pgettext("nodes of the map", "feasible, with fewer points")
    if is_certain:
        return pgettext("nodes of the map", "feasible")
    return pgettext("nodes of the map", "uncertain: all computed filters pass")


def rejected(reasons: Sequence[str]) -> str:
    """Say in a few words why nodes reject the pod; of many reasons the first."""
    phrases = reason_phrases(reasons)
    if len(phrases) <= _LONG or len(reasons) <= 1:
        return phrases
    return first_of([reason_phrases([reason]) for reason in reasons], most=1)


def summary(nodes: int, keys: Iterable[tuple[int, str, str]]) -> str:
    """Say the whole map: how many nodes there are, and of each look how many and by whom."""
    said = side_by_side(key(number, label, source) for number, label, source in keys)
    return _("Map of %(nodes)s by verdict: %(keys)s.") % {"nodes": counts.nodes(nodes), "keys": said}


def key(nodes: int, label: str, source: str) -> str:
    """Count the nodes of one look: `35 insufficient CPU (NodeResourcesFit)`."""
    if not source:
        return pgettext("nodes of the map", "%(nodes)s %(label)s") % {"nodes": grouped(nodes), "label": label}
    return pgettext("nodes of the map", "%(nodes)s %(label)s (%(source)s)") % {
        "nodes": grouped(nodes),
        "label": label,
        "source": source,
    }


def start(nodes: int) -> str:
    """Say what stands before the first step."""
    return ngettext("%(nodes)s node is to be filtered.", "All %(nodes)s nodes are to be filtered.", nodes) % {
        "nodes": grouped(nodes)
    }


def left_after(said: str, nodes: int) -> str:
    """Add to what a filter does how many nodes are left after it."""
    return ngettext("%(said)s %(nodes)s node is left.", "%(said)s %(nodes)s nodes are left.", nodes) % {
        "said": said,
        "nodes": grouped(nodes),
    }


def result() -> str:
    """Name the last step."""
    return pgettext("last step of a decision", "Result")


def points(*, least: int, most: int) -> str:
    """Write from how many to how many points nodes get."""
    return pgettext("points of nodes", "%(least)s–%(most)s") % {"least": grouped(least), "most": grouped(most)}


def gives(*, least: int, most: int, weight: int) -> str:
    """Say what a plugin gives the feasible nodes, its weight counted in."""
    return ngettext(
        "Gives the feasible nodes %(least)s to %(most)s point, with weight %(weight)s.",
        "Gives the feasible nodes %(least)s to %(most)s points, with weight %(weight)s.",
        most,
    ) % {"least": grouped(least), "most": grouped(most), "weight": grouped(weight)}


def runs_here(node: str) -> str:
    """Name the node that a pod runs on."""
    return _("Runs on %(node)s") % {"node": node}


def decided_for(node: str) -> str:
    """Name the node that the cluster decided for."""
    return _("Decided for: %(node)s") % {"node": node}


def placed(node: str) -> str:
    """Name the node that a simulation placed a pod on."""
    return _("Placed on %(node)s") % {"node": node}


def nominated(node: str) -> str:
    """Name the node that a pod is nominated for."""
    return _("Nominated: %(node)s") % {"node": node}


def makes_room(node: str, victims: int) -> str:
    """Name the node that preemption would take, and count the victims."""
    return ngettext(
        "Preemption would select %(node)s: %(victims)s victim",
        "Preemption would select %(node)s: %(victims)s victims",
        victims,
    ) % {"node": node, "victims": grouped(victims)}


def loads(resource: str) -> str:
    """Say what the bars of the nodes show."""
    return _("Bars: %(resource)s of each node, a part for each pod; outlined what this pod requests.") % {
        "resource": _resource(resource)
    }


def _resource(resource: str) -> str:
    return resource_name(CPU) if resource == CPU else resource
