"""What is wrong with a lesson, sentence by sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.problems import placed_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.services.lessons.reading import LessonFault


def fault_sentences(faults: Iterable[LessonFault]) -> list[str]:
    """Say of each fault where it is, what is wrong, and what would be right."""
    return [placed_sentence(each.problem, each.file, each.field, line=each.line) for each in faults]
