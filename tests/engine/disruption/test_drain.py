"""Plans for draining nodes, rule by rule."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.disruption import Block, DrainCase, DrainOptions, Flag, Plan, Treatment, alone_blockers, drain_plan
from clusters.engine.disruption.drains import DrainWorld, handling_of, replacement_of
from clusters.engine.objects import Pod
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.disruption.builders import (
    WEB,
    a_budget,
    a_deployment,
    an_owner,
    leaving,
    reference,
    running,
    synced,
)

DEFAULT = SchedulerConfiguration.default()
DEPLOYMENT, REPLICA_SET = a_deployment(3)
EMPTY_DIR: Document = {"name": "scratch", "emptyDir": {}}
DAEMONS = frozenset({"default/agent"})


def plan_of(*objects: Document, nodes: list[str], lasting: frozenset[str] = frozenset(), **options: Any) -> Plan:
    """The plan for some nodes of the cluster that these objects make."""
    pods = [each for each in objects if each["kind"] == "Pod" and each["spec"].get("nodeName") in nodes]
    others = [each for each in objects if each["kind"] == "Pod" and not each["spec"].get("nodeName")]
    case = DrainCase(nodes, pods, others, lasting)
    return drain_plan(Snapshot.from_objects(objects), DEFAULT, case, DrainOptions(**options))


def batches(plan: Plan) -> list[list[str]]:
    return [[node.name for node in batch.nodes] for batch in plan.batches]


def stuck(plan: Plan) -> dict[str, Block]:
    return {node.name: node.kind for node in plan.blocked}


def nodes(count: int, **allocatable: str) -> list[Document]:
    return [a_node(f"node-{number}", allocatable=allocatable) for number in range(1, count + 1)]


def web(number: int, node: str, **spec: Any) -> Document:
    pod = running(f"web-{number}", node, owner=REPLICA_SET)
    pod["spec"].update(spec)
    return pod


def web_with(amount: str, *places: str) -> list[Document]:
    """A Deployment's pods on these nodes, each asking for so many CPUs, and what controls them."""
    pods = [web(number, node) for number, node in enumerate(places)]
    for pod in pods:
        pod["spec"]["containers"][0]["resources"] = {"requests": {"cpu": amount}}
    return [DEPLOYMENT, REPLICA_SET, *pods]


def owned(kind: str, name: str, **spec: Any) -> Document:
    pod = a_pod(f"{name}-x", node="node-1", **spec)
    pod["metadata"]["ownerReferences"] = [reference(an_owner(kind, name))]
    pod["status"] = {"phase": "Running"}
    return pod


@pytest.mark.parametrize(
    ("pod", "expected", "wants"),
    [
        (owned("ReplicaSet", "web"), Treatment.EVICTED, ()),
        (owned("DaemonSet", "agent"), Treatment.DAEMON_SET, ()),
        (owned("DaemonSet", "gone"), Treatment.HELD, (Flag.FORCE,)),
        (owned("Node", "node-1"), Treatment.STATIC, ()),
        (running("bare", "node-1"), Treatment.HELD, (Flag.FORCE,)),
        (running("bare", "node-1", phase="Failed"), Treatment.EVICTED, ()),
    ],
)
def test_treatment(pod: Document, expected: Treatment, wants: tuple[Flag, ...]) -> None:
    found = handling_of(Pod(pod), DrainOptions(), DAEMONS)

    assert (found.treatment, found.wants) == (expected, wants)


def test_local_data_goes_only_when_told() -> None:
    pod = owned("ReplicaSet", "web")
    pod["spec"]["volumes"] = [EMPTY_DIR]

    kept, lost = (handling_of(Pod(pod), DrainOptions(empty_dirs=given)) for given in (False, True))

    assert (kept.treatment, kept.wants) == (Treatment.HELD, (Flag.EMPTY_DIR,))
    assert (lost.treatment, lost.loses_data) == (Treatment.EVICTED, True)


