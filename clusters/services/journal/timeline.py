"""Decisions over time: how many of each kind, what happened when, and how often the explanation agrees."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from statistics import median_low
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
from django.db.models import CharField, Count, Func, Min, Q, QuerySet
from django.utils import timezone
from msgspec import Struct, field
from msgspec.structs import replace

from clusters.documents.writing import Bounds, explanation_document
from clusters.models import Cluster, Decision, Departure, NodeChange

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler

    from clusters.documents.explanation import Dropped, ExplanationDocument
    from clusters.engine import Explanation


MOST_BYTES = 20_000

USUAL = Bounds(
    relaxations=False, candidates=0, groups=20, examples=3, choices=20, victims=20, ranking=5, reasons=8, text=512,
    message=4000, pools=150,
)  # fmt: skip
_COUNTED = replace(USUAL, examples=0, pools=None)
# From the full document to one that is small whatever stands in it: examples go before groups, groups before reasons.
_LADDER = (
    USUAL,
    replace(USUAL, examples=1, choices=8, victims=8, pools=0),
    replace(USUAL, examples=0, choices=3, victims=3, message=3000, pools=0),
    replace(_COUNTED, choices=1, victims=1, ranking=3, groups=12, reasons=6, text=320, message=2000),
    replace(_COUNTED, choices=1, victims=1, ranking=3, groups=5, reasons=4, text=256, message=1000),
    replace(_COUNTED, choices=1, victims=1, ranking=1, groups=1, reasons=2, text=128, message=500),
)


def decision_document(explanation: Explanation, chosen: str | None) -> ExplanationDocument:
    """Return what the journal keeps of an explanation; ``chosen`` is the node that the cluster decided for.

    ``nodes`` has that node's answers, where the state holds it. ``dropped`` names what was listed more briefly than
    usual: "examples", "groups", "reasons", "message". At most MOST_BYTES long as JSON.
    """
    row = None if chosen is None else explanation.snapshot.nodes.index.get(chosen)
    nodes = () if row is None else (row,)
    *usual, last = _LADDER
    for bounds in usual:
        document = _within(bounds, explanation, nodes)
        if len(msgspec.json.encode(document)) <= MOST_BYTES:
            return document
    return _within(last, explanation, nodes)


def _within(bounds: Bounds, explanation: Explanation, nodes: tuple[int, ...]) -> ExplanationDocument:
    document = explanation_document(explanation, bounds, nodes=nodes)
    less: set[Dropped] = set(document.dropped)
    if bounds.examples != USUAL.examples:
        less.add("examples")
    if bounds.groups != USUAL.groups and document.other_groups is not None:
        less.add("groups")
    return msgspec.structs.replace(document, dropped=tuple(sorted(less)))


# Decisions over time: how many of each verdict in each minute, hour or day.

_MINUTES_UP_TO, _HOURS_UP_TO, _LONGEST = timedelta(hours=2), timedelta(days=4), timedelta(days=400)


class Minute(Func):
    """A moment's minute in UTC as text; what Django offers has SQLite ask Python about each row."""

    output_field = CharField()

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> tuple[str, tuple[str | int, ...]]:
        sql, parameters = self.as_sql(compiler, connection, template="SUBSTR(%(expressions)s, 1, 16)", **context)
        return sql, tuple(parameters)

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> tuple[str, tuple[str | int, ...]]:
        template = "TO_CHAR(%(expressions)s AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')"
        sql, parameters = self.as_sql(compiler, connection, template=template, **context)
        return sql, tuple(parameters)


class Stretch(NamedTuple):
    """How many decisions of each verdict were heard of from `start` on, for one step of the timeline."""

    start: datetime
    numbers: Mapping[str, int]


class Timeline(NamedTuple):
    """Stretches without gaps, oldest first; `unit` is minute, hour or day."""

    unit: str
    stretches: list[Stretch]

    @property
    def total(self) -> int:
        return sum(sum(stretch.numbers.values()) for stretch in self.stretches)


