"""The strip of time at the foot of a cluster's pages, and what is said on a page that shows the past."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from clusters.models import Cluster, Decision
from clusters.services.journal.timeline import latest, neighbours
from clusters.wording.journal.decisions import KINDS
from dashboard.http import BadParameterError
from dashboard.moments import AT, FROM, SPAN, Recorded, as_written, asked_moment, read_moment
from dashboard.presenters.journal.timeline import happened_view, node_change

if TYPE_CHECKING:
    from django.http import HttpRequest, QueryDict

    from clusters.services.journal.timeline import Marks

SPANS: Final = {"1h": timedelta(hours=1), "24h": timedelta(hours=24), "7d": timedelta(days=7)}
_USUAL: Final = "24h"
_SHORTEST: Final = timedelta(minutes=1)
# Beside a moment that lies outside of the span, as a part of it.
_MARGIN: Final = 0.1
# From end to end, handles stop so many times at most.
_MOST_STOPS: Final = 1_440


class Window(NamedTuple):
    """The stretch of time that the strip shows; ``span`` is the name of a usual one, or empty."""

    start: datetime
    end: datetime
    span: str


def window_of(query: QueryDict, known: Recorded, moments: list[datetime]) -> Window:
    """Return the stretch that an address asks for, as far as something is recorded, with its moments in it."""
    written = query.get(SPAN, _USUAL)
    begin, _, finish = written.partition("/")
    start, end = read_moment(begin, known.until), read_moment(finish, known.until)
    span = written if written in SPANS else ""
    if span or start is None or end is None:
        span = span or _USUAL
        start, end = known.until - SPANS[span], known.until
    length = max(_SHORTEST, end - start)
    if moments and not start <= min(moments) <= max(moments) <= end:
        start = min(moments) - _MARGIN * length
        end = max(start + length, max(moments) + _MARGIN * length)
    end = max(min(end, known.until), known.since + _SHORTEST)
    return Window(max(known.since, min(start, end - _SHORTEST)), end, span)


def strip_of(request: HttpRequest, cluster: str, known: Recorded | None) -> dict[str, Any] | None:
    """Present the strip of a cluster's page; None where nothing is recorded of its moment, or the page is of none.

    What it leads to from a page that is of one moment, and of no other, is the map.
    """
    if known is None or not cluster or not getattr(request, "heeds_moment", False):
        return None
    query = request.GET
    try:
        at, since = (asked_moment(query, name, known.until) for name in (AT, FROM))
    except BadParameterError:
        at = since = None
    at, since = (each if each and known.since <= each <= known.until else None for each in (at, since))
    own: datetime | None = getattr(request, "own_moment", None)
    if own is not None and not known.since <= own <= known.until:
        return None
    stands = own or at
    window = window_of(query, known, [each for each in (stands, since) if each is not None])
    whole = int((window.end - window.start).total_seconds())
    place = {"cluster": cluster}
    kept = [(name, query[name]) for name in (AT, FROM, SPAN) if name in query]
    compared = kept if own is None else [*kept, (AT, as_written(own))]
    if stands is None and not window.span:
        compared = [*compared, (AT, as_written(window.end))]
    return {
        "cluster": cluster,
        "known": known,
        "at": at,
        "stands": stands,
        # Of its own page without its path: a link with one keeps the moment that is shown.
        "page": "" if own is None else reverse("cluster", kwargs=place),
        "since": since,
        "start": window.start,
        "end": window.end,
        "span": window.span,
        "spans": SPANS,
        "whole": whole,
        "stride": max(1, whole // _MOST_STOPS),
        "place": _seconds(stands, window, whole),
        "place_since": _seconds(since, window, 0),
        "zone": timezone.get_current_timezone_name(),
        "marks": f"{reverse('journal-marks', kwargs=place)}?{_stretch(window.start, window.end)}",
        "changes": f"{reverse('journal-changes', kwargs=place)}?{urlencode(compared)}",
        "replay": f"{reverse('journal-replay', kwargs=place)}?{_replayed(since, stands, window, known)}",
        "moments": kept,
        "kept": [(name, value) for name, value in query.items() if name not in (AT, "page")],
        "happened": None if at is None else _happened(cluster, known, at),
    }


def _seconds(moment: datetime | None, window: Window, otherwise: int) -> int:
    return otherwise if moment is None else int((moment - window.start).total_seconds())


def _stretch(start: datetime, end: datetime) -> str:
    return urlencode({"since": as_written(start), "until": as_written(end)})


def _replayed(since: datetime | None, at: datetime | None, window: Window, known: Recorded) -> str:
    """Return what a replay goes through: between the handles, after a moment, what is zoomed into, or up to now."""
    if since is not None:
        return _stretch(since, at or known.until)
    if at is None and not window.span:
        return _stretch(window.start, window.end)
    length = SPANS["1h"]
    start = max(known.since, known.until - length) if at is None else at
    return _stretch(start, min(known.until, start + length))


def _happened(name: str, known: Recorded, at: datetime) -> dict[str, Any]:
    """Present what happened last by a moment, and where the moments around it are."""
    cluster = Cluster.objects.get(name=name)
    last = latest(cluster, known.since, at)
    around = neighbours(cluster, at, known.since, known.until)
    return {
        "last": None if last is None else happened_view(last, name),
        **{name: None if each is None else as_written(each) for name, each in around._asdict().items()},
    }


# Heights in pixels: what went well hangs below the line, what did not stands above it, and nodes are on it.
_LINE: Final = 15
_MOST_HEIGHT: Final = 13
_HEIGHT: Final = 30
_BELOW: Final = frozenset({Decision.Kind.BOUND, Decision.Kind.NOMINATED})
_TICKS: Final = (
    *(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30)),
    *(timedelta(hours=hours) for hours in (1, 3, 6, 12)),
    *(timedelta(days=days) for days in (1, 2, 7, 30)),
)
_MOST_TICKS: Final = 8
_DAY: Final = timedelta(days=1)


class DecisionBar(NamedTuple):
    """Decisions of a kind within a step: places in percent of the width, heights in pixels."""

    kind: str
    word: str
    x: float
    width: float
    y: float
    height: float
    number: int
    start: datetime


def marks_context(found: Marks) -> dict[str, Any]:
    """Present what was recorded between two moments: bars of decisions, changes of nodes, and a scale."""
    length = found.end - found.start

    def share(moment: datetime) -> float:
        return round(100 * max(0.0, (moment - found.start) / length), 3)

    # A square root keeps single refusals in sight beside thousands of placements. The highest stack has all room.
    stacks: dict[tuple[datetime, bool], float] = {}
    for mark in found.marks:
        place = mark.start, mark.kind in _BELOW
        stacks[place] = stacks.get(place, 0.0) + mark.number**0.5
    most = max(stacks.values(), default=1.0)
    tops: dict[tuple[datetime, bool], float] = {}
    bars = []
    for mark in found.marks:
        is_below = mark.kind in _BELOW
        height = round(max(2.0, _MOST_HEIGHT * mark.number**0.5 / most), 1)
        beside = tops.get((mark.start, is_below), 0.0)
        tops[mark.start, is_below] = beside + height
        y = _LINE + beside if is_below else _LINE - beside - height
        width = round(100 * found.step / length, 3)
        bars.append(
            DecisionBar(mark.kind, str(KINDS[mark.kind]), share(mark.start), width, y, height, mark.number, mark.start)
        )
    return {
        "bars": bars,
        "changes": [(share(each.heard_at), each.heard_at, node_change(each)) for each in found.changes],
        "ticks": [(share(tick), tick) for tick in _ticks(found.start, found.end)],
        "has_days": length > _DAY,
        "line": _LINE,
        "height": _HEIGHT,
    }


def _ticks(start: datetime, end: datetime) -> list[datetime]:
    """Return round moments by the reader's clock."""
    step = next((each for each in _TICKS if (end - start) / each <= _MOST_TICKS), _TICKS[-1])
    local = timezone.localtime(start)
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    first = midnight + ((local - midnight) // step + 1) * step
    return [first + number * step for number in range(_MOST_TICKS + 1) if first + number * step < end]