def test_daemon_sets_that_are_not_known_are_taken_to_exist() -> None:
    assert handling_of(Pod(owned("DaemonSet", "gone")), DrainOptions()).treatment is Treatment.DAEMON_SET


@pytest.mark.parametrize(
    ("pod", "name"),
    [
        (owned("ReplicaSet", "web"), "web-replacement-7"),
        (owned("StatefulSet", "db"), "db-x"),
        (leaving(owned("ReplicaSet", "web")), None),
        (leaving(owned("StatefulSet", "db")), "db-x"),
        (running("bare", "node-1"), None),
        (running("bare", "node-1", phase="Failed", owner=REPLICA_SET), None),
    ],
)
def test_replacement(pod: Document, name: str | None) -> None:
    found = replacement_of(Pod(pod), 7)

    assert (found and found["metadata"]["name"]) == name
    assert found is None or ("nodeName" not in found["spec"] and Pod(found).ready and not Pod(found).terminating)


def test_nodes_without_budgets_go_at_once() -> None:
    plan = plan_of(*nodes(3), *web_with("1", "node-1", "node-2"), nodes=["node-1", "node-2"])

    assert batches(plan) == [["node-1", "node-2"]]
    assert [(each.pod, each.answer.code, each.landing and each.landing.node) for each in plan.batches[0].evictions] == [
        ("default/web-0", 200, "node-3"),
        ("default/web-1", 200, "node-3"),
    ]
    assert stuck(plan) == {}


def test_a_budget_makes_batches() -> None:
    objects = [*nodes(4), *web_with("1", "node-1", "node-2", "node-3")]
    budget = synced(a_budget(minAvailable=2), *objects)

    plan = plan_of(*objects, budget, nodes=["node-1", "node-2", "node-3"])

    assert [each.answer and each.answer.code for each in plan.asked] == [200, 429, 429]
    assert batches(plan) == [["node-1"], ["node-2"], ["node-3"]]
    assert [batch.rounds for batch in plan.batches] == [1, 1, 1]


def test_a_node_with_two_pods_of_a_budget_waits_for_the_first() -> None:
    objects = [*nodes(3), *web_with("1", "node-1", "node-1", "node-2")]
    budget = synced(a_budget(minAvailable=2), *objects)

    plan = plan_of(*objects, budget, nodes=["node-1"])

    assert [(each.pod, each.round) for each in plan.batches[0].evictions] == [
        ("default/web-0", 1),
        ("default/web-1", 2),
    ]
    assert plan.batches[0].rounds == 2


def test_nodes_that_wait_for_different_budgets_wait_together() -> None:
    other, other_set = a_deployment(2, "api")
    api = [running(f"api-{number}", "node-2", owner=other_set, labels={"app": "api"}) for number in range(2)]
    objects = [*nodes(3), *web_with("1", "node-1", "node-1"), other, other_set, *api]
    budgets = [
        synced(a_budget(minAvailable=1), *objects),
        synced(a_budget("api", labels={"app": "api"}, minAvailable=1), *objects),
    ]

    assert batches(plan_of(*objects, *budgets, nodes=["node-1", "node-2"])) == [["node-1", "node-2"]]


def test_at_most_so_many_at_a_time() -> None:
    plan = plan_of(*nodes(4), *web_with("1", "node-1"), nodes=["node-1", "node-2", "node-3"], at_a_time=2)

    assert batches(plan) == [["node-1", "node-2"], ["node-3"]]


def test_no_room_elsewhere_keeps_the_node() -> None:
    plan = plan_of(*nodes(2, cpu="2"), *web_with("1500m", "node-1", "node-2"), nodes=["node-1"])

    (node,) = plan.blocked
    (blocker,) = node.blockers
    assert (node.name, node.kind, batches(plan)) == ("node-1", Block.NO_ROOM, [])
    assert blocker.landing is not None
    assert blocker.landing.message == ("0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable.")


