"""Topology spread: groups of pods as rows, a matrix and pictures, and as a page of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import Struct

from clusters.engine.spreading import (
    DomainCount,
    NamedBy,
    Source,
    SpreadGroup,
    UnreadableConstraints,
    WorkloadMatrix,
    worst_of,
)
from clusters.wording import columns as heads, counts, spread as spread_words
from clusters.wording.amounts import grouped
from clusters.wording.lists import OF, alternatives, first_of, listed
from clusters.wording.nodes import NO, NO_ZONE, YES
from clusters.wording.resources import selector_text
from clusters.wording.spread import (
    NO_CONTROLLER,
    counted_domains,
    domain_name,
    domains_name,
    excluded_count,
    excluded_nodes,
)
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import DomainBin, DomainColumn, DomainHistogramSpec, DomainsSpec, Key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.owners import Workload
    from clusters.engine.status import Mask

# A distribution such as 5–3–0 is read at a glance up to here.
MOST_DISTRIBUTED = 6
_MOST_NAMED = 3


def workload_name(workload: Workload) -> str:
    """Name a workload by namespace and name."""
    return f"{workload.namespace}/{_own_name(workload)}"


def _own_name(workload: Workload) -> str:
    return workload.name or str(spread_words.WITHOUT_CONTROLLER)


def group_name(group: SpreadGroup) -> str:
    """Name a group by its workloads."""
    first, *others = group.workloads
    if len(others) > 1:
        return spread_words.AND_OTHERS(workload=workload_name(first), others=len(others))
    return listed([workload_name(first), *map(_own_name, others)])


def constraint_name(group: SpreadGroup) -> str:
    """Name a constraint among those of a cluster."""
    domains = domains_name(group.constraint.topology_key)
    return ", ".join([group_name(group), f"{domains}, {group.action}"])


def sentence(group: SpreadGroup) -> str:
    """Say how a group is spread, how uneven that is, and where its next pod is allowed."""
    if not group.domain_count:
        return spread_words.no_domain(group=group_name(group), key=group.constraint.topology_key, blocks=group.blocks)
    return f"{skew_sentence(group)} {_next_pod(group)}"


def skew_sentence(group: SpreadGroup) -> str:
    """Say how a group is spread, and how uneven that is."""
    skew = spread_words.SKEW(skew=group.largest_skew, max_skew=group.constraint.max_skew)
    return f"{_distribution(group)} {skew}"


def _distribution(group: SpreadGroup) -> str:
    name, domains = group_name(group), counted_domains(group.constraint.topology_key, group.domain_count)
    if not len(group.held):
        return spread_words.NO_PODS(group=name, domains=domains)
    if group.domain_count <= MOST_DISTRIBUTED:
        held = np.sort(group.counts[group.eligibility.exists])[::-1]
        return spread_words.DISTRIBUTION(
            group=name, pods="–".join(map(grouped, held.tolist())), domains=domains, workloads=len(group.workloads)
        )
    return spread_words.FULLEST(group=name, held=len(group.held), domains=domains, most=int(group.held.max()))


def _next_pod(group: SpreadGroup) -> str:
    within = np.flatnonzero(group.within)
    if len(within) == group.domain_count:
        return str(spread_words.ALLOWED_EVERYWHERE)
    if not len(within):
        return spread_words.allowed_nowhere(blocks=group.blocks)
    if len(within) <= _MOST_NAMED:
        return spread_words.allowed_in(
            alternatives(group.values[each] for each in within.tolist()), blocks=group.blocks
        )
    every = counted_domains(group.constraint.topology_key, group.domain_count)
    return spread_words.allowed_in(OF(part=len(within), whole=every), blocks=group.blocks)


def loss(group: SpreadGroup) -> str:
    """Say what the loss of the zone with most of a group's pods takes; empty where none runs."""
    found = group.zone_loss
    if not found.of:
        return ""
    if found.zone:
        return spread_words.ZONE_LOSS(zone=found.zone, pods=found.pods, of=found.of)
    return spread_words.NODE_LOSS(node=found.node, pods=found.pods, of=found.of)


