"""What a pod's explanation comes to, in a sentence or two of plain text."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clusters.engine.conclusion import Conclusion
from clusters.management.terminal.layout import some
from clusters.wording import attempts, conclusions

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from clusters.engine.status import Status

MOST_NAMES = 6


def verdict_sentence(explanation: Explanation) -> str:
    """Say in one sentence whether and where a pod fits."""
    count, best = explanation.node_count, explanation.best
    nodes = f"{count:,} node" if count == 1 else f"{count:,} nodes"
    if not count:
        return "Nothing can be said: the dump has no nodes. Take it again with the nodes too."
    if explanation.error is not None:
        return f"{attempts.error_sentence(explanation.error)} {attempts.passing_sentence(explanation)}"
    if not explanation.fits:
        preemption = explanation.preemption
        if preemption is not None and preemption.selected is not None:
            chosen = preemption.selected
            removed = some(chosen.victims, MOST_NAMES)
            would = "might" if explanation.uncertainties else "would"
            return (
                f"It {would} fit by preemption: {removed} would leave {chosen.node}. "
                f"It fits on none of the {nodes} now."
            )
        return f"It fits on none of the {nodes}."
    points = f"{int(explanation.cycle.totals.max()):,} points"
    where = f"It fits on {len(explanation.feasible):,} of {nodes}."
    if explanation.conclusion is Conclusion.UNCERTAIN:
        where = (
            f"Uncertain: {conclusions.uncertainty_clauses(explanation.uncertainties)}. "
            f"It passes all that is computed on {len(explanation.feasible):,} of {nodes}."
        )
    if explanation.takes_nominated:
        highest = f" The highest total would be {points}, of {some(best, MOST_NAMES)}."
        is_best = best == explanation.choices
        return f"{where} {attempts.nomination_clause(explanation)}.{'' if is_best or not best else highest}"
    if len(best) == 1:
        return f"{where} The best is {best[0]} with {points}."
    return f"{where} The best are {some(best, MOST_NAMES)} with {points} each; one of them is taken at random."


def brief_verdict(explanation: Explanation) -> str:
    """Say the same with the plugins that reject, and on how many nodes."""
    if explanation.fits:
        return verdict_sentence(explanation)
    if not explanation.node_count or explanation.error is not None:
        return verdict_sentence(explanation)
    stopped_by = explanation.cycle.stopped_by
    if stopped_by is not None:
        return f"It fits nowhere: {reasons(stopped_by.status)}."
    counts: Counter[str] = Counter()
    for group in explanation.groups:
        if group.verdict is not None:
            counts[group.verdict.plugin] += len(group)
    rejecting = ", ".join(f"{plugin} {count:,}" for plugin, count in counts.most_common())
    preemption = explanation.preemption
    helped = len(preemption.candidates) if preemption is not None else 0
    on = f" Preemption would help on {helped:,} of them." if helped else ""
    return f"It fits nowhere. Nodes by who rejects: {rejecting}.{on}"


def doubts(explanation: Explanation) -> list[str]:
    """Say what cannot be known from outside, where it matters for this pod."""
    found = conclusions.doubts(explanation)
    if explanation.fits and not explanation.sampling.complete:
        sampling = explanation.sampling
        found.append(
            f"The scheduler stops its search after {sampling.wanted:,} feasible nodes of {sampling.nodes:,}, and "
            "where it starts cannot be known: it may not have looked at the best one."
        )
    return found


def reasons(status: Status) -> str:
    """Return what a plugin said, or its code where it said nothing."""
    return ", ".join(status.reasons) or str(status.code)
