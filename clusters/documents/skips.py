"""What an ingest skipped, as rows store it and as people read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.documents.stored_problems import decoded
from clusters.wording.problems import problem_sentence, skipped_thing

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class WordedSkip:
    """What was skipped, why, and how often; ``reason`` is for programs, and never translated."""

    what: str
    why: str
    count: int
    reason: str


def worded_skip(stored: Mapping[str, Any]) -> WordedSkip:
    """Return an entry of a row in words."""
    reason = decoded(stored["why"])
    return WordedSkip(skipped_thing(reason), problem_sentence(reason), int(stored["count"]), reason.kind)
