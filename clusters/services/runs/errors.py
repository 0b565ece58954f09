"""Why a run cannot be had."""

from __future__ import annotations

from typing import Any

from clusters.adapters.bad_input import printable, printable_problem
from clusters.documents.problems import encoded
from clusters.engine.problems import Problem, Quoted

_LONGEST = 1_000


class SpecError(Exception):
    """What is wrong with the description of a run: the field, and the problem with it.

    ``field`` is a path such as ``changes[2].count``, empty where the whole is to blame; ``line`` is of the text that
    was sent, from 1, and 0 where it is not known.
    """

    def __init__(self, field: str, problem: Problem | str, remedy: str = "", *, line: int = 0) -> None:
        # Both may quote what somebody sent; they go into a database, a page and a terminal.
        self.field = printable(field)[:_LONGEST]
        self.problem = printable_problem(problem if isinstance(problem, Problem) else Quoted(problem, remedy))
        self.line = line
        super().__init__(f"{self.field}: {self.problem!r}" if field else repr(self.problem))

    def within(self, field: str) -> SpecError:
        """Return the same error with the way to its field."""
        joint = "" if not self.field or self.field.startswith("[") else "."
        return SpecError(f"{field}{joint}{self.field}", self.problem, line=self.line)

    def as_dict(self) -> dict[str, Any]:
        """Return the parts as a row stores them."""
        return {"field": self.field, "line": self.line, "problem": encoded(self.problem)}
