"""What more replicas, a rollout or the loss of a zone would do to a workload: sentences, tables and pictures."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.rollout import Progress, RolloutPlan, RolloutWay, Round
from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.conclusions import uncertain_sentence
from clusters.wording.decisions.verdict import gated_sentence, reported_reasons, verdict_sentence
from clusters.wording.evaluation import AT_LEAST
from clusters.wording.lists import first_of, listed
from clusters.wording.nodes.states import NO_ZONE
from clusters.wording.plugins.reasons import nodes_by_reason
from clusters.wording.problems import remedy_sentence
from clusters.wording.spread.constraint import NAMED
from clusters.wording.spread.keys import domains_name
from clusters.wording.states import UNCERTAIN
from clusters.wording.workloads import (
    growth,
    growth as growth_words,
    pictures as pictures_words,
    rollout as rollout_words,
)
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import BarRow, BarsSpec, Key, Series, TrendSpec
from dashboard.presenters.workloads.detail import zone_of

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from clusters.engine.admission import CreationRefusal
    from clusters.engine.spreading import Skew
    from clusters.engine.workloads import PodCopy
    from clusters.services.workloads import ClusterWorkloads, WorkloadState
    from clusters.services.workloads.growth import Growth, Landing, Update

# One round is no line.
_LEAST_ROUNDS = 2


def growth_figure(found: ClusterWorkloads, state: WorkloadState, growth: Growth) -> Figure | None:
    """Draw a workload's pods by zone with those that fit beside them; the table of the trial has the same numbers."""
    added = Counter(landing.zone for landing in growth.landings)
    rows = tuple(
        BarRow(zone or str(NO_ZONE), (before, added[zone]), pictures_words.SUMS(before=before, added=added[zone]))
        for zone, before in zip(found.zones, state.zones, strict=True)
        if zone or before or added[zone]
    )
    if not growth.landings:
        return None
    keys = (
        Key(str(pictures_words.NOW), "verdict-chosen-solid"),
        Key(str(pictures_words.MORE), "verdict-fits-solid", "/"),
    )
    return Figure(
        id="growth",
        title=str(pictures_words.GROWTH_TITLE),
        summary=pictures_words.GROWTH(fit=len(growth.landings), asked=growth.asked),
        spec=BarsSpec(keys, rows),
    )


def loss_figure(found: ClusterWorkloads, state: WorkloadState) -> Figure | None:
    """Draw what is left of a workload's pods without each zone that has any; None where there is no zone to lose."""
    pods = sum(state.zones)
    held = [(zone, lost) for zone, lost in zip(found.zones, state.zones, strict=True) if zone and lost]
    if not held:
        return None
    keys = (
        Key(str(pictures_words.LEFT), "verdict-chosen-solid"),
        Key(str(pictures_words.LOST), "verdict-rejected-solid", "x"),
    )
    worst, most = max(held, key=lambda each: each[1])
    return Figure(
        id="zone-loss",
        title=str(pictures_words.LOSS_TITLE),
        summary=pictures_words.WORST_LOSS(zone=worst, left=pods - most, pods=pods),
        spec=BarsSpec(
            keys,
            tuple(
                BarRow(
                    pictures_words.WITHOUT(zone=zone),
                    (pods - lost, lost),
                    pictures_words.LEFT_OF(left=pods - lost, pods=pods),
                )
                for zone, lost in held
            ),
        ),
        columns=(str(pictures_words.ZONE_LOST), *(key.label for key in keys)),
        rows=[(zone, grouped(pods - lost), grouped(lost)) for zone, lost in held],
    )


