"""Where more replicas of a workload would be placed, as a sentence and tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.conclusions import uncertain_sentence
from clusters.wording.decisions.verdict import gated_sentence, reported_reasons, verdict_sentence
from clusters.wording.evaluation import AT_LEAST
from clusters.wording.lists import listed
from clusters.wording.nodes.states import NO_ZONE
from clusters.wording.problems import remedy_sentence
from clusters.wording.reasons import nodes_by_reason
from clusters.wording.spread.constraint import NAMED
from clusters.wording.spread.keys import domains_name
from clusters.wording.workloads import growth as words
from dashboard.presenters.workloads.detail import zone_of

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from clusters.engine.admission import CreationRefusal
    from clusters.engine.spreading import Skew
    from clusters.engine.workloads import PodCopy
    from clusters.services.workloads import ClusterWorkloads, WorkloadState
    from clusters.services.workloads.growth import Growth, Landing

_MOST_ZONES_TOLD = 6
_MOST_NODES = 100


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A zone or a node before and after, and what decided for it."""

    name: str
    zone: str
    before: str
    added: str
    after: str
    decided: str


@dataclass(frozen=True, slots=True)
class GrowthView:
    """The answer; `refusal` says why the next pod is unschedulable or not created, `message` quotes who says so."""

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
    # While a worker tries the others, more of them may go anywhere.
    nodes = [] if growth.is_cut else _nodes(found, state, growth)
    return GrowthView(
        verdict=verdict,
        verdict_text=text,
        sentence=sentence(growth),
        refusal=_refusal(growth),
        message=_message(growth),
        help=_help(growth),
        zones=() if growth.is_cut else _zones(found, state, growth),
        nodes=tuple(nodes[:_MOST_NODES]),
        more_nodes=words.MORE_NODES(nodes=len(nodes) - _MOST_NODES) if len(nodes) > _MOST_NODES else "",
        skews=() if growth.is_cut else _skews(growth),
        remarks=tuple(remarks(state, growth.copy, growth.waits_for)),
    )


def _verdict(growth: Growth) -> tuple[str, str]:
    fit, asked = len(growth.landings), growth.asked
    if growth.is_cut:
        return "unknown", words.FIT_BADGE(fit=AT_LEAST(number=fit), asked=asked)
    if growth.uncertain and fit:
        return "uncertain", words.UNCERTAIN_BADGE(fit=fit, asked=asked)
    return "fits" if fit == asked else "rejected", words.FIT_BADGE(fit=grouped(fit), asked=asked)


def sentence(growth: Growth) -> str:
    """Say how many fit, and where."""
    fit, asked = len(growth.landings), growth.asked
    if growth.is_cut:
        return " ".join((words.AT_LEAST_MORE_FIT(pods=fit), str(words.TRIED_BY_WORKER)))
    if growth.uncertain and fit:
        said = [uncertain_sentence(growth.uncertain), words.PASS_COMPUTED(fit=fit, asked=asked)]
    elif fit == asked:
        said = [words.ALL_FIT(pods=asked)]
    elif not fit:
        return words.NONE_FITS(asked=asked) if growth.forbidden is None else words.NONE_CREATED(pods=asked)
    else:
        said = [words.SOME_FIT(fit=fit, asked=asked)]
    stop = [] if growth.refused is None else [words.NEXT_FAILS(number=fit + 1)]
    if growth.forbidden is not None:
        stop = [words.NEXT_FORBIDDEN(number=fit + 1)]
    return " ".join([*said, _where(growth.landings), *stop])


def most_sentence(growth: Growth) -> str:
    """Say how many more pods fit at most, where, and what the next one meets."""
    fit = len(growth.landings)
    if growth.is_cut:
        return " ".join((words.AT_LEAST_MORE_FIT(pods=fit), str(words.TRIED_BY_WORKER)))
    if growth.uncertain and fit:
        return uncertain_sentence(growth.uncertain)
    if not fit:
        said = [str(words.NO_MORE_FITS)]
    elif growth.refused is None and growth.forbidden is None:
        return " ".join((words.AT_LEAST_MORE_FIT(pods=fit), _where(growth.landings)))
    else:
        said = [words.MORE_FIT(pods=fit), _where(growth.landings)]
    if growth.forbidden is not None:
        return " ".join((*said, words.NEXT_FORBIDDEN(number=fit + 1)))
    reasons = "" if growth.refused is None else nodes_by_reason(reported_reasons(growth.refused))
    return " ".join((*said, words.NEXT_MEETS(reasons=reasons))) if reasons else " ".join(said)


def _where(landings: tuple[Landing, ...]) -> str:
    by_zone = Counter(landing.zone for landing in landings)
    if not any(by_zone):
        return words.PLACED_ON(nodes=counts.nodes(len({landing.node for landing in landings})))
    told = by_zone.most_common(_MOST_ZONES_TOLD)
    parts = [words.PODS_IN(pods=pods, zone=zone) if zone else words.PODS_WITHOUT_ZONE(pods=pods) for zone, pods in told]
    rest = by_zone.total() - sum(pods for _, pods in told)
    return words.PLACED_IN(zones=listed([*parts, words.PODS_ELSEWHERE(pods=rest)] if rest else parts))


