"""An attempt to schedule a group of pods: its members one after another, placements, preemption, and messages."""

from __future__ import annotations

from clusters.engine.scheduling.groups.attempt import attempt_group, names_groups, recorded_group
from clusters.engine.scheduling.groups.placements import domain_of, domains_of
from clusters.engine.scheduling.groups.results import GroupAttempt, GroupVerdict, MemberAttempt, PlacementAttempt

__all__ = [
    "GroupAttempt",
    "GroupVerdict",
    "MemberAttempt",
    "PlacementAttempt",
    "attempt_group",
    "domain_of",
    "domains_of",
    "names_groups",
    "recorded_group",
]
