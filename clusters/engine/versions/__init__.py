"""What differs from one Kubernetes minor to the next, as data: plugins, default profiles, feature gates, rules."""

from __future__ import annotations

from clusters.engine.versions.gate_settings import (
    GateError,
    GateSettings,
    ReplicaSettings,
    known_settings,
    read_feature_gates,
    refused_settings,
    release_with,
    scheduling_settings,
    settings_of_replicas,
)
from clusters.engine.versions.gates import COMPUTED, Gate, GateStage, is_locked, stage_of
from clusters.engine.versions.matching import Known, ReleaseMatch, match_release
from clusters.engine.versions.minors import ASSUMED, NEWEST, RELEASES
from clusters.engine.versions.points import ExtensionPoint
from clusters.engine.versions.release import Release
from clusters.engine.versions.rules import Rules

__all__ = (
    "ASSUMED",
    "COMPUTED",
    "NEWEST",
    "RELEASES",
    "ExtensionPoint",
    "Gate",
    "GateError",
    "GateSettings",
    "GateStage",
    "Known",
    "Release",
    "ReleaseMatch",
    "ReplicaSettings",
    "Rules",
    "is_locked",
    "known_settings",
    "match_release",
    "read_feature_gates",
    "refused_settings",
    "release_with",
    "scheduling_settings",
    "settings_of_replicas",
    "stage_of",
)
