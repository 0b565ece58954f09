"""The error of a change that cannot be made."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusters.engine.problems import Problem


class ChangeError(ValueError):
    """A change that cannot be made: where, as in ``changes[2].replicas``, and what is wrong."""

    def __init__(self, path: str, problem: Problem) -> None:
        super().__init__(f"{path}: {problem!r}")
        self.path = path
        self.problem = problem