def worst_sentence(group: SpreadGroup) -> str:
    """Say that a group has the worst skew of the cluster."""
    said = spread_words.WORST_SKEW if group.violation else spread_words.LARGEST_SKEW
    return said(
        workload=group_name(group),
        skew=group.largest_skew,
        max_skew=group.constraint.max_skew,
        domains=domains_name(group.constraint.topology_key),
    )


def largest_share(group: SpreadGroup) -> str:
    """Say that no other group runs a larger part of its pods in one zone."""
    found = group.zone_loss
    return spread_words.LARGEST_SHARE(
        group=group_name(group), zone=found.zone or found.node, pods=found.pods, of=found.of
    )


def badges(group: SpreadGroup) -> tuple[tuple[str, str], ...]:
    """Return what is to be known about a group at a glance: pairs of text and kind."""
    found = []
    if group.violation:
        found.append((spread_words.OVER_MAX_SKEW(pods=group.violation), "bad" if group.blocks else "warn"))
    if not group.domain_count:
        found.append((str(spread_words.NO_DOMAIN), "bad" if group.blocks else "warn"))
    if group.missing_domains:
        found.append((spread_words.MISSING_DOMAINS(domains=group.missing_domains), "warn"))
    if group.nodeless and group.source is Source.POD:
        absent = counted_domains(group.constraint.topology_key, len(group.nodeless))
        found.append((spread_words.DOMAINS_WITHOUT_NODES(domains=absent), "info"))
    if not group.itself:
        found.append((str(spread_words.SELECTOR_MISSES), "warn"))
    if group.unlike:
        found.append((str(spread_words.NOT_OF_ALL), "warn"))
    if group.members.pending:
        found.append((counts.PENDING_PODS(number=group.members.pending), "warn"))
    found.append((group.action, ""))
    if group.source is not Source.POD:
        found.append((str(spread_words.DEFAULT_CONSTRAINT), "info"))
    return tuple(found)


def remarks(group: SpreadGroup) -> list[str]:
    """Return what the counts alone do not tell."""
    found = []
    if group.missing_domains:
        found.append(spread_words.BELOW_MIN_DOMAINS(minimum=group.constraint.min_domains, domains=group.domain_count))
    found += _without_nodes(group)
    if not group.itself:
        found.append(str(spread_words.SELECTOR_MISSES_REMARK))
    found += _unlike(group)
    if group.uncounted:
        found.append(spread_words.UNCOUNTED(pods=group.uncounted))
    if group.eligibility.without_key:
        found.append(spread_words.WITHOUT_KEY(nodes=group.eligibility.without_key, key=group.constraint.topology_key))
    if group.members.terminating:
        found.append(spread_words.TERMINATING(pods=group.members.terminating))
    return found


def _without_nodes(group: SpreadGroup) -> Iterator[str]:
    """Name the domains that no node is in, together where the same objects name them."""
    by: dict[tuple[NamedBy, ...], list[str]] = {}
    for domain in group.nodeless:
        by.setdefault(domain.named_by, []).append(domain.value)
    for named_by, values in by.items():
        yield spread_words.WITHOUT_NODES(
            values=first_of(values),
            key=group.constraint.topology_key,
            named_by=listed(str(spread_words.NAMED_BY[each]) for each in named_by),
            number=len(values),
        )
    if by and group.minimum:
        yield str(spread_words.MINIMUM_WITH_NODES)


def _unlike(group: SpreadGroup) -> Iterator[str]:
    """Name the counted pods that do not have the constraint: those with another one, then those without any."""
    for has_another in (True, False):
        some = [each for each in group.unlike if each.has_another is has_another]
        if some:
            yield spread_words.unlike_pods(
                counts.PODS(number=sum(each.pods for each in some)),
                key=group.constraint.topology_key,
                workloads=first_of([workload_name(each.workload) for each in some]),
                has_another=has_another,
            )