def test_a_node_that_failed_leaves_nothing_behind() -> None:
    """What was tried for the first node must not take the room of the second one's pods."""
    places = ("node-1", "node-1", "node-2")
    objects = [*nodes(2, cpu="4"), a_node("node-3", allocatable={"cpu": "2"}), *web_with("1500m", *places)]

    plan = plan_of(*objects, nodes=["node-1", "node-2"])

    assert (batches(plan), stuck(plan)) == ([["node-2"]], {"node-1": Block.NO_ROOM})


def test_what_never_goes_is_said_before_anything_is_tried() -> None:
    objects = [*nodes(3), *web_with("1", "node-1", "node-2")]
    never = synced(a_budget(maxUnavailable=0), *objects)
    second = synced(a_budget("second", minAvailable=1), *objects)
    held = web(9, "node-1", volumes=[EMPTY_DIR])

    by_budget = plan_of(*objects, never, nodes=["node-1"], lasting=frozenset({"default/web"}))
    by_two = plan_of(*objects, never, second, nodes=["node-1"], lasting=frozenset({"default/web"}))
    by_flag = plan_of(*objects, held, nodes=["node-1"], empty_dirs=False)

    assert [stuck(each) for each in (by_budget, by_two, by_flag)] == [
        {"node-1": Block.NEVER},
        {"node-1": Block.TWO_BUDGETS},
        {"node-1": Block.FLAG},
    ]
    assert [each.answer and each.answer.code for each in by_two.asked] == [500]
    assert [each.answer for each in by_flag.asked] == [None, None]


def test_pods_that_are_not_ready_elsewhere_block_for_now() -> None:
    objects = [*nodes(3), *web_with("1", "node-1"), running("web-9", "node-2", owner=REPLICA_SET, ready=False)]
    budget = synced(a_budget(minAvailable=1), *objects)

    plan = plan_of(*objects, budget, nodes=["node-1"])

    assert stuck(plan) == {"node-1": Block.BUDGET}
    assert not Block.BUDGET.lasts


def test_a_status_that_is_behind_catches_up() -> None:
    objects = [*nodes(3), *web_with("1", "node-1", "node-2", "node-2")]
    budget = synced(a_budget(minAvailable=2), *objects)
    budget["status"]["disruptionsAllowed"] = 0

    plan = plan_of(*objects, budget, nodes=["node-1"])

    assert [each.answer and each.answer.code for each in plan.asked] == [429]
    assert batches(plan) == [["node-1"]]


def test_rolling_upgrade_gives_room_back() -> None:
    """Two full nodes and an empty one: all three can be drained only if each takes pods again."""
    objects = [*nodes(3, cpu="2"), *web_with("1500m", "node-1", "node-2")]
    chosen = ["node-1", "node-2", "node-3"]

    plain, rolling = (plan_of(*objects, nodes=chosen, uncordon=given) for given in (False, True))

    assert batches(plain) == [["node-3"]]
    assert batches(rolling) == [["node-1"], ["node-2"], ["node-3"]]
    assert [(each.pod, each.moved) for each in rolling.batches[2].evictions] == [("default/web-1-replacement-1", 1)]


def test_nodes_of_a_rolling_batch_do_not_take_each_others_pods() -> None:
    objects = [*nodes(4, cpu="8"), *web_with("1", "node-1", "node-2", "node-3", "node-4")]
    chosen = [f"node-{number}" for number in range(1, 5)]

    plan = plan_of(*objects, nodes=chosen, uncordon=True, at_a_time=2)

    assert batches(plan) == [["node-1", "node-2"], ["node-3", "node-4"]]
    for batch in plan.batches:
        together = {node.name for node in batch.nodes}
        assert together.isdisjoint(each.landing.node for each in batch.evictions if each.landing)


def test_pods_without_controller_are_not_replaced() -> None:
    plan = plan_of(*nodes(2), running("bare", "node-1", labels=WEB), nodes=["node-1"], force=True)

    assert [each.landing for each in plan.batches[0].evictions] == [None]