def rollout_figure(update: Update) -> Figure | None:
    """Draw old and new pods and the fewest available ones round by round; None for less than two rounds."""
    rounds = update.rounds
    if len(rounds) < _LEAST_ROUNDS:
        return None
    # A pod of before the rollout is old until a round takes it away.
    before = rounds[0].old + len(rounds[0].removed)
    labels = (str(pictures_words.BEFORE), *(pictures_words.ROUND_NUMBER(number=each.number) for each in rounds))
    old = (before, *(each.old for each in rounds))
    new = (0, *(each.new for each in rounds))
    fewest = (None, *(each.fewest for each in rounds))
    return Figure(
        id="rollout",
        title=str(pictures_words.ROLLOUT_TITLE),
        summary=pictures_words.ROLLOUT(
            fewest=min(each.fewest for each in rounds), most=max(each.most for each in rounds)
        ),
        spec=TrendSpec(
            unit=str(pictures_words.UNIT),
            times=tuple(map(float, range(len(labels)))),
            series=(
                Series(str(pictures_words.OLD), "verdict-unknown-solid", tuple(map(float, old))),
                Series(str(pictures_words.NEW), "verdict-fits-solid", tuple(map(float, new))),
                Series(
                    str(pictures_words.FEWEST),
                    "verdict-chosen-solid",
                    tuple(None if each is None else float(each) for each in fewest),
                    is_dashed=True,
                ),
            ),
            labels=labels,
            is_stepped=True,
        ),
        columns=(
            str(pictures_words.ROUND),
            str(pictures_words.OLD),
            str(pictures_words.NEW),
            str(pictures_words.FEWEST),
        ),
        rows=[
            (label, grouped(gone), grouped(come), "–" if least is None else grouped(least))
            for label, gone, come, least in zip(labels, old, new, fewest, strict=True)
        ],
    )


_MOST_ZONES_TOLD = 6
_GROWTH_MOST_NODES = 100


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
    nodes = [] if growth.is_cut else _growth_nodes(found, state, growth)
    return GrowthView(
        verdict=verdict,
        verdict_text=text,
        sentence=sentence(growth),
        refusal=_refusal(growth),
        message=_growth_message(growth),
        help=_help(growth),
        zones=() if growth.is_cut else _zones(found, state, growth),
        nodes=tuple(nodes[:_GROWTH_MOST_NODES]),
        more_nodes=growth_words.MORE_NODES(nodes=len(nodes) - _GROWTH_MOST_NODES)
        if len(nodes) > _GROWTH_MOST_NODES
        else "",
        skews=() if growth.is_cut else _growth_skews(growth),
        remarks=tuple(remarks(state, growth.copy, growth.waits_for)),
    )


def _verdict(growth: Growth) -> tuple[str, str]:
    fit, asked = len(growth.landings), growth.asked
    if growth.is_cut:
        return "unknown", growth_words.FIT_BADGE(fit=AT_LEAST(number=fit), asked=asked)
    if growth.uncertain and fit:
        return "uncertain", growth_words.UNCERTAIN_BADGE(fit=fit, asked=asked)
    return "fits" if fit == asked else "rejected", growth_words.FIT_BADGE(fit=grouped(fit), asked=asked)


def sentence(growth: Growth) -> str:
    """Say how many fit, and where."""
    fit, asked = len(growth.landings), growth.asked
    if growth.is_cut:
        return " ".join((growth_words.AT_LEAST_MORE_FIT(pods=fit), str(growth_words.TRIED_BY_WORKER)))
    if growth.uncertain and fit:
        said = [uncertain_sentence(growth.uncertain), growth_words.PASS_COMPUTED(fit=fit, asked=asked)]
    elif fit == asked:
        said = [growth_words.ALL_FIT(pods=asked)]
    elif not fit:
        return (
            growth_words.NONE_FITS(asked=asked) if growth.forbidden is None else growth_words.NONE_CREATED(pods=asked)
        )
    else:
        said = [growth_words.SOME_FIT(fit=fit, asked=asked)]
    stop = [] if growth.refused is None else [growth_words.NEXT_FAILS(number=fit + 1)]
    if growth.forbidden is not None:
        stop = [growth_words.NEXT_FORBIDDEN(number=fit + 1)]
    return " ".join([*said, _where(growth.landings), *stop])


