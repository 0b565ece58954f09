"""Steps that are known from an earlier run, taken one after another."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from clusters.engine.simulation.steps import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.simulation.steps import Step


class Recorded:
    """A queue of steps that is filled as it is read."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self._steps = iter(steps)
        self._ahead: deque[Step] = deque()

    def next(self) -> Step | None:
        """The next step; None where none is known any more."""
        return self._ahead.popleft() if self._ahead else next(self._steps, None)

    def peek(self) -> Step | None:
        """The next step, which stays the next."""
        if not self._ahead:
            step = next(self._steps, None)
            if step is None:
                return None
            self._ahead.append(step)
        return self._ahead[0]

    def victims_of(self, preemptor: str) -> tuple[str, ...]:
        """The pods that the next steps preempt for one; empty where those steps are not known to the last."""
        number = 0
        while True:
            if number == len(self._ahead):
                step = next(self._steps, None)
                if step is None:
                    return ()
                self._ahead.append(step)
            step = self._ahead[number]
            if step.outcome is not Outcome.PREEMPTED or step.by != preemptor:
                return tuple(each.pod for each in list(self._ahead)[:number])
            number += 1
