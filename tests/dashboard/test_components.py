from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string

from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import BarRow, BarsSpec, Key
from dashboard.pictures.verdict_map.spec import MapMark


def rendered(source: str, **context: object) -> str:
    return Template("{% load components %}" + source).render(Context(context))


def test_block_component_escapes_values_and_keeps_content() -> None:
    html = rendered('{% component "card" title=title %}<b>{{ name }}</b>{% endcomponent %}', title="<i>", name="<u>")

    assert "&lt;i&gt;" in html
    assert "<b>&lt;u&gt;</b>" in html


def test_component_does_not_see_the_page() -> None:
    html = rendered('{% component "card" %}x{% endcomponent %}', title="of the page")

    assert "of the page" not in html


def test_verdict_has_a_word_and_a_shape() -> None:
    html = render_to_string("_components/verdict.html", {"verdict": "preemptible"})

    assert "Resolvable by preemption" in html
    assert "<svg" in html


def test_verdict_takes_other_words() -> None:
    assert "Fits on 3 nodes" in render_to_string(
        "_components/verdict.html", {"verdict": "fits", "text": "Fits on 3 nodes"}
    )


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


def test_timestamp_carries_the_exact_time() -> None:
    html = render_to_string("_components/timestamp.html", {"at": datetime(2020, 5, 1, 12, tzinfo=UTC)})

    assert 'datetime="2020-05-01T12:00:00+00:00"' in html
    assert 'title="2020-05-01 12:00:00 UTC"' in html


def test_timestamp_says_when_there_is_none() -> None:
    assert "never" in render_to_string("_components/timestamp.html", {"at": None, "missing": "never"})


def test_long_command_breaks_after_commas_only_on_screen() -> None:
    assert rendered("{{ text|breakable }}", text="a,<b>,c") == "a,<wbr>&lt;b&gt;,<wbr>c"


def test_names_break_after_their_signs_only() -> None:
    assert rendered("{{ text|breakable_names }}", text="with a.io/b=<c>:NoSchedule, d") == (
        "with a.io/<wbr>b=<wbr>&lt;c&gt;:<wbr>NoSchedule, d"
    )


def test_a_name_of_several_words_breaks_between_them_only_on_screen() -> None:
    text = "NodeResourcesFit <a>Fits"

    assert rendered("{{ text|breakable_words }}", text=text) == "Node<wbr>Resources<wbr>Fit &lt;a&gt;Fits"
    assert rendered("{{ text|breakable_words }}", text="shop/cart") == "shop/cart"


def test_marks_of_a_map_say_what_their_rings_mean() -> None:
    marks = [MapMark("right", "<b>named</b>", 0), MapMark("missed", "not named", 3)]

    html = render_to_string("_components/map_marks.html", {"marks": marks})

    assert re.findall(r"map-ring-(\w+)", html) == ["right", "missed"]
    assert "&lt;b&gt;named" in html


@pytest.mark.parametrize(("kind", "count", "is_folded"), [("info", 2, False), ("info", 3, True), ("warning", 3, False)])
def test_many_sentences_that_inform_are_folded(kind: str, count: int, is_folded: bool) -> None:
    items = [f"Sentence {number}." for number in range(count)]

    alert = render_to_string("_components/alert.html", {"kind": kind, "title": "Incomplete data", "items": items})

    assert ("<details>" in alert, all(item in alert for item in items)) == (is_folded, True)
