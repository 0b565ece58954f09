"""Why a run cannot be had."""

from __future__ import annotations

from clusters.adapters.bad_input import printable

_LONGEST = 1_000


class SpecError(Exception):
    """What is wrong with the description of a run: the field, the problem, and what would be right.

    ``field`` is a path such as ``changes[2].count``, empty where the whole is to blame.
    """

    def __init__(self, field: str, problem: str, remedy: str) -> None:
        # All three may quote what somebody sent; they go into a database, a page and a terminal.
        self.field, self.problem, self.remedy = (printable(text)[:_LONGEST] for text in (field, problem, remedy))
        super().__init__(f"{self.field}: {self.problem} {self.remedy}" if field else f"{self.problem} {self.remedy}")

    def within(self, field: str) -> SpecError:
        """Return the same error with the way to its field."""
        joint = "" if not self.field or self.field.startswith("[") else "."
        return SpecError(f"{field}{joint}{self.field}", self.problem, self.remedy)

    def as_dict(self) -> dict[str, str]:
        """Return the parts, for a page or an API to lay out."""
        return {"field": self.field, "problem": self.problem, "remedy": self.remedy}
