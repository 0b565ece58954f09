"""The map of a pod's decision in words: what the nodes of each colour have in common, and which nodes stand out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, pgettext, pgettext_lazy

from clusters.engine.resources import CPU
from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of, side_by_side
from clusters.wording.messages import message, plural
from clusters.wording.plugins.reasons import reason_phrases
from clusters.wording.resources import resource_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine import Explanation
    from clusters.engine.status import Reason

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
    return pgettext("nodes of the map", "uncertain: computed filters pass")


def rejected(reasons: Sequence[Reason]) -> str:
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


START = plural("%(nodes)s node to filter.", "%(nodes)s nodes to filter.", by="nodes")
LEFT_AFTER = plural("%(said)s %(nodes)s node is left.", "%(said)s %(nodes)s nodes are left.", by="nodes")
RESULT: Final = pgettext_lazy("last step of a decision", "Result")
POINTS = message("%(least)s–%(most)s", context="points of nodes")
GIVES = plural(
    "Gives %(least)s to %(most)s point, with weight %(weight)s.",
    "Gives %(least)s to %(most)s points, with weight %(weight)s.",
    by="most",
)


RUNS_HERE = message("Runs on %(node)s")
DECIDED_FOR = message("Decided for: %(node)s")
PLACED = message("Placed on %(node)s")
NOMINATED = message("Nominated: %(node)s")
MAKES_ROOM = plural(
    "Preemption would select %(node)s: %(victims)s victim",
    "Preemption would select %(node)s: %(victims)s victims",
    by="victims",
)


def loads(resource: str) -> str:
    """Say what the bars of the nodes show."""
    return _("Bars: %(resource)s by pod; outlined: this pod.") % {"resource": _resource(resource)}


def _resource(resource: str) -> str:
    return resource_name(CPU) if resource == CPU else resource
