"""Bars of shares: where the words of their parts stand."""

from __future__ import annotations

import re

import pytest

from dashboard.pictures.figure import drawing
from dashboard.pictures.shapes import NARROW, WIDE
from dashboard.pictures.specs import BarPart, StackRow, StackSpec

LABELS = ("usable", "insufficient memory beside it", "node pod limit reached", "on tainted nodes")


def bars(number: int, *, colours: tuple[str, ...] = ("verdict-fits-solid",)) -> StackSpec:
    rows = [
        StackRow(
            f"row {at}",
            tuple(BarPart(label, colours[at % len(colours)], 10, f"{at}{label[0]} CPU") for label in LABELS),
            100.0,
            "whole",
        )
        for at in range(number)
    ]
    return StackSpec(tuple(rows))


def words_of(spec: StackSpec, width: int) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", drawing(spec, name="bars", words="", width=width))


def test_words_that_would_take_lines_below_each_bar_stand_once_above_all() -> None:
    said = words_of(bars(4), NARROW)

    assert said[: len(LABELS)] == list(LABELS)
    assert not any(label in word for word in said[len(LABELS) :] for label in LABELS)
    assert "3u CPU" in said


@pytest.mark.parametrize(
    ("spec", "width"),
    [
        (bars(2), NARROW),
        (bars(4, colours=("zone-1", "zone-2")), NARROW),
        (bars(4), WIDE * 2),
    ],
    ids=["few", "colours of their own", "room"],
)
def test_each_bar_has_its_own_words_where_it_is_one_of_few_has_its_own_colours_or_room(
    spec: StackSpec, width: int
) -> None:
    said = words_of(spec, width)

    assert sum(word.startswith("usable ") for word in said) == len(spec.rows)
