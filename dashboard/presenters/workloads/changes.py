"""What more replicas, a rollout or the loss of a zone would do to a workload: sentences, tables and pictures."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clusters.engine.rollout import Progress, Round
from clusters.wording import counts, workloads as words
from clusters.wording.amounts import grouped
from clusters.wording.conclusions import uncertain_sentence
from clusters.wording.decisions.verdict import gated_sentence, reported_reasons, verdict_sentence
from clusters.wording.evaluation import AT_LEAST
from clusters.wording.lists import IN, OF, first_of, listed
from clusters.wording.nodes import NO_ZONE
from clusters.wording.plugins.reasons import nodes_by_reason
from clusters.wording.problems import remedy_sentence
from clusters.wording.spread import domains_name
from clusters.wording.states import UNCERTAIN
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import BarRow, BarsSpec, Key, Series, TrendSpec
from dashboard.presenters.workloads.detail import zone_of

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from clusters.engine.admission import CreationRefusal
    from clusters.engine.spreading import Skew
    from clusters.services.workloads import ClusterWorkloads, WorkloadState
    from clusters.services.workloads.growth import Growth, Landing, Update

    # A zone or a node: name, zone, pods before, pods added, and what decided for it.
    _Place = tuple[str, str, int, int, str]

# One round is no line.
_LEAST_ROUNDS = 2


def growth_figure(found: ClusterWorkloads, state: WorkloadState, growth: Growth) -> Figure | None:
    """Draw a workload's pods by zone with those that fit beside them; the table of the trial has the same numbers."""
    added = Counter(landing.zone for landing in growth.landings)
    rows = tuple(
        BarRow(zone or str(NO_ZONE), (before, added[zone]), f"{grouped(before)} + {grouped(added[zone])}")
        for zone, before in zip(found.zones, state.zones, strict=True)
        if zone or before or added[zone]
    )
    if not growth.landings:
        return None
    keys = (
        Key(str(words.NOW), "verdict-chosen-solid"),
        Key(str(words.MORE), "verdict-fits-solid", "/"),
    )
    return Figure(
        id="growth",
        title=str(words.GROWTH_TITLE),
        summary=words.FIT_BADGE(fit=grouped(len(growth.landings)), asked=growth.asked),
        spec=BarsSpec(keys, rows),
    )


def loss_figure(found: ClusterWorkloads, state: WorkloadState) -> Figure | None:
    """Draw what is left of a workload's pods without each zone that has any; None where there is no zone to lose."""
    pods = sum(state.zones)
    held = [(zone, lost) for zone, lost in zip(found.zones, state.zones, strict=True) if zone and lost]
    if not held:
        return None
    keys = (
        Key(str(words.LEFT), "verdict-chosen-solid"),
        Key(str(words.LOST), "verdict-rejected-solid", "x"),
    )
    worst, most = max(held, key=lambda each: each[1])
    return Figure(
        id="zone-loss",
        title=str(words.LOSS_TITLE),
        summary=words.WORST_LOSS(zone=worst, left=pods - most, pods=pods),
        spec=BarsSpec(
            keys,
            tuple(
                BarRow(
                    words.WITHOUT(zone=zone),
                    (pods - lost, lost),
                    OF(part=pods - lost, whole=pods),
                )
                for zone, lost in held
            ),
        ),
        columns=(str(words.ZONE_LOST), *(key.label for key in keys)),
        rows=[(zone, grouped(pods - lost), grouped(lost)) for zone, lost in held],
    )


def rollout_figure(update: Update) -> Figure | None:
    """Draw old and new pods and the fewest available ones round by round; None for less than two rounds."""
    rounds = update.rounds
    if len(rounds) < _LEAST_ROUNDS:
        return None
    # A pod of before the rollout is old until a round takes it away.
    before = rounds[0].old + len(rounds[0].removed)
    labels = (str(words.BEFORE), *(words.ROUND_NUMBER(number=each.number) for each in rounds))
    old = (before, *(each.old for each in rounds))
    new = (0, *(each.new for each in rounds))
    fewest = (None, *(each.fewest for each in rounds))
    return Figure(
        id="rollout",
        title=str(words.ROLLOUT_TITLE),
        summary=rollout_range(rounds),
        spec=TrendSpec(
            unit=str(words.UNIT),
            times=tuple(map(float, range(len(labels)))),
            series=(
                Series(str(words.OLD), "verdict-unknown-solid", tuple(map(float, old))),
                Series(str(words.NEW), "verdict-fits-solid", tuple(map(float, new))),
                Series(
                    str(words.FEWEST),
                    "verdict-chosen-solid",
                    tuple(None if each is None else float(each) for each in fewest),
                    is_dashed=True,
                ),
            ),
            labels=labels,
            is_stepped=True,
        ),
        columns=(
            str(words.ROUND),
            str(words.OLD),
            str(words.NEW),
            str(words.FEWEST),
        ),
        rows=[
            (label, grouped(gone), grouped(come), "–" if least is None else grouped(least))
            for label, gone, come, least in zip(labels, old, new, fewest, strict=True)
        ],
    )


