"""What a source lacks is stored by identifiers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from clusters.adapters.bad_input import BadInput
from clusters.adapters.state import USES, Gap, gaps_of, undefaulted_gap, unreadable_gap
from clusters.documents.problems import worded_gap
from clusters.engine.problems import Missing
from clusters.problems.inputs import NoneInSource, OtherGap, Use


def test_each_gap_is_stored_without_words_and_has_some() -> None:
    found = [
        *gaps_of(present=(), uses=(), missing_nodes={}),
        *gaps_of(present=("Node",), uses=USES, missing_nodes={"n1": ["shop/web"]}),
        undefaulted_gap(["shop/web"]),
        unreadable_gap(BadInput(Missing(), file="dump.json", document=1, subject="Pod shop/web", field="spec"), 2),
    ]
    for gap in found:
        stored = json.loads(json.dumps(gap.as_dict()))
        said = worded_gap(stored)
        assert " " not in stored["kind"] + stored["unused"]
        assert said.kind == gap.kind
        assert said.affects
        assert said.felt is (gap.unused is None)

    assert {gap.kind for gap in found} >= set(OtherGap)
    assert {gap.unused for gap in found} == {None, Use.CLAIMS, Use.PRIORITY_CLASSES, Use.NAMESPACE_SELECTORS}


def a_gap(kind: str) -> dict[str, Any]:
    return Gap(kind, NoneInSource()).as_dict()


@pytest.mark.parametrize(("kind", "label"), [("missing-node", "Missing node"), ("pod-defaults", "Pod defaults")])
def test_what_is_no_kind_has_a_name(kind: str, label: str) -> None:
    assert worded_gap(a_gap(kind)).label == label
    assert worded_gap(a_gap("CSINode")).label == "CSINode"
