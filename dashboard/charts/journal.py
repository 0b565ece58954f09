"""Decisions over time, by verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.models import Decision
from clusters.wording.amounts import counted, grouped
from dashboard.charts.figure import Figure
from dashboard.presenters.wording import listed

if TYPE_CHECKING:
    from clusters.services.journal.timeline import Timeline

Verdict = Decision.Verdict

# Words, colour and pattern of each verdict, from the bottom of a bar to its top.
_VERDICTS = {
    Verdict.AGREES: ("agreed with", "var(--verdict-fits-solid)", ""),
    Verdict.SAMPLED: ("agreed with within sampling", "var(--verdict-chosen-solid)", "/"),
    Verdict.DISAGREES: ("disagreed with", "var(--verdict-rejected-solid)", "x"),
    Verdict.UNJUDGED: ("not judged", "var(--verdict-unknown-solid)", "."),
    Verdict.WAITING: ("not judged yet", "var(--verdict-preemptible-solid)", "-"),
}
_FORMATS = {"minute": "%Y-%m-%d %H:%M", "hour": "%Y-%m-%d %H:%M", "day": "%Y-%m-%d"}
_HEIGHT = 180


def decisions(found: Timeline, stretch: str) -> Figure:
    """Draw one bar for each minute, hour or day; `stretch` says which time it is."""
    starts = [each.start.strftime(_FORMATS[found.unit]) for each in found.stretches]
    sums = {verdict: sum(each.numbers.get(verdict, 0) for each in found.stretches) for verdict in _VERDICTS}
    present = [verdict for verdict in _VERDICTS if sums[verdict]]
    said = listed([f"{grouped(sums[verdict])} {_VERDICTS[verdict][0]}" for verdict in present])
    return Figure(
        id="journal-timeline",
        title=f"Decisions by verdict and {found.unit}",
        summary=f"{counted(found.total, 'decision', 'decisions')} {stretch}{f': {said}' if said else ''}.",
        data=[_trace(verdict, starts, found) for verdict in present],
        layout={
            "barmode": "stack",
            "bargap": 0.1,
            "height": _HEIGHT,
            "xaxis": {"type": "date"},
            "yaxis": {"rangemode": "tozero", "tickformat": "d"},
            "legend": {"traceorder": "normal"},
            # Plotly cannot move bars that have a pattern.
            "transition": {"duration": 0},
        },
        columns=(found.unit.capitalize(), *(_VERDICTS[verdict][0].capitalize() for verdict in present)),
        rows=[
            (start, *(grouped(each.numbers.get(verdict, 0)) for verdict in present))
            for start, each in zip(starts, found.stretches, strict=True)
            if each.numbers
        ],
    )


def _trace(verdict: Decision.Verdict, starts: list[str], found: Timeline) -> dict[str, Any]:
    words, colour, pattern = _VERDICTS[verdict]
    return {
        "type": "bar",
        "name": words,
        "x": starts,
        "y": [each.numbers.get(verdict, 0) for each in found.stretches],
        "marker": {
            "color": colour,
            "pattern": {"shape": pattern, "fillmode": "overlay", "size": 6, "solidity": 0.25},
            "line": {"color": "var(--surface-card)", "width": 1},
        },
        "hovertemplate": "%{x}: %{y}<extra>%{fullData.name}</extra>",
    }
