"""The scheduling explainer: pure functions over a columnar snapshot of a cluster.

Nothing here knows about Django, files, networks, clocks or chance.
"""

from __future__ import annotations

from clusters.engine.configuration import ConfigurationError, Profile, SchedulerConfiguration, UnknownScheduler
from clusters.engine.scheduling.answers import NodeGroup
from clusters.engine.scheduling.explanation import Explanation, explain
from clusters.engine.snapshot import Snapshot, UnknownNodeError

__all__ = [
    "ConfigurationError",
    "Explanation",
    "NodeGroup",
    "Profile",
    "SchedulerConfiguration",
    "Snapshot",
    "UnknownNodeError",
    "UnknownScheduler",
    "explain",
]
