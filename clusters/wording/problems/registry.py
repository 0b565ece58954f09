"""Which function words which kind of problem; modules by noun enter their own."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from clusters.engine.problems import Problem


class Words(NamedTuple):
    """A problem in words: ``sentence`` says what is wrong, ``remedy`` what would be right, empty where nobody knows."""

    sentence: str
    remedy: str


@singledispatch
def words(problem: Problem) -> Words:
    """Word a problem. Raises TypeError for a type that no module words."""
    raise TypeError(f"{type(problem).__name__} has no wording")


def problem_sentence(problem: Problem) -> str:
    """Say what is wrong."""
    return words(problem).sentence


def remedy_sentence(problem: Problem) -> str:
    """Say what would be right."""
    return words(problem).remedy


def worded_problems() -> frozenset[type]:
    """All types of problems that have words."""
    return frozenset(words.registry) - {object}
