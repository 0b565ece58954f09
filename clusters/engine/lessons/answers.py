"""Reads what learners give. Every function raises UnreadableAnswerError for what is no answer to its question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from clusters.engine.lessons.arguments import not_one_of
from clusters.engine.lessons.question import UnreadableAnswerError
from clusters.engine.problems import NotAList, NotAMap, NotAText, TooMany
from clusters.engine.showing import shown

if TYPE_CHECKING:
    from collections.abc import Collection

    from clusters.engine.lessons.question import RawAnswer


def read_word(answer: RawAnswer, known: Collection[str]) -> str:
    """One of the known texts."""
    if not isinstance(answer, str):
        raise UnreadableAnswerError(NotAText(shown(answer)))
    if answer not in known:
        raise UnreadableAnswerError(not_one_of(answer, known))
    return answer


def read_words(answer: RawAnswer, known: Collection[str]) -> list[str]:
    """A list of known texts in its order, none of them twice; what stands there again is passed over."""
    if not isinstance(answer, list | tuple):
        raise UnreadableAnswerError(NotAList(shown(answer)))
    if len(answer) > len(known):
        raise UnreadableAnswerError(TooMany(len(answer), len(known)))
    return list(dict.fromkeys(read_word(each, known) for each in answer))


def read_words_by(answer: RawAnswer, keys: Collection[str], known: Collection[str]) -> dict[str, str | None]:
    """A map from known texts to other known texts or to nothing."""
    if not isinstance(answer, Mapping):
        raise UnreadableAnswerError(NotAMap(shown(answer)))
    return {read_word(key, keys): None if value is None else read_word(value, known) for key, value in answer.items()}
