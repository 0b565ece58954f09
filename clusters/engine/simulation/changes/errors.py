"""What can be wrong with a change."""

from __future__ import annotations


class ChangeError(ValueError):
    """A change that cannot be made: where, as in ``changes[2].replicas``, what is wrong, what would be right.

    Problem and remedy are whole sentences.
    """

    def __init__(self, path: str, problem: str, remedy: str) -> None:
        super().__init__(f"{path}: {problem} {remedy}")
        self.path = path
        self.problem = problem
        self.remedy = remedy
