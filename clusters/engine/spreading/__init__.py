"""Topology spread: constraints, domains, skew, and the groups of pods that share a constraint."""

from __future__ import annotations

from clusters.engine.spreading.constraints import HOSTNAME, PLUGIN, ZONE, Skew, SpreadConstraint, skews_of
from clusters.engine.spreading.groups import (
    DomainCount,
    Exclusion,
    NamedBy,
    Source,
    SpreadGroup,
    UnreadableConstraints,
    WorkloadMatrix,
    counted_pods,
    first_of_each,
    spreading_of,
    workload_matrix,
    worst_of,
)

__all__ = [
    "HOSTNAME",
    "PLUGIN",
    "ZONE",
    "DomainCount",
    "Exclusion",
    "NamedBy",
    "Skew",
    "Source",
    "SpreadConstraint",
    "SpreadGroup",
    "UnreadableConstraints",
    "WorkloadMatrix",
    "counted_pods",
    "first_of_each",
    "skews_of",
    "spreading_of",
    "workload_matrix",
    "worst_of",
]
