"""Studies in words: how far each is, and what came of its parts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.http import urlencode

from clusters.documents.problems import in_words
from clusters.documents.words import sentence_of_uncertainty
from clusters.engine.simulation import Keeps
from clusters.models import SimulationRun, Study, StudyPart
from clusters.services.runs.results import Placed, pending_after, placed_of
from clusters.wording import counts
from clusters.wording.amounts import grouped, percent
from clusters.wording.lists import first_of, listed
from clusters.wording.runs import configurations, progress, removal as removal_words, studies as words
from dashboard.presenters.runs import compare
from dashboard.presenters.runs.listing import headline

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    Result = Mapping[str, Any]

State = StudyPart.State

_BADGES = {"queued": "", "running": "info", "done": "good", "failed": "bad", "cancelled": "warn"}
_PLACES = 8
_MOVES = 5
# Of the nodes of a large cluster a page shows the first; its file has all.
_NODES_SHOWN = 100


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A study in a list."""

    pk: int
    title: str
    kind: str
    cluster: str
    badge: tuple[str, str]
    at: datetime
    by: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A name, a number in words, and how long its bar is, in percent."""

    name: str
    number: str
    fill: float


@dataclass(frozen=True, slots=True)
class PartView:
    """A part and its answer: a sentence, what stops more, and bars by zone and by node."""

    label: str
    badge: tuple[str, str]
    sentence: str
    stop: str
    reasons: tuple[str, ...]
    zones: tuple[Bar, ...]
    nodes: tuple[Bar, ...]
    more_nodes: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SweepRow:
    """A run of a sweep; ``fill`` is the share of its pods that were placed, in percent, None before it is done."""

    pk: int
    label: str
    badge: tuple[str, str]
    result: str
    placed: str
    fill: float | None
    newly_pending: str
    nodes_in_use: str
    cpu: str
    skew: str
    is_best: bool


def state_of(states: Sequence[str]) -> str:
    """Return how a study is, of its parts."""
    if any(state in ("queued", "running") for state in states):
        return "queued" if all(state == "queued" for state in states) else "running"
    return "failed" if states and all(state in ("failed", "cancelled") for state in states) else "done"


def study_row(study: Study, states: Sequence[str]) -> StudyRow:
    """Present a study in a list."""
    return StudyRow(
        pk=study.pk,
        title=study.title,
        kind=str(words.KINDS[study.kind]),
        cluster=study.cluster.name if study.cluster else "",
        badge=_badge(state_of(states)),
        at=study.created_at,
        by=study.created_by.get_username() if study.created_by else str(progress.DELETED_USER),
    )


def _badge(state: str) -> tuple[str, str]:
    return str(progress.STATES[state]), _BADGES[state]


def progress_sentence(states: Sequence[str]) -> str:
    """Say how far a study is."""
    done = sum(state not in ("queued", "running") for state in states)
    return words.PROGRESS(answered=done, parts=len(states))


# -- parts -------------------------------------------------------------------------------------------------------------


def part_view(part: StudyPart, kind: Study.Kind) -> PartView:
    """Present one part."""
    badge = _badge(part.state)
    if part.state == State.FAILED:
        error = in_words(part.error) if part.error else {"problem": progress.IT_FAILED, "remedy": ""}
        said = f"{error['problem']} {error['remedy']}".strip()
        return PartView(part.label, badge, said, "", (), (), (), "", ())
    if part.result is None:
        return PartView(part.label, badge, "", "", (), (), (), "", ())
    if kind is Study.Kind.HEADROOM:
        view = _headroom(part, part.result["headroom"])
    else:
        view = _needed(part, part.result["needed"], part.result["pods"])
    doubts = [sentence_of_uncertainty(each) for each in part.result.get("uncertainties", ())]
    if not doubts:
        return view
    said = " ".join((view.sentence, str(words.UNCERTAIN_ANSWER)))
    return replace(view, sentence=said, notes=(*doubts, *view.notes))


def _bars(numbers: Mapping[str, int], empty: str, most: int = 0) -> tuple[Bar, ...]:
    found = sorted(numbers.items(), key=lambda each: -each[1]) if most else sorted(numbers.items())
    top = max(numbers.values(), default=0) or 1
    shown = found[:most] if most else found
    return tuple(Bar(name or empty, grouped(number), 100 * number / top) for name, number in shown)


def _headroom(part: StudyPart, found: Result) -> PartView:
    stop = found["stop"]
    notes = []
    if len(found["counts"]) > 1:
        names = [each["manifest"]["metadata"]["name"] for each in part.spec["mix"]]
        parts = zip(names, found["counts"], strict=True)
        notes.append(words.OF_MIX(parts=listed(words.PART_OF_MIX(pods=number, name=name) for name, number in parts)))
    if stop is None:
        notes.append(words.COUNTING_ENDED(limit=found["limit"]))
    more = len(found["nodes"]) - _PLACES
    return PartView(
        label=part.label,
        badge=_badge(part.state),
        sentence=words.MORE_FIT(pods=sum(found["counts"]), nodes=counts.nodes(len(found["nodes"]))),
        stop=_stop(stop),
        reasons=_reasons(stop),
        zones=_bars(found["zones"], str(words.NO_ZONE)),
        nodes=_bars(found["nodes"], "", _PLACES),
        more_nodes=words.MORE_NODES(nodes=more) if more > 0 else "",
        notes=tuple(notes),
    )


def _stop(stop: Result | None) -> str:
    return "" if stop is None else str(stop["message"])


def _reasons(stop: Result | None) -> tuple[str, ...]:
    if stop is None:
        return ()
    return tuple(
        words.REJECTED_BY(nodes=counts.nodes(each["nodes"]), plugin=each["plugin"], reasons=", ".join(each["reasons"]))
        for each in stop["reasons"]
    )


def _needed(part: StudyPart, found: Result, pods: int) -> PartView:
    count, stop = found["count"], found["stop"]
    if count is None and stop and stop.get("is_forbidden"):
        said = words.NODES_DO_NOT_CREATE()
    elif count is None and found["never"]:
        said = words.NODES_DO_NOT_HELP(pods=pods)
    elif count is None:
        said = words.NOT_ENOUGH(nodes=max((each["nodes"] for each in found["trials"]), default=0))
    else:
        said = words.NODES_NEEDED(nodes=count, pods=counts.pods(pods))
    notes = []
    if count and not found["is_least"]:
        notes.append(str(words.NOT_LEAST))
    if found["trials"]:
        tried = ((words.ENOUGH if each["fits"] else words.TOO_FEW)(nodes=each["nodes"]) for each in found["trials"])
        notes.append(words.TRIED(trials=", ".join(tried)))
    return PartView(
        label=part.label,
        badge=_badge(part.state),
        sentence=said,
        stop=_stop(stop),
        reasons=_reasons(stop),
        zones=(),
        nodes=(),
        more_nodes="",
        notes=tuple(notes),
    )


# -- removable nodes ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RemovedView:
    """A removable node, and where its pods would go."""

    name: str
    share: str
    moves: tuple[str, ...]
    more: str


@dataclass(frozen=True, slots=True)
class KeptView:
    """A node that stays, and why."""

    name: str
    share: str
    why: str
    pods: str
    message: str


@dataclass(frozen=True, slots=True)
class KeptGroup:
    """Nodes that stay for one reason; ``nodes`` are the first of them, ``more`` counts the others."""

    why: str
    count: str
    nodes: tuple[KeptView, ...]
    more: str


@dataclass(frozen=True, slots=True)
class RemovalView:
    """The whole answer for the file, and as much of it as a page shows."""

    sentence: str
    removed: tuple[RemovedView, ...]
    kept: tuple[KeptView, ...]
    shown: tuple[RemovedView, ...]
    more: str
    groups: tuple[KeptGroup, ...]


def removal(found: Result) -> RemovalView:
    """Present which nodes are removable, and which are not."""
    gone, kept = found["removed"], found["kept"]
    total = len(gone) + len(kept)
    open_ones = sum(each["why"] == Keeps.LIMIT for each in kept)
    if open_ones:
        said = removal_words.AT_LEAST(removed=len(gone), nodes=total, others=open_ones)
    else:
        said = removal_words.REMOVABLE(removed=len(gone), nodes=total)
    if gone:
        said = " ".join((said, removal_words.MOVING(pods=sum(len(each["moves"]) for each in gone))))
    removed = tuple(_removed(each) for each in gone)
    views = tuple(
        KeptView(
            each["name"],
            _share(each),
            str(removal_words.WHY[Keeps(each["why"])]),
            first_of(each.get("pods") or ()),
            each.get("message", ""),
        )
        for each in kept
    )
    return RemovalView(said, removed, views, removed[:_NODES_SHOWN], _more(removed), _kept_groups(views))


def _kept_groups(kept: Iterable[KeptView]) -> tuple[KeptGroup, ...]:
    """Put the nodes that stay for the same reason together, the most of them first."""
    by_reason: dict[str, list[KeptView]] = {}
    for each in kept:
        by_reason.setdefault(each.why, []).append(each)
    return tuple(
        KeptGroup(why, counts.nodes(len(nodes)), tuple(nodes[:_NODES_SHOWN]), _more(nodes))
        for why, nodes in sorted(by_reason.items(), key=lambda each: -len(each[1]))
    )


def _more(nodes: Sequence[RemovedView | KeptView]) -> str:
    """Say how many nodes only the file has."""
    beyond = len(nodes) - _NODES_SHOWN
    return removal_words.IN_FILE(nodes=beyond) if beyond > 0 else ""


def _share(each: Result) -> str:
    return percent(round(each["share"] * 100), 10_000)


def _removed(each: Result) -> RemovedView:
    moves, more = each["moves"], ""
    if not moves:
        more = str(removal_words.NOTHING_TO_MOVE)
    elif len(moves) > _MOVES:
        more = removal_words.AND_MORE(pods=len(moves) - _MOVES)
    return RemovedView(
        name=each["name"],
        share=_share(each),
        moves=tuple(removal_words.MOVED(pod=move["pod"], node=move["node"]) for move in moves[:_MOVES]),
        more=more,
    )


# -- sweeps ------------------------------------------------------------------------------------------------------------


def sweep_rows(runs: Sequence[tuple[str, SimulationRun]]) -> list[SweepRow]:
    """Present the runs of a sweep beside each other; those that place the most pods are marked."""
    placed = {
        run.pk: placed_of(run.summary) for _, run in runs if run.summary and run.state == SimulationRun.State.DONE
    }
    best = max((each.certain for each in placed.values()), default=None)
    is_told = len({each.certain for each in placed.values()}) > 1
    return [_sweep_row(label, run, placed.get(run.pk), best if is_told else None) for label, run in runs]


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """The two runs of a sweep with one other configuration: which leaves more pods pending, and their comparison."""

    title: str
    sentence: str
    url: str


def pair_of(runs: Sequence[tuple[str, SimulationRun]]) -> ComparedPair | None:
    """Return the comparison of a sweep's two runs; None where there are more, or one is not done."""
    if len(runs) != 2 or any(run.state != SimulationRun.State.DONE for _, run in runs):
        return None
    left, right = (run for _, run in runs)
    first, other = (configurations.configuration_name(variant) for variant, _ in runs)
    url = f"{reverse('runs-compare')}?{urlencode({'left': left.pk, 'right': right.pk})}"
    return ComparedPair(
        configurations.COMPARED_WITH(first=first, other=other), compare.sentence(left, right, (first, other)), url
    )


