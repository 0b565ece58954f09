"""A simulation: pods arrive, are tried in the order of the scheduler's queue, are placed or wait, and leave.

Upstream: ``ScheduleOne`` of ``pkg/scheduler/schedule_one.go``, ``prepareCandidate`` of ``framework/preemption`` and
``backend/queue``, v1.34.1. Whatever takes time there happens at once here: pods that are placed are ready, pods that
have to go are gone, controllers replace them immediately, and nobody rests after a failure.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from clusters.engine.objects import key_of
from clusters.engine.simulation.choice import choose
from clusters.engine.simulation.course import Course
from clusters.engine.simulation.finding import explain_attempt
from clusters.engine.simulation.recorded import Recorded
from clusters.engine.simulation.steps import Outcome, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.explanation import Explanation
    from clusters.engine.objects import Document
    from clusters.engine.simulation.case import Case
    from clusters.engine.simulation.finding import Finding
    from clusters.engine.snapshot import Snapshot

# What happens first at one time: pods leave, others arrive and are tried, and those leave that only passed by.
_LEAVES, _ARRIVES, _PASSES = range(3)


class Simulation:
    """The steps of a case, each of which has happened to ``snapshot`` when it is yielded.

    ``recorded`` are its first steps, known from an earlier run: they are gone through again without a search.
    ``pods_done`` of ``pods_total`` wanted pods have arrived and been tried or left out.
    """

    def __init__(self, case: Case, recorded: Iterable[Step] = ()) -> None:
        self._case = case
        self._course = Course(case)
        self._recorded = Recorded(recorded)
        self._number, self._now = 0, 0
        self._explains = -1
        self._explanation: Explanation | None = None
        self.pods_total = len(case.wanted)
        self.pods_done = 0
        self._steps = self._run()

    def __iter__(self) -> Iterator[Step]:
        return self

    def __next__(self) -> Step:
        return next(self._steps)

    @property
    def snapshot(self) -> Snapshot:
        """The cluster after the last step; not to be changed."""
        return self._course.snapshot

    @property
    def waiting(self) -> Mapping[str, Step]:
        """The pods that have no node now, by ``namespace/name``, with the last step of each."""
        return self._course.waiting

    def document_of(self, key: str) -> Document:
        """A pod as it was wanted or copied, or as it lay on its node from the beginning. Raises KeyError."""
        return self._course.document_of(key)

    def explanation_at(self, number: int) -> Explanation:
        """Go on until the attempt of this number and explain it. Raises ValueError for a step that is no attempt."""
        self._explains = number
        step = next((step for step in self if step.number == number), None)
        if self._explanation is None:
            what = "does not exist" if step is None else f"is no attempt to place a pod: {step.outcome}"
            raise ValueError(f"step {number} {what}")
        return self._explanation

    # -- time --------------------------------------------------------------------------------------------

    def _run(self) -> Iterator[Step]:
        wanted = self._case.wanted
        events = [(each.at, _ARRIVES, order) for order, each in enumerate(wanted)]
        for order, each in enumerate(wanted):
            if each.until is not None:
                phase = _PASSES if each.until <= each.at else _LEAVES
                events.append((max(each.at, each.until), phase, order))
        heapq.heapify(events)
        while events:
            self._now, phase, order = heapq.heappop(events)
            if phase == _ARRIVES:
                self.pods_done += 1
                yield from self._arrive(wanted[order].pod)
            else:
                yield from self._leave(key_of(wanted[order].pod))
            if not events or events[0][0] != self._now or events[0][1] == _PASSES:
                yield from self._try_all()

    def _arrive(self, pod: Document) -> Iterator[Step]:
        """Let a pod enter the line, or wait outside."""
        key = self._course.arrive(pod)
        kind = self._course.kind_of(key)
        if kind.profile is None or kind.gates:
            outcome = Outcome.GATED if kind.gates else Outcome.UNSCHEDULABLE
            step = self._happened(outcome, key, message=kind.gates or kind.problem)
            self._course.waiting[key] = step
            yield step
        else:
            self._course.line.push(key, kind.priority)

    def _leave(self, key: str) -> Iterator[Step]:
        """Let a pod go whose time is over, or the one that took its place."""
        if self._course.is_known(key):
            _, node = self._course.remove(key)
            yield self._happened(Outcome.LEFT, key, node=node)

    # -- attempts ----------------------------------------------------------------------------------------

    def _try_all(self) -> Iterator[Step]:
        while (key := self._course.line.pop()) is not None:
            yield from self._attempt(key)

    def _attempt(self, key: str) -> Iterator[Step]:
        """Try a pod, and do what follows from it."""
        course = self._course
        kind = course.kind_of(key)
        if self._number == self._explains and kind.profile is not None:
            document = course.document_of(key)
            self._explanation, _ = explain_attempt(course.snapshot, document, kind.profile, course.order)
        step = self._recorded.next()
        victims: tuple[str, ...] = ()
        if step is None:
            finding = course.find(key)
            step = self._decided(key, finding)
            victims = finding.victims
        elif step.outcome is Outcome.UNSCHEDULABLE and step.node:
            victims = self._recorded.victims_of(key) or course.find(key).victims
        self._number += 1
        if course.order is not None and step.node != kind.pod.nominated_node_name:
            course.order.advance(step.looked_at)
        if step.outcome is Outcome.PLACED:
            course.place(key, course.snapshot.nodes.index[step.node])
            yield step
            return
        course.fail(key, step)
        yield step
        if victims:
            yield from self._preempt(key, step.node, victims)

    def _decided(self, key: str, finding: Finding) -> Step:
        """The step that a finding leads to."""
        ties = len(finding.best)
        if not ties:
            return Step(
                self._number,
                self._now,
                Outcome.UNSCHEDULABLE,
                key,
                node=finding.nominated,
                feasible=finding.feasible,
                looked_at=finding.looked_at,
                plugins=finding.plugins,
                message=finding.message,
            )
        row = finding.best[choose(self._case.seed, self._number, ties)]
        node = self._course.snapshot.nodes.names[row]
        return Step(
            self._number,
            self._now,
            Outcome.PLACED,
            key,
            node,
            finding.total,
            ties,
            finding.feasible,
            finding.looked_at,
        )

    def _preempt(self, key: str, node: str, victims: Sequence[str]) -> Iterator[Step]:
        """Let the victims go, and their controllers make others; the pod they make room for is tried again."""
        copies = []
        for victim in victims:
            document, lay_on = self._course.remove(victim)
            yield self._happened(Outcome.PREEMPTED, victim, node=lay_on, by=key)
            copies.append(self._course.replace(victim, document))
        self._course.give_way(key, node)
        self._course.rouse(key)
        for copy in copies:
            if copy is not None:
                yield from self._arrive(copy)

    def _happened(self, outcome: Outcome, pod: str, *, node: str = "", message: str = "", by: str = "") -> Step:
        """The next step, which took no search."""
        step = self._recorded.next() or Step(self._number, self._now, outcome, pod, node=node, message=message, by=by)
        self._number += 1
        return step


def state_after(case: Case, steps: Sequence[Step]) -> Simulation:
    """A simulation that has taken these steps, its first ones, and can go on."""
    simulation = Simulation(case, steps)
    for _ in steps:
        next(simulation)
    return simulation


def explained(case: Case, steps: Sequence[Step], number: int) -> Explanation:
    """The decision of an attempt, computed on the state before it. Raises ValueError for a step that was none."""
    return Simulation(case, steps[: number + 1]).explanation_at(number)
