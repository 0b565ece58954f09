"""Graceful shutdown of a node: which pods are terminated when, and how long each gets.

Upstream: ``groupByPriority`` and ``killPods`` of ``pkg/kubelet/nodeshutdown/nodeshutdown_manager.go``,
``killContainer`` of ``pkg/kubelet/kuberuntime/kuberuntime_container.go``, v1.34.1.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from msgspec import Struct

from clusters.engine.objects import Document, Pod

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.kubelet.settings import ShutdownPeriod

# What a pod without terminationGracePeriodSeconds has by the API server's default.
DEFAULT_GRACE_SECONDS = 30


class PodShutdown(Struct, frozen=True):
    """One pod: the seconds that it asks for, and those that it gets."""

    key: str
    priority: int
    wanted: int
    given: int

    @property
    def is_cut(self) -> bool:
        """Whether it gets less than it asks for."""
        return self.given < self.wanted


class ShutdownGroup(Struct, frozen=True):
    """Pods from one priority on that are terminated together, ``start`` seconds after the shutdown at the latest.

    A group without pods is not waited for, and one whose pods are gone is over: then the next begins earlier.
    """

    priority: int
    seconds: int
    start: int
    pods: tuple[PodShutdown, ...]


def shutdown_groups(pods: Iterable[Document], periods: Sequence[ShutdownPeriod]) -> list[ShutdownGroup]:
    """The groups in the order in which they are terminated, the lowest priority first.

    ``periods`` ascend by priority. A pod is in the last group that begins at no more than its priority, and in the
    first one where its priority is lower than all of them. Finished pods are left out. Without periods nothing is
    terminated: containers are killed with the node.
    """
    if not periods:
        return []
    priorities = [period.priority for period in periods]
    members: list[list[PodShutdown]] = [[] for _ in periods]
    for pod in map(Pod, pods):
        if pod.finished:
            continue
        number = _group(priorities, pod.priority)
        own = pod.spec.get("terminationGracePeriodSeconds")
        wanted = DEFAULT_GRACE_SECONDS if own is None else int(own)
        given = min(wanted, periods[number].seconds)
        members[number].append(PodShutdown(pod.key, pod.priority, wanted, given))
    groups, start = [], 0
    for period, found in zip(periods, members, strict=True):
        found.sort(key=lambda each: (-each.wanted, each.key))
        groups.append(ShutdownGroup(period.priority, period.seconds, start, tuple(found)))
        start += period.seconds if found else 0
    return groups


def _group(priorities: Sequence[int], priority: int) -> int:
    """The number of a pod's group: that of its priority, else the next lower one, and the first where none is lower."""
    number = bisect_left(priorities, priority)
    if number < len(priorities) and priorities[number] == priority:
        return number
    return max(number - 1, 0)
