"""How many feasible nodes end the scheduler's search."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine.scheduling import Sampling
from tests.engine.builders import Document, a_node, a_pod, explanation_of


@pytest.mark.parametrize(
    ("nodes", "percentage", "wanted"),
    [
        (0, 0, 0),
        (99, 1, 99),
        (100, 1, 100),
        # 50 - 200 / 125, truncated: 49 percent of 200 are 98.
        (200, 0, 100),
        # 50 - 250 / 125: 48 percent of 250.
        (250, 0, 120),
        # Truncated: 48 percent of 251 are 120.48.
        (251, 0, 120),
        # The share reaches its floor of 5 percent at 5625 nodes; 5624 still have 6: 337.44.
        (5624, 0, 337),
        (5625, 0, 281),
        (20000, 0, 1000),
        (15000, 5, 750),
        (15000, 100, 15000),
    ],
)
def test_numbers_of_nodes(nodes: int, percentage: int, wanted: int) -> None:
    sampling = Sampling.of(percentage, nodes)

    assert sampling == Sampling(nodes, wanted)
    assert sampling.complete == (wanted == nodes)


@given(nodes=st.integers(0, 20000), percentage=st.integers(0, 100))
def test_never_more_than_there_are_and_never_too_few(nodes: int, percentage: int) -> None:
    wanted = Sampling.of(percentage, nodes).wanted

    assert min(nodes, 100) <= wanted <= nodes
    assert wanted >= nodes * (percentage or 5) // 100


@pytest.mark.parametrize(("global_percentage", "own", "wanted"), [(0, None, 100), (100, None, 120), (100, 90, 108)])
def test_the_profile_decides_before_the_configuration(global_percentage: int, own: int | None, wanted: int) -> None:
    profile: Document = {} if own is None else {"percentageOfNodesToScore": own}
    nodes = [a_node(f"n{number}") for number in range(120)]

    explanation = explanation_of(a_pod(), *nodes, percentageOfNodesToScore=global_percentage, profiles=[profile])

    assert explanation.sampling == Sampling(120, wanted)


def test_only_nodes_that_prefilter_leaves_are_searched() -> None:
    """Of 120 nodes 2 are named, so the search is complete."""
    fields = [
        {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [name]}]} for name in ("n1", "n2", "gone")
    ]
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": fields}}
    nodes = [a_node(f"n{number}") for number in range(120)]

    explanation = explanation_of(a_pod(affinity={"nodeAffinity": required}), *nodes)

    assert explanation.sampling == Sampling(2, 2)
    assert explanation.feasible == ["n1", "n2"]
