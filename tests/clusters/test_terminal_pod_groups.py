"""A pod's explanation in the terminal names its group."""

from __future__ import annotations

import pytest
from django.core.management.color import no_style

from clusters.engine import SchedulerConfiguration, explain
from clusters.management.terminal.decision import Decision
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.podgroups.groups import GROUPING, a_cluster, a_group, a_member


def lines(minor: str, pod: Document, *objects: Document) -> str:
    """Return the report about a pod that is one of the cluster's."""
    snapshot = a_cluster(minor, a_node("n1"), pod, *objects)
    profile = SchedulerConfiguration.default(snapshot.release).profiles[0]
    return "\n".join(Decision(explain(snapshot, pod, profile), no_style(), 100, version=()).lines())


@pytest.mark.parametrize("minor", GROUPING)
def test_the_group_of_a_pod_is_named_with_its_numbers(minor: str) -> None:
    name = "default/train/workers" if minor == "1.35" else "default/train"

    said = lines(minor, a_member("a", minor=minor), a_group(least=3, minor=minor), a_member("b", minor=minor))

    assert f"Pod group {name}, of which 2 pods exist; minCount is 3." in said


def test_a_group_without_a_least_number_has_its_pods_alone() -> None:
    assert "Pod group default/train, of which 1 pod exists.\n" in lines("1.37", a_member("a"), a_group(least=None))


def test_a_pod_without_a_group_names_none() -> None:
    assert "Pod group" not in lines("1.37", a_pod("a"), a_group())