def facts(group: SpreadGroup) -> list[tuple[str, str]]:
    """Return the constraint field by field, and what it found."""
    constraint, members = group.constraint, group.members
    honoured = {True: "Honor", False: "Ignore"}
    workloads = ", ".join(f"{each.kind} {each.name}".strip() or str(NO_CONTROLLER) for each in group.workloads)
    return [
        (str(spread_words.NAMESPACE), group.namespace),
        (str(spread_words.WORKLOADS), workloads),
        ("topologyKey", constraint.topology_key),
        ("maxSkew", grouped(constraint.max_skew)),
        ("whenUnsatisfiable", spread_words.effect(str(group.action), blocks=group.blocks)),
        (str(spread_words.SELECTOR), selector_text(constraint.selector)),
        ("minDomains", grouped(constraint.min_domains)),
        ("nodeAffinityPolicy", honoured[constraint.honours_affinity]),
        ("nodeTaintsPolicy", honoured[constraint.honours_taints]),
        (str(spread_words.SOURCE), str(spread_words.SOURCES[group.source])),
        (str(spread_words.PODS), spread_words.PLACED_AND_PENDING(placed=members.placed, pending=members.pending)),
        (str(spread_words.GLOBAL_MINIMUM), grouped(group.minimum)),
    ]


# More domains than these are counted by their pods, in so many columns at most.
MOST_COLUMNS = 8
MOST_BINS = 12


def is_of_bins(group: SpreadGroup) -> bool:
    """Tell whether a group has too many domains for a column each."""
    return int(_drawn(group).sum()) > MOST_COLUMNS


def _drawn(group: SpreadGroup) -> Mask:
    """Tell which domains are drawn: of many those that do not count are left out, unless pods are in them."""
    every = np.ones(len(group.values), np.bool_)
    return every if len(every) <= MOST_COLUMNS else group.eligibility.exists | (group.counts > 0)


def figure(group: SpreadGroup, *, name: str, with_numbers: bool) -> Figure | None:
    """Draw a group; ``name`` is unique on its page. A group without any domain to draw has no picture."""
    drawn, key = _drawn(group), group.constraint.topology_key
    if not drawn.any():
        return None
    spec: DomainsSpec | DomainHistogramSpec
    of_bins = is_of_bins(group)
    spec, rows = _histogram(group, drawn) if of_bins else _columns(group, drawn)
    first = spread_words.AXIS(domain=domain_name(key)) if of_bins else domain_name(key)
    second = domains_name(key) if of_bins else str(heads.PODS)
    said = [
        spread_words.SCALE(
            limit=group.minimum + group.constraint.max_skew, minimum=group.minimum, max_skew=group.constraint.max_skew
        )
    ]
    if hidden := len(drawn) - int(drawn.sum()):
        said.append(spread_words.NOT_DRAWN(domains=counted_domains(key, hidden), number=hidden))
    return Figure(
        id=name,
        title=f"{group_name(group)}: {spread_words.TITLE}",
        summary=" ".join(said),
        spec=spec,
        columns=(first, second, str(spread_words.NEXT_POD)) if with_numbers else (),
        rows=rows if with_numbers else (),
    )


def _columns(group: SpreadGroup, drawn: Mask) -> tuple[DomainsSpec, list[tuple[str, str, str]]]:
    # Zones stay in the order of their names on every page, whatever they hold.
    shown = {value for value, is_drawn in zip(group.values, drawn.tolist(), strict=True) if is_drawn}
    domains = sorted((each for each in group.domains() if each.value in shown), key=lambda each: each.value)
    within = dict(zip(group.values, group.within.tolist(), strict=True))
    said = [next_pod_in(group, each.is_eligible, within[each.value]) for each in domains]
    spec = DomainsSpec(
        keys=(
            Key(str(spread_words.POD), "verdict-chosen-solid"),
            Key(str(spread_words.POD_OVER_MAX_SKEW), "verdict-rejected-solid", "x"),
            Key(str(spread_words.POD_NOT_COUNTED), "verdict-unknown-solid", "/"),
            Key(str(spread_words.NEXT_ALLOWED if group.blocks else spread_words.NEXT_WITHIN), "verdict-fits-surface"),
        ),
        columns=tuple(
            DomainColumn(
                label=_value(each),
                pods=each.pods,
                counts=each.is_eligible,
                is_open=within[each.value],
                text=spread_words.COLUMN(domain=_value(each), pods=each.pods, next_pod=next_pod),
            )
            for each, next_pod in zip(domains, said, strict=True)
        ),
        floor=group.minimum,
        ceiling=group.minimum + group.constraint.max_skew,
        floor_text=spread_words.FLOOR(pods=group.minimum),
        ceiling_text=spread_words.CEILING(pods=group.minimum + group.constraint.max_skew),
    )
    return spec, [(_value(each), grouped(each.pods), next_pod) for each, next_pod in zip(domains, said, strict=True)]


