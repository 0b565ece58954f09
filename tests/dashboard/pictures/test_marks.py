"""Rows of marks: each where and as high as it should be, and a link that escapes what it says."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

from dashboard.pictures.figure import drawing
from dashboard.pictures.specs import LinkedMark, MarkRow, MarksSpec, MarksTick

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*marks: LinkedMark, ticks: tuple[MarksTick, ...] = (), width: int = 760) -> ET.Element:
    spec = MarksSpec((MarkRow("Bound", "verdict-fits-solid", "7", marks),), ticks)
    return ET.fromstring(drawing(spec, name="happened", words="What happened", width=width))  # noqa: S314


def bars(picture: ET.Element) -> list[tuple[float, float]]:
    """Return left and height of each mark."""
    return [
        (float(each.get("x", "")), float(each.get("height", "")))
        for each in picture.iter(f"{SVG}rect")
        if each.find(f"{SVG}title") is not None
    ]


def test_later_is_further_right_and_more_is_higher() -> None:
    picture = drawn(
        LinkedMark(0.1, 0.01, 0.1, "one", "/one"),
        LinkedMark(0.5, 0.01, 1.0, "many", "/many"),
        LinkedMark(1.0, 0.01, 0.1, "last", "/last"),
    )

    (first, low), (second, high), (last, _) = bars(picture)
    assert first < second < last < 760
    assert low < high


def test_links_are_said_in_words_and_escaped() -> None:
    picture = drawn(LinkedMark(0, 0.1, 1, '<b>"x"', '/?a=1&b="2"'), LinkedMark(0.5, 0, 1, "no address", ""))

    (link,) = picture.iter(f"{SVG}a")
    assert (link.get("href"), link.get("aria-label"), link.get("tabindex")) == ('/?a=1&b="2"', '<b>"x"', "-1")
    # Links inside an image would be hidden from those who do not see it.
    assert picture.get("role") == "group"
    assert len(bars(picture)) == 2


def test_no_two_words_of_the_scale_overlap() -> None:
    ticks = tuple(MarksTick(hour / 24, f"{hour:02d}:00", f"hour {hour}", f"/{hour}") for hour in range(24))

    def labels(width: int) -> list[float]:
        picture = drawn(ticks=ticks, width=width)
        return [
            float(each.get("x", "")) for each in picture.iter(f"{SVG}text") if re.match(r"\d\d:00", each.text or "")
        ]

    for width in (760, 340):
        places = labels(width)
        assert all(later - earlier >= 38 for earlier, later in pairwise(places))
    assert len(labels(340)) < len(labels(760))
