"""What a picture of numbers shows, as a Plotly figure that can be explored: a hover tells values, a drag zooms.

Colours are references to tokens, `var(--ink)`, which the browser resolves when it draws.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import orjson

from dashboard.pictures.specs import ColumnsSpec, Spec, TrendSpec

if TYPE_CHECKING:
    import plotly.graph_objects as go


_HEIGHT = 320


def document_of(spec: Spec, identity: str) -> bytes:
    """Return the chart as JSON; what was zoomed stays zoomed in another chart of the same identity.

    Raises TypeError for a picture that says all: only lines and columns can be explored.
    """
    match spec:
        case ColumnsSpec():
            chart = _columns(spec)
        case TrendSpec():
            chart = _lines(spec)
        case _:
            raise TypeError(f"{type(spec).__name__} is not drawn as a chart")
    chart.update_layout(uirevision=identity, height=_HEIGHT)
    document = chart.to_plotly_json()
    # The house's style is the browser's: its colours depend on the theme.
    document["layout"].pop("template", None)
    return orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY)


def _columns(spec: ColumnsSpec) -> go.Figure:
    # A process that never shows a chart need not hold what makes them: 25 MiB.
    import plotly.graph_objects as go

    bars = [
        go.Bar(
            name=key.label,
            x=spec.starts,
            y=values,
            marker={
                "color": f"var(--{key.colour})",
                "pattern": {"shape": key.pattern, "fillmode": "overlay", "size": 6, "solidity": 0.25},
                "line": {"color": "var(--surface-card)", "width": 1},
            },
            hovertemplate="%{x}: %{y}<extra>%{fullData.name}</extra>",
        )
        for key, values in zip(spec.keys, spec.values, strict=True)
    ]
    return go.Figure(
        bars,
        {
            "barmode": "stack",
            "bargap": 0.1,
            "xaxis": {"type": "date"},
            "yaxis": {"rangemode": "tozero", "tickformat": "d"},
            "legend": {"traceorder": "normal"},
            # Plotly cannot move bars that have a pattern.
            "transition": {"duration": 0},
        },
    )


def _lines(spec: TrendSpec) -> go.Figure:
    import plotly.graph_objects as go

    at = list(spec.times) if spec.labels else [datetime.fromtimestamp(time, tz=UTC).isoformat() for time in spec.times]
    lines = [
        go.Scatter(
            name=series.label,
            x=at,
            y=series.values,
            text=spec.labels or None,
            mode="lines",
            connectgaps=False,
            line={
                "color": f"var(--{series.colour})",
                "width": 2,
                "dash": "dash" if series.is_dashed else "solid",
                "shape": "hv" if spec.is_stepped else "linear",
            },
            hovertemplate="%{text}: %{y:.4~g}" if spec.labels else "%{x}: %{y:.4~g}",
        )
        for series in spec.series
    ]
    return go.Figure(
        lines,
        {
            "hovermode": "x unified",
            "xaxis": {"type": "linear" if spec.labels else "date"},
            "yaxis": {"rangemode": "tozero", "title": {"text": spec.unit}},
        },
    )