def test_stateful_pods_keep_their_names_and_another_scheduler_is_not_guessed() -> None:
    stateful = an_owner("StatefulSet", "db", replicas=1)
    mine = running("db-0", "node-1", owner=stateful)
    theirs = running("db-1", "node-2", owner=stateful)
    theirs["spec"]["schedulerName"] = "other"

    plan = plan_of(*nodes(3), stateful, mine, theirs, nodes=["node-1", "node-2"])

    assert (batches(plan), stuck(plan)) == ([["node-1"]], {"node-2": Block.NO_ROOM})
    landing = plan.blocked[0].blockers[0].landing
    assert landing is not None
    assert landing.scheduler == "other"


def test_ephemeral_claims_come_with_the_replacement() -> None:
    claim = {
        "accessModes": ["ReadWriteOnce"],
        "storageClassName": "late",
        "resources": {"requests": {"storage": "1Gi"}},
    }
    pod = web(1, "node-1", volumes=[{"name": "data", "ephemeral": {"volumeClaimTemplate": {"spec": claim}}}])
    late = {
        "kind": "StorageClass",
        "metadata": {"name": "late"},
        "provisioner": "example.com/disks",
        "volumeBindingMode": "WaitForFirstConsumer",
    }

    assert batches(plan_of(*nodes(2), DEPLOYMENT, REPLICA_SET, late, pod, nodes=["node-1"])) == [["node-1"]]


def test_a_step_taken_back_leaves_the_claim_that_a_pod_of_the_same_name_had() -> None:
    template = {"spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "late"}}
    pod = a_pod("db-0", volumes=[{"name": "data", "ephemeral": {"volumeClaimTemplate": template}}])
    metadata = {"name": "db-0-data", "namespace": "default"}
    bound: Document = {"kind": "PersistentVolumeClaim", "metadata": metadata, "spec": {"volumeName": "disk"}}
    snapshot = Snapshot.from_objects([a_node("node-1"), bound])
    world = DrainWorld(snapshot, DEFAULT)

    mark = world.mark()
    world.place(pod)
    made = world.snapshot.object("PersistentVolumeClaim", "db-0-data", "default")
    world.back_to(mark)

    assert made is not None
    assert "volumeName" not in made["spec"]
    assert world.snapshot.content() == snapshot.content()


def test_a_plan_that_becomes_too_long_says_so() -> None:
    objects = [*nodes(4), *web_with("1", "node-1", "node-2", "node-3")]
    pods = [each for each in objects if each["kind"] == "Pod"]
    case = DrainCase(["node-1", "node-2", "node-3"], pods, most_placements=2)

    plan = drain_plan(Snapshot.from_objects(objects), DEFAULT, case, DrainOptions())

    assert (batches(plan), stuck(plan)) == ([["node-1", "node-2"]], {"node-3": Block.NOT_COMPUTED})


def test_each_node_is_planned_by_itself() -> None:
    # Each other node has room for one more pod, so two nodes drained together would not both find it.
    made = nodes(3, cpu="2", memory="8Gi", pods="2")
    full = a_node("node-4", allocatable={"cpu": "2", "memory": "8Gi", "pods": "9"})
    pods = [
        web(1, "node-1"),
        web(2, "node-2"),
        web(3, "node-3"),
        *(web(number, "node-4") for number in range(4, 8)),
        running("alone", "node-3"),
    ]
    snapshot = Snapshot.from_objects([*made, full, *pods, DEPLOYMENT, REPLICA_SET])
    counts = snapshot.nodes.pod_count.tolist()

    found = alone_blockers(snapshot, DEFAULT, DrainCase(["node-1", "node-2", "node-3", "node-4"], pods))

    assert found["node-1"] == found["node-2"] == ()
    assert [(each.pod, each.kind) for each in found["node-3"]] == [("default/alone", Block.FLAG)]
    assert [each.kind for each in found["node-4"]] == [Block.NO_ROOM] * 2
    assert snapshot.nodes.pod_count.tolist() == counts
