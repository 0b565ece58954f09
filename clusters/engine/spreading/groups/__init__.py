"""Which pods of a cluster share a topology spread constraint, and how evenly they are spread."""

from __future__ import annotations

from clusters.engine.spreading.groups.census import Count, members_of
from clusters.engine.spreading.groups.eligibility import Eligibility, Exclusion
from clusters.engine.spreading.groups.finding import (
    Spreading,
    UnreadableConstraints,
    first_of_each,
    spreading_of,
    worst_of,
)
from clusters.engine.spreading.groups.group import DomainCount, Source, SpreadGroup
from clusters.engine.spreading.groups.listing import counted_pods
from clusters.engine.spreading.groups.loss import FailureDomains, ZoneLoss
from clusters.engine.spreading.groups.matrix import WorkloadMatrix, workload_matrix
from clusters.engine.spreading.groups.nodeless import NamedBy, NodelessDomain

__all__ = [
    "Count",
    "DomainCount",
    "Eligibility",
    "Exclusion",
    "FailureDomains",
    "NamedBy",
    "NodelessDomain",
    "Source",
    "SpreadGroup",
    "Spreading",
    "UnreadableConstraints",
    "WorkloadMatrix",
    "ZoneLoss",
    "counted_pods",
    "first_of_each",
    "members_of",
    "spreading_of",
    "workload_matrix",
    "worst_of",
]
