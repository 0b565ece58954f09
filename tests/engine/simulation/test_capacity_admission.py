"""Headroom and nodes needed under quotas and LimitRanges: how many more pods are created, whatever nodes there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.simulation import Headroom, Portion, Wanted, headroom, nodes_needed
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.quotas.quotas import a_quota

if TYPE_CHECKING:
    from clusters.engine.simulation.node_counts import NodesNeeded

DEFAULT = SchedulerConfiguration.default()
NODES = [a_node(name, allocatable={"cpu": "4", "memory": "16Gi"}) for name in ("a", "b")]


def counted(*objects: Document, shape: Document | None = None) -> Headroom:
    asked = shape or a_pod("web", requests={"cpu": "1"})
    return headroom(Snapshot.from_objects([*NODES, *objects]), DEFAULT, [Portion(asked)], admits=True)


def cpu_quota(hard: str, used: str = "0") -> Document:
    return a_quota("cpu", hard={"requests.cpu": hard}, used={"requests.cpu": used})


def test_a_quota_stops_the_count_with_the_message_of_the_api_server() -> None:
    found = counted(cpu_quota("5", "2500m"))

    assert (found.count, found.is_computed) == (2, False)
    assert sum(found.nodes.values()) == 2
    assert found.stop is not None
    assert (found.stop.is_forbidden, found.stop.reasons) == (True, ())
    assert found.stop.message == (
        'pods "web-headroom-0-2" is forbidden: exceeded quota: cpu, requested: requests.cpu=1, '
        "used: requests.cpu=4500m, limited: requests.cpu=5"
    )


def test_a_quota_with_more_room_than_the_nodes_does_not_stop_it() -> None:
    found = counted(cpu_quota("9"))

    assert (found.count, found.is_computed) == (8, True)
    assert found.stop is not None
    assert not found.stop.is_forbidden


def test_where_both_end_together_the_api_server_answers_first() -> None:
    found = counted(cpu_quota("8"))

    assert found.count == 8
    assert found.stop is not None
    assert found.stop.is_forbidden


def test_a_limit_range_lets_none_in() -> None:
    bounds = {"type": "Container", "max": {"cpu": "500m"}}
    limits = {"kind": "LimitRange", "metadata": {"name": "r", "namespace": "default"}, "spec": {"limits": [bounds]}}

    found = counted(limits, shape=a_pod("web", containers=[_limited("1")]))

    assert found.count == 0
    assert found.stop is not None
    assert found.stop.message == (
        'pods "web-headroom-0-0" is forbidden: maximum cpu usage per Container is 500m, but limit is 1'
    )


def test_a_mix_ends_with_the_first_that_is_refused() -> None:
    small, large = a_pod("small", requests={"cpu": "500m"}), a_pod("large", requests={"cpu": "1"})
    snapshot = Snapshot.from_objects([*NODES, cpu_quota("3")])

    found = headroom(snapshot, DEFAULT, [Portion(small), Portion(large)], admits=True)

    assert found.counts == (2, 2)
    assert found.stop is not None
    assert (found.stop.portion, found.stop.is_forbidden) == (0, True)


def test_nobody_is_asked_unless_it_is_wanted() -> None:
    snapshot = Snapshot.from_objects([*NODES, cpu_quota("1")])

    assert headroom(snapshot, DEFAULT, [Portion(a_pod("web", requests={"cpu": "1"}))]).count == 8


@given(hard=st.integers(0, 9), used=st.integers(0, 9), pods=st.integers(1, 9), milli=st.sampled_from([250, 500, 1000]))
@settings(max_examples=40)
def test_it_is_what_quota_and_nodes_have_room_for(hard: int, used: int, pods: int, milli: int) -> None:
    quotas = [cpu_quota(str(hard), str(used)), a_quota("pods", hard={"pods": str(pods)}, used={})]

    found = counted(*quotas, shape=a_pod("web", requests={"cpu": f"{milli}m"}))

    on_nodes, left = 8000 // milli, 1000 * max(0, hard - used) // milli
    assert found.count == min(on_nodes, left, pods)
    assert found.stop is not None
    assert found.stop.is_forbidden is (min(left, pods) <= on_nodes)


# -- nodes needed ------------------------------------------------------------------------------------------------------


def needed(pods: int, *objects: Document, **options: Any) -> NodesNeeded:
    wanted = [Wanted(a_pod(f"web-{place}", requests={"cpu": "2"})) for place in range(pods)]
    return nodes_needed(Snapshot.from_objects([*NODES, *objects]), DEFAULT, NODES[0], wanted, admits=True, **options)


def test_no_node_helps_a_pod_that_the_api_server_does_not_create() -> None:
    found = needed(6, cpu_quota("11"))

    assert (found.count, found.never, len(found.trials)) == (None, True, 1)
    assert found.stop is not None
    assert found.stop.is_forbidden
    assert found.stop.message == (
        'pods "web-5" is forbidden: exceeded quota: cpu, requested: requests.cpu=2, used: requests.cpu=10, '
        "limited: requests.cpu=11"
    )


def test_with_room_in_the_quota_nodes_help() -> None:
    found = needed(6, cpu_quota("12"))

    assert (found.count, found.never) == (1, False)


def test_a_pod_that_is_created_once_another_is_gone_needs_no_room_beside_it() -> None:
    owner = {"kind": "ReplicaSet", "apiVersion": "apps/v1", "name": "web", "controller": True}
    pods = [a_pod(f"web-{place}", requests={"cpu": "2"}) for place in range(3)]
    for pod in pods:
        pod["metadata"]["ownerReferences"] = [owner]
    wanted = [Wanted(pod, at=place, until=10 + place) for place, pod in enumerate(pods)]
    snapshot = Snapshot.from_objects([*NODES, cpu_quota("4")])

    found = nodes_needed(snapshot, DEFAULT, NODES[0], wanted, admits=True)

    assert found.count == 0


def _limited(cpu: str) -> Document:
    return {"name": "main", "image": "app:1", "resources": {"requests": {"cpu": cpu}, "limits": {"cpu": cpu}}}
