"""Explanations that would cost too much, in words: which limit, and what to do."""

from __future__ import annotations

from typing import Final

from clusters.engine.cost import LIMITS, Measure

_REFUSALS: Final = {
    Measure.REQUIREMENTS: "the pod names more than {limit} requirements (affinity terms, spread constraints, "
    "tolerations, ports, each with its keys and values)",
    Measure.COMPARISONS: "its requirements, times the nodes and the distinct sets of pod labels that each is compared "
    "with, are more than {limit} comparisons",
    Measure.PLACED_TERMS: "the running pods have more than {limit} affinity terms, each of which may be about this pod",
    Measure.DRY_RUNS: "preemption would have to try more than {limit} combinations of pods and rules",
}
_REMEDIES: Final = {
    Measure.REQUIREMENTS: "Merge or remove requirements of the pod; a what-if shows what it would do with fewer.",
    Measure.COMPARISONS: "Merge or remove requirements of the pod; a what-if shows what it would do with fewer.",
    Measure.PLACED_TERMS: "Find the pods with the longest lists under spec.affinity, and merge their terms.",
    Measure.DRY_RUNS: "Merge or remove requirements of the pod, or ask without preemption: preemptionPolicy Never.",
}


def limit_sentence(measure: Measure) -> str:
    """Say that an explanation was refused, and which limit it exceeds."""
    return f"Too costly to compute: {_REFUSALS[measure].format(limit=f'{LIMITS[measure]:,}')}."


def limit_remedy(measure: Measure) -> str:
    """Say what makes an explanation possible."""
    return _REMEDIES[measure]
