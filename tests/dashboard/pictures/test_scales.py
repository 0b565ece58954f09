"""The picture of a scale: its zones and marks lie where their values are."""

from __future__ import annotations

import re

import pytest

from dashboard.pictures.figure import drawing
from dashboard.pictures.shapes import NARROW, WIDE
from dashboard.pictures.specs import Key, ScaleMark, ScaleRow, ScaleSpec, ScaleZone

KEYS = (Key("nothing", "verdict-fits-solid"), Key("evicts", "verdict-rejected-solid", "x"))
ROW = ScaleRow(
    label="Memory",
    zones=(ScaleZone(0, 0, 90), ScaleZone(1, 90, 100)),
    marks=(ScaleMark(90, "memory.available<10 %"), ScaleMark(5, "<early>")),
    whole=100,
    whole_text="100 MiB",
)


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_zones_and_marks_lie_at_their_values(width: int) -> None:
    svg = drawing(ScaleSpec(KEYS, (ROW,)), name="scale", words="Memory", width=width)
    bars = [float(each) for pair in re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', svg) for each in pair]
    lines = [float(each) for each in re.findall(r'<line x1="([\d.]+)"', svg)]
    unit = (width - 2) / 100

    # Where each bar begins and how long it is.
    assert bars[-4:] == pytest.approx([1, 90 * unit, 1 + 90 * unit, 10 * unit], abs=0.1)
    # From left to right, so that no line crosses words.
    assert lines == pytest.approx([1 + 5 * unit, 1 + 90 * unit], abs=0.1)
    assert "&lt;early&gt;" in svg
    assert "<title>evicts</title>" in svg


def test_words_of_every_mark_are_within_the_picture() -> None:
    svg = drawing(ScaleSpec(KEYS, (ROW,)), name="scale", words="Memory", width=NARROW)
    places = re.findall(r'<text x="([\d.]+)"', svg)

    assert all(0 <= float(place) <= NARROW for place in places)