def most_sentence(growth: Growth) -> str:
    """Say how many more pods fit at most, where, and what the next one meets."""
    fit = len(growth.landings)
    if growth.is_cut:
        return " ".join((growth_words.AT_LEAST_MORE_FIT(pods=fit), str(growth_words.TRIED_BY_WORKER)))
    if growth.uncertain and fit:
        return uncertain_sentence(growth.uncertain)
    if not fit:
        said = [str(growth_words.NO_MORE_FITS)]
    elif growth.refused is None and growth.forbidden is None:
        return " ".join((growth_words.AT_LEAST_MORE_FIT(pods=fit), _where(growth.landings)))
    else:
        said = [growth_words.MORE_FIT(pods=fit), _where(growth.landings)]
    if growth.forbidden is not None:
        return " ".join((*said, growth_words.NEXT_FORBIDDEN(number=fit + 1)))
    reasons = "" if growth.refused is None else nodes_by_reason(reported_reasons(growth.refused))
    return " ".join((*said, growth_words.NEXT_MEETS(reasons=reasons))) if reasons else " ".join(said)


def _where(landings: tuple[Landing, ...]) -> str:
    by_zone = Counter(landing.zone for landing in landings)
    if not any(by_zone):
        return growth_words.PLACED_ON(nodes=counts.nodes(len({landing.node for landing in landings})))
    told = by_zone.most_common(_MOST_ZONES_TOLD)
    parts = [
        growth_words.PODS_IN(pods=pods, zone=zone) if zone else growth_words.PODS_WITHOUT_ZONE(pods=pods)
        for zone, pods in told
    ]
    rest = by_zone.total() - sum(pods for _, pods in told)
    return growth_words.PLACED_IN(zones=listed([*parts, growth_words.PODS_ELSEWHERE(pods=rest)] if rest else parts))


def _growth_message(growth: Growth) -> str:
    if growth.forbidden is not None:
        return growth.forbidden.message
    return "" if growth.refused is None else growth.refused.message or ""


def creation_refusal(refusal: CreationRefusal) -> str:
    """Say what refuses a pod, and what to do."""
    return " ".join((growth_words.refused_by(refusal), remedy_sentence(refusal)))


def none_is_created(refusal: CreationRefusal) -> str:
    """Say that the next pod is not created, and why."""
    return " ".join((growth_words.NONE_CREATED(pods=1), creation_refusal(refusal)))


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
    return str(growth_words.WOULD_PREEMPT)


def _zones(found: ClusterWorkloads, state: WorkloadState, growth: Growth) -> tuple[PlaceView, ...]:
    added = Counter(landing.zone for landing in growth.landings)
    decided = _decided_by(growth, by_zone=True)
    return tuple(
        _place(zone or str(NO_ZONE), "", before, added[zone], decided.get(zone, ""))
        for zone, before in zip(found.zones, state.zones, strict=True)
        if zone or before or added[zone]
    )


def _growth_nodes(found: ClusterWorkloads, state: WorkloadState, growth: Growth) -> list[PlaceView]:
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
            growth_words.DECIDED_FOR(reason=reason, pods=pods) if len(found) > 1 else reason
            for reason, pods in found.most_common(3)
        )
        for place, found in reasons.items()
    }


def _reason(landing: Landing) -> str:
    if landing.feasible == 1:
        return str(growth_words.ONLY_NODE)
    return landing.plugin or str(growth_words.EQUAL_SCORES)


def _growth_skews(growth: Growth) -> tuple[tuple[str, str, str, str, str], ...]:
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
    found = [growth_words.WAITS_FOR(pod=waits_for)] if waits_for else []
    if state.pending:
        found.append(growth_words.PENDING_ALREADY(pods=state.pending))
    if copy.unplaced:
        found.append(growth_words.UNKNOWN_ZONES(volumes=len(copy.unplaced)))
    if copy.claims:
        found.append(growth_words.OWN_CLAIMS(claims=len(copy.claims)))
    if copy.devices:
        found.append(str(growth_words.DEVICES))
    return found


