"""Where more pods of a workload would go, in words and tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.wording.amounts import counted, grouped
from clusters.wording.conclusions import uncertainty_clauses
from clusters.wording.decisions.verdict import gated_sentence, verdict_sentence
from clusters.wording.spread.keys import domains_name
from dashboard.presenters import wording
from dashboard.presenters.workloads import words
from dashboard.presenters.workloads.detail import zone_of
from dashboard.presenters.workloads.listing import ZONE_COLOURS

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from clusters.engine.spreading.skew import Skew
    from clusters.engine.workloads.pod_copies import PodCopy
    from clusters.services.workloads import ClusterWorkloads, WorkloadState
    from clusters.services.workloads.growth import Growth, Landing

_MOST_ZONES_TOLD = 6
_MOST_NODES = 100
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A zone or a node before and after; `fill` and `added` are percentages of a bar's width."""

    name: str
    zone: str
    before: str
    added: str
    after: str
    decided: str
    colour: int
    before_width: float
    added_width: float


@dataclass(frozen=True, slots=True)
class GrowthView:
    """The answer; `refusal` says why the next pod finds no place, `message` is the scheduler's text."""

    verdict: str
    verdict_text: str
    sentence: str
    refusal: str
    message: str
    help: str
    zones: tuple[PlaceView, ...]
    nodes: tuple[PlaceView, ...]
    more_nodes: str
    skews: tuple[tuple[str, str, str, str, str], ...]
    remarks: tuple[str, ...]


def growth_view(found: ClusterWorkloads, state: WorkloadState, growth: Growth) -> GrowthView:
    """Present a trial."""
    verdict, text = _verdict(growth)
    nodes = _nodes(found, state, growth)
    return GrowthView(
        verdict=verdict,
        verdict_text=text,
        sentence=sentence(growth),
        refusal="" if growth.refused is None else _refusal(growth.refused),
        message="" if growth.refused is None else growth.refused.message or "",
        help=_help(growth),
        zones=_zones(found, state, growth),
        nodes=tuple(nodes[:_MOST_NODES]),
        more_nodes=f"{counted(len(nodes) - _MOST_NODES, 'more node', 'more nodes')} with fewer new pods."
        if len(nodes) > _MOST_NODES
        else "",
        skews=_skews(growth),
        remarks=tuple(remarks(state, growth.copy)),
    )


def _verdict(growth: Growth) -> tuple[str, str]:
    fit, asked = len(growth.landings), growth.asked
    if growth.uncertain and fit:
        return "uncertain", f"{grouped(fit)} of {grouped(asked)} uncertain"
    verdict = "fits" if fit == asked else "rejected" if growth.refused is not None else "unknown"
    return verdict, f"{grouped(fit)} of {grouped(asked)} fit"


def sentence(growth: Growth) -> str:
    """Say how many fit, and where."""
    fit, asked = len(growth.landings), growth.asked
    where = _where(growth.landings)
    if growth.uncertain and fit:
        why = uncertainty_clauses(growth.uncertain)
        passing = f"{grouped(fit)} of {grouped(asked)} {'pass' if fit > 1 else 'passes'} all that is computed: {where}."
        stop = f" The {ordinal(fit + 1)} does not." if growth.refused is not None else ""
        return f"Uncertain: {why}. {passing}{stop}"
    if fit == asked:
        return f"{'It fits' if asked == 1 else f'All {grouped(asked)} fit'}: {where}."
    if growth.is_cut:
        return f"{grouped(fit)} fit so far: {where}. There was no time for the others; ask for fewer."
    if not fit:
        return f"None of {grouped(asked)} fits: the first one finds no node."
    return f"{grouped(fit)} of {grouped(asked)} fit: {where}. The {ordinal(fit + 1)} does not."


def ordinal(number: int) -> str:
    """Write a number as a place in an order: `13th`."""
    ending = "th" if 10 < number % 100 < 20 else _ENDINGS.get(number % 10, "th")
    return f"{grouped(number)}{ending}"


def _where(landings: tuple[Landing, ...]) -> str:
    counts = Counter(landing.zone for landing in landings)
    if not any(counts):
        return f"on {counted(len({landing.node for landing in landings}), 'node', 'nodes')}"
    told = counts.most_common(_MOST_ZONES_TOLD)
    parts = [f"{grouped(number)} in {zone or words.NO_ZONE}" for zone, number in told]
    rest = sum(counts.values()) - sum(number for _, number in told)
    if rest:
        parts.append(f"{grouped(rest)} elsewhere")
    return wording.listed(parts)


