"""Problems as rows store them: the kind of each and its fields.

Nothing here is in words, so that whoever stores a problem needs none: `clusters/documents/problems.py` has those.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

import clusters.engine
import clusters.problems
from clusters.documents.values import kinds_of
from clusters.engine.problems import Problem, Quoted, field_types

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def encoded(problem: Problem) -> dict[str, Any]:
    """Return a problem as plain JSON: its ``kind``, and its fields in camel case."""
    stored: dict[str, Any] = msgspec.to_builtins(problem)
    return stored


def decoded(stored: Mapping[str, Any]) -> Problem:
    """Return the problem that `encoded` wrote; what only another release knows is quoted."""
    found = _kinds().get(stored.get("kind", ""))
    if found is None:
        return Quoted(str(dict(stored)))
    types, keys = field_types(found), zip(found.__struct_fields__, found.__struct_encode_fields__, strict=True)
    given = {name: stored[key] for name, key in keys if key in stored}
    try:
        # One problem may hold another as its reason.
        read = {
            n: decoded(each) if types[n] is Problem else msgspec.convert(each, types[n]) for n, each in given.items()
        }
        problem: Problem = found(**read)
    except (msgspec.ValidationError, TypeError):
        return Quoted(str(dict(stored)))
    return problem


def text_of_problem(problem: Problem | None) -> str:
    """Return a problem as a column of text holds it: JSON, or nothing without one."""
    return "" if problem is None else msgspec.json.encode(encoded(problem)).decode()


def problem_of_text(text: str) -> Problem | None:
    """Return what `text_of_problem` wrote."""
    return decoded(msgspec.json.decode(text)) if text else None


def stored_skips(skipped: Iterable[tuple[Problem, int]]) -> list[dict[str, Any]]:
    """Return reasons with how often they were met, as a row stores them."""
    return [{"why": encoded(why), "count": count} for why, count in skipped]


@cache
def _kinds() -> dict[str, Any]:
    # A process may read a row before it imported the module of what that row holds.
    for package in (clusters.engine, clusters.problems):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    return kinds_of(Problem)
