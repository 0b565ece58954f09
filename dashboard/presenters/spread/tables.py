"""Spreading as tables of plain values, for files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.nodes.file import NO, YES
from clusters.wording.nodes.states import NO_ZONE
from clusters.wording.selectors import selector_text
from clusters.wording.spread import file as columns
from clusters.wording.spread.exclusions import excluded_count
from dashboard.presenters.spread.groups import group_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clusters.engine.spreading import SpreadGroup, WorkloadMatrix


def group_cells(groups: Iterable[SpreadGroup]) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each group."""
    for group in groups:
        constraint = group.constraint
        yield (
            group.namespace,
            group_name(group),
            constraint.topology_key,
            group.action,
            str(group.source),
            selector_text(constraint.selector),
            constraint.max_skew,
            constraint.min_domains,
            group.members.placed,
            group.members.pending,
            group.domain_count,
            len(group.held),
            group.minimum,
            group.largest_skew,
            group.violation,
            int(group.within.sum()),
        )


def domain_cells(group: SpreadGroup) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each domain of a group."""
    for domain in group.domains():
        yield (
            domain.value,
            domain.pods,
            domain.skew,
            domain.excess,
            domain.nodes,
            domain.eligible_nodes,
            str(YES if domain.admits else NO),
            ", ".join(excluded_count(reason, nodes) for reason, nodes in domain.excluded.items()),
        )


def matrix_columns(matrix: WorkloadMatrix) -> tuple[str, ...]:
    """Return the heads of the matrix's columns."""
    zones = (zone or str(NO_ZONE) for zone in matrix.zones)
    return (*map(str, columns.BEFORE_ZONES), *zones, str(columns.PENDING))


def matrix_cells(matrix: WorkloadMatrix, rows: Sequence[int]) -> Iterator[tuple[str | int, ...]]:
    """Yield some workloads of the matrix."""
    for row in rows:
        workload = matrix.workloads[row]
        counts = matrix.placed[row].tolist()
        yield (workload.namespace, workload.kind, workload.name, *counts, int(matrix.pending[row]))
