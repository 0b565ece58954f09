"""The drains of a simulation, one node after another and each as far as budgets allow."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from clusters.engine.simulation.draining import Draining, cordoned, words
from clusters.engine.simulation.event_phases import EventPhase
from clusters.engine.simulation.steps import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from clusters.engine.objects import Pod
    from clusters.engine.simulation.course import Course
    from clusters.engine.simulation.departures import Departures
    from clusters.engine.simulation.steps import Step
    from clusters.engine.simulation.timeline import Timeline


class _Happened(Protocol):
    def __call__(self, outcome: Outcome, pod: str, *, node: str, message: str, by: str) -> Step: ...


@dataclass(slots=True, eq=False)
class Drains:
    """Drains the ``nodes``. ``evict``: evicts a pod for what is drained; ``try_all``: tries the pods in line.

    ``happened`` makes the next step. Where pods terminate for a while, what budgets refuse is asked for again once
    those of the node are gone, and the next node follows then.
    """

    nodes: Sequence[str]
    course: Course
    departures: Departures
    timeline: Timeline
    evict: Callable[[str, str], Iterator[Step]]
    try_all: Callable[[], Iterator[Step]]
    happened: _Happened
    _draining: Draining | None = field(default=None, init=False)
    _begun: set[int] = field(default_factory=set, init=False)

    def drain(self, number: int, now: int) -> Iterator[Step]:
        """Drain a node, by its number; what follows is added to the timeline."""
        name = self.nodes[number]
        if self._draining is None:
            self._draining = Draining(self.course)
        if number not in self._begun:
            self._begun.add(number)
            nodes = self.course.snapshot.nodes
            self.course.change_node(cordoned(nodes.nodes[nodes.index[name]]))
        yield from self.try_all()
        asked = self._draining.asked_on(name)
        left: dict[str, str] = {}
        if self._draining.is_held(asked):
            for each in asked:
                if each.refusal:
                    yield self.happened(Outcome.HELD, each.pod.key, node=name, message=each.refusal, by=name)
        else:
            left = yield from self._evicted(self._draining, name, [each.pod for each in asked])
        empty_at = self.departures.last_on(name, now)
        if left and empty_at > now:
            self.timeline.add(empty_at, EventPhase.DRAINS, number)
            return
        for key, message in left.items():
            yield self.happened(Outcome.REFUSED, key, node=name, message=message, by=name)
        if number + 1 < len(self.nodes):
            self.timeline.add(empty_at, EventPhase.DRAINS, number + 1)

    def _evicted(self, draining: Draining, name: str, pods: list[Pod]) -> Generator[Step, None, dict[str, str]]:
        """Ask for every pod, and again for those that were refused as long as others went; returns who is refused."""
        refused: dict[str, str] = {}
        while pods:
            left = []
            for pod in pods:
                if self.course.snapshot.placed_on(pod.key) != name or self.course.is_terminating(pod.key):
                    continue
                answer = draining.answer(pod)
                if answer.is_granted:
                    yield from self.evict(pod.key, name)
                    yield from self.try_all()
                else:
                    left.append(pod)
                    refused[pod.key] = words(answer)
            if len(left) == len(pods):
                break
            pods = left
        return {pod.key: refused[pod.key] for pod in pods}