_MOST_ZONES_TOLD = 6
_GROWTH_MOST_NODES = 100


def growth_view(found: ClusterWorkloads, state: WorkloadState, growth: Growth) -> dict[str, Any]:
    """Present a trial: whether its pods fit, `where`, and for what the next one does not; `message` quotes who says so.

    While a worker tries the others, more of them may go anywhere.
    """
    verdict, text = _verdict(growth)
    refused = growth.refused
    shown: dict[str, Any] = {
        "growth": growth,
        "verdict": verdict,
        "verdict_text": text,
        "next_pod": len(growth.landings) + 1,
        "uncertain": uncertain_of(growth),
        "would_preempt": refused is not None
        and refused.preemption is not None
        and refused.preemption.selected is not None,
        "refusal": _refusal(growth),
        "message": _growth_message(growth),
    }
    if growth.is_cut:
        return shown
    nodes = _growth_nodes(found, state, growth)
    return {
        **shown,
        "where": where(growth),
        "zones": _zones(found, state, growth),
        "nodes": nodes,
        "shown_nodes": nodes[:_GROWTH_MOST_NODES],
        "hidden_nodes": len(nodes) - _GROWTH_MOST_NODES,
        "skews": [_skew(before, after) for before, after in zip(growth.before, growth.after, strict=True)],
    }


def _verdict(growth: Growth) -> tuple[str, str]:
    fit, asked = len(growth.landings), growth.asked
    if growth.is_cut:
        return "unknown", words.FIT_BADGE(fit=AT_LEAST(number=fit), asked=asked)
    if growth.uncertain and fit:
        return "uncertain", words.UNCERTAIN_BADGE(fit=fit, asked=asked)
    return "fits" if fit == asked else "rejected", words.FIT_BADGE(fit=grouped(fit), asked=asked)


def uncertain_of(growth: Growth) -> str:
    """Say what could reject the pods that fit; empty where nothing could, or none fits."""
    return uncertain_sentence(growth.uncertain) if growth.uncertain and growth.landings and not growth.is_cut else ""


def reasons(growth: Growth) -> str:
    """Say what stops the next pod; empty where nothing does."""
    if growth.forbidden is not None:
        return creation_refusal(growth.forbidden)
    said = "" if growth.refused is None else nodes_by_reason(reported_reasons(growth.refused))
    return f"{said}." if said else ""


def where(growth: Growth) -> str:
    """Say where those that fit are placed; empty where none is."""
    landings = growth.landings
    if not landings:
        return ""
    by_zone = Counter(landing.zone for landing in landings)
    if not any(by_zone):
        return words.PLACED_ON(nodes=counts.NODES(number=len({landing.node for landing in landings})))
    told = by_zone.most_common(_MOST_ZONES_TOLD)
    parts = [IN(what=pods, where=zone) if zone else words.PODS_WITHOUT_ZONE(pods=pods) for zone, pods in told]
    rest = by_zone.total() - sum(pods for _, pods in told)
    return words.PLACED_IN(zones=listed([*parts, words.PODS_ELSEWHERE(pods=rest)] if rest else parts))


def _growth_message(growth: Growth) -> str:
    if growth.forbidden is not None:
        return growth.forbidden.message
    return "" if growth.refused is None else growth.refused.message or ""


def creation_refusal(refusal: CreationRefusal) -> str:
    """Say what refuses a pod, and what to do."""
    return " ".join((words.refused_by(refusal), remedy_sentence(refusal)))


def _refusal(growth: Growth) -> str:
    if growth.forbidden is not None:
        return creation_refusal(growth.forbidden)
    return "" if growth.refused is None else _unschedulable(growth.refused)


def _unschedulable(refused: Explanation) -> str:
    return gated_sentence(refused) if not refused.gates.ok else verdict_sentence(refused)


def _zones(found: ClusterWorkloads, state: WorkloadState, growth: Growth) -> list[_Place]:
    added = Counter(landing.zone for landing in growth.landings)
    decided = _decided_by(growth, by_zone=True)
    return [
        (zone or str(NO_ZONE), "", before, added[zone], decided.get(zone, ""))
        for zone, before in zip(found.zones, state.zones, strict=True)
        if zone or before or added[zone]
    ]


def _growth_nodes(found: ClusterWorkloads, state: WorkloadState, growth: Growth) -> list[_Place]:
    """The nodes that get pods, those that get most first."""
    snapshot = found.snapshot
    slots = found.slots(state.workload)
    before = np.bincount(snapshot.pods.node[slots] + 1, minlength=len(snapshot.nodes) + 1)
    added = Counter(landing.node for landing in growth.landings)
    decided = _decided_by(growth, by_zone=False)
    placed = sorted(added.items(), key=lambda entry: (-entry[1], entry[0]))
    rows = [snapshot.nodes.index[name] for name, _ in placed]
    return [
        (name, zone_of(snapshot, row), int(before[row + 1]), new, decided[name])
        for row, (name, new) in zip(rows, placed, strict=True)
    ]


