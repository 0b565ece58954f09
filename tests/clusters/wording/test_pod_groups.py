"""What becomes of the group of a pod, in sentences: the verdict, the attempt, the cause and the document agree."""

from __future__ import annotations

import msgspec
import pytest

from clusters.documents.writing import explanation_document
from clusters.engine import Explanation, SchedulerConfiguration, explain
from clusters.wording.decisions.verdict import verdict_sentence
from tests.engine.builders import a_node
from tests.engine.podgroups.groups import a_cluster, a_group, a_member


def explained(cpu: int, *, least: int | None = 2, minor: str = "1.37", **spec: object) -> Explanation:
    pods = [a_member("a", minor=minor, requests={"cpu": "1"}), a_member("b", minor=minor, requests={"cpu": "1"})]
    pods[1]["spec"].update(spec)
    node = a_node("n1", allocatable={"cpu": str(cpu)})
    snapshot = a_cluster(minor, node, a_group(least=least, minor=minor), *pods)
    return explain(snapshot, pods[0], SchedulerConfiguration.default(snapshot.release).profiles[0])


def test_a_gang_that_is_scheduled_is_counted() -> None:
    assert verdict_sentence(explained(2)) == (
        "Fits on 1 of 1 node. The scheduler would choose n1. "
        "Its group default/train is scheduled: 2 pods of at least 2."
    )


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_the_pod_that_blocks_a_gang_is_named_with_its_reason(minor: str) -> None:
    found = explained(1, minor=minor)

    assert verdict_sentence(found) == (
        "It finds a node, but its group default/train is not schedulable. 1 of 2 required pods "
        "have or find a node. default/b finds none: 0/1 nodes are available: 1 Insufficient cpu."
    )


def test_a_document_has_the_group_with_its_members_in_their_order() -> None:
    document = msgspec.to_builtins(explanation_document(explained(1)))

    group = document["podGroup"]
    assert (group["name"], group["least"], group["existing"], group["found"]) == ("default/train", 2, 2, 1)
    assert group["verdict"] == "unschedulable"
    assert [(each["pod"], each["node"], each["reached"]) for each in group["members"]] == [
        ("default/a", "n1", True),
        ("default/b", None, True),
    ]
    assert document["fits"] is False


def test_a_pod_that_is_held_back_holds_its_group_back() -> None:
    assert verdict_sentence(explained(2, schedulingGates=[{"name": "wait"}])) == (
        "default/b keeps its whole group default/train out of the queue."
    )


def test_pods_that_are_unlike_are_an_error_of_the_group() -> None:
    assert verdict_sentence(explained(2, priority=3)) == (
        "The group default/train is not scheduled: all pods in a single pod group should have the same "
        "priority as the pod group's priority, got 3 and 0."
    )


def test_the_basic_policy_is_named() -> None:
    assert verdict_sentence(explained(2, least=None)).endswith(
        "Its group default/train has the basic policy: its pods are scheduled one by one."
    )