def timeline(decisions: QuerySet[Decision], start: datetime, end: datetime) -> Timeline:
    """Count decisions from `start` to before `end`, at most the last 400 days of that, with one query."""
    start = max(start, end - _LONGEST)
    unit = _unit(end - start)
    first = _beginning(start, unit)
    rows = (
        decisions.filter(heard_at__gte=start, heard_at__lt=end)
        .order_by()
        .annotate(minute=Minute("heard_at"))
        .values_list("minute", "verdict")
        .annotate(number=Count("*"))
    )
    found: dict[datetime, dict[str, int]] = {}
    for minute, verdict, number in rows:
        # Within one zone, Python takes the two hours that a clock shows twice for one.
        stretch = _beginning(datetime.fromisoformat(minute).replace(tzinfo=UTC), unit).astimezone(UTC)
        numbers = found.setdefault(stretch, {})
        numbers[verdict] = numbers.get(verdict, 0) + number
    stretches = []
    while first.astimezone(UTC) < end:
        stretches.append(Stretch(first, found.get(first.astimezone(UTC), {})))
        first = _next(first, unit)
    return Timeline(unit, stretches)


def _unit(length: timedelta) -> str:
    """Return the step that suits the length."""
    if length <= _MINUTES_UP_TO:
        return "minute"
    return "hour" if length <= _HOURS_UP_TO else "day"


def _beginning(moment: datetime, unit: str) -> datetime:
    """Return when the minute, hour or day began that a clock showed at the moment."""
    local = timezone.localtime(moment).replace(second=0, microsecond=0)
    if unit == "minute":
        return local
    return local.replace(minute=0) if unit == "hour" else local.replace(minute=0, hour=0, fold=0)


def _next(moment: datetime, unit: str) -> datetime:
    """Return the beginning of the next step; days are those of the calendar, which need not have 24 hours."""
    if unit == "day":
        return moment + timedelta(days=1)
    return timezone.localtime(moment.astimezone(UTC) + timedelta(**{f"{unit}s": 1}))


# How often the explanation agrees with the scheduler: counted from the journal, never estimated.

Kind, Verdict, Reason = Decision.Kind, Decision.Verdict, Decision.Reason

# What the scheduler decides. The others are another's doing, or nothing that could be computed beforehand.
COUNTED_KINDS = (Kind.BOUND, Kind.UNSCHEDULABLE, Kind.NOMINATED)
# So many tell how narrow searches are.
_MOST_SEARCHES = 1_000
# None is all that the journal still holds.
WINDOWS: Mapping[str, timedelta | None] = {"1h": timedelta(hours=1), "24h": timedelta(hours=24), "all": None}


class Tally(NamedTuple):
    """How many decisions of one sort were heard in each window; the sort is the fields before."""

    cluster_id: int
    kind: str
    verdict: str
    reason: str
    is_nearby: bool
    numbers: Mapping[str, int]


class Rate(Struct):
    """How many decisions of the scheduler were judged, and how; reasons as in `Decision.Reason`.

    `nearby` counts those among the judged that agree with a state near the one just before, not with that state itself;
    `by_search` those among the agreeing that would be sampled, had the searches before not been followed; `tied` those
    among the agreeing whose node is one of several with the highest total.
    """

    agrees: int = 0
    sampled: int = 0
    disagrees: int = 0
    waiting: int = 0
    unjudged: int = 0
    nearby: int = 0
    by_search: int = 0
    tied: int = 0
    disagreements: Counter[str] = field(default_factory=Counter)
    unjudged_reasons: Counter[str] = field(default_factory=Counter)

    @property
    def judged(self) -> int:
        return self.agrees + self.sampled + self.disagrees

    @property
    def agreeing(self) -> int:
        return self.agrees + self.sampled

    @property
    def value(self) -> float | None:
        """Agreements by what was judged, 0 to 1; None when nothing was."""
        return self.agreeing / self.judged if self.judged else None

    def add(self, tally: Tally, number: int) -> None:
        """Count decisions of one sort; those that are not the scheduler's leave it as it is."""
        if tally.kind not in COUNTED_KINDS:
            return
        if tally.verdict == Verdict.AGREES:
            self.agrees += number
            self.by_search += number if tally.reason == Reason.SEARCH else 0
            self.tied += number if tally.reason == Reason.TIE else 0
        elif tally.verdict == Verdict.SAMPLED:
            self.sampled += number
        elif tally.verdict == Verdict.DISAGREES:
            self.disagrees += number
            self.disagreements[tally.reason] += number
        elif tally.verdict == Verdict.UNJUDGED:
            self.unjudged += number
            self.unjudged_reasons[tally.reason] += number
        else:
            self.waiting += number
        if tally.is_nearby and tally.verdict in {Verdict.AGREES, Verdict.SAMPLED, Verdict.DISAGREES}:
            self.nearby += number


