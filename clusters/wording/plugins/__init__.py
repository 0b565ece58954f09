"""What people read about each plugin: what it decides, why it rejects, what lifts that, what it compared and scored."""

from __future__ import annotations

from clusters.wording import devices  # noqa: F401 - enters the words of what is compared, as do those below
from clusters.wording.plugins import nodes, pods, resources, volumes  # noqa: F401
from clusters.wording.plugins.lifts import lifting, lifting_of
from clusters.wording.plugins.reasons import named_as_cause, nodes_by_reason, reason_phrase, reason_phrases
from clusters.wording.plugins.words import (
    NOTHING_TO_FILTER,
    NOTHING_TO_SCORE,
    PluginWords,
    argument,
    argument_value,
    wording_of,
)

__all__ = [
    "NOTHING_TO_FILTER",
    "NOTHING_TO_SCORE",
    "PluginWords",
    "argument",
    "argument_value",
    "lifting",
    "lifting_of",
    "named_as_cause",
    "nodes_by_reason",
    "reason_phrase",
    "reason_phrases",
    "wording_of",
]
