"""Pending pods: in the queue for an attempt, or unschedulable until an event may help them.

Upstream: ``pkg/scheduler/backend/queue`` v1.34.1. Each failure counts as a new entry, so that who failed goes behind
those of the same priority that arrived before. Nobody rests after a failure, and who sleeps is not tried just because
time has passed.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from clusters.engine.queueing.queue import order
from clusters.engine.registry import requeue_events
from clusters.engine.traits import ClusterEvent

if TYPE_CHECKING:
    from clusters.engine.simulation.kinds import PodKind


class Line:
    """The active queue: pods in the order of PrioritySort."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, str]] = []
        self._entered: dict[str, int] = {}
        self._stamps = 0

    def __len__(self) -> int:
        return len(self._entered)

    def __contains__(self, key: str) -> bool:
        return key in self._entered

    def stamp(self) -> int:
        """The place behind all that have one."""
        self._stamps += 1
        return self._stamps

    def push(self, key: str, priority: int, stamp: int | None = None) -> None:
        """Let a pod enter at a place among those of its priority; behind them by default."""
        entry = self.stamp() if stamp is None else stamp
        self._entered[key] = entry
        heapq.heappush(self._heap, (*order(priority, entry), key))

    def pop(self) -> str | None:
        """Take the first; None where nobody is in line."""
        while self._heap:
            _, entry, key = heapq.heappop(self._heap)
            if self._entered.get(key) == entry:
                del self._entered[key]
                return key
        return None

    def discard(self, key: str) -> None:
        """Let a pod leave the line."""
        self._entered.pop(key, None)


class Asleep:
    """Pods that failed, by kind: those of a kind fare alike, so the one that failed first is woken for all of them.

    A pod that is woken stays here until it is tried.
    """

    def __init__(self) -> None:
        self._kinds: dict[int, PodKind] = {}
        self._keys: dict[int, dict[str, None]] = {}
        self._plugins: dict[int, tuple[str, ...]] = {}
        self._events: dict[int, frozenset[ClusterEvent]] = {}

    def __len__(self) -> int:
        """How many kinds sleep."""
        return len(self._kinds)

    def add(self, kind: PodKind, key: str, plugins: tuple[str, ...]) -> None:
        """Let a pod sleep that these plugins rejected; one that failed by an error is tried when pods leave."""
        number = kind.number
        self._keys.setdefault(number, {})[key] = None
        if self._plugins.get(number) != plugins:
            self._kinds[number], self._plugins[number] = kind, plugins
            events = {event for plugin in plugins for event in requeue_events(plugin)}
            self._events[number] = frozenset(events or {ClusterEvent.POD_DELETE})

    def discard(self, kind: PodKind, key: str) -> None:
        """Forget a pod that is tried or gone."""
        number = kind.number
        keys = self._keys.get(number)
        if keys is not None and key in keys:
            del keys[key]
            if not keys:
                for table in (self._keys, self._kinds, self._plugins, self._events):
                    del table[number]

    def first(self, kind: PodKind) -> str | None:
        """The pod of a kind that has slept longest."""
        return next(iter(self._keys.get(kind.number, ())), None)

    def plugins_of(self, kind: PodKind) -> tuple[str, ...]:
        """The plugins that rejected a kind that sleeps."""
        return self._plugins[kind.number]

    def kinds_woken_by(self, event: ClusterEvent) -> list[PodKind]:
        """The kinds rejected by a plugin that the queue asks about an event, in the order in which they fell asleep."""
        return [self._kinds[number] for number, events in self._events.items() if event in events]
