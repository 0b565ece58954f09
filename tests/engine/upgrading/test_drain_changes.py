"""The drain of each pool under two releases: what differs, by release and rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.disruption import Block
from clusters.engine.upgrading import (
    Amendment,
    AmendmentKind,
    DrainAspect,
    NodeDrainAnswer,
    ReplacedPod,
    SampledDrains,
    UpgradeCase,
    releases_between,
    sampled_pools,
    upgrade_preview,
)
from clusters.engine.upgrading.drains import (
    MOST_POOLS,
    DrainComparison,
    DrainsUnderReleases,
    PodLeftPending,
    drain_aspects_between,
)
from clusters.engine.versions import RELEASES, Release
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.disruption.builders import a_budget, a_deployment, an_owner, reference, reporting
from tests.engine.upgrading.test_upgrade import case_of

TAINT = {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}
REPLICA_SET = a_deployment(1)[1]


def pool_node(name: str, pool: str, **more: Any) -> Document:
    return a_node(name, labels={"pool": pool}, **more)


def web(name: str, node: str, **more: Any) -> Document:
    pod = a_pod(name, node=node, labels={"app": "web"}, **more)
    pod["metadata"]["ownerReferences"] = [reference(REPLICA_SET)]
    return {**pod, "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}


def drained_case(before: str, after: str, *objects: Document, lasting: frozenset[str] = frozenset()) -> UpgradeCase:
    case = case_of(before, after, *objects)
    pools, left_out = sampled_pools(case.snapshot)
    pods = [each for each in objects if each["kind"] == "Pod" and each["spec"].get("nodeName")]
    return replace(case, drains=SampledDrains(pools, pods, lasting=lasting, pools_left_out=left_out))


def drains(before: str, after: str, *objects: Document, lasting: frozenset[str] = frozenset()) -> DrainComparison:
    return upgrade_preview(drained_case(before, after, *objects, lasting=lasting)).drains


def test_a_replacement_that_would_be_pending_has_another_message() -> None:
    found = drains("1.34", "1.35", pool_node("a", "web"), pool_node("b", "gpu", taints=[TAINT]), web("web-0", "a"))

    gpu, of_web = found.pools
    assert (gpu.name, gpu.nodes, gpu.changes) == ("gpu", ("b",), ())
    (change,) = of_web.changes
    assert (change.node, change.aspect, change.minor) == ("a", DrainAspect.MESSAGE, "1.35")
    assert change.amendments == (Amendment(AmendmentKind.RULE, "names_taints"),)
    assert (change.before.block, change.after.block) == (Block.NO_ROOM, Block.NO_ROOM)
    ((pod, message),) = [(each.pod, each.message) for each in change.before.pending]
    assert pod == "default/web-0"
    assert "{dedicated: gpu}" in message
    assert "{dedicated: gpu}" not in change.after.pending[0].message
    assert of_web.changed_nodes == {"a"}


def test_replacements_that_go_to_another_node_say_which_rule_sends_them() -> None:
    filling = web("there", "tilted", requests={"cpu": "0", "memory": "1Gi"})
    moved = web("web-0", "old", requests={"cpu": "2", "memory": "0"})
    objects = [
        pool_node("old", "small", allocatable={"cpu": "2", "memory": "8Gi", "pods": "10"}),
        pool_node("tilted", "large", allocatable={"cpu": "4", "memory": "8Gi", "pods": "10"}),
        pool_node("zeven", "large", allocatable={"cpu": "4", "memory": "8Gi", "pods": "10"}),
    ]

    found = drains("1.34", "1.37", *objects, filling, moved)

    (change,) = [each for pool in found.pools for each in pool.changes if pool.name == "small"]
    assert (change.node, change.aspect, change.minor) == ("old", DrainAspect.NODES, "1.36")
    assert change.amendments == (Amendment(AmendmentKind.RULE, "balances_by_improvement"),)
    assert change.before.replaced == (ReplacedPod("default/web-0", "zeven", is_certain=True),)
    assert change.after.replaced == (ReplacedPod("default/web-0", "tilted", is_certain=True),)


def test_a_driver_that_nodes_lack_blocks_a_drain_with_1_37() -> None:
    claim = {
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data", "namespace": "default"},
        "spec": {"storageClassName": "local", "resources": {"requests": {"storage": "20Gi"}}},
    }
    storage_class = {
        "kind": "StorageClass",
        "metadata": {"name": "local"},
        "provisioner": "disk.example.com",
        "volumeBindingMode": "WaitForFirstConsumer",
    }
    driver = {
        "kind": "CSIDriver",
        "metadata": {"name": "disk.example.com"},
        "spec": {"preventPodSchedulingIfMissing": True},
    }
    pod = web("web-0", "a", volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}])

    found = drains("1.36", "1.37", pool_node("a", "x"), pool_node("b", "y"), claim, storage_class, driver, pod)

    (change,) = found.pools[0].changes
    assert (change.aspect, change.before.block, change.after.block) == (DrainAspect.VERDICT, None, Block.NO_ROOM)
    assert [each.pod for each in change.after.pending] == ["default/web-0"]


def test_a_budget_that_blocks_under_both_is_no_difference() -> None:
    budget = reporting(
        a_budget(minAvailable=1), disruptionsAllowed=0, currentHealthy=1, desiredHealthy=1, expectedPods=1
    )
    objects = [pool_node("a", "web"), pool_node("b", "web"), web("web-0", "a"), budget]

    found = drains("1.34", "1.37", *objects, lasting=frozenset({"default/web"}))

    assert [(pool.nodes, pool.changes) for pool in found.pools] == [(("a", "b"), ())]


def test_refused_evictions_are_part_of_the_verdict() -> None:
    blocked = NodeDrainAnswer(Block.BUDGET, refused=("default/web-0",), budgets=("default/web",))

    assert drain_aspects_between(blocked, NodeDrainAnswer(None)) == (DrainAspect.VERDICT,)
    assert drain_aspects_between(blocked, replace(blocked, refused=("default/web-1",))) == (DrainAspect.VERDICT,)


def test_where_the_verdict_is_the_same_nodes_and_messages_are_told() -> None:
    answer = NodeDrainAnswer(None, (ReplacedPod("default/a", "n1", is_certain=True),))
    other = replace(answer, replaced=(ReplacedPod("default/a", "n1", is_certain=False),))
    pending = NodeDrainAnswer(Block.NO_ROOM, pending=(PodLeftPending("default/a", "0/1"),))

    assert drain_aspects_between(answer, other) == (DrainAspect.NODES,)
    assert drain_aspects_between(pending, replace(pending, pending=(PodLeftPending("default/a", "0/2"),))) == (
        DrainAspect.MESSAGE,
    )
    assert drain_aspects_between(answer, answer) == ()


def test_a_pod_of_a_stateful_set_is_followed_by_its_name() -> None:
    pod = a_pod("db-0", node="a")
    pod["metadata"]["ownerReferences"] = [reference(an_owner("StatefulSet", "db"))]
    budget = a_budget(labels={"app": "db"})

    found = drains("1.34", "1.37", pool_node("a", "x"), pool_node("b", "y"), pod, budget)

    assert [pool.changes for pool in found.pools] == [(), ()]


def test_a_drain_that_fails_is_told_and_left_out() -> None:
    told: list[str] = []

    def world(_: Release) -> tuple[Snapshot, SchedulerConfiguration]:
        return Snapshot.from_objects([pool_node("other", "web")], RELEASES["1.34"]), SchedulerConfiguration.default()

    sampled = drained_case("1.34", "1.35", pool_node("a", "web"), web("web-0", "a")).drains
    drained = DrainsUnderReleases(sampled, world, lambda: False, lambda what, _: told.append(what))
    found = drained.compared(releases_between(RELEASES["1.34"], RELEASES["1.35"]))

    assert (found.pools, found.left_out, told) == ((), 1, ["Drain of pool web"])


def test_of_many_pools_the_first_by_name_are_drained() -> None:
    snapshot = Snapshot.from_objects(
        [pool_node(f"n{number}", f"p{number:03}") for number in range(MOST_POOLS + 3)], RELEASES["1.34"]
    )

    pools, left_out = sampled_pools(snapshot)

    assert (len(pools), left_out, pools[0].name) == (MOST_POOLS, 3, "p000")


@given(
    st.lists(st.tuples(st.sampled_from(["", "x", "y"]), st.integers(0, 4)), min_size=1, max_size=12), st.integers(1, 9)
)
def test_pools_share_the_pods_and_have_one_node_at_least(nodes: list[tuple[str, int]], most: int) -> None:
    objects: list[Document] = []
    for number, (pool, pods) in enumerate(nodes):
        name = f"n{number:02}"
        objects.append(a_node(name, labels={"pool": pool} if pool else {}))
        objects += [a_pod(f"{name}-{each}", node=name) for each in range(pods)]

    pools, left_out = sampled_pools(Snapshot.from_objects(objects, RELEASES["1.34"]), most)

    pods_of = {f"n{number:02}": pods for number, (_, pods) in enumerate(nodes)}
    assert left_out == 0
    assert sum(each.node_count for each in pools) == len(nodes)
    assert all(pool.nodes for pool in pools)
    assert sum(pods_of[node] for pool in pools if len(pool.nodes) > 1 for node in pool.nodes) <= most
    if sum(pods_of.values()) <= most:
        assert all(len(pool.nodes) == pool.node_count for pool in pools)
    assert [each.name for each in pools] == sorted({pool for pool, _ in nodes}, key=lambda name: (not name, name))
