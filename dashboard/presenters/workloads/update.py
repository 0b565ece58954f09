"""What an update of a workload would meet, in words and as a table of rounds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.rollout import Progress, Way
from clusters.wording.amounts import counted, grouped
from clusters.wording.conclusions import uncertainty_clauses
from clusters.wording.spread.keys import domains_name

if TYPE_CHECKING:
    from clusters.engine.rollout import RolloutPlan, Round
    from clusters.engine.spreading.skew import Skew
    from clusters.services.workloads.updates import Update

_MOST_ROUNDS = 60
_MOST_NODES = 4
_WITHOUT = {
    "Job": "A Job's pods are never updated: another template means another Job.",
    "CronJob": "A CronJob's template is that of Jobs to come; those that run are left alone.",
    "ReplicaSet": "A ReplicaSet updates nothing: a new template counts for pods that are made later.",
    "ReplicationController": (
        "A ReplicationController updates nothing: a new template counts for pods that are made later."
    ),
    "Pod": "Nothing would make this pod again: it has no controller.",
    "Node": "A kubelet reads these pods from files of its node and makes them again when a file changes.",
}


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
    """The answer; `message` is what the scheduler says of the pod that has no place."""

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
        return _WITHOUT.get(kind, f"How a {kind} updates its pods only its own controller knows.")
    pods = counted(plan.desired, "pod", "pods")
    match plan.way:
        case Way.RECREATE:
            return f"Recreate: all {pods} go first, then the new ones come. Until these are ready, none is available."
        case Way.ON_DELETE:
            return "OnDelete: each pod stays as it is until somebody deletes it."
        case Way.SURGE:
            return (
                f"RollingUpdate with maxSurge {plan.max_surge} and maxUnavailable {plan.max_unavailable}: of {pods} "
                f"never more than {grouped(plan.most)} at once, and never fewer than {grouped(plan.fewest)} available."
            )
        case Way.ORDINALS:
            return _ordinals(plan)
        case _:
            return _by_node(plan)


def _by_node(plan: RolloutPlan) -> str:
    if plan.surge:
        nodes = counted(plan.surge, "node", "nodes")
        return (
            f"RollingUpdate with maxSurge {plan.max_surge}: on at most {nodes} at a time a new pod starts beside the "
            "old one, which goes when the new one is there."
        )
    nodes = f"{counted(plan.unavailable, 'node', 'nodes')} of {grouped(plan.desired)}"
    return (
        f"RollingUpdate with maxUnavailable {plan.max_unavailable}: on at most {nodes} at a time the old pod goes, "
        "then the new one comes."
    )


def _ordinals(plan: RolloutPlan) -> str:
    at_once = "one pod" if plan.unavailable == 1 else f"{grouped(plan.unavailable)} pods"
    said = (
        f"RollingUpdate, {at_once} at a time from the highest ordinal down: the old pod goes, then the new one comes."
    )
    if plan.partition:
        said += f" Pods below ordinal {grouped(plan.partition)}, the partition, stay as they are."
    if plan.is_ordered:
        said += " OrderedReady: while any pod is not ready, nothing goes on."
    return said


def plan_notes(plan: RolloutPlan | None) -> list[str]:
    """Return what people ask about updates."""
    if plan is None:
        return []
    assumed = ["How it updates is not in the mirror, so Kubernetes' defaults are assumed."] if plan.is_assumed else []
    if plan.way is Way.ON_DELETE:
        return assumed
    notes = [*assumed, "Disruption budgets do not bind an update: its controller deletes pods, it does not evict them."]
    if plan.is_paused:
        notes.append("The Deployment is paused: nothing of this happens until somebody resumes it.")
    return notes


def update_view(update: Update) -> UpdateView:
    """Present a simulated update."""
    last = update.rounds[-1] if update.rounds else None
    stuck = last is not None and last.progress is Progress.STUCK
    verdict, text = (
        ("rejected", "Gets stuck")
        if stuck
        else ("unknown", "Not followed to its end")
        if update.is_cut
        else ("uncertain", "Uncertain")
        if update.uncertain
        else ("fits", "Goes through")
    )
    messages = [each.message for each in update.rounds if each.message]
    hidden = len(update.rounds) - _MOST_ROUNDS
    shown = update.rounds if hidden <= 0 else (*update.rounds[: _MOST_ROUNDS - 1], update.rounds[-1])
    return UpdateView(
        verdict=verdict,
        verdict_text=text,
        sentence=sentence(update) if stuck else f"{_doubt(update)}{sentence(update)}",
        message=messages[-1] if messages else "",
        rounds=tuple(_round(each) for each in shown),
        more_rounds=f"{counted(hidden + 1, 'round', 'rounds')} before the last not shown." if hidden > 0 else "",
        skews=_skews(update),
    )


def _doubt(update: Update) -> str:
    """Say what could reject the new pods, before the sentence that counts them as placed."""
    if not update.uncertain or not update.rounds:
        return ""
    return f"Uncertain: {uncertainty_clauses(update.uncertain)}. By all that is computed: "


def sentence(update: Update) -> str:
    """Say how the update ends, and what there is at the worst moment."""
    if not update.rounds:
        return "There is nothing to update."
    last = update.rounds[-1]
    fewest, most = min(each.fewest for each in update.rounds), max(each.most for each in update.rounds)
    meanwhile = f"Meanwhile at most {counted(most, 'pod', 'pods')} at once, at worst {grouped(fewest)} available."
    rounds = counted(len(update.rounds), "round", "rounds")
    if last.progress is Progress.DONE:
        waited = any(each.waiting for each in update.rounds)
        hitch = " Some new pods find no place at first, but do once old ones have gone." if waited else ""
        return f"It goes through in {rounds}.{hitch} {meanwhile}"
    if last.progress is Progress.GOES_ON:
        placed = sum(len(each.nodes) for each in update.rounds)
        first = f"The first {grouped(placed)} new pods of {grouped(update.wanted)}"
        return f"{first} find their places in {rounds}; what comes then was not looked at. {meanwhile}"
    room = " The scheduler would preempt other pods for it; here nobody is removed." if last.would_preempt else ""
    return f"{_stuck(update, last)}{room} {meanwhile}"


def _stuck(update: Update, last: Round) -> str:
    where = f"It gets stuck in round {grouped(last.number)}"
    if last.held_up_by:
        return f"{where}: {last.held_up_by} is not ready, and an OrderedReady StatefulSet does nothing until it is."
    waiting = counted(last.waiting, "new pod finds", "new pods find")
    placed = f"{grouped(last.new - last.waiting)} of {grouped(update.wanted)}"
    place = f"no place on {last.refused_by}" if last.refused_by else "no place"
    if not last.old:
        return f"{where}: {waiting} {place}, though no old pod is left. {placed} are there again by then."
    old = counted(last.old, "old pod is", "old pods are")
    return f"{where}: {waiting} {place} while {old} still there. {placed} are replaced by then."


def _round(each: Round) -> RoundView:
    outcome, kind = {
        Progress.DONE: ("Done", "good"),
        Progress.STUCK: ("Stuck", "bad"),
        Progress.GOES_ON: ("", ""),
    }[each.progress]
    worst = max(each.skews, key=lambda skew: (skew.skew - skew.max_skew, skew.skew), default=None)
    return RoundView(
        number=grouped(each.number),
        made=grouped(each.created),
        nodes=_nodes(each.nodes),
        waiting=grouped(each.waiting) if each.waiting else "–",
        removed=grouped(len(each.removed)),
        pods=f"{grouped(each.old)} old, {grouped(each.new)} new",
        available=grouped(each.fewest),
        skew="–" if worst is None else f"{grouped(worst.skew)}, allowed {grouped(worst.max_skew)}",
        outcome=outcome,
        kind=kind,
    )


def _nodes(nodes: tuple[str, ...]) -> str:
    counts = Counter(nodes)
    named = [name if number == 1 else f"{name} ({grouped(number)})" for name, number in counts.most_common(_MOST_NODES)]
    rest = len(counts) - len(named)
    return ", ".join(named) + (f" and {counted(rest, 'more', 'more')}" if rest > 0 else "") or "–"


def _skews(update: Update) -> tuple[tuple[str, str, str, str], ...]:
    """Constraint, allowed, the worst of all rounds, and the kind of badge that it deserves."""
    seen = [each.skews for each in update.rounds if each.skews]
    return tuple(_worst(constraint) for constraint in zip(*seen, strict=True))


def _worst(skews: tuple[Skew, ...]) -> tuple[str, str, str, str]:
    worst = max(skews, key=lambda skew: skew.skew)
    many = domains_name(worst.topology_key)
    kind = "" if not worst.is_violated else "bad" if worst.blocks else "warn"
    return f"{many}, {worst.action}", grouped(worst.max_skew), grouped(worst.skew), kind
