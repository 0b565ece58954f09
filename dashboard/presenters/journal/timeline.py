"""Decisions over time, by verdict, as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.models import Decision
from clusters.wording import figures as wording
from clusters.wording.amounts import grouped
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import ColumnsSpec, Key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusters.services.journal.timeline import Timeline

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
    names = [wording.verdict(verdict) for verdict in present]
    return Figure(
        id="journal-timeline",
        title=wording.decisions_over_time(unit=found.unit),
        summary=summary(
            found.total, [wording.count_of_verdict(count=sums[verdict], value=verdict) for verdict in present]
        ),
        spec=ColumnsSpec(
            keys=tuple(Key(name, *_VERDICTS[verdict]) for name, verdict in zip(names, present, strict=True)),
            starts=starts,
            values=tuple(tuple(each.numbers.get(verdict, 0) for each in found.stretches) for verdict in present),
        ),
        columns=(wording.unit_of_time(found.unit), *(f"{name[:1].upper()}{name[1:]}" for name in names)),
        rows=[
            (start, *(grouped(each.numbers.get(verdict, 0)) for verdict in present))
            for start, each in zip(starts, found.stretches, strict=True)
            if each.numbers
        ],
        address=address,
    )