def _message(growth: Growth) -> str:
    if growth.forbidden is not None:
        return growth.forbidden.message
    return "" if growth.refused is None else growth.refused.message or ""


def creation_refusal(refusal: CreationRefusal) -> str:
    """Say what refuses a pod, and what to do."""
    return " ".join((words.refused_by(refusal), remedy_sentence(refusal)))


def none_is_created(refusal: CreationRefusal) -> str:
    """Say that the next pod is not created, and why."""
    return " ".join((words.NONE_CREATED(pods=1), creation_refusal(refusal)))


def _refusal(growth: Growth) -> str:
    if growth.forbidden is not None:
        return creation_refusal(growth.forbidden)
    return "" if growth.refused is None else _unschedulable(growth.refused)


def _unschedulable(refused: Explanation) -> str:
    return gated_sentence(refused) if not refused.gates.ok else verdict_sentence(refused)


def _help(growth: Growth) -> str:
    refused = growth.refused
    if refused is None or refused.preemption is None or refused.preemption.selected is None:
        return ""
    return str(words.WOULD_PREEMPT)


def _zones(found: ClusterWorkloads, state: WorkloadState, growth: Growth) -> tuple[PlaceView, ...]:
    added = Counter(landing.zone for landing in growth.landings)
    decided = _decided_by(growth, by_zone=True)
    return tuple(
        _place(zone or str(NO_ZONE), "", before, added[zone], decided.get(zone, ""))
        for zone, before in zip(found.zones, state.zones, strict=True)
        if zone or before or added[zone]
    )


def _nodes(found: ClusterWorkloads, state: WorkloadState, growth: Growth) -> list[PlaceView]:
    """The nodes that get pods, those that get most first."""
    snapshot = found.snapshot
    slots = found.slots(state.workload)
    before = np.bincount(snapshot.pods.node[slots] + 1, minlength=len(snapshot.nodes) + 1)
    added = Counter(landing.node for landing in growth.landings)
    decided = _decided_by(growth, by_zone=False)
    views = []
    for name, new in sorted(added.items(), key=lambda entry: (-entry[1], entry[0])):
        row = snapshot.nodes.index[name]
        views.append(_place(name, zone_of(snapshot, row), int(before[row + 1]), new, decided[name]))
    return views


def _place(name: str, zone: str, before: int, new: int, decided: str) -> PlaceView:
    return PlaceView(
        name=name,
        zone=zone,
        before=grouped(before),
        added=f"+{grouped(new)}" if new else "0",
        after=grouped(before + new),
        decided=decided,
    )


def _decided_by(growth: Growth, *, by_zone: bool) -> dict[str, str]:
    """Say what decided for each zone or node, most often first."""
    reasons: dict[str, Counter[str]] = {}
    for landing in growth.landings:
        place = landing.zone if by_zone else landing.node
        reasons.setdefault(place, Counter())[_reason(landing)] += 1
    return {
        place: "; ".join(
            words.DECIDED_FOR(reason=reason, pods=pods) if len(found) > 1 else reason
            for reason, pods in found.most_common(3)
        )
        for place, found in reasons.items()
    }


def _reason(landing: Landing) -> str:
    if landing.feasible == 1:
        return str(words.ONLY_NODE)
    return landing.plugin or str(words.EQUAL_SCORES)


def _skews(growth: Growth) -> tuple[tuple[str, str, str, str, str], ...]:
    return tuple(_skew(before, after) for before, after in zip(growth.before, growth.after, strict=True))


def _skew(before: Skew, after: Skew) -> tuple[str, str, str, str, str]:
    """Constraint, allowed, before, after, and the kind of badge that the last deserves."""
    constraint = NAMED(domains=domains_name(before.topology_key), action=str(before.action))
    kind = "" if not after.is_violated else "bad" if after.blocks else "warn"
    return (
        constraint,
        grouped(before.max_skew),
        grouped(before.skew),
        grouped(after.skew),
        kind,
    )


def remarks(state: WorkloadState, copy: PodCopy, waits_for: str = "") -> list[str]:
    """Return what the copies leave open; `waits_for`: the pod that a StatefulSet waits for, empty for none."""
    found = [words.WAITS_FOR(pod=waits_for)] if waits_for else []
    if state.pending:
        found.append(words.PENDING_ALREADY(pods=state.pending))
    if copy.unplaced:
        found.append(words.UNKNOWN_ZONES(volumes=len(copy.unplaced)))
    if copy.claims:
        found.append(words.OWN_CLAIMS(claims=len(copy.claims)))
    if copy.devices:
        found.append(str(words.DEVICES))
    return found
