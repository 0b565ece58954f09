"""One node in a pod's decision: why it rejects the pod, nominated pods counted in, and its rank among the feasible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _, ngettext

from clusters.engine.status import Code, Rejection, Status
from clusters.wording import states
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of, listed
from clusters.wording.plugins.reasons import reason_phrases

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine import Explanation


def verdict_word(rejection: Rejection | None) -> str:
    """Return what filtering says of a node, as a badge shows it."""
    if rejection is None:
        return str(states.FEASIBLE)
    match rejection.status.code:
        case Code.UNSCHEDULABLE:
            return str(states.REJECTED_RESOLVABLE)
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
    said = [
        _("%(node)s rejects the pod: %(reasons)s.")
        % {"node": explanation.snapshot.nodes.names[row], "reasons": phrases(statuses)}
    ]
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


def total_and_rank(explanation: Explanation, total: int) -> str:
    """Write a feasible node's total and rank beside its name."""
    return ngettext("%(points)s point, rank %(rank)s", "%(points)s points, rank %(rank)s", total) % {
        "points": grouped(total),
        "rank": grouped(rank(explanation, total)),
    }


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
