"""The scheduling explainer: pure functions over a columnar snapshot of a cluster.

Nothing here knows about Django, files, networks, clocks or chance.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clusters.engine.configuration import ConfigurationError, Profile, SchedulerConfiguration, UnknownScheduler
    from clusters.engine.scheduling import Explanation, NodeGroup
    from clusters.engine.scheduling.explanation import explain
    from clusters.engine.snapshot import Snapshot, UnknownNodeError
else:

    def __getattr__(name: str) -> Any:
        """Load what is asked for: whoever needs a small part of the engine starts without the others."""
        for part, names in _PARTS.items():
            if name in names:
                return getattr(import_module(f"clusters.engine.{part}"), name)
        raise AttributeError(name)


_PARTS = {
    "configuration": ("ConfigurationError", "Profile", "SchedulerConfiguration", "UnknownScheduler"),
    "scheduling": ("Explanation", "NodeGroup"),
    "scheduling.explanation": ("explain",),
    "snapshot": ("Snapshot", "UnknownNodeError"),
}

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
