from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from clusters.engine.plugin import Constraint
from clusters.engine.plugins.node_name import NodeName, NodeNameComparison
from tests.engine.builders import a_context, a_node, a_pod
from tests.support.answers import known

NODES = ("elm", "oak", "ash")


def plugin_for(wanted: str | None, *names: str) -> NodeName:
    return NodeName(a_context(a_pod(node=wanted), *(a_node(name) for name in names)))


def test_pod_that_does_not_name_its_node_passes_once_that_is_lifted() -> None:
    plugin = plugin_for("oak", "elm", "oak")

    (constraint,) = plugin.constraints()
    assert constraint == Constraint("NodeName", edit=constraint.edit)
    assert "nodeName" not in known(constraint.edit).apply(a_pod(node="oak"))["spec"]
    assert plugin.filter(lifted=frozenset({0})).failed is None


@pytest.mark.parametrize(("row", "holds"), [(0, False), (1, True)])
def test_evidence_says_which_name_was_asked_for(row: int, holds: bool) -> None:
    (evidence,) = plugin_for("oak", "elm", "oak").evidence(row)

    assert evidence == NodeNameComparison(requested="oak", node=("elm", "oak")[row])
    assert evidence.holds is holds


@given(st.sampled_from(("", *NODES, "gone")), st.lists(st.sampled_from(NODES), unique=True))
def test_arrays_agree_with_the_rule_for_one_node(wanted: str, names: list[str]) -> None:
    plugin = plugin_for(wanted or None, *names)

    failed = plugin.filter().failed
    rejected = [False] * len(names) if failed is None else failed.tolist()
    assert rejected == [bool(wanted) and wanted != name for name in plugin.snapshot.nodes.names]
