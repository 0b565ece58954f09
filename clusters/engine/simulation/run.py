"""A simulation: pods arrive, are tried in the order of the scheduler's queue, are placed or wait, and leave.

Upstream: ``ScheduleOne`` of ``pkg/scheduler/schedule_one.go``, ``prepareCandidate`` of ``framework/preemption`` and
``backend/queue``, v1.34.1. Whatever takes time there happens at once here: pods that are placed are ready, pods that
have to go are gone, controllers replace them immediately, and nobody rests after a failure.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Final

from clusters.engine.objects import Pod, key_of
from clusters.engine.simulation.choice import choose
from clusters.engine.simulation.finding import Finding, explain_attempt, find
from clusters.engine.simulation.kinds import Kind, Kinds
from clusters.engine.simulation.search_order import SearchOrder
from clusters.engine.simulation.steps import Outcome, Step
from clusters.engine.simulation.successors import nominated, running, successor_of
from clusters.engine.simulation.waiting import Asleep, Line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.explanation import Explanation
    from clusters.engine.objects import Document
    from clusters.engine.simulation.case import Case

_DELETED: Final = "Pod/Delete"
_ADDED: Final = "Pod/Add"
_ACROSS_NODES: Final = frozenset({"InterPodAffinity", "PodTopologySpread"})
# What happens first at one time: pods leave, others arrive, the queue is emptied, and those leave that only passed by.
_LEAVES, _ARRIVES, _PASSES = range(3)


class Simulation:
    """The steps of a case, each applied to ``snapshot`` when it is yielded.

    ``recorded`` are its first steps, known from an earlier run: they are gone through again without any search.
    """

    def __init__(self, case: Case, recorded: Iterable[Step] = ()) -> None:
        self.case = case
        self.snapshot = case.snapshot.copy()
        self.waiting: Mapping[str, Step] = {}
        self.pods_total = len(case.wanted)
        self.pods_done = 0
        self.captured: Explanation | None = None
        self._waiting: dict[str, Step] = {}
        self.waiting = self._waiting
        self._recorded = iter(recorded)
        self._kinds = Kinds(case.configuration)
        self._documents: dict[str, Document] = {}
        self._line, self._asleep = Line(), Asleep()
        self._order = SearchOrder(self.snapshot.nodes.nodes) if case.samples else None
        self._number, self._now = 0, 0
        self._capture_at = -1
        self._steps = self._run()

    def __iter__(self) -> Iterator[Step]:
        return self

    def __next__(self) -> Step:
        return next(self._steps)

    def document_of(self, key: str) -> Document:
        """A pod as it was wanted or copied, or as it lay on its node from the beginning. Raises KeyError."""
        found = self._documents.get(key)
        return self.case.placed[key] if found is None else found

    def capture(self, number: int) -> None:
        """Have the attempt of this number explained into ``captured`` when it comes."""
        self._capture_at = number

    # -- time --------------------------------------------------------------------------------------------

    def _run(self) -> Iterator[Step]:
        events = []
        for order, wanted in enumerate(self.case.wanted):
            events.append((wanted.at, _ARRIVES, order))
            if wanted.until is not None:
                passes = wanted.until <= wanted.at
                events.append((max(wanted.at, wanted.until), _PASSES if passes else _LEAVES, order))
        heapq.heapify(events)
        while events:
            self._now, phase, order = heapq.heappop(events)
            pod = self.case.wanted[order].pod
            if phase == _ARRIVES:
                yield from self._arrive(pod)
            else:
                yield from self._leave(key_of(pod))
            following = events[0] if events else None
            if following is None or following[0] != self._now or following[1] == _PASSES:
                yield from self._empty_line()

    def _arrive(self, pod: Document) -> Iterator[Step]:
        """Let a pod enter the queue, or wait outside."""
        key, kind = key_of(pod), self._kinds.of(pod)
        self._documents[key] = pod
        if self.snapshot.placed_on(key) is not None:
            self.snapshot.delete({**pod, "kind": "Pod"})
        if kind.profile is None or kind.gates:
            outcome = Outcome.GATED if kind.gates else Outcome.UNSCHEDULABLE
            yield self._waits(self._step(outcome, key, message=kind.gates or kind.problem))
        else:
            self._line.push(key, kind.priority)

    def _leave(self, key: str) -> Iterator[Step]:
        """Let a pod go whose time is over; one that went before is not missed."""
        if key not in self._documents:
            return
        node = self._remove(key)
        yield self._step(Outcome.LEFT, key, node=node or "")

    def _remove(self, key: str) -> str | None:
        """Take a pod out of the cluster and of the queue; return the node that it lay on."""
        document = self._documents.pop(key, None) or self.case.placed.get(key) or _named(key)
        if key in self._waiting:
            del self._waiting[key]
            self._asleep.discard(self._kinds.of(document), key)
        self._line.discard(key)
        node = self.snapshot.placed_on(key)
        self.snapshot.delete({**document, "kind": "Pod"})
        if node is not None:
            self._wake(_DELETED, node)
        return node

    # -- attempts ----------------------------------------------------------------------------------------

    def _empty_line(self) -> Iterator[Step]:
        while (key := self._line.pop()) is not None:
            yield from self._attempt(key)

    def _attempt(self, key: str) -> Iterator[Step]:
        """Try a pod, and do what follows from it."""
        document = self._documents[key]
        kind = self._kinds.of(document)
        if self._number == self._capture_at and kind.profile is not None:
            self.captured, _ = explain_attempt(self.snapshot, document, kind.profile, self._order)
        step = next(self._recorded, None)
        victims: tuple[str, ...] = ()
        gives_up = False
        if step is None:
            finding = self._find(kind, document)
            step = self._decided(key, finding)
        self._number = step.number + 1
        if self._order is not None and step.node != Pod(document).nominated_node_name:
            self._order.advance(step.looked_at)
        if step.outcome is Outcome.PLACED:
            self._waiting.pop(key, None)
            self.snapshot.assume(running(document), step.node)
            self.pods_done += 1
            yield step
            self._wake(_ADDED, step.node)
            again = self._asleep.first(kind)
            if again is not None:
                self._rouse(kind, again)
            return
        self._waiting[key] = step
        self._asleep.add(kind, key, step.plugins)
        yield step

    def _find(self, kind: Kind, document: Document) -> Finding:
        assert kind.profile is not None  # noqa: S101 - only such kinds are in line
        return find(self.snapshot, document, kind.profile, self._order)

    def _decided(self, key: str, finding: Finding) -> Step:
        """The step that a finding leads to."""
        if not len(finding.best):
            return Step(
                self._number,
                self._now,
                Outcome.UNSCHEDULABLE,
                key,
                node=finding.victim.node if finding.victim is not None else "",
                feasible=finding.feasible,
                looked_at=finding.looked_at,
                plugins=finding.plugins,
                message=finding.message,
            )
        ties = len(finding.best)
        row = int(finding.best[choose(self.case.seed, self._number, ties)])
        return Step(
            self._number,
            self._now,
            Outcome.PLACED,
            key,
            self.snapshot.nodes.names[row],
            finding.total,
            ties,
            finding.feasible,
            finding.looked_at,
        )

    # -- waking ------------------------------------------------------------------------------------------

    def _wake(self, event: str, node: str) -> None:
        """Let those pods enter the line again that an event on a node may help."""
        for kind, key in self._asleep.woken_by(event, lambda _kind, _plugins: True):
            self._rouse(kind, key)

    def _rouse(self, kind: Kind, key: str) -> None:
        self._asleep.discard(kind, key)
        self._line.push(key, kind.priority)

    # -- steps -------------------------------------------------------------------------------------------

    def _waits(self, step: Step) -> Step:
        self._waiting[step.pod] = step
        return step

    def _step(self, outcome: Outcome, pod: str, *, node: str = "", message: str = "", by: str = "") -> Step:
        """The next step, which needs no search: the recorded one where there is one."""
        step = next(self._recorded, None)
        if step is None:
            step = Step(self._number, self._now, outcome, pod, node=node, message=message, by=by)
        self._number = step.number + 1
        return step


def _named(key: str) -> Document:
    namespace, _, name = key.partition("/")
    return {"kind": "Pod", "metadata": {"namespace": namespace, "name": name}}


def state_after(case: Case, steps: Sequence[Step]) -> Simulation:
    """A simulation that has taken these steps, its first ones, and can go on."""
    simulation = Simulation(case, steps)
    for _ in steps:
        next(simulation)
    return simulation


def explained(case: Case, steps: Sequence[Step], number: int) -> Explanation:
    """The decision of an attempt, computed on the state before it. Raises ValueError for a step that was none."""
    simulation = Simulation(case, steps[: number + 1])
    simulation.capture(number)
    for _ in range(number + 1):
        next(simulation)
    if simulation.captured is None:
        raise ValueError(f"step {number} is no attempt to place a pod: {steps[number].outcome}")
    return simulation.captured
