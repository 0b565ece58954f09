"""Recorded decisions over time: rows, marks, how often Berth agrees, and a stretch scheduled again."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.urls import reverse
from django.utils import timezone
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.simulation import PodEnding
from clusters.models import Cluster, Decision, Departure, NodeChange
from clusters.services.journal.timeline import (
    COUNTED_KINDS,
    WINDOWS,
    Mark,
    Marks,
    Rate,
    SearchPlaces,
    Tally,
    Timeline,
    rate_of,
)
from clusters.wording import figures as figures_words
from clusters.wording.amounts import grouped, moment, rate
from clusters.wording.journal import decisions as decision_words, judgement as agreement_words
from clusters.wording.journal.decisions import KINDS, NO_REASON, REASONS
from clusters.wording.lists import NOT_LISTED
from clusters.wording.runs.summary import full_name
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import ColumnsSpec, Key, LinkedMark, MarkRow, MarksSpec, MarksTick
from dashboard.presenters.shared.page import node_links, workload_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from clusters.services.journal.replays import ReplayedDecision, StretchReplay
    from clusters.services.journal.timeline import Happened

Verdict = Decision.Verdict

# Colour and pattern of each verdict, from the bottom of a column to its top.
_VERDICTS = {
    Verdict.AGREES: ("verdict-fits-solid", ""),
    Verdict.SAMPLED: ("verdict-chosen-solid", "/"),
    Verdict.DISAGREES: ("verdict-rejected-solid", "x"),
    Verdict.UNJUDGED: ("verdict-unknown-solid", "."),
    Verdict.WAITING: ("verdict-preemptible-solid", "-"),
}
_FORMATS = {"minute": "%Y-%m-%d %H:%M", "hour": "%Y-%m-%d %H:%M", "day": "%Y-%m-%d"}


def figure_of(found: Timeline, summary: Callable[[int, Sequence[str]], str], address: str) -> Figure:
    """Draw one column for each minute, hour or day; `summary` makes a sentence of a total and its verdicts in words."""
    starts = tuple(each.start.strftime(_FORMATS[found.unit]) for each in found.stretches)
    sums = {verdict: sum(each.numbers.get(verdict, 0) for each in found.stretches) for verdict in _VERDICTS}
    present = [verdict for verdict in _VERDICTS if sums[verdict]]
    names = [figures_words.verdict(verdict) for verdict in present]
    return Figure(
        id="journal-timeline",
        title=figures_words.decisions_over_time(unit=found.unit),
        summary=summary(
            found.total,
            [f"{sums[verdict]} {name}" for name, verdict in zip(names, present, strict=True)],
        ),
        spec=ColumnsSpec(
            keys=tuple(Key(name, *_VERDICTS[verdict]) for name, verdict in zip(names, present, strict=True)),
            starts=starts,
            values=tuple(tuple(each.numbers.get(verdict, 0) for each in found.stretches) for verdict in present),
        ),
        columns=(figures_words.unit_of_time(found.unit), *(f"{name[:1].upper()}{name[1:]}" for name in names)),
        rows=[
            (start, *(grouped(each.numbers.get(verdict, 0)) for verdict in present))
            for start, each in zip(starts, found.stretches, strict=True)
            if each.numbers
        ],
        address=address,
    )


Kind = Decision.Kind

# What rows read; the explanation stays packed in the database.
COLUMNS = (
    "cluster_id", "kind", "pod_uid", "namespace", "name", "owner_kind", "owner_name", "heard_at", "last_heard_at",
    "attempts", "node_name", "message", "preemptor_namespace", "preemptor_name", "verdict", "reason", "reported_at",
    "scheduler_name", "priority", "basis_state",
)  # fmt: skip

VERDICT_BADGES = {
    Verdict.WAITING: "info",
    Verdict.AGREES: "good",
    Verdict.SAMPLED: "good",
    Verdict.DISAGREES: "bad",
    Verdict.UNJUDGED: "",
}


class DecisionRow(Struct, frozen=True):
    """One decision of a list; `kind` names it with its node, `attempts` is empty for a single one.

    `is_simulated`: no scheduler decided so, it was recorded from a simulation.
    """

    pk: int
    namespace: str
    name: str
    workload: str
    kind: str
    node: str
    heard_at: datetime
    verdict: str
    badge: str
    reason: str
    message: str
    attempts: str
    is_simulated: bool
    # The pages of both, where the cluster still has them.
    workload_url: str = ""
    node_url: str = ""


def decision_rows(cluster: Cluster, decisions: Iterable[Decision]) -> list[DecisionRow]:
    """Present decisions of one cluster, with the pages of their workloads and nodes, by two queries."""
    rows = list(decisions)
    nodes = node_links(cluster, {row.node_name for row in rows if row.node_name})
    workloads = workload_links(cluster, {_owner(row) for row in rows if row.owner_name})
    return [
        replace(decision_row(row), workload_url=workloads.get(_owner(row), ""), node_url=nodes.get(row.node_name, ""))
        for row in rows
    ]


def _owner(decision: Decision) -> tuple[str, str, str]:
    return decision.owner_kind, decision.namespace, decision.owner_name


def decision_row(decision: Decision) -> DecisionRow:
    """Present a decision."""
    return DecisionRow(
        pk=decision.pk,
        namespace=decision.namespace,
        name=decision.name,
        workload=workload(decision),
        kind=decision_words.kind(decision.kind, node=decision.node_name),
        node=decision.node_name,
        heard_at=decision.heard_at,
        verdict=str(decision_words.VERDICTS[decision.verdict]),
        badge=VERDICT_BADGES[Verdict(decision.verdict)],
        reason=reason(decision),
        message=decision.message or (decision.event or {}).get("note", "") if decision.kind in _WITH_MESSAGE else "",
        attempts=decision_words.ATTEMPTS(attempts=decision.attempts) if decision.attempts > 1 else "",
        is_simulated=decision.reason == Decision.Reason.SIMULATED,
    )


# For the others the row itself says everything.
_WITH_MESSAGE = frozenset({Kind.UNSCHEDULABLE, Kind.PREEMPTED, Kind.EVICTED})


def workload(decision: Decision) -> str:
    """Return the controller as kind/name; empty for a pod that has none."""
    return f"{decision.owner_kind}/{decision.owner_name}" if decision.owner_name else ""


def reason(decision: Decision) -> str:
    """Return why a decision was not agreed with or not judged; empty for an agreement and what is no decision."""
    if not decision.reason or decision.reason == Decision.Reason.NO_DECISION:
        return ""
    return str(decision_words.REASONS[decision.reason])


FILE_COLUMNS: Final = (
    "id",
    "observed at",
    "last observed at",
    "reported at",
    "attempts",
    "decision",
    "namespace",
    "pod",
    "uid",
    "workload",
    "scheduler",
    "priority",
    "node",
    "message",
    "preemptor",
    "verdict",
    "reason",
    "judged on",
)


def cells(decision: Decision) -> tuple[str | int, ...]:
    """Return one decision's values in the order of the columns; times are in ISO 8601, in UTC."""
    by = f"{decision.preemptor_namespace}/{decision.preemptor_name}" if decision.preemptor_name else ""
    return (
        decision.pk,
        moment(decision.heard_at),
        moment(decision.last_heard_at),
        moment(decision.reported_at),
        decision.attempts,
        decision.kind,
        decision.namespace,
        decision.name,
        decision.pod_uid,
        workload(decision),
        decision.scheduler_name,
        "" if decision.priority is None else decision.priority,
        decision.node_name,
        decision.message,
        by,
        decision.verdict,
        decision.reason,
        decision.basis_state or "",
    )


