"""Simulation: pods placed one after another or all at once on a cluster that somebody changed, and what that means."""

from __future__ import annotations

from clusters.engine.simulation.case import Case, Origin, Wanted
from clusters.engine.simulation.run import Simulation, explained, state_after
from clusters.engine.simulation.steps import Outcome, Step

__all__ = ["Case", "Origin", "Outcome", "Simulation", "Step", "Wanted", "explained", "state_after"]
