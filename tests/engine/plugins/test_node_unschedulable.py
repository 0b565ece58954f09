from __future__ import annotations

import pytest

from clusters.engine.plugins.node_unschedulable import CordonComparison, Cordoned
from clusters.engine.status import unresolvable
from tests.engine.builders import Document, a_node, a_pod, explanation_of

NAME = "NodeUnschedulable"
KEY = "node.kubernetes.io/unschedulable"


@pytest.mark.parametrize(
    ("toleration", "tolerated"),
    [
        ({"key": KEY, "operator": "Exists"}, True),
        ({"key": KEY, "effect": "NoSchedule"}, True),
        ({"operator": "Exists"}, True),
        ({"key": KEY, "operator": "Exists", "effect": "NoExecute"}, False),
        ({"key": KEY, "value": "true"}, False),
        ({"key": "other", "operator": "Exists"}, False),
    ],
)
def test_a_cordoned_node_takes_who_tolerates_that(toleration: Document, tolerated: bool) -> None:
    """The cordon counts as a taint without a value, whether or not the node carries it."""
    nodes = (a_node("cordoned", unschedulable=True), a_node("open"))
    explanation = explanation_of(a_pod(tolerations=[toleration]), *nodes)

    assert explanation.rejections_of(0) == ({} if tolerated else {NAME: unresolvable(Cordoned())})
    assert explanation.rejections_of(1) == {}
    for row, cordoned in enumerate((True, False)):
        (evidence,) = explanation.evidence(row)[NAME]
        assert evidence == CordonComparison(unschedulable=cordoned, tolerated=tolerated)
        assert evidence.holds == (tolerated or not cordoned)
