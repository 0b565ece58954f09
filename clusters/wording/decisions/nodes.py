"""Nodes in a pod's decision in words: filters, the map, one beside another, and why not one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.engine.resources import CPU
from clusters.engine.status import Code, Rejection, Status
from clusters.wording import counts, states
from clusters.wording.amounts import grouped
from clusters.wording.conclusions import error_sentence, nomination_sentence
from clusters.wording.lists import alternatives, first_of, listed
from clusters.wording.messages import message, plural
from clusters.wording.plugins.reasons import reason_phrase, reason_phrases
from clusters.wording.resources import resource_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine import Explanation
    from clusters.engine.scheduling import NodeGroup
    from clusters.engine.status import Reason


# -- One node in a pod's decision -------------------------------------------------------------------------------------


def verdict_word(rejection: Rejection | None) -> str:
    """Return what filtering says of a node, as a badge shows it."""
    if rejection is None:
        return str(states.FEASIBLE)
    match rejection.status.code:
        case Code.UNSCHEDULABLE:
            # Whether preemption is tried, and helps, is said beside it.
            return str(states.REJECTED)
        case Code.ERROR:
            return str(states.SCHEDULER_ERROR)
        case _never:
            return str(states.REJECTED_FOR_GOOD)


def rejection_sentence(explanation: Explanation, row: int) -> str:
    """Say why a node rejects the pod, everything that does: `birch rejects the pod: insufficient CPU.`."""
    statuses = [*explanation.rejections_of(row).values()]
    verdict = explanation.verdict_of(row)
    if not statuses and verdict is not None:
        statuses = [verdict.status]
    said = [REJECTS(who=explanation.snapshot.nodes.names[row], reasons=phrases(statuses))]
    if more := rejections_only_with_nominated(explanation, row):
        said.append(
            _("With %(pods)s, nominated to it, also: %(reasons)s.")
            % {"pods": first_of(explanation.nominated_on(row)), "reasons": phrases(more.values())}
        )
    elif explanation.decided_by_nominated(row):
        said.append(nominated_sentence(explanation.nominated_on(row)))
    return " ".join(said)


def phrases(statuses: Iterable[Status]) -> str:
    """Say in a few words each why filters reject one node."""
    return reason_phrases(reason for status in statuses for reason in status.stated)


def nominated_sentence(pods: Sequence[str]) -> str:
    """Name the nominated pods without which the verdict on a node would be another."""
    return ngettext(
        "Counts %(pods)s, nominated to the node.",
        "Counts %(pods)s, nominated to the node.",
        len(pods),
    ) % {"pods": first_of(pods)}


def rejections_only_with_nominated(explanation: Explanation, row: int) -> dict[str, Status]:
    """Return what rejects a node only once nominated pods count, where it is rejected without them already."""
    alone = explanation.rejections_of(row)
    if not alone or explanation.decided_by_nominated(row):
        return {}
    counted_in = explanation.rejections_with_nominated(row)
    return {plugin: status for plugin, status in counted_in.items() if plugin not in alone}


def rank(explanation: Explanation, total: int) -> int:
    """Return the place of a total: 1 for the best, the same for ties."""
    return int((explanation.cycle.totals > total).sum()) + 1


TOTAL_AND_RANK = plural("%(points)s point, rank %(rank)s", "%(points)s points, rank %(rank)s", by="points")


def node_sentence(explanation: Explanation, row: int) -> str:
    """Say what the scheduler says of one node, and what else would reject the pod there."""
    total, feasible = explanation.total_of(row), len(explanation.cycle.feasible)
    if total is not None:
        return _feasible_sentence(explanation, total, feasible)
    rejection, failing = explanation.verdict_of(row), explanation.rejections_of(row)
    decided = explanation.decided_by_nominated(row)
    if rejection is not None and not failing and not decided:
        return _("The scheduler skips this node: %(reasons)s.") % {"reasons": rejection.status.reported}
    said = []
    if rejection is not None:
        said.append(
            _("The scheduler reports %(plugin)s: %(reasons)s.")
            % {"plugin": rejection.plugin, "reasons": rejection.status.reported}
        )
        if decided:
            said.append(nominated_sentence(explanation.nominated_on(row)))
    others = [plugin for plugin in failing if rejection is None or plugin != rejection.plugin]
    if others:
        said.append(_("%(plugins)s would reject the pod too.") % {"plugins": listed(others)})
    elif decided and not failing:
        said.append(_("Without nominated pods nothing does."))
    elif more := rejections_only_with_nominated(explanation, row):
        said.append(_("With the nominated pods %(plugins)s would reject the pod too.") % {"plugins": listed(more)})
    else:
        said.append(_("Nothing else does."))
    return " ".join(said)


def _feasible_sentence(explanation: Explanation, total: int, feasible: int) -> str:
    place = grouped(rank(explanation, total))
    if explanation.uncertainties:
        return ngettext(
            "Passes the computed filters: %(points)s point, rank %(rank)s of %(nodes)s.",
            "Passes the computed filters: %(points)s points, rank %(rank)s of %(nodes)s.",
            total,
        ) % {"points": grouped(total), "rank": place, "nodes": grouped(feasible)}
    return ngettext(
        "Fits here: %(points)s point, rank %(rank)s of %(nodes)s.",
        "Fits here: %(points)s points, rank %(rank)s of %(nodes)s.",
        total,
    ) % {"points": grouped(total), "rank": place, "nodes": grouped(feasible)}


# -- The filters over all nodes in words ------------------------------------------------------------------------------


BEFORE_FILTERING: Final = gettext_lazy("before any node is filtered")


REJECTS = message("%(who)s rejects the pod: %(reasons)s.")


OTHER_DOMAIN: Final = gettext_lazy("Not asked: the pod's group is tried in another domain.")
ONE_DOMAIN: Final = gettext_lazy("The pod's group is tried in one domain.")
RESTRICTED = plural("%(plugins)s limits the nodes to filter.", "%(plugins)s limit the nodes to filter.", by="number")


def rejects(*, left: int, here: int, alone: int, nodes: int) -> str:
    """Say how many of the remaining nodes a filter rejects (``left`` pass), and how many it would reject alone."""
    if not alone:
        return _("Rejects no node.")
    remaining = left + here
    if here == alone and remaining == nodes:
        return _("Rejects %(rejected)s of %(nodes)s.") % {
            "rejected": grouped(here),
            "nodes": grouped(nodes),
        }
    return _("Rejects %(rejected)s of the remaining %(remaining)s (%(alone)s of %(nodes)s alone).") % {
        "rejected": grouped(here),
        "remaining": grouped(remaining),
        "alone": grouped(alone),
        "nodes": grouped(nodes),
    }


def group_summary(found: NodeGroup) -> str:
    """Say in a few words why the nodes of a group reject the pod, every filter that does."""
    if found.verdict is None:
        return _("no filter rejects the pod")
    return phrases(found.filters.values() or (found.verdict.status,))


def nothing_fails(explanation: Explanation, found: NodeGroup) -> str:
    """Say why nodes that no filter rejects are rejected all the same."""
    if found.verdict is None or found.filters:
        return _("nothing")
    if explanation.decided_by_nominated(int(found.rows[0])):
        return _("nothing without the nominated pods")
    if explanation.cycle.stopped_by is not None:
        return _("nothing: the attempt had ended before Filter")
    if _is_outside(explanation, int(found.rows[0])):
        return str(OTHER_DOMAIN)
    return _("nothing: %(plugins)s left these nodes out") % {"plugins": listed(explanation.cycle.restricting)}


def _is_outside(explanation: Explanation, row: int) -> bool:
    placement = explanation.cycle.placement
    return placement is not None and not placement[row]


COUNTS_NOMINATED = plural("Counts %(pods)s, nominated here.", "Counts %(pods)s, nominated here.", by="number")


# -- Answers to a name of a node, or a part of one, that somebody wrote -----------------------------------------------


FIRST_MATCHES = plural(
    "More than %(nodes)s node has “%(asked)s” in its name.",
    "More than %(nodes)s nodes have “%(asked)s” in their names.",
    by="nodes",
)
EVERY_MATCH = plural(
    "%(nodes)s node has “%(asked)s” in its name.", "%(nodes)s nodes have “%(asked)s” in their name.", by="nodes"
)
WITHOUT_MATCH = message("%(cluster)s has no node named like “%(asked)s”.")
SPELLED_ALIKE: Final = gettext_lazy("Similar names:")


NOT_ONE_NODE = message("“%(asked)s” is not the name of one node.")


# -- Two explanations of one pod side by side -------------------------------------------------------------------------


NOW: Final = pgettext_lazy("side of a comparison", "Now")
WHAT_IF: Final = pgettext_lazy("side of a comparison", "What if")
EARLIER: Final = gettext_lazy("Earlier what if")

VERDICT: Final = pgettext_lazy("row of a comparison", "Verdict")
FITS_ON: Final = pgettext_lazy("row of a comparison", "Fits on")
BEST_NODE: Final = pgettext_lazy("row of a comparison", "Best node")
PREEMPTION: Final = pgettext_lazy("row of a comparison", "Preemption")
MESSAGE: Final = pgettext_lazy("row of a comparison", "FailedScheduling message")
POD_GROUP: Final = pgettext_lazy("row of a comparison", "Pod group")

NONE: Final = pgettext_lazy("in place of a node or a message", "none")
NO_GROUP: Final = pgettext_lazy("instead of a pod group", "scheduled by itself")
NOT_EVALUATED: Final = pgettext_lazy("in place of preemption", "not evaluated")
DOES_NOT_FIT: Final = gettext_lazy("does not fit")


GAINED = plural("%(nodes)s node gained", "%(nodes)s nodes gained", by="nodes")
LOST = plural("%(nodes)s node lost", "%(nodes)s nodes lost", by="nodes")


def remaining(left: int, *, rejected: int, is_skipped: bool) -> str:
    """Say how many nodes a filter leaves, and whether it is skipped or how many it rejects."""
    if is_skipped:
        return pgettext("nodes that a filter leaves", "%(left)s (skipped)") % {"left": grouped(left)}
    return f"{grouped(left)} (−{grouped(rejected)})" if rejected else grouped(left)


# -- Why a pod is not on some node, or how the node compares where it would fit ---------------------------------------


RUNS_HERE: Final = gettext_lazy("The pod is on it.")
WOULD_NOT_FIT_NOW: Final = gettext_lazy("The pod is on it, but would not fit now.")
PASSES_EVERY_FILTER = message("%(node)s passes every filter.")


def taken_elsewhere(explanation: Explanation, node: str) -> str:
    """Say why a feasible node is not compared by its total: an error ends the attempt, or a nomination decides it."""
    if explanation.error is not None:
        return " ".join((PASSES_EVERY_FILTER(node=node), error_sentence(explanation.error)))
    if node in explanation.choices:
        return nomination_sentence(explanation)
    return " ".join((PASSES_EVERY_FILTER(node=node), nomination_sentence(explanation)))


ONLY_FEASIBLE = message("%(node)s is the only feasible node.")
TIED_BEST = plural(
    "%(node)s and %(others)s other share the highest total, %(points)s points.",
    "%(node)s and %(others)s others share the highest total: %(points)s points.",
    by="others",
)
BEST = plural("%(node)s is the best: %(points)s point.", "%(node)s is the best: %(points)s points.", by="points")
BEHIND = plural(
    "%(node)s is feasible, but %(points)s point behind %(other)s.",
    "%(node)s is feasible, but %(points)s points behind %(other)s.",
    by="points",
)
LARGEST_PART = message("Mostly %(plugin)s: %(points)s.")


def left_out(explanation: Explanation, node: str) -> str:
    """Say what would have to change for a node that no filter was asked about."""
    if explanation.cycle.stopped_by is not None:
        return _("None: the pod is rejected before Filter.")
    if _is_outside(explanation, explanation.snapshot.nodes.index[node]):
        return str(OTHER_DOMAIN)
    plugins = explanation.cycle.restricting
    return _("%(plugins)s would have to include %(node)s.") % {
        "plugins": listed(plugins),
        "node": node,
    }


# -- The map of a pod's decision in words -----------------------------------------------------------------------------


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


_OR_MORE = message("%(reason)s or %(number)s more", context="nodes of the map")


def rejected_for(nodes_of: Mapping[tuple[Reason, ...], int]) -> str:
    """Say in a few words why nodes reject the pod, by how many do for all of the same reasons; of many the first.

    Where they differ, each node has one reason or several: what is said is not so of every one of them.
    """
    times: Counter[Reason] = Counter()
    for reasons, nodes in nodes_of.items():
        times.update(dict.fromkeys(reasons, nodes))
    each = list(dict.fromkeys(reason_phrase(reason) for reason, _nodes in times.most_common()))
    is_joint = len(nodes_of) == 1
    said = reason_phrases(times) if is_joint else alternatives(each)
    if len(said) <= _LONG or len(each) <= 1:
        return said
    return first_of(each, most=1) if is_joint else _OR_MORE(reason=each[0], number=len(each) - 1)


def summary(nodes: int, keys: Iterable[tuple[int, str, str]]) -> str:
    """Say the whole map: how many nodes there are, and of each look how many and by whom."""
    said = ", ".join(key(number, label, source) for number, label, source in keys)
    return _("Map of %(nodes)s by verdict: %(keys)s.") % {"nodes": counts.NODES(number=nodes), "keys": said}


def key(nodes: int, label: str, source: str) -> str:
    """Count the nodes of one look: `35 insufficient CPU (NodeResourcesFit)`."""
    return f"{grouped(nodes)} {label} ({source})" if source else f"{grouped(nodes)} {label}"


START = plural("%(nodes)s node to filter.", "%(nodes)s nodes to filter.", by="nodes")
LEFT_AFTER = plural("%(said)s %(nodes)s node is left.", "%(said)s %(nodes)s nodes are left.", by="nodes")
RESULT: Final = pgettext_lazy("last step of a decision", "Result")
GIVES = plural(
    "Gives %(least)s to %(most)s point, with weight %(weight)s.",
    "Gives %(least)s to %(most)s points, with weight %(weight)s.",
    by="most",
)


POD_RUNS_HERE = message("Runs on %(node)s")
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
