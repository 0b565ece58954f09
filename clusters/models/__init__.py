"""The mirror, and what is made of it."""

from __future__ import annotations

from clusters.models.cluster import Change, Cluster, Ingest, NodeChange, PastState, WatchedKind, WatchLease
from clusters.models.decision import Decision, Departure, FollowedSearches, Observation
from clusters.models.lesson import StoredLesson
from clusters.models.mirrored import PENDING, Event, KubeObject, Node, Pod, PodDisruptionBudget
from clusters.models.report import CapacitySample, Report, ReportSchedule
from clusters.models.run import ReplacedObject, RunBase, RunChunk, RunPod, SimulationRun, Study, StudyPart
from clusters.models.usage import NodeDiskUse, UsageHour, UsageReading

__all__ = [
    "PENDING",
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
    "PastState",
    "Pod",
    "PodDisruptionBudget",
    "ReplacedObject",
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
