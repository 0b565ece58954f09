"""What differs from one Kubernetes minor to the next, as data: plugins, default profiles, feature gates, rules."""

from __future__ import annotations

from clusters.engine.versions.gates import Gate
from clusters.engine.versions.matching import Known, ReleaseMatch, match_release
from clusters.engine.versions.minors import ASSUMED, NEWEST, RELEASES
from clusters.engine.versions.points import ExtensionPoint
from clusters.engine.versions.release import Release
from clusters.engine.versions.rules import Rules

__all__ = (
    "ASSUMED",
    "NEWEST",
    "RELEASES",
    "ExtensionPoint",
    "Gate",
    "Known",
    "Release",
    "ReleaseMatch",
    "Rules",
    "match_release",
)
