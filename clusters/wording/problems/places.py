"""Problems with the place that they are about, as one text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.wording.problems.registry import both_sentences

if TYPE_CHECKING:
    from clusters.engine.problems import Problem


def placed_sentence(problem: Problem, *places: str, line: int = 0) -> str:
    """Say where something is wrong, the outermost place first, then what, and what would be right."""
    place, said = ", ".join(filter(None, places)), both_sentences(problem, line=line)
    return _("%(place)s: %(problem)s") % {"place": place, "problem": said} if place else said


def input_sentence(problem: Problem, *, file: str, document: int, subject: str, field: str) -> str:
    """Say what is wrong with a file that was sent, with its document, its object and its field."""
    number = _("document %(number)s") % {"number": document} if document else ""
    return placed_sentence(problem, file, number, subject, field)
