"""What an ingest skipped, as rows store it and as people read it; rows of earlier releases are read too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.documents.stored_problems import decoded
from clusters.wording.problems import problem_sentence
from clusters.wording.problems.skips import skipped_thing

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class WordedSkip:
    """What was skipped, why, and how often; ``reason`` is for programs, and empty in rows of earlier releases."""

    what: str
    why: str
    count: int
    reason: str


def worded_skip(stored: Mapping[str, Any]) -> WordedSkip:
    """Return an entry of a row in words; an earlier release stored ``what`` and ``why`` as texts."""
    why = stored["why"]
    reason = decoded(why)
    return WordedSkip(
        what=str(stored.get("what", "")) or skipped_thing(reason),
        why=problem_sentence(reason),
        count=int(stored["count"]),
        reason="" if isinstance(why, str) else str(why.get("kind", "")),
    )