def _refusal(refused: Explanation) -> str:
    return gated_sentence(refused) if not refused.gates.ok else verdict_sentence(refused)


def _help(growth: Growth) -> str:
    refused = growth.refused
    if refused is None or refused.preemption is None or refused.preemption.selected is None:
        return ""
    return "The scheduler would preempt for it; here nobody is removed, so it counts as one that does not fit."


def _zones(found: ClusterWorkloads, state: WorkloadState, growth: Growth) -> tuple[PlaceView, ...]:
    added = Counter(landing.zone for landing in growth.landings)
    decided = _decided_by(growth, by_zone=True)
    rows = [
        (zone, before, added[zone], number % ZONE_COLOURS + 1 if zone else 0)
        for number, (zone, before) in enumerate(zip(found.zones, state.zones, strict=True))
        if zone or before or added[zone]
    ]
    full = max([1, *(before + new for _, before, new, _ in rows)])
    return tuple(
        _place(zone or "No zone", "", before, new, decided.get(zone, ""), colour, full)
        for zone, before, new, colour in rows
    )


def _nodes(found: ClusterWorkloads, state: WorkloadState, growth: Growth) -> list[PlaceView]:
    """The nodes that get pods, those that get most first."""
    snapshot = found.snapshot
    slots = found.slots(state.workload)
    before = np.bincount(snapshot.pods.node[slots] + 1, minlength=len(snapshot.nodes) + 1)
    added = Counter(landing.node for landing in growth.landings)
    decided = _decided_by(growth, by_zone=False)
    zones = list(found.zones)
    rows = sorted(added.items(), key=lambda entry: (-entry[1], entry[0]))
    full = max([1, *(int(before[snapshot.nodes.index[name] + 1]) + new for name, new in rows)])
    views = []
    for name, new in rows:
        row = snapshot.nodes.index[name]
        zone = zone_of(snapshot, row)
        colour = zones.index(zone) % ZONE_COLOURS + 1 if zone in zones[:-1] else 0
        views.append(_place(name, zone, int(before[row + 1]), new, decided[name], colour, full))
    return views


def _place(name: str, zone: str, before: int, new: int, decided: str, colour: int, full: int) -> PlaceView:
    return PlaceView(
        name=name,
        zone=zone,
        before=grouped(before),
        added=f"+{grouped(new)}" if new else "0",
        after=grouped(before + new),
        decided=decided,
        colour=colour,
        before_width=100 * before / full,
        added_width=100 * new / full,
    )


def _decided_by(growth: Growth, *, by_zone: bool) -> dict[str, str]:
    """Say what spoke for each zone or node, most often first."""
    counts: dict[str, Counter[str]] = {}
    for landing in growth.landings:
        place = landing.zone if by_zone else landing.node
        counts.setdefault(place, Counter())[_reason(landing)] += 1
    return {
        place: "; ".join(
            f"{reason} ({grouped(number)})" if len(found) > 1 else reason for reason, number in found.most_common(3)
        )
        for place, found in counts.items()
    }


def _reason(landing: Landing) -> str:
    if landing.feasible == 1:
        return "the only node left"
    return landing.plugin or "as good as the others"


def _skews(growth: Growth) -> tuple[tuple[str, str, str, str, str], ...]:
    return tuple(_skew(before, after) for before, after in zip(growth.before, growth.after, strict=True))


def _skew(before: Skew, after: Skew) -> tuple[str, str, str, str, str]:
    """Constraint, allowed, before, after, and the kind of badge that the last deserves."""
    many = domains_name(before.topology_key)
    kind = "" if not after.is_violated else "bad" if after.blocks else "warn"
    return f"{many}, {before.action}", grouped(before.max_skew), grouped(before.skew), grouped(after.skew), kind


def remarks(state: WorkloadState, copy: PodCopy) -> list[str]:
    """Return what the copies leave open."""
    found = []
    if state.pending:
        waiting = counted(state.pending, "pod of it waits", "pods of it wait")
        found.append(f"{waiting} already and {'is' if state.pending == 1 else 'are'} not placed first.")
    if copy.unplaced:
        volumes = counted(len(copy.unplaced), "volume", "volumes")
        found.append(
            f"Each new pod would get {volumes} of which nobody knows the zone beforehand, because its storage class "
            "makes them at once or its claim is not mirrored; the pods are placed as if every node reached them."
        )
    if copy.claims:
        claims = counted(len(copy.claims), "claim", "claims")
        found.append(f"Each new pod gets {claims} of its own, like those of the newest pod.")
    if copy.devices:
        found.append("Devices that are claimed by templates are not looked for: their claims are made afterwards.")
    return found
