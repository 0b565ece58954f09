"""Workloads as rows of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from clusters.wording import workloads as words
from clusters.wording.nodes import NO_ZONE
from clusters.wording.workload_failures import headline, quoted
from dashboard.pictures.tokens import ZONE_COLOURS
from dashboard.presenters.workloads import detail
from dashboard.presenters.workloads.detail import budgets_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.disruption import BudgetState
    from clusters.engine.owners import Workload
    from clusters.engine.spreading import SpreadGroup
    from clusters.services.workloads import ClusterWorkloads, WorkloadState


@dataclass(frozen=True, slots=True)
class ZonePart:
    """A zone's share of a bar, in percent of its width; `colour` numbers the zone tokens from 1."""

    colour: int
    start: float
    width: float


class WorkloadRow(NamedTuple):
    """One workload of the list."""

    found: ClusterWorkloads
    state: WorkloadState

    @property
    def workload(self) -> Workload:
        """What it is called."""
        return self.state.workload

    @property
    def kind(self) -> str:
        """What makes the pods."""
        return detail.kind_text(self.workload)

    @property
    def desired(self) -> int:
        """How many pods there should be."""
        return self.state.placed + self.state.pending if self.state.desired is None else self.state.desired

    @property
    def failing(self) -> str:
        """What its controller cannot do."""
        return ", ".join(map(headline, self.found.failures.get(self.workload, ())))

    @property
    def failures(self) -> str:
        """What its controller reports of that."""
        return "; ".join(filter(None, map(quoted, self.found.failures.get(self.workload, ()))))

    @property
    def bar(self) -> tuple[ZonePart, ...]:
        """Its pods by zone, as a bar."""
        return zone_bar(self.state)

    @property
    def zones(self) -> str:
        """Its pods by zone, as numbers."""
        return detail.zones_text(self.state, self.found.zones)

    @property
    def zones_title(self) -> str:
        """Its pods by zone, with the names of the zones."""
        return ", ".join(_zone_titles(self.found, self.state))

    @property
    def group(self) -> SpreadGroup | None:
        """Its pods that are spread least evenly."""
        return self.found.worst_group(self.state)

    @property
    def skew(self) -> str:
        """How far their domains are apart."""
        return "–" if self.group is None or not self.state.placed else detail.skew_text(self.group)

    @property
    def budgets(self) -> list[BudgetState]:
        """The budgets that select its pods."""
        return budgets_of(self.found, self.state)

    @property
    def budget(self) -> tuple[str, str]:
        """What they allow: text and kind of a badge."""
        return detail.budget_text(self.budgets)

    @property
    def allowed(self) -> tuple[int, int]:
        """The order by what they let go: nothing first, then little, then pods without a budget."""
        if not self.budgets:
            return 1, 0
        return 0, self.budgets[0].budget.grants if len(self.budgets) == 1 else 0


def zone_bar(state: WorkloadState) -> tuple[ZonePart, ...]:
    """Divide a bar by the zones that hold pods; nodes without a zone have the last colour."""
    full = sum(state.zones)
    parts, start = [], 0.0
    for number, pods in enumerate(state.zones):
        if pods:
            is_named = number < len(state.zones) - 1
            width = 100 * pods / full
            parts.append(ZonePart(number % ZONE_COLOURS + 1 if is_named else 0, start, width))
            start += width
    return tuple(parts)


def zone_keys(found: ClusterWorkloads) -> list[tuple[int, str]]:
    """Return what the colours of the bars stand for, in the order of the numbers beside them; none of many zones."""
    if len(found.zones) - 1 > detail.MOST_ZONES:
        return []
    return [(number % ZONE_COLOURS + 1, zone) for number, zone in enumerate(found.zones[:-1])]


def _zone_titles(found: ClusterWorkloads, state: WorkloadState) -> Iterator[str]:
    for zone, pods in zip(found.zones, state.zones, strict=True):
        if zone or pods:
            yield words.IN_ZONE(zone=zone or str(NO_ZONE), pods=pods)