class RateRow(Struct, frozen=True):
    """The rates of one cluster or kind by window; `slug` is the cluster's name, empty for a kind."""

    name: str
    slug: str
    rates: tuple[dict[str, Any], ...]


class ReasonRow(Struct, frozen=True):
    """Why decisions were not agreed with or not judged: the heading of each window, and how many it holds."""

    reason: str
    numbers: tuple[tuple[str, str], ...]


def rate_view(found: Rate, window: str) -> dict[str, Any]:
    """Present a rate over a window.

    A rate with what it stands on; ``percent`` is a dash where nothing was judged. ``agrees_heading`` and
    ``judged_heading`` head ``percent`` and ``judged`` with the window they are counted over.
    """
    name = _window_name(window)
    if found.judged:
        share = rate(found.agreeing, found.judged)
        sentence = agreement_words.RATE(rate=share, decisions=found.judged, window=name)
    else:
        sentence = agreement_words.NONE_JUDGED(window=name, decisions=found.waiting + found.unjudged)
    return {
        "agrees_heading": agreement_words.AGREES(window=name),
        "judged_heading": agreement_words.JUDGED(window=name),
        "percent": rate(found.agreeing, found.judged),
        "sentence": sentence,
        "judged": grouped(found.judged),
        "by_search": _with_share(found.by_search, found.by_search + found.sampled),
        "tied": _with_share(found.tied, found.judged),
        "sampled": grouped(found.sampled),
        "disagrees": grouped(found.disagrees),
        "nearby": _with_share(found.nearby, found.judged),
        "unjudged": grouped(found.unjudged),
        "waiting": grouped(found.waiting),
        "is_judged": bool(found.judged),
    }


