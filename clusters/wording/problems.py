"""Problems in words: what is wrong with what somebody wrote, where, and what would be right."""

from __future__ import annotations

import re

from django.utils import translation
from django.utils.translation import gettext as _

from clusters.engine.problems import (
    Bytes,
    Chosen,
    Counted,
    FirstOf,
    Message,
    Number,
    OneOf,
    Problem,
    Template,
    field_types,
)
from clusters.problems.skips import Skip
from clusters.wording.amounts import grouped, localised, size
from clusters.wording.lists import alternatives, first_of, listed

_PLACEHOLDER = re.compile(r"%\((\w+)\)s")


def problem_sentence(problem: Problem, *, line: int = 0) -> str:
    """Say what is wrong, and on which line of what was written, where that is known."""
    sentence = in_words(problem, problem.sentence)
    return _("Line %(line)s: %(problem)s") % {"line": line, "problem": sentence} if line else sentence


def remedy_sentence(problem: Problem) -> str:
    """Say what would be right: empty where nobody knows."""
    if said := in_words(problem, problem.remedy):
        return said
    values = (getattr(problem, name) for name in problem.__struct_fields__)
    return next((remedy_sentence(each) for each in values if isinstance(each, Problem)), "")


def both_sentences(problem: Problem, *, line: int = 0) -> str:
    """Say what is wrong, and then what would be right."""
    return " ".join(filter(None, (problem_sentence(problem, line=line), remedy_sentence(problem))))


def placed_sentence(problem: Problem, *places: str, line: int = 0) -> str:
    """Say where something is wrong, the outermost place first, then what, and what would be right."""
    place, said = ", ".join(filter(None, places)), both_sentences(problem, line=line)
    return f"{place}: {said}" if place else said


def input_sentence(problem: Problem, *, file: str, document: int, subject: str, field: str) -> str:
    """Say what is wrong with a file that was sent, with its document, its object and its field."""
    number = _("document %(number)s") % {"number": document} if document else ""
    return placed_sentence(problem, file, number, subject, field)


def skipped_thing(reason: Problem) -> str:
    """Name what is skipped for a reason; empty for any other problem."""
    return in_words(reason, reason.thing) if isinstance(reason, Skip) else ""


def in_words(problem: Problem, template: Template) -> str:
    """Translate a template of a problem, and fill it with the problem's fields."""
    if isinstance(template, Chosen):
        return in_words(problem, template.messages.get(getattr(problem, template.by), template.otherwise))
    if isinstance(template, Counted):
        count = getattr(problem, template.by)
        text = translation.ngettext(
            template.one, template.many, len(count) if isinstance(count, tuple) else round(count)
        )
    elif isinstance(template, str):
        text = translation.gettext(template) if template else ""
    else:
        return in_words(problem, next((each for each in template if _is_filled(problem, each)), template[-1]))
    names = _PLACEHOLDER.findall(text)
    # A message without placeholders may have a percent sign of its own.
    return text % {name: _shown(problem, name) for name in names} if names else text


def _is_filled(problem: Problem, template: Message) -> bool:
    text = template.one if isinstance(template, Counted) else template
    return all(getattr(problem, name) for name in _PLACEHOLDER.findall(text))


def _shown(problem: Problem, name: str) -> str:
    value, kind = getattr(problem, name), field_types(type(problem))[name]
    match value:
        case Problem():
            return problem_sentence(value)
        case tuple() if kind == FirstOf:
            return first_of(value, total=problem.total, most=len(value))  # type: ignore[attr-defined]
        case tuple():
            return alternatives(value) if kind == OneOf else listed(value)
        case int() if kind == Bytes:
            return size(value)
        case int() if kind != Number:
            return grouped(value)
        case float():
            return localised(f"{value:g}")
        case _:
            return str(value)
