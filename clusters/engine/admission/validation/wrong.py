"""One field that the API server would not take."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from clusters.engine.problems import Problem


class Wrong(NamedTuple):
    """The path of the field, and what is wrong with it."""

    field: str
    problem: Problem
