"""Charts to explore: the same numbers as the picture that they take the place of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest

from clusters.models import Report
from dashboard.charts.of_pictures import document_of
from dashboard.pictures.specs import ColumnsSpec, Key, Series, TrendSpec
from dashboard.presenters.runs.steps import figures
from tests.dashboard.reports.documents import a_document
from tests.dashboard.rows import a_cluster
from tests.dashboard.test_runs import MORE, done

if TYPE_CHECKING:
    from django.test import Client


def chart_of(spec: TrendSpec | ColumnsSpec) -> dict[str, Any]:
    chart: dict[str, Any] = orjson.loads(document_of(spec, "identity"))
    return chart


def test_columns_are_bars_with_colour_and_pattern() -> None:
    keys = (Key("agreed with", "verdict-fits-solid"), Key("disagreed with", "verdict-rejected-solid", "x"))
    chart = chart_of(ColumnsSpec(keys, ("2026-03-01", "2026-03-02"), ((3, 0), (1, 2))))

    assert [(bar["type"], bar["name"], bar["y"]) for bar in chart["data"]] == [
        ("bar", "agreed with", [3, 0]),
        ("bar", "disagreed with", [1, 2]),
    ]
    assert [bar["marker"]["color"] for bar in chart["data"]] == [f"var(--{key.colour})" for key in keys]
    assert chart["data"][1]["marker"]["pattern"]["shape"] == "x"
    assert chart["layout"]["uirevision"] == "identity"
    # The house's style is added where the theme is known.
    assert "template" not in chart["layout"]


def test_lines_over_time_are_broken_where_nothing_is_known() -> None:
    chart = chart_of(TrendSpec("CPU", (0.0, 3600.0, 7200.0), (Series("requested", "zone-1", (1.0, None, 2.0)),)))
    (line,) = chart["data"]

    assert line["x"][1] == "1970-01-01T01:00:00+00:00"
    assert line["y"] == [1.0, None, 2.0]
    assert line["connectgaps"] is False
    assert line["line"]["shape"] == "linear"


def test_lines_over_steps_tell_the_words_of_each() -> None:
    labels = ("step 1", "step 2")
    spec = TrendSpec("%", (1.0, 2.0), (Series("CPU", "zone-1", (1.0, 9.0)),), labels=labels, is_stepped=True)
    (line,) = chart_of(spec)["data"]

    assert (line["x"], line["text"], line["line"]["shape"]) == ([1.0, 2.0], list(labels), "hv")


@pytest.mark.usefixtures("shop")
@pytest.mark.django_db
def test_run_offers_each_of_its_figures_as_a_chart(signed_in_client: Client) -> None:
    run = done(signed_in_client, MORE)
    assert run.summary
    shown = figures(run.summary, "/{}".format)
    page = signed_in_client.get(f"/simulations/{run.pk}/").text

    for figure in shown:
        address = f"/simulations/{run.pk}/charts/{figure.id}.json"
        assert f'data-explore="{address}"' in page
        chart = signed_in_client.get(address).json()
        assert isinstance(figure.spec, TrendSpec)
        assert [line["y"] for line in chart["data"]] == [list(series.values) for series in figure.spec.series]
    assert shown
    assert signed_in_client.get(f"/simulations/{run.pk}/charts/nothing.json").status_code == 404


@pytest.mark.django_db
def test_review_offers_its_trends_as_charts_and_its_file_does_not(signed_in_client: Client) -> None:
    report = Report(cluster=a_cluster("prod"), title="November", order={"period": {"days": 28}}, state="done")
    report.document = a_document()
    report.save()
    address = f"/reviews/{report.pk}/charts/"

    page = signed_in_client.get(f"/reviews/{report.pk}/").text

    assert f'data-explore="{address}trend-cpu.json"' in page
    assert "data-explore" not in signed_in_client.get(f"/reviews/{report.pk}/review.html").text
    assert [line["name"] for line in signed_in_client.get(f"{address}trend-cpu.json").json()["data"]] == [
        "allocatable",
        "requested",
    ]
    assert signed_in_client.get(f"{address}utilisation-zones-cpu.json").status_code == 404