def _sweep_row(variant: str, run: SimulationRun, placed: Placed | None, best: int | None) -> SweepRow:
    label, badge = configurations.configuration_name(variant), _badge(run.state)
    if placed is None or run.summary is None:
        return SweepRow(run.pk, label, badge, "", "", None, "", "", "", "", is_best=False)
    number, uncertain, wanted = placed
    after = run.summary["after"]
    cluster, cpu = after["cluster"], after["cluster"]["amounts"].get("cpu", {"requested": 0, "allocatable": 0})
    return SweepRow(
        pk=run.pk,
        label=label,
        badge=badge,
        result=headline(run.summary),
        placed=_placed_of(number, wanted, uncertain),
        fill=100 * number / wanted if wanted else 100.0,
        newly_pending=grouped(pending_after(run.summary["origins"]).newly),
        nodes_in_use=configurations.NODES_IN_USE(used=cluster["nodes"] - cluster["empty"], nodes=cluster["nodes"]),
        cpu=percent(cpu["requested"], cpu["allocatable"]),
        skew=grouped(after["spread"]["widest"]),
        is_best=number == best,
    )


def _placed_of(placed: int, wanted: int, uncertain: int) -> str:
    if uncertain:
        return configurations.PLACED_OF_UNCERTAIN(placed=placed, wanted=wanted, uncertain=uncertain)
    return configurations.PLACED_OF(placed=placed, wanted=wanted)
