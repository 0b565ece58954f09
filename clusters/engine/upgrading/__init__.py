"""What kube-scheduler of a later Kubernetes minor decides otherwise in a cluster as it is."""

from __future__ import annotations

from clusters.engine.upgrading.drains import (
    DrainAspect,
    DrainChange,
    NodeDrainAnswer,
    PoolDrain,
    ReplacedPod,
    SampledDrains,
    SampledPool,
    sampled_pools,
)
from clusters.engine.upgrading.rules import Amendment, AmendmentKind, DefaultKind, ObstacleKind, releases_between
from clusters.engine.upgrading.subjects import (
    AnswerAspect,
    GroupChange,
    GroupPlacement,
    SampledPods,
    SchedulingAnswer,
    SubjectRole,
    resized_pods,
)
from clusters.engine.upgrading.upgrade import UpgradeCase, UpgradeChange, UpgradePreview, upgrade_preview

__all__ = [
    "Amendment",
    "AmendmentKind",
    "AnswerAspect",
    "DefaultKind",
    "DrainAspect",
    "DrainChange",
    "GroupChange",
    "GroupPlacement",
    "NodeDrainAnswer",
    "ObstacleKind",
    "PoolDrain",
    "ReplacedPod",
    "SampledDrains",
    "SampledPods",
    "SampledPool",
    "SchedulingAnswer",
    "SubjectRole",
    "UpgradeCase",
    "UpgradeChange",
    "UpgradePreview",
    "releases_between",
    "resized_pods",
    "sampled_pools",
    "upgrade_preview",
]
