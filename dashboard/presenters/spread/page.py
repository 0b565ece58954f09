"""Spread groups as rows, as a page of their own and as a matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.spreading import worst_of
from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.nodes.states import NO_ZONE
from clusters.wording.spread import domains as domain_words
from clusters.wording.spread.exclusions import excluded_nodes
from dashboard.presenters.spread import groups
from dashboard.presenters.spread.picture import figure, is_of_bins

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.owners import Workload
    from clusters.engine.spreading import DomainCount, SpreadGroup, UnreadableConstraints, WorkloadMatrix
    from dashboard.pictures.figure import Figure

_HEAT_STEPS = 4


@dataclass(frozen=True, slots=True)
class DomainView:
    """One domain as a bar; `fill`, `floor` and `limit` are percentages of the bar's width, None where not to be drawn.

    `level` is empty, `over` or `out` (does not count). `verdict` is a word of the verdict tokens.
    """

    value: str
    pods: str
    note: str
    nodes: str
    skew: str
    fill: float
    floor: float | None
    limit: float | None
    level: str
    verdict: str
    verdict_text: str
    why: tuple[str, ...]
    # The page of the node, where domains are nodes.
    url: str


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One group: how it is spread, what a zone's loss takes of it, and its picture, None where it has no domain."""

    identity: str
    name: str
    sentence: str
    loss: str
    badges: tuple[tuple[str, str], ...]
    figure: Figure | None


def headline(found: Iterable[SpreadGroup]) -> str:
    """Name the group with the worst skew, and the first one, which runs most of its pods in one zone."""
    every = list(found)
    worst, first = worst_of(every), next((group for group in every if group.zone_loss.of), None)
    said = "" if worst is None else groups.worst_sentence(worst)
    return said if first is None else f"{said} {groups.largest_share(first)}"


def group_row(identity: str, group: SpreadGroup) -> GroupRow:
    """Present a group of a list, whose own page has its numbers."""
    return _row(identity, group, with_numbers=False)


def group_head(identity: str, group: SpreadGroup) -> GroupRow:
    """Present the group of a page; few domains have their numbers in the table beside the picture."""
    return _row(identity, group, with_numbers=is_of_bins(group))


def _row(identity: str, group: SpreadGroup, *, with_numbers: bool) -> GroupRow:
    return GroupRow(
        identity=identity,
        name=groups.group_name(group),
        sentence=groups.sentence(group),
        loss=groups.loss(group),
        badges=groups.badges(group),
        figure=figure(group, name=f"spread-{identity}", with_numbers=with_numbers),
    )


def scale(group: SpreadGroup) -> str:
    """Say what the lines across the bars mean."""
    return domain_words.scale(minimum=group.minimum, max_skew=group.constraint.max_skew)


def domain_views(group: SpreadGroup, domains: Iterable[DomainCount], nodes: Mapping[str, str]) -> list[DomainView]:
    """Present domains on one scale; ``nodes``: the pages of those that are nodes."""
    limit = group.minimum + group.constraint.max_skew
    full = max(int(group.held.max(initial=0)), limit, 1)
    return [_domain_view(group, domain, limit, full, nodes.get(domain.value, "")) for domain in domains]


def _domain_view(group: SpreadGroup, domain: DomainCount, limit: int, full: int, url: str) -> DomainView:
    why = tuple(excluded_nodes(reason, nodes, domain.nodes) for reason, nodes in domain.excluded.items())
    if not domain.is_eligible:
        verdict, text = "unknown", domain_words.NOT_COUNTED
    elif not group.blocks:
        fits = domain.skew + group.itself <= group.constraint.max_skew
        verdict, text = ("fits", domain_words.ALLOWED) if fits else ("preemptible", domain_words.EXCEEDS)
    else:
        verdict, text = ("fits", domain_words.ALLOWED) if domain.admits else ("rejected", domain_words.NOT_ALLOWED)
    return DomainView(
        value=domain.value or str(domain_words.EMPTY_VALUE),
        pods=counts.pods(domain.pods),
        note=_note(domain),
        nodes=_nodes(domain),
        skew=grouped(domain.skew) if domain.is_eligible else "–",
        fill=100 * domain.pods / full,
        floor=100 * group.minimum / full if domain.is_eligible else None,
        limit=100 * limit / full if domain.is_eligible and limit < full else None,
        level="over" if domain.excess else "" if domain.is_eligible else "out",
        verdict=verdict,
        verdict_text=str(text),
        why=why,
        url=url,
    )


def _note(domain: DomainCount) -> str:
    if domain.excess:
        return domain_words.OVER(pods=domain.excess)
    return "" if domain.is_eligible else domain_words.not_counted()


def _nodes(domain: DomainCount) -> str:
    if domain.eligible_nodes == domain.nodes:
        return grouped(domain.nodes)
    return domain_words.COUNTED_NODES(counted=domain.eligible_nodes, nodes=domain.nodes)


def unreadable_lines(found: Iterable[UnreadableConstraints]) -> list[str]:
    """Say which pods have constraints that Kubernetes would refuse."""
    return [
        domain_words.UNREADABLE(
            workload=groups.workload_name(each.template.workload),
            pods=counts.pods(each.members.placed + each.members.pending),
            message=each.message,
        )
        for each in found
    ]


# -- the matrix --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ZoneCell:
    """How many pods of a workload are in a zone; `heat` is 0 (none) to 4 (as many as in its fullest zone)."""

    zone: str
    pods: str
    heat: int


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One workload over the zones; `search` finds its groups."""

    namespace: str
    name: str
    kind: str
    cells: tuple[ZoneCell, ...]
    total: str
    pending: str
    difference: str


def matrix_zones(matrix: WorkloadMatrix) -> tuple[list[int], list[str]]:
    """Return the columns to show and their heads; nodes without a zone have one only where pods run on them."""
    shown = [number for number, zone in enumerate(matrix.zones) if zone or matrix.placed[:, number].any()]
    return shown, [matrix.zones[number] or str(NO_ZONE) for number in shown]


def matrix_rows(matrix: WorkloadMatrix, rows: Sequence[int]) -> list[MatrixRow]:
    """Present some workloads of the matrix."""
    shown, heads = matrix_zones(matrix)
    named = [number for number in shown if matrix.zones[number]]
    found = []
    for row in rows:
        workload, placed = matrix.workloads[row], matrix.placed[row]
        most = max(1, int(placed.max(initial=0)))
        cells = tuple(
            ZoneCell(head, grouped(int(placed[number])), _heat(int(placed[number]), most))
            for number, head in zip(shown, heads, strict=True)
        )
        spread = [int(placed[number]) for number in named]
        found.append(
            MatrixRow(
                namespace=workload.namespace,
                name=workload.name,
                kind=_kind(workload),
                cells=cells,
                total=grouped(int(placed.sum())),
                pending=grouped(int(matrix.pending[row])),
                difference=grouped(max(spread) - min(spread)) if spread else "–",
            )
        )
    return found


def _heat(pods: int, most: int) -> int:
    """Return how close a number of pods comes to the most; any pod at all is more than none."""
    return max(1, pods * _HEAT_STEPS // most) if pods else 0


def _kind(workload: Workload) -> str:
    return workload.kind or str(domain_words.NO_CONTROLLER)
