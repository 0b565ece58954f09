from __future__ import annotations

import re
from datetime import UTC, datetime
from html import unescape

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string
from django.utils import timezone

from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import BarRow, BarsSpec, Key
from dashboard.pictures.verdict_map.spec import MapMark
from dashboard.reader_zone import zone_named


def rendered(source: str, **context: object) -> str:
    return Template("{% load components %}" + source).render(Context(context))


def test_block_component_escapes_values_and_keeps_content() -> None:
    html = rendered('{% component "card" title=title %}<b>{{ name }}</b>{% endcomponent %}', title="<i>", name="<u>")

    assert "&lt;i&gt;" in html
    assert "<b>&lt;u&gt;</b>" in html


def test_verdict_has_a_word_and_a_shape() -> None:
    html = render_to_string("_components/verdict.html", {"verdict": "preemptible"})

    assert "\nRejected</span>" in html
    assert "<svg" in html


def test_figure_says_in_words_and_numbers_what_it_draws_and_nothing_breaks_out() -> None:
    rows = (BarRow("<b>", (3,), "<i>"), BarRow("c", (1,), "1"))
    spec = BarsSpec((Key("</svg><script>", "zone-1", "/"),), rows)
    figure = Figure("f", "Title", "Summary.", spec, ("A", "B"), [("x", "1")], "/chart.json")

    html = render_to_string("_components/figure.html", {"figure": figure})

    assert html.count('aria-label="Title. Summary."') == 2
    assert "<script>" not in html
    assert "<b>" not in html
    assert "<i>" not in html
    assert '<th scope="row">x</th>' in html
    # Offered by the module that can draw the chart only.
    assert re.search(r'data-explore="/chart.json"[^>]* hidden>', html)
    assert "data-explore" not in render_to_string("_components/figure.html", {"figure": Figure("f", "", "", spec)})


def test_a_time_is_as_short_as_today_allows_and_says_the_rest_on_hover(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 27, 16, 3, 5, tzinfo=UTC))

    def said(at: datetime, values: str = "") -> tuple[str, str]:
        html = rendered(f"{{% moment at {values} %}}", at=at, end=datetime(2026, 3, 2, tzinfo=UTC))
        found = re.fullmatch(r'<time datetime="(.*)" title="(.*)">(.*)</time>', unescape(html))
        assert found is not None
        assert found[1] == at.isoformat()
        return found[3], found[2]

    assert said(datetime(2026, 11, 27, 14, 3, 5, tzinfo=UTC)) == ("14:03 UTC", "120m ago · 2026-11-27 14:03:05 UTC")
    assert said(datetime(2026, 11, 26, 23, 59, tzinfo=UTC))[0] == "26 Nov 23:59 UTC"
    assert said(datetime(2025, 11, 27, 14, 3, tzinfo=UTC))[0] == "27 Nov 2025 14:03 UTC"
    first = datetime(2026, 3, 1, tzinfo=UTC)
    assert said(first, "as_of=end")[1] == "24h earlier · 2026-03-01 00:00:00 UTC"
    assert said(first, "full=True as_of=end") == ("2026-03-01 00:00:00 UTC", "24h earlier")
    with timezone.override(zone_named("Asia/Tokyo")):
        assert said(datetime(2026, 11, 27, 14, 3, tzinfo=UTC))[0] == "27 Nov 23:03"
        assert said(datetime(2026, 11, 27, 15, 3, tzinfo=UTC)) == ("00:03", "60m ago · 2026-11-28 00:03:00 JST")
    with timezone.override(zone_named("UTC")):
        assert said(datetime(2026, 11, 27, 14, 3, tzinfo=UTC))[0] == "14:03"


@pytest.mark.parametrize("tag", ["age", "moment"])
def test_a_time_that_is_none_is_said(tag: str) -> None:
    assert (
        rendered(f"{{% {tag} at missing=said %}}", at=None, said="<never>")
        == '<span class="muted">&lt;never&gt;</span>'
    )
    assert rendered(f"{{% {tag} at %}}", at=None) == '<span class="muted">unknown</span>'


def test_long_words_break_only_on_screen() -> None:
    assert rendered("{{ text|breakable }}", text="a,<b>,c") == "a,<wbr>&lt;b&gt;,<wbr>c"

    assert rendered("{{ text|breakable_names }}", text="with a.io/b=<c>:NoSchedule, d") == (
        "with a.io/<wbr>b=<wbr>&lt;c&gt;:<wbr>NoSchedule, d"
    )

    text = "NodeResourcesFit <a>Fits"
    assert rendered("{{ text|breakable_words }}", text=text) == "Node<wbr>Resources<wbr>Fit &lt;a&gt;Fits"
    assert rendered("{{ text|breakable_words }}", text="shop/cart") == "shop/cart"


def test_marks_of_a_map_say_what_their_rings_mean() -> None:
    marks = [MapMark("right", "<b>named</b>", 0), MapMark("missed", "not named", 3)]

    html = render_to_string("_components/map_marks.html", {"marks": marks})

    assert re.findall(r"map-ring-(\w+)", html) == ["right", "missed"]
    assert "&lt;b&gt;named" in html
