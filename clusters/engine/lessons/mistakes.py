"""What is wrong with an answer, in typed values: the texts of a lesson may have a hint of their own for each."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusters.engine.problems import Problem


class MistakeKind(enum.StrEnum):
    """In which way an answer differs from what the engine finds; the value is the key in the texts of a lesson."""

    REJECTED = "rejected"
    """A node was named that rejects the pod."""
    LOWER_SCORE = "lower-score"
    """A node was named whose total is not the highest."""
    NOWHERE = "nowhere"
    """None was named, and there is one."""
    SOMEWHERE = "somewhere"
    """One was named, and there is none."""
    MISSED = "missed"
    """One is not named that belongs to the answer."""
    EXTRA = "extra"
    """One is named that does not belong to the answer."""
    OTHER_PLUGIN = "other-plugin"
    """A plugin was named for a node that does not reject the pod there."""
    LATER_PLUGIN = "later-plugin"
    """A plugin was named that rejects the pod on a node, too, but after another one."""
    OTHER_OUTCOME = "other-outcome"
    """Something else becomes of it."""
    POSITION = "position"
    """One stands before another that has to come first."""
    TOO_SMALL = "too-small"
    TOO_LARGE = "too-large"
    GOAL = "goal"
    """The changed object does not do what was asked."""
    KEPT_FIELD = "kept-field"
    """A field was changed that has to stay as it is."""
    REFUSED = "refused"
    """The API server would refuse the changed object."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong with an answer.

    ``subject`` is the node, the pod or the field that it is about. ``plugin`` is the one that decides there, ``given``
    and ``expected`` are what was answered and what would be right, as they are written; each empty where there is none.
    ``problem``: what the API server has against the changed object, or why a goal cannot be asked of it.
    """

    kind: MistakeKind
    subject: str = ""
    plugin: str = ""
    given: str = ""
    expected: str = ""
    problem: Problem | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """Under which keys the texts of a lesson may have a hint for it, the most special one first."""
        special = self.given if self.kind in _TOLD_BY_WHAT_IS_GIVEN else self.plugin
        return (f"{self.kind}/{special}", str(self.kind)) if special else (str(self.kind),)


_TOLD_BY_WHAT_IS_GIVEN = frozenset({MistakeKind.OTHER_OUTCOME, MistakeKind.GOAL})
