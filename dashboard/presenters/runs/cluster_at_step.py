"""The cluster of a simulation at one step: its zones, and the pending pods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.resources import CPU, MEMORY, PODS
from clusters.wording import amounts
from clusters.wording.overview.cards import CLOSED, NO_ZONE
from clusters.wording.runs import cluster_at_step as words
from clusters.wording.runs.steps import message_of
from dashboard.pictures.meter import Meter, meter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.simulation import Step
    from clusters.services.mirror.state import ClusterUtilisation


@dataclass(frozen=True, slots=True)
class ZoneAtStep:
    """A zone and what is requested of it; ``unwell`` counts nodes that accept no pods."""

    name: str
    nodes: str
    unwell: str
    cpu: Meter
    memory: Meter
    pods: Meter


@dataclass(frozen=True, slots=True)
class Waiting:
    """A pending pod: its latest step, the message then, whether that is a decision, and whether the step is shown."""

    namespace: str
    name: str
    step: int
    message: str
    is_decision: bool
    is_shown: bool


def zone_rows(found: ClusterUtilisation) -> list[ZoneAtStep]:
    """Present what is requested of each zone."""
    rows = []
    for zone in found.zones:
        name, unwell = zone.zone or str(NO_ZONE), int((~found.health.usable[zone.rows]).sum())
        cpu, memory, pods = (
            meter(title(name), zone.requested[resource], zone.allocatable[resource], write)
            for title, resource, write in (
                (words.cpu_requested, CPU, amounts.cpu),
                (words.memory_requested, MEMORY, amounts.size),
                (words.pods_in, PODS, amounts.grouped),
            )
        )
        rows.append(
            ZoneAtStep(name, amounts.grouped(len(zone.rows)), CLOSED(nodes=unwell) if unwell else "", cpu, memory, pods)
        )
    return rows


def queue_rows(waiting: Mapping[str, Step], most: int, shown: int) -> list[Waiting]:
    """Present the pending pods, the one that was attempted last first; `shown` is the step that is looked at."""
    latest = sorted(waiting.items(), key=lambda each: -each[1].number)[:most]
    rows = []
    for key, step in latest:
        namespace, _, name = key.partition("/")
        rows.append(Waiting(namespace, name, step.number, message_of(step), step.is_decision, step.number == shown))
    return rows
