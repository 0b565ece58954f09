"""Words and figures of a decision, without a page around them."""

from __future__ import annotations

import pytest

from clusters.engine.plugins.node_resources_fit import Insufficient
from clusters.engine.plugins.node_unschedulable import Cordoned
from clusters.engine.plugins.taint_toleration import Untolerated
from clusters.engine.scheduling import LeftOut
from clusters.engine.status import QuotedReason, Reason
from clusters.wording.plugins.reasons import nodes_by_reason, reason_phrase, reason_phrases


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (Insufficient("cpu"), "insufficient CPU"),
        (Insufficient("example.com/gpu"), "insufficient example.com/gpu"),
        (Untolerated("dedicated", "gpu"), "untolerated taint dedicated=gpu"),
        (Untolerated("maintenance"), "untolerated taint maintenance"),
        (Cordoned(), "unschedulable (cordoned)"),
        (LeftOut(("NodeAffinity",)), "left out by NodeAffinity in PreFilter"),
        (QuotedReason("of a plugin unheard of"), "of a plugin unheard of"),
    ],
)
def test_reasons_with_parts_are_spoken(reason: Reason, said: str) -> None:
    assert reason_phrase(reason) == said


def test_resources_are_insufficient_together() -> None:
    reasons = [Insufficient("pods"), Insufficient("cpu"), Insufficient("memory")]

    assert reason_phrases(reasons) == "node pod limit reached, insufficient CPU and memory"


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            [
                (Untolerated("a", "b"), 2),
                (Untolerated("c"), 1),
                (QuotedReason("unheard of"), 4),
            ],
            "unheard of on 4 nodes; untolerated taints on 3 nodes",
        ),
        ([(Untolerated("a", "b"), 2)], "untolerated taint a=b on 2 nodes"),
    ],
)
def test_taints_that_differ_are_counted_together(found: list[tuple[Reason, int]], said: str) -> None:
    assert nodes_by_reason(found) == said