_MOST_ROUNDS = 60
_UPDATE_MOST_NODES = 4


@dataclass(frozen=True, slots=True)
class RoundView:
    """One round of the table; `kind` is a badge's kind."""

    number: str
    made: str
    nodes: str
    waiting: str
    removed: str
    pods: str
    available: str
    skew: str
    outcome: str
    kind: str


@dataclass(frozen=True, slots=True)
class UpdateView:
    """The answer; `message` is what the scheduler says of the unschedulable pod, or the API server of a refused one."""

    verdict: str
    verdict_text: str
    sentence: str
    message: str
    rounds: tuple[RoundView, ...]
    more_rounds: str
    skews: tuple[tuple[str, str, str, str], ...]


def plan_sentence(plan: RolloutPlan | None, kind: str) -> str:
    """Say how the workload's controller goes about an update."""
    if plan is None:
        return str(rollout_words.WITHOUT_ROLLOUT.get(kind) or rollout_words.UNKNOWN_KIND(kind=kind))
    match plan.way:
        case RolloutWay.RECREATE:
            return rollout_words.RECREATE(pods=plan.desired)
        case RolloutWay.ON_DELETE:
            return str(rollout_words.ON_DELETE)
        case RolloutWay.SURGE:
            return rollout_words.surge(
                max_surge=plan.max_surge,
                max_unavailable=plan.max_unavailable,
                pods=plan.desired,
                most=plan.most,
                fewest=plan.fewest,
            )
        case RolloutWay.ORDINALS:
            return rollout_words.ordinals(
                at_once=plan.unavailable, partition=plan.partition, is_ordered=plan.is_ordered
            )
        case _:
            return _by_node(plan)


def _by_node(plan: RolloutPlan) -> str:
    if plan.surge:
        return rollout_words.nodes_surge(max_surge=plan.max_surge, nodes=plan.surge)
    return rollout_words.nodes_unavailable(
        max_unavailable=plan.max_unavailable, nodes=plan.unavailable, desired=plan.desired
    )


def plan_notes(plan: RolloutPlan | None) -> list[str]:
    """Return what people ask about updates."""
    if plan is None:
        return []
    notes = [rollout_words.DEFAULTS_ASSUMED] if plan.is_assumed else []
    if plan.way is not RolloutWay.ON_DELETE:
        notes.append(rollout_words.BUDGETS_DO_NOT_BIND)
        if plan.is_paused:
            notes.append(rollout_words.PAUSED)
    return [str(note) for note in notes]


def update_view(update: Update) -> UpdateView:
    """Present a simulated update."""
    last = update.rounds[-1] if update.rounds else None
    stalls = last is not None and last.progress is Progress.STALLED
    verdict, text = (
        ("rejected", rollout_words.STALLS)
        if stalls
        else ("unknown", rollout_words.NOT_COMPUTED)
        if update.is_cut
        else ("uncertain", UNCERTAIN)
        if update.uncertain
        else ("fits", rollout_words.COMPLETES)
    )
    messages = [said for each in update.rounds if (said := _update_message(each))]
    hidden = len(update.rounds) - _MOST_ROUNDS
    shown = update.rounds if hidden <= 0 else (*update.rounds[: _MOST_ROUNDS - 1], update.rounds[-1])
    return UpdateView(
        verdict=verdict,
        verdict_text=str(text),
        sentence=" ".join([*([] if stalls else _doubt(update)), *_sentences(update)]),
        message=messages[-1] if messages else "",
        rounds=tuple(_round(each) for each in shown),
        more_rounds=rollout_words.HIDDEN_ROUNDS(number=hidden + 1) if hidden > 0 else "",
        skews=_update_skews(update),
    )


def _update_message(each: Round) -> str:
    """Return what the API server says of the first pod that it refuses, or the scheduler of one without a node."""
    return each.message if each.forbidden is None else each.forbidden.message


