"""What happens in the demo's last day: which pods come and go, and what becomes of nodes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from clusters.demo.identity import NOW, Document
from clusters.demo.nodes import CORDONED, NOT_READY, UNDER_PRESSURE
from clusters.demo.running import RUNNING
from clusters.demo.stories import TOLD
from clusters.demo.wishes import AMD64, on_pool
from clusters.demo.workload import Workload

if TYPE_CHECKING:
    from collections.abc import Iterator


BEGINNING = NOW - timedelta(hours=24)
# Nodes of the day alone. A pod of today still names the first one.
DRAINED, LOST = "general-a-10", "spot-c-02"
# On every node, and so on those two.
_DAEMONS = ("kube-proxy", "aws-node", "ebs-csi-node", "node-local-dns", "node-exporter", "log-agent")
# Work in the background that fills what is free on the nodes of a Sunday evening.
_RECEIPTS = Workload("batch", "receipts", 22, 800, 512, priority="batch-low", spec=on_pool("general"))
_WORKLOADS = {each.name: each for each in (*RUNNING, *TOLD, _RECEIPTS)}


class Incident(StrEnum):
    """What happens to a node."""

    ADDED = "added"
    REMOVED = "removed"
    DRAINED = "drained"
    CORDONED = "cordoned"
    UNREACHABLE = "unreachable"
    UNDER_PRESSURE = "memory-pressure"


@dataclass(frozen=True, slots=True)
class Happening:
    """What happens to a node at a moment."""

    at: datetime
    incident: Incident
    node: str


@dataclass(frozen=True, slots=True)
class Stay:
    """A pod that is created at a moment, and deleted at another."""

    pod: Document
    at: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class _Scaling:
    """So many more pods of a workload for a time: created one after the other, and deleted so as well."""

    workload: str
    pods: int
    clock: str
    hours: float
    apart: float


def at_clock(clock: str) -> datetime:
    """Return when clocks showed this time in the demo's last day."""
    hours, minutes = map(int, clock.split(":"))
    moment = BEGINNING.replace(hour=hours, minute=minutes)
    return moment if moment >= BEGINNING else moment + timedelta(days=1)


HAPPENINGS = (
    Happening(at_clock("17:20"), Incident.ADDED, DRAINED),
    Happening(at_clock("21:10"), Incident.DRAINED, DRAINED),
    Happening(at_clock("21:25"), Incident.REMOVED, DRAINED),
    Happening(at_clock("23:50"), Incident.ADDED, LOST),
    Happening(at_clock("00:40"), Incident.UNREACHABLE, LOST),
    Happening(at_clock("01:10"), Incident.REMOVED, LOST),
    Happening(NOW - timedelta(minutes=40), Incident.CORDONED, CORDONED),
    Happening(NOW - timedelta(minutes=6), Incident.UNDER_PRESSURE, UNDER_PRESSURE),
    Happening(NOW - timedelta(minutes=2), Incident.UNREACHABLE, NOT_READY),
)

_SCALED = (
    _Scaling("storefront", 6, "17:30", 5.0, 4),
    _Scaling("cart", 4, "17:40", 5.0, 3),
    _Scaling("clickstream", 4, "18:10", 6.5, 3),
    _Scaling("receipts", 22, "18:22", 6.0, 1.5),
    _Scaling("search-proxy", 2, "19:30", 3.0, 5),
    _Scaling("suggest", 3, "19:35", 3.5, 5),
    _Scaling("crawler", 6, "00:05", 4.0, 2),
)
# A sale of Sunday evening: more urgent than the work in the background, and too large to fit beside it.
_SALE = Workload("shop", "flash-sale", 12, 900, 1024, priority="business-critical", spec=on_pool("general"))
_SALE_BEGINS, _SALE_ROLLED_OUT, _SALE_ENDS = at_clock("19:00"), at_clock("20:10"), at_clock("22:50")
# Of a rolling update with maxSurge 25% of 12 pods.
_AT_ONCE = 3
_ROLLUP = Workload("batch", "sales-rollup", 2, 500, 512, kind="Job", priority="batch-low", spec=AMD64)
_NIGHT = Workload("warehouse", "stock-count", 6, 900, 1024, kind="Job", priority="batch-low", spec=AMD64)


def stays() -> Iterator[Stay]:
    """Yield the pods that come and go within the day, in no order of time."""
    for scaling in _SCALED:
        workload, begin = _WORKLOADS[scaling.workload], at_clock(scaling.clock)
        for number in range(scaling.pods):
            at = begin + timedelta(minutes=number * scaling.apart)
            pod = workload.another_pod(f"scaled {number}", at)
            yield Stay(pod, at, at + timedelta(hours=scaling.hours))
    yield from _sale()
    yield from _jobs()
    for node, added, removed in ((DRAINED, "17:20", "21:25"), (LOST, "23:50", "01:10")):
        for name in _DAEMONS:
            at = at_clock(added)
            yield Stay(_WORKLOADS[name].another_pod(node, at, node=node), at, at_clock(removed))


def _sale() -> Iterator[Stay]:
    """A Deployment that is created, rolled out once, some pods at a time, and deleted."""
    for number in range(_SALE.replicas):
        step = _SALE_ROLLED_OUT + timedelta(seconds=45 * (number // _AT_ONCE))
        first = _SALE.another_pod(f"first {number}", _SALE_BEGINS)
        yield Stay(first, _SALE_BEGINS, step + timedelta(seconds=30))
        yield Stay(_SALE.another_pod(f"second {number}", step, revision="hotfix"), step, _SALE_ENDS)


def _jobs() -> Iterator[Stay]:
    for hour in range(11, 24 + 9, 2):
        at = at_clock(f"{hour % 24:02d}:30")
        for number in range(_ROLLUP.replicas):
            yield Stay(_ROLLUP.another_pod(f"{hour} {number}", at), at, at + timedelta(minutes=12))
    at = at_clock("02:15")
    for number in range(_NIGHT.replicas):
        yield Stay(_NIGHT.another_pod(f"{number}", at), at, at + timedelta(minutes=50))