def tallies(
    cluster_ids: Collection[int] | None, *, now: datetime, windows: Mapping[str, timedelta | None] = WINDOWS
) -> list[Tally]:
    """Count the decisions of some clusters, or of all, by sort and window, with one query."""
    decisions = Decision.objects.order_by()
    if cluster_ids is not None:
        decisions = decisions.filter(cluster__in=cluster_ids)
    spans = [span for span in windows.values() if span is not None]
    if len(spans) == len(windows):
        decisions = decisions.filter(heard_at__gt=now - max(spans))
    # Of a column that the index holds, so that no row has to be looked up.
    counts = {
        f"in_{name}": Count("heard_at", filter=None if span is None else Q(heard_at__gt=now - span))
        for name, span in windows.items()
    }
    rows = decisions.values_list("cluster_id", "kind", "verdict", "reason", "basis_state")
    return [
        Tally(cluster, kind, verdict, reason, state == "nearby", dict(zip(windows, numbers, strict=True)))
        for cluster, kind, verdict, reason, state, *numbers in rows.annotate(**counts)
    ]


def rate_of(
    found: Iterable[Tally], window: str, *, cluster_id: int | None = None, kind: Decision.Kind | None = None
) -> Rate:
    """Add up the tallies of a window, of one cluster and of one kind where these are given."""
    rate = Rate()
    for tally in found:
        if cluster_id in (None, tally.cluster_id) and kind in (None, tally.kind):
            rate.add(tally, tally.numbers[window])
    return rate


class SearchPlaces(NamedTuple):
    """Of some decisions that agree by where their search began, in which part of the places it can have begun.

    ``middle``: half of them have no more, as a share of all places, 0 to 1.
    """

    decisions: int
    middle: float


def search_places(
    cluster_ids: Collection[int] | None, *, now: datetime, since: timedelta = timedelta(hours=24)
) -> SearchPlaces | None:
    """Return how narrow the searches of the latest decisions were that agree by them; None where there are none."""
    latest = Decision.objects.filter(verdict=Verdict.AGREES, reason=Reason.SEARCH, heard_at__gt=now - since)
    if cluster_ids is not None:
        latest = latest.filter(cluster__in=cluster_ids)
    bases = latest.order_by("-heard_at").values_list("basis", flat=True)[:_MOST_SEARCHES]
    searches = [basis["search"] for basis in bases if basis and "search" in basis]
    shares = [search["places"] / search["nodes"] for search in searches]
    return SearchPlaces(len(shares), median_low(shares)) if shares else None


def agreement(cluster_ids: Collection[int] | None, *, now: datetime, since: timedelta | None) -> Rate:
    """Return the rate of some clusters together, or of all, over the last stretch of time or all of it."""
    return rate_of(tallies(cluster_ids, now=now, windows={"asked": since}), "asked")


# What happened when: decisions by kind and changes of nodes, counted in short stretches of a stretch of time.

# So many stretches at most, and so many changes of nodes.
_MOST, MOST_CHANGES = 100, 200
_STEPS = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=15),
    timedelta(hours=1),
    timedelta(hours=3),
    timedelta(days=1),
    timedelta(days=7),
)


class Mark(NamedTuple):
    """Decisions of one kind that were heard of within a step from `start` on; `first` is the key of the first."""

    start: datetime
    kind: str
    number: int
    first: int


class Marks(NamedTuple):
    """What happened between two moments, oldest first, counted in steps."""

    start: datetime
    end: datetime
    step: timedelta
    marks: list[Mark]
    changes: list[NodeChange]


def marks_of(
    decisions: QuerySet[Decision],
    *,
    cluster: Cluster,
    nodes: Collection[str] | None,
    start: datetime,
    end: datetime,
) -> Marks:
    """Count decisions from `start` to before `end` with one query, and read what became of nodes; None: of all."""
    step = next((each for each in _STEPS if (end - start) / each <= _MOST), _STEPS[-1])
    rows = (
        decisions.filter(heard_at__gte=start, heard_at__lt=end)
        .order_by()
        .annotate(minute=Minute("heard_at"))
        .values_list("minute", "kind")
        .annotate(number=Count("*"), first=Min("pk"))
    )
    found: dict[tuple[datetime, str], tuple[int, int]] = {}
    for minute, kind, number, first in rows:
        moment = _marks_beginning(datetime.fromisoformat(minute).replace(tzinfo=UTC), step)
        count, earliest = found.get((moment, kind), (0, first))
        found[moment, kind] = count + number, min(first, earliest)
    changes = NodeChange.objects.filter(cluster=cluster, heard_at__gte=start, heard_at__lt=end)
    if nodes is not None:
        changes = changes.filter(node_name__in=nodes)
    return Marks(
        start,
        end,
        step,
        [Mark(moment, kind, *counted) for (moment, kind), counted in sorted(found.items())],
        list(changes.order_by("heard_at", "pk")[:MOST_CHANGES]),
    )


