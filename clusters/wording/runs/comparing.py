"""What pages say of runs beside each other: compared, and as the variants of a study."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.simulation import Why
from clusters.wording.amounts import grouped, signed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


# What was asked differently.
BEGINS_WITH: Final = gettext_lazy("Begins with")
CHANGE: Final = gettext_lazy("Change")
THE_DEFAULT: Final = gettext_lazy("the default")
NOT_PLACED: Final = gettext_lazy("not placed")
CONFIGURATION_FIELD = message("Configuration: %(path)s")

# What came of both.
NEWLY_PENDING_ALIKE = message("Newly pending in both: %(pods)s.")
NEWLY_PENDING = message("Newly pending: %(first_pods)s with “%(first)s”, %(second_pods)s with “%(second)s”.")
EMPTIED = message("Empty nodes: %(change)s.")
PLACED_AS = message("%(node)s (as %(replacement)s)")
ALL_ALIKE = plural("%(pods)s pod ended on the same node.", "All %(pods)s pods ended on the same nodes.", by="pods")
PLACED_ELSEWHERE = plural(
    "%(differing)s of %(pods)s pod is placed differently.",
    "%(differing)s of %(pods)s pods are placed differently.",
    by="pods",
)

# The maps of both.
PENDING_HERE = message("Pending here only: %(pods)s")
ABSENT_HERE = message("Exist only in the other: %(pods)s")
DIFFERS: Final = pgettext_lazy("nodes", "with differently placed pods")
ALIKE: Final = pgettext_lazy("nodes", "without")
NO_SUCH_NODE: Final = pgettext_lazy("nodes", "only in the other")
FIGURES: Final = gettext_lazy("Numbers count pods placed differently.")
FIGURE: Final = gettext_lazy("Pods placed differently: {pods}")
MAPS = message("Placed differently: %(moved)s. Pending only with %(first)s: %(left)s, only with %(second)s: %(right)s.")
ALL_WORKLOADS = message("All workloads: %(pods)s")
MORE_WORKLOADS = plural(
    "%(workloads)s more workload with %(pods)s", "%(workloads)s more workloads with %(pods)s", by="workloads"
)


_SIDES: Final = {
    "left": pgettext_lazy("simulation", "Left"),
    "right": pgettext_lazy("simulation", "Right"),
    "": pgettext_lazy("simulation", "Both"),
}
# Of these it does not matter in which of the two simulations.
_OF_BOTH: Final = frozenset({Why.SCORED, Why.TIE, Why.NOT_COMPUTED})
KNOCK_ON: Final = gettext_lazy("Possibly a knock-on effect.")
_REASONS: Final = {
    Why.NOT_WANTED: message("there is no such pod."),
    Why.NODE_GONE: message("deleted with its node %(reasons)s and not recreated."),
    Why.GONE: message("removed (%(reasons)s)."),
    Why.NOT_TRIED: message("not attempted again."),
    Why.GATED: message("SchedulingGated: %(reasons)s"),
    Why.FAILED: message("could not be computed: %(reasons)s"),
    Why.NO_SUCH_NODE: message("there is no node %(node)s."),
    Why.FILTERED: message("%(plugin)s rejects %(node)s: %(reasons)s."),
    Why.NOT_LOOKED_AT: message("the search ended before %(node)s."),
    Why.TIE: message("Same score; search order decided (until 1.34 the seed)."),
    Why.NOT_COMPUTED: message("Not computed for so many pods; see the comparison's page."),
}
_UNKNOWN: Final = message("the reason is not known.")
_REPLACED: Final = message("replaced by %(pod)s on %(node)s.")
_REPLACED_UNSCHEDULABLE: Final = message("replaced by %(pod)s, unschedulable: %(message)s")
_REPLACED_WITHOUT_NODE: Final = message("replaced by %(pod)s, without a node.")
# Points of the left node less those of the right one, in each simulation.
_TIPPED: Final = message(
    "%(plugin)s scores %(left)s against %(right)s: %(in_left)s on the left, %(in_right)s on the right."
)


def why_sentence(placement: Mapping[str, Any]) -> str:
    """Say why a pod ended elsewhere; ``placement`` is one of a comparison of two simulations."""
    reason = placement["reason"]
    why = Why(reason["kind"])
    said = _why(why, placement)
    if why not in _OF_BOTH:
        said = f"{_SIDES[reason['side']]}: {said}"
    return " ".join((said, str(KNOCK_ON))) if reason["state_differed"] else said


def _why(why: Why, placement: Mapping[str, Any]) -> str:
    reason = placement["reason"]
    if why is Why.REPLACED:
        return _replaced(placement)
    if why is Why.SCORED:
        return _tipped(placement)
    said = ", ".join(reason["reasons"])
    template = _REASONS.get(why)
    if template is None:
        return said or _UNKNOWN()
    # The node on which the pod ended in the other simulation.
    node = placement["left"] if reason["side"] == "right" else placement["right"]
    values = {"reasons": said, "node": node, "plugin": reason["plugin"]}
    return template(**{name: values[name] for name in template.values})


def _replaced(placement: Mapping[str, Any]) -> str:
    """Say what replaced a pod, and where the replacement ended."""
    later, *met = placement["reason"]["reasons"]
    node = placement["left"] if placement["reason"]["side"] == "left" else placement["right"]
    if met:
        return _REPLACED_UNSCHEDULABLE(pod=later, message=" ".join(met))
    return _REPLACED(pod=later, node=node) if node else _REPLACED_WITHOUT_NODE(pod=later)


def _tipped(placement: Mapping[str, Any]) -> str:
    """Say by how much the plugin that made the most of the difference scores the two nodes otherwise."""
    first = placement["reason"]["points"][0]
    return _TIPPED(
        plugin=first["plugin"],
        left=placement["left"],
        right=placement["right"],
        in_left=signed(first["left"]),
        in_right=signed(first["right"]),
    )


# -- what the right one costs ------------------------------------------------------------------------------------------
_COSTS: Final = {
    "nodes": message("%(number)s nodes in use"),
    "preempted": message("%(number)s pods preempted"),
    "evicted": message("%(number)s pods evicted"),
    "refused": message("%(number)s evictions refused"),
}
_COST: Final = message("Difference: %(costs)s.")
_NO_COST: Final = message("Neither uses more nodes or disrupts more pods.")


def cost_sentence(cost: Mapping[str, int]) -> str:
    """Say what the right simulation costs more or less than the left one.

    ``cost``: by how much ``nodes`` in use, pods ``preempted`` and ``evicted``, and evictions ``refused`` are more.
    """
    costs = [_COSTS[name](number=signed(difference)) for name, difference in cost.items() if difference]
    return _COST(costs=", ".join(costs)) if costs else _NO_COST()


# By the name of its kind.
KINDS: Final = {
    "sweep": gettext_lazy("Several configurations"),
    "headroom": gettext_lazy("Headroom"),
    "nodes-needed": gettext_lazy("Nodes needed"),
    "removable": gettext_lazy("Removable nodes"),
}

UNCERTAIN_ANSWER: Final = gettext_lazy("Uncertain: something may still reject a pod.")
NOT_LEAST: Final = gettext_lazy("Fewer nodes may suffice.")

# Columns of files.


PROGRESS = message("Running: %(answered)s of %(parts)s done.")
LIKE_NODE = message("like %(node)s")


def shape(workloads: Sequence[tuple[str, int]]) -> str:
    """Name a shape by its workloads, each with how many of it come in each turn."""
    if len(workloads) == 1:
        return workloads[0][0]
    return " + ".join(f"{grouped(count)} × {name}" for name, count in workloads)


# -- headroom ----------------------------------------------------------------------------------------------------------
MORE_FIT = message("%(pods)s more on %(nodes)s.")
GANGS_FIT = plural(
    "%(gangs)s more gang of %(size)s pods. Of the next one %(found)s find a node.",
    "%(gangs)s more gangs of %(size)s pods. Of the next one %(found)s find a node.",
    by="gangs",
)
ONE_DOMAIN = message("All pods of a gang are on nodes with one value of %(key)s.")
POD_BY_POD = message("One by one %(pods)s fit on %(nodes)s.")
OF_MIX = message("Of the mix: %(parts)s.")
COUNTING_ENDED = message("Counting ended at %(limit)s; more may fit.")

# -- nodes needed ------------------------------------------------------------------------------------------------------
NODES_DO_NOT_HELP = plural(
    "More nodes do not help: an empty one rejects %(pods)s pod.",
    "More nodes do not help: an empty one rejects %(pods)s pods.",
    by="pods",
)
NODES_DO_NOT_CREATE = message("More nodes do not help: the API server refuses pods.")
NOT_ENOUGH = message("More than %(nodes)s nodes.")
NODES_NEEDED = plural("%(nodes)s more node for %(pods)s.", "%(nodes)s more nodes for %(pods)s.", by="nodes")
TRIED = message("Tried: %(trials)s.")
ENOUGH = message("%(nodes)s enough")
TOO_FEW = message("%(nodes)s too few")