def _decided_by(growth: Growth, *, by_zone: bool) -> dict[str, str]:
    """Say what decided for each zone or node, most often first."""
    reasons: dict[str, Counter[str]] = {}
    for landing in growth.landings:
        place = landing.zone if by_zone else landing.node
        reasons.setdefault(place, Counter())[_reason(landing)] += 1
    return {
        place: "; ".join(
            f"{reason} ({grouped(pods)})" if len(found) > 1 else reason for reason, pods in found.most_common(3)
        )
        for place, found in reasons.items()
    }


def _reason(landing: Landing) -> str:
    if landing.feasible == 1:
        return str(words.ONLY_NODE)
    return landing.plugin or str(words.EQUAL_SCORES)


def _skew(before: Skew, after: Skew) -> tuple[str, str, str, str, str]:
    """Constraint, allowed, before, after, and the kind of badge that the last deserves."""
    constraint = f"{domains_name(before.topology_key)}, {before.action}"
    kind = "" if not after.is_violated else "bad" if after.blocks else "warn"
    return (
        constraint,
        grouped(before.max_skew),
        grouped(before.skew),
        grouped(after.skew),
        kind,
    )


_MOST_ROUNDS = 60
_UPDATE_MOST_NODES = 4


class RoundRow(NamedTuple):
    """One round of the table."""

    round: Round
    nodes: str
    pending: str
    skew: str


def rollout_range(rounds: tuple[Round, ...]) -> str:
    """Say how many pods there are at most, and how many are available at least."""
    return words.ROLLOUT(most=max(each.most for each in rounds), fewest=min(each.fewest for each in rounds))


def update_view(update: Update) -> dict[str, Any]:
    """Present how a simulated update ends; `rounds`: those of the table, `hidden_rounds`: how many it leaves out."""
    rounds = update.rounds
    last = rounds[-1] if rounds else None
    stalls = last is not None and last.progress is Progress.STALLED
    verdict, text = (
        ("rejected", words.STALLS)
        if stalls
        else ("unknown", words.NOT_COMPUTED)
        if update.is_cut
        else ("uncertain", UNCERTAIN)
        if update.uncertain
        else ("fits", words.COMPLETES)
    )
    hidden = len(rounds) - _MOST_ROUNDS
    shown = rounds if hidden <= 0 else (*rounds[: _MOST_ROUNDS - 1], rounds[-1])
    messages = (each.message if each.forbidden is None else each.forbidden.message for each in reversed(rounds))
    return {
        "update": update,
        "verdict": verdict,
        "verdict_text": str(text),
        "rounds": [_round(each) for each in shown],
        "hidden_rounds": hidden + 1 if hidden > 0 else 0,
        "skews": _update_skews(update),
        "last": last,
        "is_stalled": stalls,
        "is_cut": last is not None and last.progress is Progress.GOES_ON,
        # Whether new pods were pending or not created before it ended.
        "is_delayed": any(each.waiting or each.uncreated for each in rounds),
        "placed": sum(len(each.nodes) for each in rounds),
        # How many pods are new ones with a node when it stalls.
        "replaced": 0 if last is None else last.new - last.waiting,
        "uncertain": uncertain_sentence(update.uncertain) if update.uncertain and not stalls else "",
        "refusal": "" if last is None or last.forbidden is None else creation_refusal(last.forbidden),
        "meanwhile": rollout_range(rounds) if rounds else "",
        # What the scheduler says of the last unschedulable pod, or the API server of a refused one.
        "message": next(filter(None, messages), ""),
    }


def _round(each: Round) -> RoundRow:
    worst = max(each.skews, key=lambda skew: (skew.skew - skew.max_skew, skew.skew), default=None)
    return RoundRow(
        each,
        nodes=_update_nodes(each.nodes),
        pending=_waiting(each),
        skew="–" if worst is None else words.SKEW_AFTER(skew=worst.skew, max_skew=worst.max_skew),
    )


def _waiting(each: Round) -> str:
    if each.uncreated:
        return words.PENDING_AND_REFUSED(waiting=each.waiting, uncreated=each.uncreated)
    return grouped(each.waiting) if each.waiting else "–"


def _update_nodes(nodes: tuple[str, ...]) -> str:
    pods = Counter(nodes)
    named = [
        name if number == 1 else f"{name} ({grouped(number)})" for name, number in pods.most_common(_UPDATE_MOST_NODES)
    ]
    return first_of(named, total=len(pods), most=_UPDATE_MOST_NODES) or "–"


def _update_skews(update: Update) -> tuple[tuple[str, str, str, str], ...]:
    """Constraint, allowed, the worst of all rounds, and the kind of badge that it deserves."""
    seen = [each.skews for each in update.rounds if each.skews]
    return tuple(_worst(constraint) for constraint in zip(*seen, strict=True))


def _worst(skews: tuple[Skew, ...]) -> tuple[str, str, str, str]:
    worst = max(skews, key=lambda skew: skew.skew)
    many = domains_name(worst.topology_key)
    kind = "" if not worst.is_violated else "bad" if worst.blocks else "warn"
    return f"{many}, {worst.action}", grouped(worst.max_skew), grouped(worst.skew), kind