def _value(domain: DomainCount) -> str:
    return domain.value or str(spread_words.EMPTY_VALUE)


def next_pod_in(group: SpreadGroup, is_eligible: bool, is_within: bool) -> str:
    """Say whether the next pod of a group may enter a domain."""
    if not is_eligible:
        return str(spread_words.DOMAIN_NOT_COUNTED)
    allowed, rejected = (
        (spread_words.NEXT_ALLOWED, spread_words.DOMAIN_NOT_ALLOWED)
        if group.blocks
        else (spread_words.NEXT_WITHIN, spread_words.DOMAIN_EXCEEDS)
    )
    return str(allowed if is_within else rejected)


def _histogram(group: SpreadGroup, drawn: Mask) -> tuple[DomainHistogramSpec, list[tuple[str, str, str]]]:
    key, counts = group.constraint.topology_key, group.counts
    exists, within = group.eligibility.exists, group.within
    step = int(counts.max(initial=0)) // MOST_BINS + 1
    size = int(counts.max(initial=0)) // step + 1
    kinds = [np.bincount(counts[mask] // step, minlength=size) for mask in (within, exists & ~within, drawn & ~exists)]
    words_of = [
        next_pod_in(group, exists_, within_) for exists_, within_ in ((True, True), (True, False), (False, False))
    ]
    bins, rows = [], []
    for place in range(size):
        held = tuple(int(each[place]) for each in kinds)
        label = spread_words.pods_range(place * step, place * step + step - 1)
        text = spread_words.SOME_DOMAINS(pods=label, domains=counted_domains(key, sum(held)))
        bins.append(DomainBin(label, held, text))
        rows += [(label, grouped(each), said) for each, said in zip(held, words_of, strict=True) if each]
    floor, ceiling = group.minimum, group.minimum + group.constraint.max_skew
    return DomainHistogramSpec(
        axis=spread_words.BINS_AXIS(domain=domain_name(key), domains=domains_name(key)),
        keys=(
            Key(words_of[0], "verdict-fits-solid"),
            Key(words_of[1], "verdict-rejected-solid", "x"),
            Key(words_of[2], "verdict-unknown-solid", "/"),
        ),
        bins=tuple(bins),
        floor_at=floor / step,
        # Up to the ceiling a domain is within maxSkew, so the line stands behind its column.
        ceiling_at=(ceiling + 1) / step if ceiling < size * step else None,
        floor_text=spread_words.FLOOR(pods=floor),
        ceiling_text=spread_words.CEILING(pods=ceiling),
    ), rows


_HEAT_STEPS = 4


class DomainView(Struct, frozen=True):
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


class GroupRow(Struct, frozen=True):
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
    said = "" if worst is None else worst_sentence(worst)
    return said if first is None else f"{said} {largest_share(first)}"


def group_row(identity: str, group: SpreadGroup, *, with_numbers: bool = False) -> GroupRow:
    """Present a group, its picture with its numbers where no table has them."""
    return GroupRow(
        identity=identity,
        name=group_name(group),
        sentence=sentence(group),
        loss=loss(group),
        badges=badges(group),
        figure=figure(group, name=f"spread-{identity}", with_numbers=with_numbers),
    )


def scale(group: SpreadGroup) -> str:
    """Say what the lines across the bars mean."""
    return spread_words.SCALE(
        limit=group.minimum + group.constraint.max_skew, minimum=group.minimum, max_skew=group.constraint.max_skew
    )


def domain_views(group: SpreadGroup, domains: Iterable[DomainCount], nodes: Mapping[str, str]) -> list[DomainView]:
    """Present domains on one scale; ``nodes``: the pages of those that are nodes."""
    limit = group.minimum + group.constraint.max_skew
    full = max(int(group.held.max(initial=0)), limit, 1)
    return [_domain_view(group, domain, limit, full, nodes.get(domain.value, "")) for domain in domains]


def _domain_view(group: SpreadGroup, domain: DomainCount, limit: int, full: int, url: str) -> DomainView:
    why = tuple(excluded_nodes(reason, nodes, domain.nodes) for reason, nodes in domain.excluded.items())
    if not domain.is_eligible:
        verdict, text = "unknown", spread_words.NOT_COUNTED
    elif not group.blocks:
        fits = domain.skew + group.itself <= group.constraint.max_skew
        verdict, text = ("fits", spread_words.ALLOWED) if fits else ("preemptible", spread_words.EXCEEDS)
    else:
        verdict, text = ("fits", spread_words.ALLOWED) if domain.admits else ("rejected", spread_words.NOT_ALLOWED)
    return DomainView(
        value=domain.value or str(spread_words.EMPTY_VALUE),
        pods=counts.PODS(number=domain.pods),
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
        return spread_words.OVER(pods=domain.excess)
    return "" if domain.is_eligible else str(spread_words.NOTE_NOT_COUNTED)


def _nodes(domain: DomainCount) -> str:
    if domain.eligible_nodes == domain.nodes:
        return grouped(domain.nodes)
    return OF(part=domain.eligible_nodes, whole=domain.nodes)


def unreadable_lines(found: Iterable[UnreadableConstraints]) -> list[str]:
    """Say which pods have constraints that Kubernetes would refuse."""
    return [
        f"{workload_name(each.template.workload)}, {pods}: {each.message}"
        for each in found
        for pods in (counts.PODS(number=each.members.placed + each.members.pending),)
    ]


# -- the matrix --------------------------------------------------------------------------------------------------------


class MatrixRow(NamedTuple):
    """One workload over the zones; ``difference`` is None without zones.

    ``cells``: each zone, how many pods are there, and their heat, 0 (none) to 4 (as many as in its fullest zone).
    """

    workload: Workload
    cells: tuple[tuple[str, int, int], ...]
    total: int
    pending: int
    difference: int | None


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
        placed = matrix.placed[row]
        most = max(1, int(placed.max(initial=0)))
        cells = tuple(
            (head, int(placed[number]), _heat(int(placed[number]), most))
            for number, head in zip(shown, heads, strict=True)
        )
        spread = [int(placed[number]) for number in named]
        found.append(
            MatrixRow(
                matrix.workloads[row],
                cells=cells,
                total=int(placed.sum()),
                pending=int(matrix.pending[row]),
                difference=max(spread) - min(spread) if spread else None,
            )
        )
    return found


def _heat(pods: int, most: int) -> int:
    """Return how close a number of pods comes to the most; any pod at all is more than none."""
    return max(1, pods * _HEAT_STEPS // most) if pods else 0


GROUP_COLUMNS = (
    "namespace",
    "workloads",
    "topology key",
    "when unsatisfiable",
    "constraint from",
    "counts pods with",
    "max skew",
    "min domains",
    "pods on nodes",
    "pods pending",
    "eligible domains",
    "domains with pods",
    "global minimum",
    "skew",
    "over max skew",
    "domains within max skew for the next pod",
)


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


DOMAIN_COLUMNS = (
    "domain",
    "pods",
    "skew",
    "over max skew",
    "nodes",
    "nodes counted",
    "allowed",
    "nodes not counted",
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
    return ("namespace", "kind", "workload", *zones, "pending")


def matrix_cells(matrix: WorkloadMatrix, rows: Sequence[int]) -> Iterator[tuple[str | int, ...]]:
    """Yield some workloads of the matrix."""
    for row in rows:
        workload = matrix.workloads[row]
        counts = matrix.placed[row].tolist()
        yield (workload.namespace, workload.kind, workload.name, *counts, int(matrix.pending[row]))
