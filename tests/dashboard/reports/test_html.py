from __future__ import annotations

import re
from html.parser import HTMLParser

from dashboard.pictures.figure import drawing
from dashboard.pictures.specs import StackSpec, TrendSpec
from dashboard.reports.blocks import Chart, Notes
from dashboard.reports.html import html_of
from dashboard.reports.layout import blocks_of, cell
from tests.dashboard.reports.documents import HOSTILE, a_document


class Parsed(HTMLParser):
    """The elements with their attributes, the words in sight, and what was never closed."""

    VOID = frozenset({"meta", "link", "br", "rect", "line", "path", "circle"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style", "title"} & set(self.open):
            self.words.append(data)

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def test_a_file_needs_nothing_but_itself() -> None:
    html = html_of(a_document())
    parsed = Parsed(html)

    assert parsed.open == []
    assert not parsed.named("script") + parsed.named("link") + parsed.named("img") + parsed.named("iframe")
    outside = re.findall(r"(?:https?:)?//[^\s\"'<>]+", re.sub(r"http://www\.w3\.org/2000/svg", "", html))
    assert outside == []
    assert "@import" not in html
    for tag, attributes in parsed.elements:
        assert not [name for name in attributes if name.startswith("on")], tag
        for name in ("src", "href", "action"):
            assert (attributes.get(name) or "#").startswith("#"), (tag, attributes)
    # Whatever slips in is not run.
    policy = next(each for each in parsed.named("meta") if each.get("http-equiv") == "Content-Security-Policy")
    assert policy["content"] == "default-src 'none'; style-src 'unsafe-inline'"


def test_the_contents_lead_to_every_section() -> None:
    parsed = Parsed(html_of(a_document()))
    ids = [attributes["id"] for _, attributes in parsed.elements if attributes.get("id")]
    links = [each["href"] for each in parsed.named("a")]

    assert len(ids) == len(set(ids))
    sections = [f"#{each['id']}" for each in parsed.named("section")]
    assert links[: len(sections)] == sections
    assert len(sections) == 8
    # So does each of the first sentences.
    assert links[8:] == [f"#section-{key}" for key in ("utilisation", "maintenance")]


def test_a_blank_line_begins_a_new_paragraph_of_the_notes() -> None:
    notes = [
        block for block in blocks_of({**a_document(), "notes": "one\ntwo\n \nthree\n"}) if isinstance(block, Notes)
    ]

    assert [each.paragraphs for each in notes] == [("one two", "three")]


def test_names_are_text_whatever_they_hold() -> None:
    parsed = Parsed(html_of(a_document(zones=HOSTILE, title="</title><script>alert(1)</script>")))
    said = "".join(parsed.words)

    assert parsed.open == []
    assert not parsed.named("script") + parsed.named("img")
    for name in HOSTILE:
        assert name in said, name


def test_each_chart_has_the_same_in_words_and_hatching_of_its_own() -> None:
    html = html_of(a_document())
    parsed = Parsed(html)
    charts = [block for block in blocks_of(a_document()) if isinstance(block, Chart)]

    assert len(charts) == 7
    assert {each["aria-label"] for each in parsed.named("svg")} == {chart.text for chart in charts}
    patterns = [each["id"] for each in parsed.named("pattern")]
    assert len(patterns) == len(set(patterns))
    assert set(re.findall(r"url\(#([^)]+)\)", html)) == set(patterns)


def test_bars_lie_within_the_drawing_even_where_more_is_requested_than_there_is() -> None:
    document = a_document()
    zone = document["sections"][0]["tables"][0]["rows"][0]
    zone["cpu_requested"] = 3 * zone["cpu_allocatable"]
    chart = next(
        block for block in blocks_of(document) if isinstance(block, Chart) and block.anchor.endswith("zones-cpu")
    )

    assert isinstance(chart.spec, StackSpec)
    for width in (680, 340):
        drawn = drawing(chart.spec, name="stack", words="", width=width)
        for left, length in re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', drawn):
            assert float(left) + float(length) <= width


def test_a_line_breaks_where_nothing_is_known() -> None:
    charts = [block for block in blocks_of(a_document()) if isinstance(block, Chart)]
    chart = next(chart for chart in charts if chart.anchor == "trend-cpu")
    assert isinstance(chart.spec, TrendSpec)
    paths = re.findall(r'<path d="([^"]+)"', drawing(chart.spec, name="trend", words=""))

    assert chart.spec.series[1].values[3] is None
    assert [path.count("M") for path in paths] == [1, 2]
    assert "requested from 40 to 41.05" in chart.text


def test_cells_have_their_units() -> None:
    row = {"unit": "bytes"}

    assert cell(1500, "cpu", {}) == "1.5 CPU"
    assert cell(3 * 1024**3, "memory", {}) == "3 GiB"
    assert cell(1024, "amount", row) == "1 KiB"
    assert cell(250, "amount", {"unit": "millicores"}) == "0.25 CPU"
    assert cell(12345, "amount", {"unit": "pods"}) == "12\u202f345"
    assert cell(0.004, "share", {}) == "< 1 %"
    assert cell(0, "share", {}) == "0 %"
    assert cell(True, "yes", {}) == "yes"
    assert cell("2026-11-21T16:40:00Z", "time", {}) == "21 Nov 2026, 16:40"
    assert cell(list("abcdefg"), "names", {}) == "a, b, c, d, e and 2 more"
    assert {cell(None, "number", {}), cell("", "text", {}), cell([], "names", {})} == {"–"}
