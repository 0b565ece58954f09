"""Causes that lie in the group of a pod: it lacks pods, or is scheduled as a whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.registry import PLUGINS

if TYPE_CHECKING:
    from clusters.engine.analysis.causes import Cause


def is_of_group(cause: Cause) -> bool:
    """Whether a pod is pending because of the group that it names."""
    return any(name in PLUGINS and PLUGINS[name].asks_for_group for name in cause.plugins)
