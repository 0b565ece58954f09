"""Which remedy is told first: the order as data, and where each sort of change stands in it."""

from __future__ import annotations

import pytest

from clusters.engine.analysis import AwaitPods, CreateClaim, Realism, realism_of
from clusters.engine.analysis.remedies import realism_of_remedy
from tests.engine.builders import Document, a_node, a_pod, explanation_of

HOST = "kubernetes.io/hostname"
TERM = {"topologyKey": HOST, "labelSelector": {"matchLabels": {"app": "web"}}}
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def of_singles(pod: Document, *cluster: Document) -> set[Realism]:
    """Return how realistic the single changes are that would each make a pod fit."""
    return {realism_of(lift.lifted) for lift in explanation_of(pod, *cluster).relaxations.singles}


@pytest.mark.parametrize(
    ("pod", "node", "realism"),
    [
        ({}, {"taints": [{"key": "gpu", "effect": "NoSchedule"}]}, Realism.TOLERATE),
        (
            {},
            {"taints": [{"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"}]},
            Realism.CONTROL_PLANE,
        ),
        ({}, {"taints": [{"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}]}, Realism.REPAIR_NODE),
        ({}, {"unschedulable": True}, Realism.CHANGE_NODE),
        ({"nodeSelector": {"disk": "ssd"}}, {}, Realism.REMOVE),
        ({"affinity": {"podAffinity": {REQUIRED: [TERM]}}}, {}, Realism.PREFER),
        (
            {
                "affinity": {
                    "nodeAffinity": {
                        REQUIRED: {
                            "nodeSelectorTerms": [
                                {"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]}
                            ]
                        }
                    }
                }
            },
            {},
            Realism.PREFER,
        ),
        ({"requests": {"cpu": "9"}}, {}, Realism.REQUEST_NONE),
    ],
)
def test_each_change_has_its_place(pod: Document, node: Document, realism: Realism) -> None:
    assert of_singles(a_pod(**pod), a_node("n", **node)) == {realism}


def test_what_others_require_is_not_the_pod_s_to_prefer() -> None:
    holder = a_pod("holder", node="n", affinity={"podAntiAffinity": {REQUIRED: [TERM]}})

    assert of_singles(a_pod(labels={"app": "web"}), a_node("n"), holder) == {Realism.REMOVE}


def test_waiting_comes_before_what_has_to_be_provided() -> None:
    assert realism_of_remedy(AwaitPods("data", ("shop/holder",))) is Realism.AWAIT
    assert realism_of_remedy(CreateClaim("data", "shop", is_none_known=False)) is Realism.PROVIDE


def test_the_order_is_the_one_that_is_documented() -> None:
    order = list(Realism)

    assert order == sorted(order)
    assert order.index(Realism.AWAIT) < order.index(Realism.ADD_NODE) < order.index(Realism.LOWER_UNUSED)
    assert order.index(Realism.LOWER_UNUSED) < order.index(Realism.TOLERATE) < order.index(Realism.PREFER)
    assert order.index(Realism.LOWER) > order.index(Realism.PREFER)
