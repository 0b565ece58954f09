"""How an attempt to schedule a pod ends, in words: the node that is taken and why, or the error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, ngettext

from clusters.engine.status import CycleError, Phase
from clusters.wording.amounts import grouped

if TYPE_CHECKING:
    from clusters.engine import Explanation

_PHASES: Final = {
    Phase.PRE_FILTER: "PreFilter",
    Phase.FILTER: "Filter",
    Phase.PRE_SCORE: "PreScore",
    Phase.SCORE: "Score",
    Phase.WEIGHING: "Score",
}


def nomination_sentence(explanation: Explanation) -> str:
    """Say why the node that a pod is nominated for is taken."""
    return _("%(node)s is taken without scoring: status.nominatedNodeName names it.") % {
        "node": explanation.pod.nominated_node_name
    }


def error_sentence(error: CycleError) -> str:
    """Say what ends an attempt in an error, and what that means for the pod."""
    if error.node:
        return _("Scheduler error: %(plugin)s fails in %(phase)s on %(node)s, which ends the attempt.") % {
            "plugin": error.plugin,
            "phase": _PHASES[error.phase],
            "node": error.node,
        }
    return _("Scheduler error: %(plugin)s fails in %(phase)s, which ends the attempt.") % {
        "plugin": error.plugin,
        "phase": _PHASES[error.phase],
    }


def passing_sentence(explanation: Explanation) -> str:
    """Say on how many nodes the filters of an attempt that ends in an error find nothing."""
    passing = len(explanation.cycle.feasible)
    return ngettext(
        "%(passing)s of %(nodes)s node passes every filter.",
        "%(passing)s of %(nodes)s nodes pass every filter.",
        explanation.node_count,
    ) % {"passing": grouped(passing), "nodes": grouped(explanation.node_count)}
