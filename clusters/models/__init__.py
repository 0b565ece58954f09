"""The mirror, and what is made of it: one file per noun."""

from __future__ import annotations

from clusters.models.budget import PodDisruptionBudget
from clusters.models.capacity import CapacitySample
from clusters.models.change import Change
from clusters.models.cluster import Cluster
from clusters.models.decision import Decision
from clusters.models.departure import Departure
from clusters.models.event import Event
from clusters.models.followed_searches import FollowedSearches
from clusters.models.ingest import Ingest
from clusters.models.kube_object import KubeObject
from clusters.models.lesson import StoredLesson
from clusters.models.node import Node
from clusters.models.node_change import NodeChange
from clusters.models.observation import Observation
from clusters.models.pod import Pod
from clusters.models.report import Report, ReportSchedule
from clusters.models.run import RunBase, RunChunk, RunPod, SimulationRun
from clusters.models.study import Study, StudyPart
from clusters.models.usage import NodeDiskUse, UsageHour, UsageReading
from clusters.models.watch_lease import WatchLease
from clusters.models.watched_kind import WatchedKind

__all__ = [
    "CapacitySample",
    "Change",
    "Cluster",
    "Decision",
    "Departure",
    "Event",
    "FollowedSearches",
    "Ingest",
    "KubeObject",
    "Node",
    "NodeChange",
    "NodeDiskUse",
    "Observation",
    "Pod",
    "PodDisruptionBudget",
    "Report",
    "ReportSchedule",
    "RunBase",
    "RunChunk",
    "RunPod",
    "SimulationRun",
    "StoredLesson",
    "Study",
    "StudyPart",
    "UsageHour",
    "UsageReading",
    "WatchLease",
    "WatchedKind",
]
