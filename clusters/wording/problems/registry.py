"""Which function words which kind of problem; modules by noun enter their own."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _

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


def problem_sentence(problem: Problem, *, line: int = 0) -> str:
    """Say what is wrong, and on which line of what was written, where that is known."""
    if not line:
        return words(problem).sentence
    return _("Line %(line)s: %(problem)s") % {"line": line, "problem": words(problem).sentence}


def remedy_sentence(problem: Problem) -> str:
    """Say what would be right."""
    return words(problem).remedy


def both_sentences(problem: Problem, *, line: int = 0) -> str:
    """Say what is wrong, and then what would be right."""
    return " ".join(filter(None, (problem_sentence(problem, line=line), remedy_sentence(problem))))


def worded_problems() -> frozenset[type]:
    """All types of problems that have words."""
    return frozenset(words.registry) - {object}
