"""Errors that end a scheduling cycle: the pod is not scheduled, whatever other plugins or nodes say.

Upstream: ``RunPreFilterPlugins``, ``RunFilterPlugins``, ``RunPreScorePlugins`` and ``RunScorePlugins`` in
``framework/runtime/framework.go`` v1.34.1, which word the error, and ``schedulePod`` in ``schedule_one.go``, which
returns it instead of a node.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Phase(enum.StrEnum):
    """In what part of a cycle an error came up."""

    PRE_FILTER = "preFilter"
    FILTER = "filter"
    PRE_SCORE = "preScore"
    SCORE = "score"
    WEIGHING = "weighing"
    """Scores were brought to 0..100 and one of them is not in that range."""

    @property
    def is_scoring(self) -> bool:
        """Whether the nodes that fit were known already."""
        return self in (Phase.PRE_SCORE, Phase.SCORE, Phase.WEIGHING)


@dataclass(frozen=True, slots=True)
class CycleError:
    """What a plugin failed with. ``message`` is the text of the FailedScheduling event.

    ``node`` is where, empty where the plugin looked at no single node.
    """

    phase: Phase
    plugin: str
    message: str
    node: str = ""

    @classmethod
    def of(cls, phase: Phase, plugin: str, reason: str) -> CycleError:
        """Word an error as the scheduler does."""
        return cls(phase, plugin, _worded(phase, plugin, reason))


def filter_error(plugin: str, reason: str) -> str:
    """How the scheduler words the error of a filter on a node."""
    return _worded(Phase.FILTER, plugin, reason)


def _worded(phase: Phase, plugin: str, reason: str) -> str:
    match phase:
        case Phase.PRE_FILTER:
            return f'running PreFilter plugin "{plugin}": {reason}'
        case Phase.FILTER:
            return f'running "{plugin}" filter plugin: {reason}'
        case Phase.PRE_SCORE:
            return f'running PreScore plugin "{plugin}": {reason}'
        case Phase.SCORE:
            return f'running Score plugins: plugin "{plugin}" failed with: {reason}'
        case Phase.WEIGHING:
            return f'applying score defaultWeights on Score plugins: plugin "{plugin}" {reason}'
