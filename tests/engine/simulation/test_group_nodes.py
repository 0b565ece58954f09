"""How many nodes let a whole group of pods in: the fewest, proved by trying."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.objects import Pod
from clusters.engine.scheduling import GroupVerdict, attempt_group
from clusters.engine.simulation import MoreNodes, NodeLikeness, NodesForGroup, nodes_for_group
from clusters.engine.simulation import node_counts as module
from clusters.engine.versions import Gate, Release
from tests.engine.builders import Document, a_node
from tests.engine.podgroups.groups import GROUPING, a_group, a_member

ZONE = "topology.kubernetes.io/zone"
MINORS = ("1.35", "1.36", "1.37")


def a_small_node(name: str, cpu: int, **labels: str) -> Document:
    return a_node(name, allocatable={"cpu": str(cpu)}, labels=labels)


def pods(number: int, *, cpu: int = 1, minor: str = "1.37", **fields: Any) -> list[Document]:
    return [a_member(f"p{each}", minor=minor, requests={"cpu": str(cpu)}, **fields) for each in range(number)]


def needed(
    nodes: list[Document],
    others: list[Document],
    release: Release = GROUPING["1.37"],
    *,
    daemon: Document | None = None,
) -> NodesForGroup | None:
    """What the pending pods among ``others`` need, of nodes like those that there are."""
    snapshot = Snapshot.from_objects([*nodes, *others], release)
    profile = SchedulerConfiguration.default(release).profiles[0]
    pod = next(Pod(each) for each in others if each["kind"] == "Pod" and not each["spec"].get("nodeName"))
    attempt = attempt_group(snapshot, pod, profile)
    assert attempt is not None
    assert attempt.verdict in (GroupVerdict.UNSCHEDULABLE, GroupVerdict.WAITS_ON_PERMIT)
    likenesses = [NodeLikeness(node, () if daemon is None else (daemon,)) for node in nodes]
    return nodes_for_group(MoreNodes(snapshot, likenesses), pod, profile, attempt)


@pytest.mark.parametrize("minor", MINORS)
def test_the_fewest_nodes_of_one_shape_are_named_the_smaller_first(minor: str) -> None:
    small, large = a_small_node("small", 1, pool="s"), a_small_node("large", 2, pool="l")
    others = [a_group(least=4, minor=minor), *pods(4, minor=minor)]

    # Three of four pods have room; one node of either shape takes the last.
    assert needed([small, large], others, GROUPING[minor]) == NodesForGroup("small", "s", 1, 4, 1)
    # Two are left: one large node is fewer than two small ones.
    more = [a_group(least=5, minor=minor), *pods(5, minor=minor)]
    assert needed([small, large], more, GROUPING[minor]) == NodesForGroup("large", "l", 1, 5, 2)
    assert needed([small], others, GROUPING[minor]) == NodesForGroup("small", "s", 3, 4, 3)


def test_a_node_that_takes_no_pod_of_the_group_is_not_named() -> None:
    assert needed([a_small_node("n1", 1)], [a_group(least=2), *pods(2, cpu=2)]) is None
    selected = pods(2, nodeSelector={"pool": "gold"})
    nodes = [a_small_node("plain", 9), a_small_node("gold", 1, pool="gold")]
    assert needed(nodes, [a_group(least=2), *selected]) == NodesForGroup("gold", "gold", 1, 2, 1)


def test_pods_of_daemon_sets_take_room_on_new_nodes() -> None:
    daemon = pods(1)[0] | {"metadata": {"name": "daemon", "namespace": "default"}}
    daemon["spec"] = {**daemon["spec"], "schedulingGroup": None}

    assert needed([a_small_node("n1", 1)], [a_group(least=2), *pods(2)], daemon=daemon) is None


def test_a_domain_that_is_nearly_large_enough_grows() -> None:
    release = GROUPING["1.37"].with_gates({Gate.GENERIC_WORKLOAD: True, Gate.TOPOLOGY_AWARE_WORKLOADS: True})
    group = a_group(least=3, schedulingConstraints={"topology": [{"key": ZONE}]})
    nodes = [a_small_node("a1", 1, **{ZONE: "a"}), a_small_node("b1", 2, **{ZONE: "b"})]

    found = needed(nodes, [group, *pods(3)], release)

    assert found is not None
    assert (found.like, found.nodes, found.found) == ("b1", 1, 3)


def test_too_much_is_not_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    others = [a_group(least=3), *pods(3)]
    assert needed([a_small_node("n1", 1)], others) == NodesForGroup("n1", "", 2, 3, 2)

    monkeypatch.setattr(module, "MOST_EVALUATED", 10)
    assert needed([a_small_node("n1", 1)], others) is None
    monkeypatch.undo()
    monkeypatch.setattr(module, "MOST_GROUP_NODES", 1)
    assert needed([a_small_node("n1", 1)], others) is None


@given(minor=st.sampled_from(MINORS), least=st.integers(2, 7), room=st.integers(1, 3))
def test_one_node_less_is_not_enough(minor: str, least: int, room: int) -> None:
    node = a_small_node("n0", room)
    missing = least - room
    others = [a_group(least=least, minor=minor), *pods(least, minor=minor)]
    if missing <= 0:
        return

    assert needed([node], others, GROUPING[minor]) == NodesForGroup("n0", "", -(-missing // room), least, missing)
