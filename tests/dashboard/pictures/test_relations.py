"""The objects around one: all are drawn within the picture, and those with a page lead to it."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given, strategies as st

from dashboard.pictures.figure import drawing
from dashboard.pictures.shapes import NARROW
from dashboard.pictures.specs import RelatedObject, RelationsSpec

WIDE = 760
BOX = re.compile(r'<rect x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)"')
CHAINS = st.lists(st.lists(st.booleans(), min_size=1, max_size=3), max_size=5)


def chains_of(side: str, shape: list[list[bool]]) -> tuple[tuple[RelatedObject, ...], ...]:
    """Name objects by their places; True has a page."""
    return tuple(
        tuple(
            RelatedObject("Kind", f"{side}-{row}-{depth}", f"/{side}/{row}/{depth}/" if has_page else "")
            for depth, has_page in enumerate(chain)
        )
        for row, chain in enumerate(shape)
    )


@given(before=CHAINS, behind=CHAINS, width=st.sampled_from((WIDE, NARROW)))
def test_each_object_has_a_box_within_the_picture_that_no_other_covers(
    before: list[list[bool]], behind: list[list[bool]], width: int
) -> None:
    spec = RelationsSpec(RelatedObject("Pod", "web"), chains_of("before", before), chains_of("behind", behind))
    svg = drawing(spec, name="related", words="Around web", width=width)

    height = float(re.findall(r'height="(\d+)"', svg)[0])
    boxes = [tuple(map(float, box)) for box in BOX.findall(svg)]
    assert len(boxes) == 1 + sum(map(len, (*before, *behind)))
    for left, top, wide, high in boxes:
        assert left >= 0
        assert top >= 0
        assert left + wide <= width
        assert top + high <= height + 1
    for number, (left, top, wide, high) in enumerate(boxes):
        for other_left, other_top, _, _ in boxes[number + 1 :]:
            assert abs(left - other_left) >= wide or abs(top - other_top) >= high
    links = set(re.findall(r'<a href="([^"]*)"', svg))
    assert len(links) == sum(sum(chain) for chain in (*before, *behind))


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_words_are_escaped_and_long_names_are_cut_but_told_in_full(width: int) -> None:
    name = "<b>" + "long-" * 40
    spec = RelationsSpec(RelatedObject("Pod", "web"), (), ((RelatedObject("Node", name, '/nodes/"x"/'),),))

    svg = drawing(spec, name="related", words="Around web", width=width)

    assert "<b>" not in svg
    assert 'role="group"' in svg
    assert f"<title>Node {name}</title>" in unescape(svg)
    assert max(len(words) for words in re.findall(r"<text[^>]*>([^<]*)", svg)) < 80
    assert '<a href="/nodes/&quot;x&quot;/"' in svg
