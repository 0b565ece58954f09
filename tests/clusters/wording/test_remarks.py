"""Remarks about a simulation are worded, each of them, also once a summary has stored them."""

from __future__ import annotations

import typing

import pytest

from clusters.documents.words import note_in_words, remark_document, summary_in_words
from clusters.engine.simulation import Remark
from clusters.wording.runs.remarks import remark_sentence

_VALUES: dict[object, object] = {
    str: "deletion_time",
    int: 3,
    tuple[str, ...]: ("a", "b"),
    tuple[tuple[str, int, int], ...]: (("a", 1, 2), ("b", 3, 4)),
}


def example(kind: type[Remark]) -> Remark:
    hints = typing.get_type_hints(kind)
    return kind(**{name: _VALUES[hints[name]] for name in kind.__struct_fields__})


@pytest.mark.parametrize("kind", Remark.__subclasses__(), ids=lambda kind: kind.kind)
def test_every_remark_is_said_from_its_summary_as_it_was_before(kind: type[Remark]) -> None:
    said = remark_sentence(example(kind))

    assert said.endswith(".")
    assert "%(" not in said
    stored = [remark_document(example(kind))]
    worded = summary_in_words(
        {"notes": stored, "relaxed": stored, "origins": {}, "pending_causes": [], "pod_groups": []}
    )
    assert (worded["notes"], worded["relaxed"]) == ([said], [said])


def test_a_note_that_somebody_sent_is_said_as_it_is() -> None:
    assert note_in_words("2 pods are left out.") == "2 pods are left out."
