from __future__ import annotations

import pytest

from clusters.engine.plugins.node_resources_balanced_allocation import ResourceFraction
from tests.engine.builders import Document, a_node, a_pod, explanation_of, raw_scores_of, with_arguments

NAME = "NodeResourcesBalancedAllocation"
GPU = "example.com/gpu"


def resources(*names: str) -> Document:
    return with_arguments(NAME, resources=[{"name": name, "weight": 1} for name in names])


@pytest.mark.parametrize(
    ("names", "score"),
    [
        # Of 8 cpu, 16 Gi, 4 gpu are asked: 1/4, 1/2, 3/4.
        pytest.param(("cpu",), 100, id="one resource is always even"),
        # Half the difference is 0.125.
        pytest.param(("cpu", "memory"), 87, id="two"),
        pytest.param(("cpu", GPU), 75, id="two of another kind"),
        # The mean is 1/2; the root of (1/16 + 0 + 1/16) / 3 is 0.2041.
        pytest.param(("cpu", "memory", GPU), 79, id="three"),
        # Ephemeral storage is not there, so that two are left.
        pytest.param(("cpu", "memory", "ephemeral-storage"), 87, id="one of three that the node lacks"),
        # The scheduler counts other scalar resources only where the pod requests them.
        pytest.param(("cpu", "memory", "example.com/nic"), 87, id="one of three that the pod does not ask for"),
    ],
)
def test_evenness_over_resources(names: tuple[str, ...], score: int) -> None:
    node = a_node("n", allocatable={GPU: "4", "example.com/nic": "4"})

    explanation = explanation_of(a_pod(requests={"cpu": "2", "memory": "8Gi", GPU: "3"}), node, **resources(*names))

    assert raw_scores_of(explanation, NAME) == {"n": score}


def test_a_resource_is_used_up_at_most() -> None:
    """Memory is overcommitted: 1, not 3/2; cpu stands at 1/4, so that half the difference is 0.375."""
    placed = a_pod("p", node="n", requests={"memory": "24Gi"})
    explanation = explanation_of(a_pod(requests={"cpu": "2"}), a_node("n"), placed)

    assert raw_scores_of(explanation, NAME) == {"n": 62}
    assert explanation.score_evidence(0, NAME) == (
        ResourceFraction("cpu", 2000, 8000, 0.25),
        ResourceFraction("memory", 24 * 1024**3, 16 * 1024**3, 1.0),
    )