def _doubt(update: Update) -> list[str]:
    """Say what could reject the new pods, before the sentence that counts them as placed."""
    if not update.uncertain or not update.rounds:
        return []
    return [uncertain_sentence(update.uncertain), str(rollout_words.ASSUMES)]


def _sentences(update: Update) -> list[str]:
    """Say how the update ends, and what there is at the worst moment."""
    if not update.rounds:
        return [str(rollout_words.NOTHING_TO_UPDATE)]
    last, rounds = update.rounds[-1], rollout_words.ROUNDS(number=len(update.rounds))
    most = max(each.most for each in update.rounds)
    meanwhile = rollout_words.MEANWHILE(most=counts.pods(most), fewest=min(each.fewest for each in update.rounds))
    if last.progress is Progress.DONE:
        hitch = [str(rollout_words.PENDING_AT_FIRST)] if any(each.waiting for each in update.rounds) else []
        hitch += [str(rollout_words.REFUSED_AT_FIRST)] if any(each.uncreated for each in update.rounds) else []
        return [rollout_words.completes(rounds), *hitch, meanwhile]
    if last.progress is Progress.GOES_ON:
        placed = sum(len(each.nodes) for each in update.rounds)
        return [rollout_words.NOT_FOLLOWED(placed=placed, wanted=update.wanted, rounds=rounds), meanwhile]
    preempts = [str(rollout_words.WOULD_PREEMPT)] if last.would_preempt else []
    late = [] if update.plan.deadline is None else [rollout_words.DEADLINE_EXCEEDED(seconds=update.plan.deadline)]
    return [rollout_words.stalls(last.number), *_stalled(update, last), *preempts, meanwhile, *late]


def _stalled(update: Update, last: Round) -> list[str]:
    if last.held_up_by:
        return [rollout_words.HELD_UP(pod=last.held_up_by)]
    return [
        *_without_node(last),
        rollout_words.OLD_REMAIN(pods=last.old) if last.old else str(rollout_words.NONE_REMAINS),
        rollout_words.REPLACED(pods=last.new - last.waiting, wanted=update.wanted),
    ]


def _without_node(last: Round) -> list[str]:
    """Say which new pods are unschedulable, which are not created, and what lets them be."""
    said = []
    if last.waiting:
        on_node = bool(last.refused_by) and last.forbidden is None
        said.append(
            rollout_words.UNSCHEDULABLE_ON(pods=last.waiting, node=last.refused_by)
            if on_node
            else rollout_words.UNSCHEDULABLE(pods=last.waiting)
        )
    if last.forbidden is not None:
        said += [
            rollout_words.NOT_CREATED(pods=last.uncreated),
            growth.refused_by(last.forbidden),
            remedy_sentence(last.forbidden),
        ]
    return said


def _round(each: Round) -> RoundView:
    outcome, kind = {
        Progress.DONE: (str(rollout_words.ROUND_DONE), "good"),
        Progress.STALLED: (str(rollout_words.ROUND_STALLED), "bad"),
        Progress.GOES_ON: ("", ""),
    }[each.progress]
    worst = max(each.skews, key=lambda skew: (skew.skew - skew.max_skew, skew.skew), default=None)
    return RoundView(
        number=grouped(each.number),
        made=grouped(each.created),
        nodes=_update_nodes(each.nodes),
        waiting=_waiting(each),
        removed=grouped(len(each.removed)),
        pods=rollout_words.OLD_AND_NEW(old=each.old, new=each.new),
        available=grouped(each.fewest),
        skew="–" if worst is None else rollout_words.SKEW(skew=worst.skew, max_skew=worst.max_skew),
        outcome=outcome,
        kind=kind,
    )


def _waiting(each: Round) -> str:
    if each.uncreated:
        return rollout_words.PENDING_AND_REFUSED(waiting=each.waiting, uncreated=each.uncreated)
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
    return NAMED(domains=many, action=str(worst.action)), grouped(worst.max_skew), grouped(worst.skew), kind
