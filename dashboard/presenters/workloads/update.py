"""A preview of a workload's rollout, as a sentence and a table of rounds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.rollout import Progress, RolloutWay
from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.conclusions import uncertain_sentence
from clusters.wording.lists import first_of
from clusters.wording.problems import remedy_sentence
from clusters.wording.spread.constraint import NAMED
from clusters.wording.spread.keys import domains_name
from clusters.wording.states import UNCERTAIN
from clusters.wording.workloads import growth
from clusters.wording.workloads import rollout as words

if TYPE_CHECKING:
    from clusters.engine.rollout import RolloutPlan, Round
    from clusters.engine.spreading import Skew
    from clusters.services.workloads.growth import Update

_MOST_ROUNDS = 60
_MOST_NODES = 4


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
        return str(words.WITHOUT_ROLLOUT.get(kind) or words.UNKNOWN_KIND(kind=kind))
    match plan.way:
        case RolloutWay.RECREATE:
            return words.RECREATE(pods=plan.desired)
        case RolloutWay.ON_DELETE:
            return str(words.ON_DELETE)
        case RolloutWay.SURGE:
            return words.surge(
                max_surge=plan.max_surge,
                max_unavailable=plan.max_unavailable,
                pods=plan.desired,
                most=plan.most,
                fewest=plan.fewest,
            )
        case RolloutWay.ORDINALS:
            return words.ordinals(at_once=plan.unavailable, partition=plan.partition, is_ordered=plan.is_ordered)
        case _:
            return _by_node(plan)


def _by_node(plan: RolloutPlan) -> str:
    if plan.surge:
        return words.nodes_surge(max_surge=plan.max_surge, nodes=plan.surge)
    return words.nodes_unavailable(max_unavailable=plan.max_unavailable, nodes=plan.unavailable, desired=plan.desired)


def plan_notes(plan: RolloutPlan | None) -> list[str]:
    """Return what people ask about updates."""
    if plan is None:
        return []
    notes = [words.DEFAULTS_ASSUMED] if plan.is_assumed else []
    if plan.way is not RolloutWay.ON_DELETE:
        notes.append(words.BUDGETS_DO_NOT_BIND)
        if plan.is_paused:
            notes.append(words.PAUSED)
    return [str(note) for note in notes]


def update_view(update: Update) -> UpdateView:
    """Present a simulated update."""
    last = update.rounds[-1] if update.rounds else None
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
    messages = [said for each in update.rounds if (said := _message(each))]
    hidden = len(update.rounds) - _MOST_ROUNDS
    shown = update.rounds if hidden <= 0 else (*update.rounds[: _MOST_ROUNDS - 1], update.rounds[-1])
    return UpdateView(
        verdict=verdict,
        verdict_text=str(text),
        sentence=" ".join([*([] if stalls else _doubt(update)), *_sentences(update)]),
        message=messages[-1] if messages else "",
        rounds=tuple(_round(each) for each in shown),
        more_rounds=words.HIDDEN_ROUNDS(number=hidden + 1) if hidden > 0 else "",
        skews=_skews(update),
    )


def _message(each: Round) -> str:
    """Return what the API server says of the first pod that it refuses, or the scheduler of one without a node."""
    return each.message if each.forbidden is None else each.forbidden.message


def _doubt(update: Update) -> list[str]:
    """Say what could reject the new pods, before the sentence that counts them as placed."""
    if not update.uncertain or not update.rounds:
        return []
    return [uncertain_sentence(update.uncertain), str(words.ASSUMES)]


def _sentences(update: Update) -> list[str]:
    """Say how the update ends, and what there is at the worst moment."""
    if not update.rounds:
        return [str(words.NOTHING_TO_UPDATE)]
    last, rounds = update.rounds[-1], words.ROUNDS(number=len(update.rounds))
    most = max(each.most for each in update.rounds)
    meanwhile = words.MEANWHILE(most=counts.pods(most), fewest=min(each.fewest for each in update.rounds))
    if last.progress is Progress.DONE:
        hitch = [str(words.PENDING_AT_FIRST)] if any(each.waiting for each in update.rounds) else []
        hitch += [str(words.REFUSED_AT_FIRST)] if any(each.uncreated for each in update.rounds) else []
        return [words.completes(rounds), *hitch, meanwhile]
    if last.progress is Progress.GOES_ON:
        placed = sum(len(each.nodes) for each in update.rounds)
        return [words.NOT_FOLLOWED(placed=placed, wanted=update.wanted, rounds=rounds), meanwhile]
    preempts = [str(words.WOULD_PREEMPT)] if last.would_preempt else []
    late = [] if update.plan.deadline is None else [words.DEADLINE_EXCEEDED(seconds=update.plan.deadline)]
    return [words.stalls(last.number), *_stalled(update, last), *preempts, meanwhile, *late]


def _stalled(update: Update, last: Round) -> list[str]:
    if last.held_up_by:
        return [words.HELD_UP(pod=last.held_up_by)]
    return [
        *_without_node(last),
        words.OLD_REMAIN(pods=last.old) if last.old else str(words.NONE_REMAINS),
        words.REPLACED(pods=last.new - last.waiting, wanted=update.wanted),
    ]


def _without_node(last: Round) -> list[str]:
    """Say which new pods are unschedulable, which are not created, and what lets them be."""
    said = []
    if last.waiting:
        on_node = bool(last.refused_by) and last.forbidden is None
        said.append(
            words.UNSCHEDULABLE_ON(pods=last.waiting, node=last.refused_by)
            if on_node
            else words.UNSCHEDULABLE(pods=last.waiting)
        )
    if last.forbidden is not None:
        said += [
            words.NOT_CREATED(pods=last.uncreated),
            growth.refused_by(last.forbidden),
            remedy_sentence(last.forbidden),
        ]
    return said


def _round(each: Round) -> RoundView:
    outcome, kind = {
        Progress.DONE: (str(words.ROUND_DONE), "good"),
        Progress.STALLED: (str(words.ROUND_STALLED), "bad"),
        Progress.GOES_ON: ("", ""),
    }[each.progress]
    worst = max(each.skews, key=lambda skew: (skew.skew - skew.max_skew, skew.skew), default=None)
    return RoundView(
        number=grouped(each.number),
        made=grouped(each.created),
        nodes=_nodes(each.nodes),
        waiting=_waiting(each),
        removed=grouped(len(each.removed)),
        pods=words.OLD_AND_NEW(old=each.old, new=each.new),
        available=grouped(each.fewest),
        skew="–" if worst is None else words.SKEW(skew=worst.skew, max_skew=worst.max_skew),
        outcome=outcome,
        kind=kind,
    )


def _waiting(each: Round) -> str:
    if each.uncreated:
        return words.PENDING_AND_REFUSED(waiting=each.waiting, uncreated=each.uncreated)
    return grouped(each.waiting) if each.waiting else "–"


def _nodes(nodes: tuple[str, ...]) -> str:
    pods = Counter(nodes)
    named = [name if number == 1 else f"{name} ({grouped(number)})" for name, number in pods.most_common(_MOST_NODES)]
    return first_of(named, total=len(pods), most=_MOST_NODES) or "–"


def _skews(update: Update) -> tuple[tuple[str, str, str, str], ...]:
    """Constraint, allowed, the worst of all rounds, and the kind of badge that it deserves."""
    seen = [each.skews for each in update.rounds if each.skews]
    return tuple(_worst(constraint) for constraint in zip(*seen, strict=True))


def _worst(skews: tuple[Skew, ...]) -> tuple[str, str, str, str]:
    worst = max(skews, key=lambda skew: skew.skew)
    many = domains_name(worst.topology_key)
    kind = "" if not worst.is_violated else "bad" if worst.blocks else "warn"
    return NAMED(domains=many, action=str(worst.action)), grouped(worst.max_skew), grouped(worst.skew), kind
