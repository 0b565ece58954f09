"""What an update of a workload would meet: its rounds, simulated on a snapshot of their own.

A disruption budget has no say in it: controllers delete pods, they do not evict them.
"""

from __future__ import annotations

from clusters.engine.rollout.plan import RolloutPlan, Way, plan_of
from clusters.engine.rollout.replacing import replacing
from clusters.engine.rollout.rounds import OldPod, Progress, Round
from clusters.engine.rollout.surging import surging

__all__ = ["OldPod", "Progress", "RolloutPlan", "Round", "Way", "plan_of", "replacing", "surging"]