def _with_share(number: int, whole: int) -> str:
    return f"{grouped(number)} ({rate(number, whole)})" if number else grouped(0)


def _window_name(window: str) -> str:
    """Name a window by its hours, or as the whole journal."""
    stretch = WINDOWS[window]
    if stretch is None:
        return agreement_words.WHOLE_JOURNAL()
    return agreement_words.HOURS(hours=stretch // timedelta(hours=1))


def windows(tallies: Sequence[Tally]) -> list[dict[str, Any]]:
    """Present the rate of each window."""
    return [rate_view(rate_of(tallies, window), window) for window in WINDOWS]


def places_sentence(found: SearchPlaces | None) -> str:
    """Say how narrow searches were; empty where none decided anything."""
    if found is None:
        return ""
    return agreement_words.PLACES(decisions=found.decisions, share=rate(round(10_000 * found.middle), 10_000))


def by_cluster(tallies: Sequence[Tally], clusters: Iterable[Cluster]) -> list[RateRow]:
    """Present the rates of each cluster."""
    return [
        RateRow(
            cluster.name,
            cluster.name,
            tuple(rate_view(rate_of(tallies, window, cluster_id=cluster.pk), window) for window in WINDOWS),
        )
        for cluster in clusters
    ]


def by_kind(tallies: Sequence[Tally]) -> list[RateRow]:
    """Present the rates of each kind of decision."""
    return [
        RateRow(
            str(KINDS[kind]), "", tuple(rate_view(rate_of(tallies, window, kind=kind), window) for window in WINDOWS)
        )
        for kind in COUNTED_KINDS
    ]


def disagreements(tallies: Sequence[Tally]) -> list[ReasonRow]:
    """Present how often each reason for a disagreement was found, most first."""
    return _reasons([rate_of(tallies, window).disagreements for window in WINDOWS])


def unjudged(tallies: Sequence[Tally]) -> list[ReasonRow]:
    """Present how often each reason not to judge was found, most first."""
    return _reasons([rate_of(tallies, window).unjudged_reasons for window in WINDOWS])


def _reasons(found: Sequence[dict[str, int]]) -> list[ReasonRow]:
    # The last window holds all that the others do.
    return [
        ReasonRow(
            str(REASONS[reason] if reason else NO_REASON),
            tuple(
                (_window_name(window), grouped(numbers.get(reason, 0)))
                for window, numbers in zip(WINDOWS, found, strict=True)
            ),
        )
        for reason, _ in sorted(found[-1].items(), key=lambda item: (-item[1], item[0]))
    ]


# The rows in their order, each with its colour: from what a pod gets to what takes it away.
_COLOURS = {
    Kind.BOUND: "verdict-fits-solid",
    Kind.UNSCHEDULABLE: "verdict-rejected-solid",
    Kind.NOMINATED: "verdict-chosen-solid",
    Kind.PREEMPTED: "verdict-preemptible-solid",
    Kind.EVICTED: "verdict-uncertain-solid",
    Kind.GATED: "verdict-unknown-solid",
}
_NODES = "ink-muted"
_DAY = timedelta(days=1)
# Up to which length a scale has ticks so far from each other, and whether each zooms in to what follows it.
_TICKS = (
    (timedelta(hours=2), timedelta(minutes=10), False),
    (timedelta(hours=36), timedelta(hours=1), True),
    (timedelta(days=14), _DAY, True),
)
_FARTHEST = timedelta(days=7)


class Addresses(NamedTuple):
    """Where a timeline leads to: one decision, those of a kind in a stretch of time, a node, and other stretches.

    ``node`` is empty of a node that is gone.
    """

    decision: Callable[[int], str]
    decisions: Callable[[str, datetime, datetime], str]
    node: Callable[[str], str]
    zoomed: Callable[[datetime, datetime], str]


class HappenedRow(Struct, frozen=True):
    """One row of the table below the picture."""

    time: str
    text: str
    number: str
    address: str


def timeline_view(found: Marks, addresses: Addresses) -> dict[str, Any]:
    """Present what happened between two moments."""
    length = found.end - found.start
    most = max((mark.number for mark in found.marks), default=1)
    rows = [_row(kind, colour, found, most, addresses) for kind, colour in _COLOURS.items()]
    if found.changes:
        rows.append(
            MarkRow(
                str(decision_words.NODES),
                _NODES,
                grouped(len(found.changes)),
                tuple(
                    LinkedMark(
                        _share(each.heard_at, found),
                        0.0,
                        1.0,
                        f"{_clock(each.heard_at, found)}: {node_change(each)}",
                        addresses.node(each.node_name),
                    )
                    for each in found.changes
                ),
            )
        )
    ticks = tuple(_ticks(found, addresses))
    count = sum(mark.number for mark in found.marks)
    figure = Figure(
        id="happened",
        title=str(decision_words.TITLE),
        summary=decision_words.SUMMARY(
            count=count, changes=len(found.changes), start=_date(found.start), end=_date(found.end)
        ),
        spec=MarksSpec(tuple(row for row in rows if row.marks), ticks),
    )
    told = sorted([*_told_decisions(found, addresses), *_told_changes(found, addresses)], key=lambda each: each[0])
    return {
        "figure": figure,
        "rows": tuple(row for _, row in told),
        "zooms": any(tick.address for tick in ticks),
        "earlier": addresses.zoomed(found.start - length, found.start),
        "later": addresses.zoomed(found.end, found.end + length),
    }


def _row(kind: Kind, colour: str, found: Marks, most: int, addresses: Addresses) -> MarkRow:
    marks = [mark for mark in found.marks if mark.kind == kind]
    width = found.step / (found.end - found.start)
    return MarkRow(
        str(KINDS[kind]),
        colour,
        grouped(sum(mark.number for mark in marks)),
        tuple(
            LinkedMark(
                max(0.0, _share(mark.start, found)),
                width,
                mark.number / most,
                _title(mark, found),
                _opens(mark, found, addresses),
            )
            for mark in marks
        ),
    )


def _opens(mark: Mark, found: Marks, addresses: Addresses) -> str:
    """Return where a mark leads to: the one decision that it stands for, or the list of them."""
    if mark.number == 1:
        return addresses.decision(mark.first)
    return addresses.decisions(mark.kind, mark.start, mark.start + found.step)


def _title(mark: Mark, found: Marks) -> str:
    start, end = _clock(mark.start, found), _clock(mark.start + found.step, found)
    return decision_words.MARK(kind=str(KINDS[mark.kind]), start=start, end=end, count=mark.number)


def node_change(change: NodeChange) -> str:
    """Say what became of a node."""
    return decision_words.CHANGES[change.kind](node=change.node_name, condition=change.condition)


def _told_decisions(found: Marks, addresses: Addresses) -> Iterator[tuple[datetime, HappenedRow]]:
    for mark in found.marks:
        address = _opens(mark, found, addresses)
        yield mark.start, HappenedRow(_date(mark.start), str(KINDS[mark.kind]), grouped(mark.number), address)


def _told_changes(found: Marks, addresses: Addresses) -> Iterator[tuple[datetime, HappenedRow]]:
    for each in found.changes:
        yield each.heard_at, HappenedRow(_date(each.heard_at), node_change(each), "", addresses.node(each.node_name))


def _ticks(found: Marks, addresses: Addresses) -> Iterator[MarksTick]:
    """Yield the moments of the scale, in the time zone of the installation."""
    length = found.end - found.start
    step, zooms = next(((step, zooms) for most, step, zooms in _TICKS if length <= most), (_FARTHEST, True))
    local = timezone.localtime(found.start)
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    moment = midnight + (local - midnight) // step * step
    while moment < found.end:
        if moment >= found.start:
            label = moment.strftime("%m-%d" if step >= _DAY else "%H:%M")
            end = moment + step
            title = f"{_date(moment)} – {_date(end)}"
            yield MarksTick(_share(moment, found), label, title, addresses.zoomed(moment, end) if zooms else "")
        moment += step


def _share(moment: datetime, found: Marks) -> float:
    return (moment - found.start) / (found.end - found.start)


def _clock(moment: datetime, found: Marks) -> str:
    """Return a moment as short as the picture's length allows."""
    is_long = found.end - found.start > timedelta(hours=36)
    return timezone.localtime(moment).strftime("%m-%d %H:%M" if is_long else "%H:%M")


def _date(moment: datetime) -> str:
    return timezone.localtime(moment).strftime("%Y-%m-%d %H:%M")


_BADGES = {
    Kind.BOUND: "good",
    Kind.UNSCHEDULABLE: "bad",
    Kind.NOMINATED: "info",
    Kind.PREEMPTED: "warn",
    Kind.EVICTED: "warn",
    Kind.GATED: "",
}


class HappenedView(Struct, frozen=True):
    """What happened: a word with its badge, a sentence, the scheduler's message, and the page about it, or empty.

    ``lesson``: where a lesson is made of it; empty where none can be.
    """

    at: datetime
    word: str
    badge: str
    sentence: str
    message: str
    address: str
    lesson: str = ""


def happened_view(row: Happened, cluster: str) -> HappenedView:
    """Present one thing that happened."""
    match row:
        case Decision():
            pod = f"{row.namespace}/{row.name}"
            kind = decision_words.kind(row.kind, node=row.node_name)
            address = {"cluster": cluster, "pk": row.pk}
            return HappenedView(
                row.heard_at,
                str(decision_words.KINDS[row.kind]),
                _BADGES[Kind(row.kind)],
                f"{pod}: {kind}.",
                row.message,
                reverse("journaled", kwargs=address),
                reverse("lesson-of-decision", kwargs=address) if row.kind in COUNTED_KINDS else "",
            )
        case NodeChange():
            said = node_change(row)
            return HappenedView(
                row.heard_at,
                str(decision_words.NODE),
                "",
                f"{said}.",
                "",
                "",
            )
        case Departure():
            return HappenedView(row.heard_at, str(decision_words.GONE), "", _gone(row), "", "")


def _gone(row: Departure) -> str:
    if row.kind == Departure.Kind.NODE:
        return decision_words.NODE_GONE(node=row.name)
    pod = f"{row.namespace}/{row.name}"
    if not row.node_name:
        return decision_words.PENDING_POD_GONE(pod=pod)
    return decision_words.POD_GONE(pod=pod, node=row.node_name)


_MOST_WORKLOADS: Final = 50


class ReplayedRow(Struct, frozen=True):
    """One pod: the recorded decision with its page, how both ended, and why the pod is pending in the replay."""

    pod: str
    at: datetime
    address: str
    recorded: str
    replayed: str
    message: str
    badges: tuple[tuple[str, str], ...]


class ReplayedWorkload(Struct, frozen=True):
    """The numbers of one workload; ``url`` is empty of one that is gone."""

    name: str
    url: str
    pods: str
    same: str
    elsewhere: str
    pending_there: str
    pending_here: str
    others: str


def summary(found: StretchReplay) -> str:
    """Say how many pods ended as recorded."""
    total = found.total
    return decision_words.REPLAY_SUMMARY(
        pods=total.pods,
        same=total.same,
        elsewhere=total.elsewhere,
        there=total.pending_there,
        here=total.pending_here,
        others=total.others,
    )


def share(found: StretchReplay) -> str:
    """Say how many decisions came out alike, rounded down; empty where there are none."""
    pods, same = found.total.pods, found.total.same
    return decision_words.SHARE(alike=same, decisions=pods, percent=str(100 * same // pods)) if pods else ""


def notes(found: StretchReplay) -> list[str]:
    """Say what is left out, what is uncertain, and what the replay takes for granted."""
    left_out = found.left_out
    counted = (
        (left_out.unknown, decision_words.NOT_KEPT),
        (left_out.other_schedulers, decision_words.OTHER_SCHEDULERS),
        (left_out.without_decision, decision_words.WITHOUT_DECISION),
        (found.not_computed, decision_words.NOT_COMPUTED),
        (found.uncertain, decision_words.UNCERTAIN_PODS),
        (found.claims, decision_words.CLAIMS),
        (left_out.late, decision_words.REPLAY_LATE),
        (found.lost, decision_words.LOST),
    )
    said = [say(pods=number) for number, say in counted if number]
    if found.preempted_here or found.preempted_there:
        said.append(decision_words.PREEMPTED_PODS(here=found.preempted_here, there=found.preempted_there))
    return [*said, str(decision_words.ASSUMED)]


def workloads(cluster: Cluster, found: StretchReplay) -> tuple[list[ReplayedWorkload], str]:
    """Present the workloads, those of the most differences first, and count those that are not listed."""
    shown = found.by_workload[:_MOST_WORKLOADS]
    links = workload_links(cluster, [(each.kind, each.namespace, each.name) for each, _ in shown])
    rows = [
        ReplayedWorkload(
            full_name({"kind": workload.kind, "namespace": workload.namespace, "name": workload.name}),
            links.get((workload.kind, workload.namespace, workload.name), ""),
            *(grouped(number) for number in counted),
        )
        for workload, counted in shown
    ]
    more = len(found.by_workload) - len(rows)
    return rows, NOT_LISTED(number=more) if more else ""


def in_order(found: StretchReplay) -> list[ReplayedDecision]:
    """Return the pods, those that differ first, each in the order of their decisions."""
    return sorted(found.rows, key=lambda row: (row.is_alike, row.decision.heard_at, row.decision.pk))


def rows(found: Iterable[ReplayedDecision], cluster: str) -> list[ReplayedRow]:
    """Present some of the pods."""
    return [
        ReplayedRow(
            row.pod.pod,
            row.decision.heard_at,
            reverse("journaled", kwargs={"cluster": cluster, "pk": row.decision.pk}),
            _ended(row.pod.left, row.pod.left_end),
            _ended(row.pod.right, row.pod.right_end),
            row.message,
            (
                (str(decision_words.ALIKE), "good") if row.is_alike else (str(decision_words.DIFFERS), "warn"),
                *(((str(decision_words.UNCERTAIN), ""),) if row.is_uncertain else ()),
            ),
        )
        for row in found
    ]


def _ended(node: str, ending: PodEnding) -> str:
    if ending is PodEnding.ABSENT:
        return str(decision_words.PREEMPTED)
    return ended(node, ending)


def ended(node: str, ending: PodEnding) -> str:
    """Say where a pod is, or that it is pending; nothing of one that is not there."""
    return str(decision_words.PENDING) if ending is PodEnding.PENDING else node