def _marks_beginning(moment: datetime, step: timedelta) -> datetime:
    seconds = int(step.total_seconds())
    return datetime.fromtimestamp(int(moment.timestamp()) // seconds * seconds, UTC)


# What became of each node, and how many pods came and went there.


class NodeActivity(NamedTuple):
    """By node what became of it between two moments, oldest first, and how many pods arrived there and left."""

    changes: Mapping[str, Sequence[NodeChange]]
    arrived: Mapping[str, int]
    left: Mapping[str, int]


def activity_of(*, cluster: Cluster, start: datetime, end: datetime) -> NodeActivity:
    """Return what was recorded of nodes after `start` and up to `end`."""
    span: dict[str, Any] = {"cluster": cluster, "heard_at__gt": start, "heard_at__lte": end}
    changes: dict[str, list[NodeChange]] = {}
    for change in NodeChange.objects.filter(**span).order_by("heard_at", "pk"):
        changes.setdefault(change.node_name, []).append(change)
    bound = Decision.objects.filter(kind=Kind.BOUND, **span)
    gone = Departure.objects.filter(kind=Departure.Kind.POD, **span).exclude(node_name="")
    arrived, left = (
        dict(rows.order_by().values_list("node_name").annotate(number=Count("*"))) for rows in (bound, gone)
    )
    return NodeActivity(changes, arrived, left)


# What happened around a moment.


def decisions_of(cluster: Cluster) -> QuerySet[Decision]:
    """Return the decisions of a cluster, up to the moment that is asked about."""
    found = Decision.objects.filter(cluster=cluster)
    return found if cluster.past is None else found.filter(heard_at__lte=cluster.past.at)


Happened = Decision | NodeChange | Departure
_HAPPENED: Final = (Decision, NodeChange, Departure)


class Neighbours(NamedTuple):
    """The moments around one at which something happened, and at which a pod was unschedulable; None for none."""

    previous: datetime | None
    next: datetime | None
    before: datetime | None
    following: datetime | None


def neighbours(cluster: Cluster, at: datetime, start: datetime, end: datetime) -> Neighbours:
    """Return the moments around one, from `start` to `end`."""
    every = [model._default_manager.filter(cluster=cluster) for model in _HAPPENED]
    failures = [Decision.objects.filter(cluster=cluster, kind=Kind.UNSCHEDULABLE)]
    return Neighbours(
        previous=_last(every, start, at),
        next=_first(every, at, end),
        before=_last(failures, start, at),
        following=_first(failures, at, end),
    )


def _first(found: Iterable[QuerySet[Any]], after: datetime, end: datetime) -> datetime | None:
    moments = (
        each.filter(heard_at__gt=after, heard_at__lte=end).order_by("heard_at").values_list("heard_at", flat=True)
        for each in found
    )
    return min((moment for each in moments if (moment := each.first()) is not None), default=None)


def _last(found: Iterable[QuerySet[Any]], start: datetime, before: datetime) -> datetime | None:
    moments = (
        each.filter(heard_at__gte=start, heard_at__lt=before).order_by("-heard_at").values_list("heard_at", flat=True)
        for each in found
    )
    return max((moment for each in moments if (moment := each.first()) is not None), default=None)


def latest(cluster: Cluster, start: datetime, at: datetime) -> Happened | None:
    """Return what happened last by a moment, from `start` on; of one moment the decision."""
    span: dict[str, Any] = {"cluster": cluster, "heard_at__gte": start, "heard_at__lte": at}
    found: list[Happened | None] = [
        Decision.objects.filter(**span).defer("packed_explanation").order_by("-heard_at", "-pk").first(),
        NodeChange.objects.filter(**span).order_by("-heard_at", "-pk").first(),
        Departure.objects.filter(**span).defer("packed_object").order_by("-heard_at", "-pk").first(),
    ]
    # The first of equals is the decision.
    return max((row for row in found if row is not None), key=lambda row: row.heard_at, default=None)
