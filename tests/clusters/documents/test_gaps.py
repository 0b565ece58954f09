"""What a source lacks is stored by identifiers; rows of earlier releases are read too."""

from __future__ import annotations

import json

import pytest

from clusters.adapters.bad_input import BadInput
from clusters.adapters.state import USES, Gap, gaps_of, undefaulted_gap, unreadable_gap
from clusters.documents.gaps import worded_gap
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


@pytest.mark.parametrize(("kind", "label"), [("missing-node", "Missing node"), ("pod-defaults", "Pod defaults")])
def test_what_is_no_kind_has_a_name(kind: str, label: str) -> None:
    assert worded_gap({"kind": kind}).label == label
    assert worded_gap({"kind": "CSINode"}).label == "CSINode"


@pytest.mark.parametrize(
    ("former", "gap"),
    [
        ({"kind": "Missing node"}, Gap(OtherGap.MISSING_NODE, NoneInSource())),
        ({"kind": "Pod defaults"}, Gap(OtherGap.POD_DEFAULTS, NoneInSource())),
        (
            {"kind": "PriorityClass", "unused": "priority classes"},
            Gap("PriorityClass", NoneInSource(), Use.PRIORITY_CLASSES),
        ),
        ({"kind": "StorageClass", "unused": "claims"}, Gap("StorageClass", NoneInSource(), Use.CLAIMS)),
    ],
)
def test_rows_of_earlier_releases_are_read(former: dict[str, str], gap: Gap) -> None:
    now = gap.as_dict()

    assert worded_gap({"unused": "", **former, "why": now["why"]}) == worded_gap(now)


def test_a_gap_of_an_earlier_release_keeps_the_sentences_of_its_row() -> None:
    said = worded_gap({"kind": "Volumes", "why": "None was listed.", "affects": "Volumes."})

    assert (said.label, said.why, said.affects) == ("Volumes", "None was listed.", "Volumes.")
