"""Problems as rows store them: the kind of each and its fields; what earlier releases stored as text is read too.

Nothing here is in words, so that whoever stores a problem needs none: `clusters/documents/problems.py` has those.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, Any, get_type_hints

import msgspec

import clusters.engine
import clusters.problems
from clusters.documents.values import camel, kinds_of, value_document
from clusters.engine.problems import Problem, Quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def encoded(problem: Problem) -> dict[str, Any]:
    """Return a problem as plain JSON: its ``kind``, and its fields in camel case."""
    return value_document(problem)


def decoded(stored: Mapping[str, Any] | str, remedy: str = "") -> Problem:
    """Return the problem that `encoded` wrote.

    A text, which earlier releases stored beside a ``remedy``, is quoted; so is what only another release knows.
    """
    if isinstance(stored, str):
        return Quoted(stored, remedy)
    found = _kinds().get(stored.get("kind", ""))
    if found is None:
        return Quoted(str(dict(stored)), remedy)
    names = [each.name for each in dataclasses.fields(found) if camel(each.name) in stored]
    given = {name: stored[camel(name)] for name in names}
    # One problem may hold another as its reason.
    given |= {name: decoded(given[name]) for name in names if _hints(found)[name] is Problem}
    try:
        problem: Problem = msgspec.convert(given, found)
    except msgspec.ValidationError:
        # Of some kinds earlier releases stored the text alone.
        text = stored.get("text")
        return Quoted(text if isinstance(text, str) else str(dict(stored)), remedy)
    return problem


def text_of_problem(problem: Problem | None) -> str:
    """Return a problem as a column of text holds it: JSON, or nothing without one."""
    return "" if problem is None else msgspec.json.encode(encoded(problem)).decode()


def problem_of_text(text: str, remedy: str = "") -> Problem | None:
    """Return what `text_of_problem` wrote, and quote the sentences that earlier releases stored there."""
    if not text:
        return None
    return decoded(msgspec.json.decode(text) if text.startswith("{") else text, remedy)


def stored_skips(skipped: Iterable[tuple[Problem, int]]) -> list[dict[str, Any]]:
    """Return reasons with how often they were met, as a row stores them."""
    return [{"why": encoded(why), "count": count} for why, count in skipped]


@cache
def _hints(found: type) -> dict[str, Any]:
    return get_type_hints(found)


@cache
def _kinds() -> dict[str, Any]:
    # A process may read a row before it imported the module of what that row holds.
    for package in (clusters.engine, clusters.problems):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    return kinds_of(Problem)
