"""Workloads: pods grouped by what makes them, where more of them would go, and what an update of them would meet."""

from __future__ import annotations

from clusters.services.workloads.listing import workloads_of
from clusters.services.workloads.owners import ClusterWorkloads, PendingPod, WorkloadState

__all__ = ["ClusterWorkloads", "PendingPod", "WorkloadState", "workloads_of"]
