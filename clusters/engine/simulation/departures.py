"""Pods that have to go: at once, or in runs with times once their grace period is over.

Upstream, v1.34.1: ``beforeDelete`` of ``pkg/registry/core/pod``, the kubelet, which lets a pod's containers end within
its terminationGracePeriodSeconds, and controllers: a StatefulSet and a DaemonSet make the next pod once the one before
is gone, others as soon as its deletion has begun. Pods take all of their grace period here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.disruption.lost_node import grace_period_of
from clusters.engine.nodes.lifecycle import SECOND
from clusters.engine.objects import Pod
from clusters.engine.simulation.event_phases import EventPhase
from clusters.engine.simulation.job_pods import PodLoss, job_of
from clusters.engine.simulation.steps import Outcome
from clusters.engine.workloads.job_failures import replaces_only_failed
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from clusters.engine.objects import Document
    from clusters.engine.simulation.case import Case
    from clusters.engine.simulation.course import Course
    from clusters.engine.simulation.timeline import Timeline

# Of these the next pod comes once the one before is gone.
_LATER: Final = frozenset({"StatefulSet", "DaemonSet"})


@dataclass(slots=True, eq=False)
class Departure:
    """A pod that goes from a node, empty where it had none: it is gone after ``grace`` seconds.

    ``loss``: what its Job says to that, once its step tells.
    """

    key: str
    document: Document | None
    node: str
    grace: int = 0
    loss: PodLoss | None = None


class Departures:
    """Lets pods go from their nodes; those that terminate are gone with an event of the timeline."""

    def __init__(self, case: Case, course: Course, timeline: Timeline) -> None:
        self._takes_time = case.is_graceful and case.has_times
        self._silent = frozenset(case.unreachable)
        self._course, self._timeline = course, timeline
        self._terminating: list[Departure] = []
        # When the last of the pods that terminate on a node is gone.
        self._last: dict[str, int] = {}

    def begin(self, key: str, outcome: Outcome, now: int) -> Departure:
        """Let a pod go. Where the kubelet does not answer, nobody waits for it."""
        key, course = self._course.last_of(key), self._course
        node, document = course.snapshot.placed_on(key), course.known(key)
        grace = 0
        if self._takes_time and node and document is not None and node not in self._silent:
            grace = grace_period_of(Pod(document))
        if not node or document is None or not grace:
            return Departure(key, *course.remove(key))
        departure = Departure(key, document, node, grace)
        course.terminate(key, is_preempted=outcome is Outcome.PREEMPTED)
        end = now + grace * SECOND
        self._timeline.add(end, EventPhase.TERMINATED, len(self._terminating))
        self._terminating.append(departure)
        self._last[node] = max(end, self._last.get(node, 0))
        return departure

    def end(self, number: int) -> Departure:
        """Let a pod that terminates be gone, by its number of the timeline."""
        departure = self._terminating[number]
        self._course.end(departure.key)
        return departure

    def last_on(self, node: str, now: int) -> int:
        """When the last pod of a node that terminates now is gone; now, where none does."""
        return max(now, self._last.get(node, 0))

    def is_followed_later(self, departure: Departure) -> bool:
        """Whether the pod in the place of one that terminates is made only once that is gone."""
        controller = None if departure.document is None else Controller.of(departure.document)
        if departure.document is None or controller is None or not departure.grace:
            return False
        if controller.kind in _LATER:
            return True
        key = job_of(departure.document)
        job = None if key is None else self._course.snapshot.object("Job", key[1], key[0])
        return job is not None and replaces_only_failed(job.get("spec") or {})
