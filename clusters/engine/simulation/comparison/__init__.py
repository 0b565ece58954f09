"""Comparison of two runs: which pods ended elsewhere and why, and what each run could not place, did and needs."""

from __future__ import annotations

from clusters.engine.simulation.comparison.finished import Finished, Replay
from clusters.engine.simulation.comparison.moved import MovedPod, MovedPods, PodEnding, moved_pods
from clusters.engine.simulation.comparison.parting import Parting, parting_of
from clusters.engine.simulation.comparison.placements import (
    Difference,
    PlacementChange,
    PluginPoints,
    Side,
    Why,
    differences,
)
from clusters.engine.simulation.comparison.runs import MOST_REASONS, RunComparison, compare_runs
from clusters.engine.simulation.comparison.totals import Cost, Disruptions, Prices, Totals

__all__ = [
    "MOST_REASONS",
    "Cost",
    "Difference",
    "Disruptions",
    "Finished",
    "MovedPod",
    "MovedPods",
    "Parting",
    "PlacementChange",
    "PluginPoints",
    "PodEnding",
    "Prices",
    "Replay",
    "RunComparison",
    "Side",
    "Totals",
    "Why",
    "compare_runs",
    "differences",
    "moved_pods",
    "parting_of",
]
