"""The error of a situation that cannot be built."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusters.engine.lessons.lesson import ObjectName
    from clusters.engine.problems import Problem


class SituationError(ValueError):
    """A situation that cannot be: what is wrong, with which object (None: with none in particular), in which field."""

    def __init__(self, problem: Problem, subject: ObjectName | None = None, field: str = "") -> None:
        super().__init__(f"{subject or ''} {field}: {problem!r}")
        self.problem = problem
        self.subject = subject
        self.field = field
