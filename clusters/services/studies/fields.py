"""Fields that the orders of all studies have: a list of parts, and a label of each."""

from __future__ import annotations

from typing import Any

from clusters.adapters.bad_input import shown
from clusters.engine.problems import Empty, NotAList, NotAText, TooLong, TooMany
from clusters.problems.simulations import NoEntries
from clusters.services.runs.errors import SpecError


def checked_list(value: Any, most: int, field: str) -> list[Any]:
    """Return a list of 1 to ``most`` entries. Raises SpecError."""
    if type(value) is not list:
        raise SpecError(field, NotAList(shown(value)))
    if not value:
        raise SpecError(field, NoEntries())
    if len(value) > most:
        raise SpecError(field, TooMany(len(value), most))
    return value


def checked_label(value: Any, most: int, field: str) -> str:
    """Return a label of 1 to ``most`` characters. Raises SpecError."""
    if type(value) is not str:
        raise SpecError(field, NotAText(shown(value)))
    if not value.strip():
        raise SpecError(field, Empty())
    if len(value) > most:
        raise SpecError(field, TooLong(shown(value), len(value), most))
    return value.strip()
