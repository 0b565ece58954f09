"""What happened when, as a picture with links: for a cluster, a workload or a pod."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.utils import timezone

from clusters.models import Decision
from clusters.wording.amounts import grouped
from clusters.wording.journal import marks as words
from clusters.wording.journal.decisions import KINDS
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import LinkedMark, MarkRow, MarksSpec, MarksTick

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clusters.models import NodeChange
    from clusters.services.journal.timeline import Mark, Marks

Kind = Decision.Kind

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


@dataclass(frozen=True, slots=True)
class HappenedRow:
    """One row of the table below the picture."""

    time: str
    text: str
    number: str
    address: str


@dataclass(frozen=True, slots=True)
class TimelineView:
    """The picture, the same as a table, whether its times zoom in, and the addresses of the stretches beside it."""

    figure: Figure
    rows: tuple[HappenedRow, ...]
    zooms: bool
    earlier: str
    later: str


def timeline_view(found: Marks, addresses: Addresses) -> TimelineView:
    """Present what happened between two moments."""
    length = found.end - found.start
    most = max((mark.number for mark in found.marks), default=1)
    rows = [_row(kind, colour, found, most, addresses) for kind, colour in _COLOURS.items()]
    if found.changes:
        rows.append(_node_row(found, addresses))
    ticks = tuple(_ticks(found, addresses))
    count = sum(mark.number for mark in found.marks)
    figure = Figure(
        id="happened",
        title=str(words.TITLE),
        summary=words.summary(count=count, changes=len(found.changes), start=_date(found.start), end=_date(found.end)),
        spec=MarksSpec(tuple(row for row in rows if row.marks), ticks),
    )
    told = sorted([*_told_decisions(found, addresses), *_told_changes(found, addresses)], key=lambda each: each[0])
    return TimelineView(
        figure,
        tuple(row for _, row in told),
        zooms=any(tick.address for tick in ticks),
        earlier=addresses.zoomed(found.start - length, found.start),
        later=addresses.zoomed(found.end, found.end + length),
    )


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


def _node_row(found: Marks, addresses: Addresses) -> MarkRow:
    return MarkRow(
        str(words.NODES),
        _NODES,
        grouped(len(found.changes)),
        tuple(
            LinkedMark(_share(each.heard_at, found), 0.0, 1.0, _told(each, found), addresses.node(each.node_name))
            for each in found.changes
        ),
    )


def _told(change: NodeChange, found: Marks) -> str:
    return f"{_clock(change.heard_at, found)}: {_change(change)}"


def _opens(mark: Mark, found: Marks, addresses: Addresses) -> str:
    """Return where a mark leads to: the one decision that it stands for, or the list of them."""
    if mark.number == 1:
        return addresses.decision(mark.first)
    return addresses.decisions(mark.kind, mark.start, mark.start + found.step)


def _title(mark: Mark, found: Marks) -> str:
    start, end = _clock(mark.start, found), _clock(mark.start + found.step, found)
    return words.MARK(kind=str(KINDS[mark.kind]), start=start, end=end, count=mark.number)


def _change(change: NodeChange) -> str:
    return words.node_change(change.kind, node=change.node_name, condition=change.condition)


def _told_decisions(found: Marks, addresses: Addresses) -> Iterator[tuple[datetime, HappenedRow]]:
    for mark in found.marks:
        address = _opens(mark, found, addresses)
        yield mark.start, HappenedRow(_date(mark.start), str(KINDS[mark.kind]), grouped(mark.number), address)


def _told_changes(found: Marks, addresses: Addresses) -> Iterator[tuple[datetime, HappenedRow]]:
    for each in found.changes:
        yield each.heard_at, HappenedRow(_date(each.heard_at), _change(each), "", addresses.node(each.node_name))


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
