"""What happens in a simulation and when: events known from its beginning, and those that follow from others."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from clusters.engine.nodes.lifecycle import taint_events
from clusters.engine.objects import key_of
from clusters.engine.simulation.event_phases import EventPhase

if TYPE_CHECKING:
    from clusters.engine.nodes.lifecycle import TaintEvent
    from clusters.engine.simulation.case import Case


class Timeline:
    """Events in the order in which they happen: a time in nanoseconds from the beginning, a phase, and a number.

    What the number counts depends on the phase: pods that are wanted, ``taints``, or what whoever adds an event says.
    Of pods that leave, those that are on nodes from the beginning are counted after the wanted ones.
    """

    def __init__(self, case: Case) -> None:
        events = [(each.at, EventPhase.ARRIVES, number) for number, each in enumerate(case.wanted)]
        for number, each in enumerate(case.wanted):
            if each.until is not None:
                phase = EventPhase.PASSES if each.until <= each.at else EventPhase.LEAVES
                events.append((max(each.at, each.until), phase, number))
        self._wanted, self._leaving = case.wanted, tuple(case.leaving)
        events += [(at, EventPhase.LEAVES, number) for number, at in enumerate(case.leaving.values(), len(case.wanted))]
        if case.drained:
            events.append((0, EventPhase.DRAINS, 0))
        self.taints: list[TaintEvent] = []
        if case.unreachable or case.not_ready:
            self.taints = taint_events(case.snapshot, case.unreachable, case.not_ready)
            events += [(each.at, EventPhase.TAINTED, number) for number, each in enumerate(self.taints)]
        heapq.heapify(events)
        self._events = events

    def __bool__(self) -> bool:
        return bool(self._events)

    def add(self, at: int, phase: EventPhase, number: int) -> None:
        """Let something happen, now or later."""
        heapq.heappush(self._events, (at, phase, number))

    def pop(self) -> tuple[int, EventPhase, int]:
        """Take the next event."""
        return heapq.heappop(self._events)

    def leaver(self, number: int) -> str:
        """The pod that leaves with an event, by its number."""
        wanted = self._wanted
        return key_of(wanted[number].pod) if number < len(wanted) else self._leaving[number - len(wanted)]

    def lets_try(self, now: int) -> bool:
        """Whether the pods in line are tried before the next event."""
        following = self._events[0][:2] if self._events else None
        return following is None or following[0] != now or following[1] >= EventPhase.DRAINS
