"""How an attempt to schedule a pod ends, in words: the node that is taken and why, or the error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.cycle_error import Phase

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from clusters.engine.cycle_error import CycleError

_PHASES: Final = {
    Phase.PRE_FILTER: "PreFilter",
    Phase.FILTER: "Filter",
    Phase.PRE_SCORE: "PreScore",
    Phase.SCORE: "Score",
    Phase.WEIGHING: "Score",
}


def nomination_clause(explanation: Explanation) -> str:
    """Say why the node that a pod is nominated for is taken, as part of a sentence."""
    return (
        f"{explanation.pod.nominated_node_name} is taken: status.nominatedNodeName names it, so the scheduler tries it "
        "first, and takes it without scoring the others"
    )


def error_clause(error: CycleError) -> str:
    """Say where an error comes up, as part of a sentence."""
    on = f" on {error.node}" if error.node else ""
    return f"{error.plugin} fails in {_PHASES[error.phase]}{on}"


def error_sentence(error: CycleError) -> str:
    """Say what ends an attempt in an error, and what that means for the pod."""
    return f"Not scheduled: {error_clause(error)}, and an error ends the attempt, whatever other nodes say."


def passing_sentence(explanation: Explanation) -> str:
    """Say on how many nodes the filters of an attempt that ends in an error find nothing."""
    passing = len(explanation.cycle.feasible)
    nodes = f"{explanation.node_count:,} {'node' if explanation.node_count == 1 else 'nodes'}"
    return f"{passing:,} of {nodes} {'passes' if passing == 1 else 'pass'} every filter."
