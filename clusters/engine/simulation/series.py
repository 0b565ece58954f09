"""How a cluster fills and empties over the steps of a run: a few points, each exact, from one pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clusters.engine.resources.requests import PODS
from clusters.engine.resources.utilisation import zone_uses
from clusters.engine.simulation.measures import Amount, moving_pods, resource_amounts
from clusters.engine.simulation.pod_requests import PodRequests
from clusters.engine.simulation.steps import STAYED, Outcome
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from clusters.engine.objects import Document
    from clusters.engine.simulation.case import Case
    from clusters.engine.simulation.steps import Step
    from clusters.engine.snapshot import Snapshot

MOST_POINTS = 200
_WAITS = frozenset({Outcome.UNSCHEDULABLE, Outcome.GATED, Outcome.NOT_COMPUTED})


@dataclass(frozen=True, slots=True)
class Point:
    """The cluster after step ``step``, at ``at`` nanoseconds; the first point is before every step, with step -1.

    ``placed``: pods on nodes; ``pending``: those whose last attempt failed; ``nodes``: so many have pods that
    are neither of DaemonSets nor static. Requests are in base units by resource, and in ``zones`` by zone and resource.
    """

    step: int
    at: int
    placed: int
    pending: int
    nodes: int
    requested: Mapping[str, int]
    zones: Mapping[str, Mapping[str, int]]

    def share(self, allocatable: Mapping[str, int], resource: str) -> float:
        """What is requested of what there is; 0 where there is nothing."""
        return Amount(self.requested[resource], allocatable.get(resource, 0)).share


@dataclass(frozen=True, slots=True)
class Series:
    """Points in the order of steps, and what they are part of: allocatable by resource, and by zone and resource."""

    resources: tuple[str, ...]
    allocatable: Mapping[str, int]
    zones: Mapping[str, Mapping[str, int]]
    points: tuple[Point, ...]


def series_of(
    case: Case,
    steps: Sequence[Step],
    document_of: Callable[[str], Document],
    *,
    by_time: bool = False,
    most: int = MOST_POINTS,
) -> Series:
    """The series of a run, at most so many points: evenly over its steps, or over its time.

    ``document_of``: the pods that were placed in it. At a time all steps of that time have happened.
    """
    picked = _times(steps, most - 1) if by_time else _numbers(len(steps), most - 1)
    course = _Course(case.snapshot, document_of)
    points = [course.point(-1, 0)]
    done = 0
    for after, at in picked:
        for step in steps[done:after]:
            course.take(step)
        done = after
        points.append(course.point(after - 1, steps[after - 1].at if at is None else at))
    return Series(course.resources, course.allocatable, course.zone_allocatable, tuple(points))


def _numbers(steps: int, most: int) -> Iterator[tuple[int, int | None]]:
    """After how many steps to look, evenly and at the end."""
    count = min(steps, most)
    for place in range(1, count + 1):
        yield place * steps // count, None


def _times(steps: Sequence[Step], most: int) -> Iterator[tuple[int, int | None]]:
    """After how many steps to look, at times that are evenly apart; a time at which nothing changed is left out."""
    times = np.array([step.at for step in steps], np.int64)
    if not len(times):
        return
    first, last = int(times[0]), int(times[-1])
    done = 0
    for place in range(1, most + 1):
        at = first + (last - first) * place // most
        after = int(np.searchsorted(times, at, side="right"))
        if after > done:
            done = after
            yield after, at


class _Lying(NamedTuple):
    """A pod on its node; ``moves``: it is neither of a DaemonSet nor static."""

    node: str
    requests: Mapping[str, int]
    moves: bool


class _Course:
    """What is requested as steps are taken."""

    def __init__(self, snapshot: Snapshot, document_of: Callable[[str], Document]) -> None:
        amounts = resource_amounts(snapshot)
        self.resources = tuple(amounts)
        self.allocatable = {name: int(each.allocatable.sum()) for name, each in amounts.items()}
        self._requested = {name: int(each.requested.sum()) for name, each in amounts.items()}
        zones = zone_uses(snapshot, amounts)
        self.zone_allocatable = {zone.zone: zone.allocatable for zone in zones}
        self._zones = {zone.zone: dict(zone.requested) for zone in zones}
        self._zone_of = {snapshot.nodes.names[row]: zone.zone for zone in zones for row in zone.rows.tolist()}
        self._pods_on = dict(zip(snapshot.nodes.names, moving_pods(snapshot).tolist(), strict=True))
        self._in_use = sum(number > 0 for number in self._pods_on.values())
        self._placed = int(snapshot.nodes.pod_count.sum())
        self._snapshot, self._document_of, self._asked = snapshot, document_of, PodRequests()
        # What was placed since the beginning; everything else lies where the snapshot says until it goes.
        self._here: dict[str, _Lying] = {}
        self._gone: set[str] = set()
        self._waiting: set[str] = set()

    def take(self, step: Step) -> None:
        """Let a step happen."""
        # A pod that terminates takes up its room until another step says that it is gone.
        if step.outcome in STAYED or step.grace:
            return
        self._waiting.discard(step.pod)
        self._clear(step.pod)
        if step.outcome is Outcome.PLACED:
            pod = self._document_of(step.pod)
            controller = Controller.of(pod)
            moves = controller is None or controller.kind not in ("DaemonSet", "Node")
            self._here[step.pod] = lying = _Lying(step.node, self._asked.of(pod), moves)
            self._book(lying, 1)
        elif step.outcome in _WAITS:
            self._waiting.add(step.pod)

    def _clear(self, pod: str) -> None:
        """Take a pod from its node, if it has one."""
        lying = self._here.pop(pod, None)
        if lying is None and pod not in self._gone:
            lying = self._from_the_beginning(pod)
        self._gone.add(pod)
        if lying is not None:
            self._book(lying, -1)

    def _from_the_beginning(self, pod: str) -> _Lying | None:
        node, pods = self._snapshot.placed_on(pod), self._snapshot.pods
        if node is None:
            return None
        slot = pods.slot_of[pod]
        moves = not pods.templates[int(pods.template[slot])].is_pinned
        return _Lying(node, dict(pods.shapes[int(pods.shape[slot])].requests), moves)

    def _book(self, lying: _Lying, sign: int) -> None:
        zone = self._zones[self._zone_of[lying.node]]
        for resource, number in (*lying.requests.items(), (PODS, 1)):
            if resource in self._requested:
                self._requested[resource] += sign * number
                zone[resource] += sign * number
        self._placed += sign
        if lying.moves:
            before = self._pods_on[lying.node]
            self._pods_on[lying.node] = before + sign
            self._in_use += (before + sign > 0) - (before > 0)

    def point(self, step: int, at: int) -> Point:
        """How things are now."""
        zones = {zone: dict(requested) for zone, requested in self._zones.items()}
        return Point(step, at, self._placed, len(self._waiting), self._in_use, dict(self._requested), zones)
