"""What somebody did to a sandbox, act by act, so that each can be taken back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from typing import TYPE_CHECKING, Final

from clusters.engine.sandbox.objects import ObjectsChange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.sandbox.objects import Objects
    from clusters.engine.sandbox.scheduling import PodAttempt, QueueRun

# So many acts can be taken back; what was done before stays done.
MOST_ACTS: Final = 100


class ActKind(StrEnum):
    """What somebody did."""

    ADDED = "added"
    EDITED = "edited"
    REMOVED = "removed"
    DUPLICATED = "duplicated"
    CORDONED = "cordoned"
    UNCORDONED = "uncordoned"
    FAILED = "failed"
    RECOVERED = "recovered"
    EVICTED = "evicted"
    SCHEDULED = "scheduled"
    """Pending pods were tried, one or all."""
    STARTED = "started"
    """The whole cluster became another one: one to begin with, that of a file, or a copy of another user's."""
    UPLOADED = "uploaded"
    COPIED = "copied"
    RESET = "reset"
    """The cluster became the one again with which its owner began."""


_BEGINNINGS: Final = frozenset({ActKind.STARTED, ActKind.UPLOADED, ActKind.COPIED})


@dataclass(frozen=True, slots=True)
class Act:
    """One act: on which object (``subject``), what it changed, and of scheduling the attempts."""

    kind: ActKind
    subject: str
    change: ObjectsChange
    attempts: tuple[PodAttempt, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundAttempt:
    """An attempt, and the objects with which the run of the queue began that made it."""

    attempt: PodAttempt
    objects: Objects


@dataclass(frozen=True, slots=True)
class SandboxHistory:
    """The objects with which it begins, and the acts since."""

    base: Objects
    acts: tuple[Act, ...] = ()

    @property
    def objects(self) -> Objects:
        """The objects after all acts."""
        return _after(self.base, self.acts)

    @property
    def beginning(self) -> Objects:
        """The objects with which the cluster began that is built now."""
        return _after(self.base, self.acts[: self._began])

    @property
    def acts_since(self) -> tuple[Act, ...]:
        """The acts since that cluster began."""
        return self.acts[self._began :]

    @property
    def _began(self) -> int:
        return max((number for number, act in enumerate(self.acts, 1) if act.kind in _BEGINNINGS), default=0)

    @property
    def run_base(self) -> Objects:
        """The objects before the attempts that were made last one after another, or those after all acts."""
        return _after(self.base, self.acts[: self._run_start(len(self.acts))])

    @property
    def run_attempts(self) -> int:
        """How many attempts were made since, in the same run of the queue."""
        return sum(len(act.attempts) for act in self.acts[self._run_start(len(self.acts)) :])

    def done(self, kind: ActKind, subject: str, after: Objects) -> SandboxHistory:
        """The history with one more act; as it is where nothing changes."""
        change = ObjectsChange.between(self.objects, after)
        return self._with(Act(kind, subject, change)) if change else self

    def scheduled(self, run: QueueRun) -> SandboxHistory:
        """The history with the further attempts of its run; as it is where there are none."""
        attempts = run.attempts[self.run_attempts :]
        if not attempts:
            return self
        change = ObjectsChange.between(self.objects, run.objects)
        return self._with(Act(ActKind.SCHEDULED, attempts[-1].pod, change, attempts))

    def undone(self) -> SandboxHistory:
        """The history without its last act."""
        return replace(self, acts=self.acts[:-1])

    def attempt_of(self, pod: str) -> FoundAttempt | None:
        """The last attempt to schedule a pod that is still remembered."""
        for number in range(len(self.acts), 0, -1):
            for attempt in reversed(self.acts[number - 1].attempts):
                if attempt.pod == pod:
                    return FoundAttempt(attempt, _after(self.base, self.acts[: self._run_start(number)]))
        return None

    def _with(self, act: Act) -> SandboxHistory:
        acts = (*self.acts, act)
        if len(acts) <= MOST_ACTS:
            return SandboxHistory(self.base, acts)
        # The attempts of one run are forgotten together: each is found by its number among them.
        leading = next((number for number, each in enumerate(acts) if each.kind is not ActKind.SCHEDULED), len(acts))
        return SandboxHistory(_after(self.base, acts[: leading or 1]), acts[leading or 1 :])

    def _run_start(self, end: int) -> int:
        """Where the run begins that the act before ``end`` belongs to; ``end`` itself where that act is none of one."""
        start = end
        while start and self.acts[start - 1].kind is ActKind.SCHEDULED:
            start -= 1
        return start


def _after(base: Objects, acts: Sequence[Act]) -> Objects:
    return reduce(lambda objects, act: act.change.applied_to(objects), acts, base)
