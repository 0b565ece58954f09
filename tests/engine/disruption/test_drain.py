"""Plans for draining nodes, rule by rule."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.disruption import (
    Block,
    BlockedDrain,
    DisruptionBudget,
    DrainCase,
    DrainOptions,
    Flag,
    Never,
    Plan,
    Treatment,
    ZeroCause,
    alone_blockers,
    blocked_drains,
    budget_states,
    charged,
    drain_plan,
)
from clusters.engine.disruption.drains import DrainWorld, Ledger, handling_of, replacement_of, residents_of
from clusters.engine.objects import Pod
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.disruption.builders import (
    NODES,
    WEB,
    a_budget,
    a_deployment,
    an_owner,
    leaving,
    reference,
    reporting,
    running,
    synced,
    the_state,
)
from tests.engine.disruption.test_properties import MOMENT, budgets, clusters, owners, unique
from tests.engine.strategies import NODE_NAMES

if TYPE_CHECKING:
    from tests.engine.builders import Document

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


def node(name: str) -> dict[str, Any]:
    return {"kind": "Node", "metadata": {"name": name}, "status": {"allocatable": {"cpu": "4", "pods": "10"}}}


def pod(name: str, on: str, **labels: str) -> dict[str, Any]:
    return {
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop", "uid": name, "labels": labels},
        "spec": {"nodeName": on, "containers": [{"name": "c"}]},
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
    }


def budget(name: str, allowed: int, labels: dict[str, str], **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {"selector": {"matchLabels": labels}, **spec},
        "status": {
            "disruptionsAllowed": allowed,
            "expectedPods": 3,
            "currentHealthy": 3,
            "desiredHealthy": 3 - allowed,
        },
    }


def drains(*objects: dict[str, Any]) -> list[BlockedDrain]:
    return blocked_drains(budget_states(Snapshot.from_objects(objects)))


def test_a_budget_that_allows_nothing_blocks_and_one_that_allows_some_lets_pods_go_in_turns() -> None:
    pods = [pod("a", "ash", app="web"), pod("b", "ash", app="web")]

    (drain,) = drains(node("ash"), node("birch"), *pods, budget("web", 0, {"app": "web"}, minAvailable=1))

    (refusal,) = drain.refusals
    assert (drain.node, drain.lasts, drain.most) == ("ash", False, 2)
    assert (refusal.budget.name, refusal.pods, refusal.refused, refusal.shared) == ("web", 2, 2, 0)
    assert drains(node("ash"), node("birch"), *pods, budget("web", 1, {"app": "web"}, minAvailable=2)) == []


def test_pods_of_two_budgets_block_until_one_budget_lets_go_of_them() -> None:
    both = [budget(name, 2, {"app": "web"}, minAvailable=1) for name in ("one", "two")]
    pods = [pod(name, "ash", app="web") for name in "abc"]

    (drain,) = drains(node("ash"), *pods, *both)

    assert drain.lasts
    assert drain.most == 3
    assert [(each.budget.name, each.refused, each.shared) for each in drain.refusals] == [("one", 3, 3), ("two", 3, 3)]


def test_what_lasts_comes_first() -> None:
    never = budget("never", 0, {"app": "api"}, maxUnavailable=0)
    web = budget("web", 0, {"app": "web"}, minAvailable=1)
    pods = [pod("a", "ash", app="web"), pod("b", "ash", app="web"), pod("c", "birch", app="api")]

    found = drains(node("ash"), node("birch"), *pods, web, never)

    assert [drain.node for drain in found if drain.lasts] == [found[0].node]
    assert found[0].node == "birch"


options = st.builds(
    DrainOptions, force=st.booleans(), empty_dirs=st.booleans(), at_a_time=st.integers(0, 2), uncordon=st.booleans()
)


def settled(objects: list[Document]) -> list[Document]:
    """The objects with budgets whose status is what the disruption controller would write, and pods as they occur."""
    found = [each for each in objects if not (each["kind"] == "Pod" and each["status"].get("phase") == "Pending")]
    snapshot = Snapshot.from_objects(found)
    written: dict[str, dict[str, Any]] = {}
    for state in budget_states(snapshot, beside(found)):
        computed = state.computed
        written[state.budget.name] = {
            "observedGeneration": 2,
            "expectedPods": computed.expected or 0,
            "currentHealthy": computed.healthy,
            "desiredHealthy": computed.desired or 0,
            "disruptionsAllowed": computed.allowed or 0,
        }
    return [
        {**each, "status": written[each["metadata"]["name"]]} if each["kind"] == "PodDisruptionBudget" else each
        for each in found
    ]


def beside(objects: list[Document]) -> list[Document]:
    return [
        each
        for each in objects
        if each["kind"] == "Pod" and (not each["spec"].get("nodeName") or each["status"].get("phase") == "Succeeded")
    ]


def planned(objects: list[Document], chosen: DrainOptions) -> Plan:
    snapshot = Snapshot.from_objects(objects)
    names = [each["metadata"]["name"] for each in objects if each["kind"] == "Node"]
    pods = [each for each in objects if each["kind"] == "Pod" and each["spec"].get("nodeName") in names]
    before = snapshot.content()
    plan = drain_plan(snapshot, DEFAULT, DrainCase(sorted(names), pods, beside(objects)), chosen)
    assert snapshot.content() == before
    return plan


@settings(max_examples=120, deadline=None)
@given(cluster=clusters, found=st.lists(budgets(), min_size=1, max_size=2), chosen=options)
def test_every_node_has_one_fate_and_every_pod_goes_once(
    cluster: list[Document], found: list[Document], chosen: DrainOptions
) -> None:
    objects = settled(unique(*cluster, *found, *owners()))
    plan = planned(objects, chosen)

    drained = [node.name for batch in plan.batches for node in batch.nodes]
    fates = Counter([*drained, *(node.name for node in plan.blocked)])
    assert fates == Counter(plan.nodes)
    assert all(0 < len(batch.nodes) <= (chosen.at_a_time or len(plan.nodes)) for batch in plan.batches)
    assert all(node.blockers for node in plan.blocked)
    evicted = [eviction for batch in plan.batches for eviction in batch.evictions]
    first = Counter(eviction.pod for eviction in evicted if not eviction.moved)
    residents = residents_of([each for each in objects if each["kind"] == "Pod"], chosen)
    expected = {
        resident.pod.key
        for node in drained
        for resident in residents.get(node, ())
        if resident.handling.treatment is Treatment.EVICTED
    }
    assert first == Counter(expected)
    assert chosen.uncordon or all(not eviction.moved for eviction in evicted)
    for eviction in evicted:
        assert eviction.answer.is_granted
        assert eviction.landing is None or eviction.landing.node in NODE_NAMES
        assert eviction.landing is None or chosen.uncordon or eviction.landing.node not in plan.nodes
    assert planned(objects, chosen) == plan


@settings(max_examples=120, deadline=None)
@given(cluster=clusters, found=st.lists(budgets(), min_size=1, max_size=2), nodes=st.sets(st.sampled_from(NODE_NAMES)))
def test_no_budget_goes_below_what_it_desires(cluster: list[Document], found: list[Document], nodes: set[str]) -> None:
    """Replays a plan with snapshots that are built afresh, and looks at every budget as the controller would."""
    objects = settled(unique(*cluster, *found, *owners()))
    names = sorted(each["metadata"]["name"] for each in objects if each["kind"] == "Node")
    chosen = [name for name in names if name in nodes]
    pods = {Pod(each).key: each for each in objects if each["kind"] == "Pod"}
    on = [each for each in pods.values() if each["spec"].get("nodeName") in chosen]
    case = DrainCase(chosen, on, beside(objects))
    plan = drain_plan(Snapshot.from_objects(objects), DEFAULT, case, DrainOptions(force=True))
    rest = [each for each in objects if each["kind"] != "Pod"]

    number = 0
    for batch in plan.batches:
        for asking in range(1, batch.rounds + 1):
            going = [eviction for eviction in batch.evictions if eviction.round == asking]
            gone = {eviction.pod: pods.pop(eviction.pod) for eviction in going}
            left = [*rest, *pods.values()]
            for state in budget_states(Snapshot.from_objects(left), beside(left)):
                charged_to_it = [
                    each for each in going if each.answer.is_charged and state.budget.name in each.answer.budgets
                ]
                assert not charged_to_it or state.computed.healthy >= desired(state.budget, objects)
            for eviction in going:
                number += 1
                replacement = replacement_of(Pod(gone[eviction.pod]), number)
                assert (replacement is None) == (eviction.landing is None)
                if replacement is not None and eviction.landing is not None:
                    replacement["spec"]["nodeName"] = eviction.landing.node
                    pods[Pod(replacement).key] = replacement


def desired(budget: DisruptionBudget, objects: list[Document]) -> int:
    """What the budget desired before anything was drained: a controller's replicas stay as they are."""
    (before,) = (
        each for each in objects if each["kind"] == "PodDisruptionBudget" and each["metadata"]["name"] == budget.name
    )
    found: int = before["status"]["desiredHealthy"]
    return found


@settings(max_examples=100, deadline=None)
@given(cluster=clusters, budget=budgets())
def test_a_charge_is_what_the_api_server_stores(cluster: list[Document], budget: Document) -> None:
    objects = unique(*cluster, budget, *owners())
    for pod in [each for each in objects if each["kind"] == "Pod"]:
        ledger = Ledger(Snapshot.from_objects(objects))
        answer = ledger.ask(Pod(pod))

        stored = charged(budget, pod["metadata"]["name"], MOMENT) if answer.is_charged else budget
        assert ledger.balance().budgets[f"shop/{budget['metadata']['name']}"] == DisruptionBudget.from_dict(stored)


def web_pods(replicas: int, *, healthy: int | None = None) -> list[Document]:
    """A Deployment whose pods lie on node-1, node-2 and so on; the first ``healthy`` of them are ready."""
    deployment, replica_set = a_deployment(replicas)
    ready = replicas if healthy is None else healthy
    pods = [running(f"web-{n}", f"node-{n % 4 + 1}", owner=replica_set, ready=n < ready) for n in range(replicas)]
    return [*NODES, deployment, replica_set, *pods]


@pytest.mark.parametrize(
    ("spec", "replicas", "healthy", "expected", "desired", "allowed"),
    [
        ({"minAvailable": 2}, 3, 3, 3, 2, 1),
        ({"minAvailable": 4}, 3, 3, 3, 4, 0),
        ({"minAvailable": "50%"}, 3, 3, 3, 2, 1),
        ({"minAvailable": "1%"}, 3, 3, 3, 1, 2),
        ({"minAvailable": "100%"}, 3, 3, 3, 3, 0),
        ({"minAvailable": "0%"}, 3, 3, 3, 0, 3),
        ({"minAvailable": 0}, 3, 2, 3, 0, 2),
        ({"maxUnavailable": 1}, 3, 3, 3, 2, 1),
        ({"maxUnavailable": 1}, 3, 2, 3, 2, 0),
        ({"maxUnavailable": 1}, 3, 1, 3, 2, 0),
        ({"maxUnavailable": 5}, 3, 3, 3, 0, 3),
        ({"maxUnavailable": "30%"}, 7, 7, 7, 4, 3),
        ({"maxUnavailable": "34%"}, 3, 3, 3, 1, 2),
        ({"maxUnavailable": 0}, 3, 3, 3, 3, 0),
        ({"maxUnavailable": "0%"}, 3, 3, 3, 3, 0),
        ({}, 3, 3, 0, 0, 0),
        ({"minAvailable": 1, "maxUnavailable": 1}, 3, 3, 3, 2, 1),
    ],
)
def test_the_arithmetic(spec: Document, replicas: int, healthy: int, expected: int, desired: int, allowed: int) -> None:
    computed = the_state(*web_pods(replicas, healthy=healthy), a_budget(**spec)).computed

    assert (computed.expected, computed.healthy, computed.desired, computed.allowed) == (
        expected,
        healthy,
        desired,
        allowed,
    )
    assert (computed.failure, computed.unknown) == ("", "")


@pytest.mark.parametrize("kind", ["ReplicaSet", "StatefulSet", "ReplicationController"])
def test_expected_pods_are_those_that_the_controllers_mean_to_keep(kind: str) -> None:
    first, second = an_owner(kind, "first", replicas=4), an_owner(kind, "second", replicas=None)
    pods = [running("p1", "node-1", owner=first), running("p2", "node-1", owner=first), running("p3", owner=second)]
    state = the_state(*NODES, first, second, *pods[:2], a_budget(maxUnavailable="50%"), others=pods[2:])

    assert (state.computed.expected, state.scale.replicas, state.pods) == (5, 5, 3)
    assert (state.computed.desired, state.computed.allowed) == (2, 1)


def test_two_replica_sets_of_a_deployment_count_once() -> None:
    deployment, old = a_deployment(3)
    new = an_owner("ReplicaSet", "web-2", replicas=2, of=deployment)
    pods = [running("a", "node-1", owner=old), running("b", "node-2", owner=new)]

    assert the_state(deployment, old, new, *NODES, *pods, a_budget(maxUnavailable=1)).computed.expected == 3
    assert the_state(old, new, *NODES, *pods, a_budget(maxUnavailable=1)).computed.expected == 5


@pytest.mark.parametrize(
    ("owner", "failure", "unknown"),
    [
        (an_owner("DaemonSet", "d"), "daemonsets.apps does not implement the scale subresource", ""),
        (an_owner("ReplicaSet", "unknown"), "", "ReplicaSet unknown"),
        ({**an_owner("Rollout", "r"), "apiVersion": "argoproj.io/v1alpha1"}, "", "the scale of Rollout r"),
        ({**an_owner("ReplicaSet", "r"), "apiVersion": "example.com/v1"}, "", "the scale of ReplicaSet r"),
    ],
)
def test_controllers_without_a_known_scale(owner: Document, failure: str, unknown: str) -> None:
    pod = running("p", "node-1", owner=owner)
    computed = the_state(*NODES, pod, a_budget(maxUnavailable=1)).computed

    assert (computed.failure, computed.unknown, computed.expected) == (failure, unknown, None)
    assert computed.allowed == (0 if failure else None)
    assert the_state(*NODES, pod, a_budget(minAvailable=0)).computed.allowed == 1


@pytest.mark.parametrize("uid", ["another", None])
def test_a_controller_that_was_replaced_is_not_the_pods(uid: str | None) -> None:
    _, replica_set = a_deployment(3)
    present = {**replica_set, "metadata": {**replica_set["metadata"], "uid": uid, "name": "web-1"}}
    other = an_owner("ReplicaSet", "other", replicas=1)
    computed = the_state(
        *NODES, other, present, running("p", owner=replica_set, node="node-1"), a_budget(maxUnavailable=1)
    )

    assert computed.computed.failure == ('found no controllers for pod "p"' if uid else "")


@pytest.mark.parametrize("amount", ["three", "x%", "5"])
def test_an_amount_that_is_none_fails(amount: str) -> None:
    computed = the_state(*web_pods(3), a_budget(maxUnavailable=amount)).computed

    assert computed.allowed == 0
    assert computed.failure.startswith("invalid value for IntOrString: ")


def test_pods_that_leave_or_were_granted_to_an_eviction_are_not_healthy() -> None:
    objects = web_pods(4)
    objects[-1] = leaving(objects[-1])
    budget = reporting(a_budget(maxUnavailable=2), disruptedPods={"web-0": "2026-01-01T00:00:00Z"})
    state = the_state(*objects, budget)

    assert (state.computed.healthy, state.computed.allowed, state.terminating, state.unhealthy) == (2, 0, 1, ())


def test_pods_by_node_and_zone() -> None:
    objects = web_pods(5, healthy=4)
    state = the_state(*objects, a_budget(maxUnavailable=1), others=[running("waiting", ready=False, phase="Pending")])

    assert state.nodes.names == ("node-1", "node-2", "node-3", "node-4")
    assert state.nodes.pods.tolist() == [2, 1, 1, 1]
    assert state.nodes.healthy.tolist() == [1, 1, 1, 1]
    assert [(each.zone, each.pods, each.healthy) for each in state.zones] == [("a", 2, 2), ("b", 3, 2)]
    assert state.unhealthy == ("default/waiting", "default/web-4")
    assert (state.pods, state.unmanaged) == (6, ("default/waiting",))


def test_a_drain_is_not_blocked_where_more_pods_lie_than_may_go_at_once() -> None:
    _, replica_set = a_deployment(4)
    objects = [
        *web_pods(4)[:-4],
        *(running(f"p{n}", node, owner=replica_set) for n, node in enumerate(("node-1", "node-1", "node-2"))),
    ]
    objects.append(running("starts", "node-3", owner=replica_set, phase="Pending", ready=False))
    state = the_state(*objects, synced(a_budget(maxUnavailable=2), *objects))

    assert state.budget.grants == 1
    assert state.nodes.blocked == ()
    assert state.nodes.refused.tolist() == [0, 0, 0]
    assert state.cause is None


def test_pods_of_a_daemon_set_do_not_block_a_drain() -> None:
    agent = an_owner("DaemonSet", "agent")
    state = the_state(*NODES, running("agent-1", "node-1", owner=agent), a_budget(minAvailable=1))

    assert state.nodes.blocked == ()


@pytest.mark.parametrize(
    ("policy", "status", "blocked"),
    [
        ("AlwaysAllow", {"currentHealthy": 0, "desiredHealthy": 2}, ()),
        ("IfHealthyBudget", {"currentHealthy": 0, "desiredHealthy": 2}, ("node-1", "node-2")),
        ("IfHealthyBudget", {"currentHealthy": 2, "desiredHealthy": 2}, ()),
    ],
)
def test_unhealthy_pods_and_drains(policy: str, status: Document, blocked: tuple[str, ...]) -> None:
    budget = a_budget(minAvailable=2, unhealthyPodEvictionPolicy=policy)
    state = the_state(*web_pods(2, healthy=0), reporting(budget, disruptionsAllowed=0, **status))

    assert state.nodes.blocked == blocked


def test_pods_under_two_budgets_can_not_be_evicted_at_all() -> None:
    objects = web_pods(3)
    first, second = (synced(a_budget(name, maxUnavailable=2), *objects) for name in ("one", "two"))
    other = running("other", "node-4", labels={"app": "other", "tier": "x"})
    third = a_budget("three", labels={"tier": "x"}, minAvailable=0)
    states = {
        each.budget.name: each for each in budget_states(Snapshot.from_objects([*objects, first, second, other, third]))
    }

    assert states["one"].shared == states["two"].shared == ("default/web-0", "default/web-1", "default/web-2")
    assert (states["one"].overlapping, states["two"].overlapping) == (("two",), ("one",))
    assert states["one"].nodes.blocked == ("node-1", "node-2", "node-3")
    assert (states["three"].shared, states["three"].overlapping) == ((), ())


def test_budgets_share_only_pods_that_are_still_there() -> None:
    both = running("both", "node-1", labels={"app": "web", "tier": "x"})
    objects = [*NODES, both, running("web", "node-1"), a_budget(), a_budget("tier", labels={"tier": "x"})]
    snapshot = Snapshot.from_objects(objects)
    assert [each.overlapping for each in budget_states(snapshot)] == [("web",), ("tier",)]
    snapshot.delete(both)

    assert [each.overlapping for each in budget_states(snapshot)] == [(), ()]


@pytest.mark.parametrize(
    ("spec", "replicas", "expected"),
    [
        ({"maxUnavailable": 0}, 3, Never.NONE_UNAVAILABLE),
        ({"maxUnavailable": "0%"}, 3, Never.NONE_UNAVAILABLE),
        ({"minAvailable": 3}, 3, Never.ALL_AVAILABLE),
        ({"minAvailable": 4}, 3, Never.MORE_THAN_REPLICAS),
        ({"minAvailable": "100%"}, 3, Never.ALL_AVAILABLE),
        ({"minAvailable": "90%"}, 3, Never.ALL_AVAILABLE),
        ({"minAvailable": "60%"}, 1, Never.ALL_AVAILABLE),
        ({}, 3, Never.NOTHING_ASKED),
        ({"minAvailable": 2}, 3, None),
        ({"minAvailable": "60%"}, 3, None),
        ({"maxUnavailable": "1%"}, 3, None),
        ({"maxUnavailable": 3}, 3, None),
        ({"maxUnavailable": "much"}, 3, None),
    ],
)
def test_budgets_that_never_allow_anything(spec: Document, replicas: int, expected: Never | None) -> None:
    objects = web_pods(replicas)
    state = the_state(*objects, a_budget(**spec))

    assert state.never is expected
    if expected:
        assert state.cause is ZeroCause.NEVER
        assert state.is_blocker
        assert state.computed.allowed == 0


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"maxUnavailable": 1}, Never.UNMANAGED),
        ({"minAvailable": "50%"}, Never.UNMANAGED),
        ({"minAvailable": 2}, Never.ALL_AVAILABLE),
        ({"minAvailable": 1}, None),
    ],
)
def test_bare_pods_are_counted_only_by_a_number(spec: Document, expected: Never | None) -> None:
    state = the_state(*NODES, running("a", "node-1"), running("b", "node-2"), a_budget(**spec))

    assert state.never is expected
    assert state.computed.allowed == (1 if expected is None else 0)
    assert state.unmanaged == ("default/a", "default/b")


def causes() -> dict[ZeroCause | None, list[Document]]:
    """A cluster for each cause; the budget is the last object and has no status yet unless it says so."""
    deployment, old = a_deployment(3)
    new = an_owner("ReplicaSet", "web-2", replicas=2, of=deployment)
    rollout = [
        *(running(f"old-{n}", "node-1", owner=old, labels={**WEB, "pod-template-hash": "1"}) for n in range(2)),
        running("new-1", "node-2", owner=new, labels={**WEB, "pod-template-hash": "2"}, ready=False),
    ]
    behind = reporting(a_budget(maxUnavailable=1), expectedPods=3, currentHealthy=2, desiredHealthy=2)
    stale = {
        **synced(a_budget(maxUnavailable=1), *web_pods(3)),
        "metadata": {**a_budget()["metadata"], "generation": 2},
    }
    failed = {"type": "DisruptionAllowed", "status": "False", "reason": "SyncFailed", "message": "no match for kind"}
    custom = {**an_owner("Rollout", "r"), "apiVersion": "argoproj.io/v1alpha1"}
    going = [*web_pods(3)[:-1], leaving(web_pods(3)[-1])]
    short = web_pods(3)[:-1]

    def with_budget(objects: list[Document], **spec: Any) -> list[Document]:
        return [*objects, synced(a_budget(**spec), *objects)]

    return {
        None: with_budget(web_pods(3), maxUnavailable=1),
        ZeroCause.NEVER: with_budget(web_pods(3, healthy=1), maxUnavailable=0),
        ZeroCause.SYNC_FAILED: [*web_pods(3), reporting(a_budget(maxUnavailable=1), conditions=[failed])],
        ZeroCause.NOT_OBSERVED: [*web_pods(3), stale],
        ZeroCause.NO_PODS: with_budget([*NODES], maxUnavailable=0),
        ZeroCause.ROLLOUT: with_budget([*NODES, deployment, old, new, *rollout], maxUnavailable=1),
        ZeroCause.EVICTING: with_budget(going, maxUnavailable=1),
        ZeroCause.UNHEALTHY: with_budget(web_pods(3, healthy=2), maxUnavailable=1),
        ZeroCause.MISSING: with_budget(short, maxUnavailable=1),
        ZeroCause.BEHIND: [*web_pods(3), behind],
        ZeroCause.UNKNOWN: [
            *NODES,
            running("p", "node-1", owner=custom),
            reporting(a_budget(maxUnavailable=1), expectedPods=1, currentHealthy=1, desiredHealthy=1),
        ],
    }


@pytest.mark.parametrize("cause", [None, *ZeroCause])
def test_why_nothing_may_go_now(cause: ZeroCause | None) -> None:
    state = the_state(*causes()[cause])

    assert state.cause is cause
    assert state.is_blocker == (cause in (ZeroCause.NEVER, ZeroCause.SYNC_FAILED))


@pytest.mark.parametrize(("revisions", "cause"), [("12", ZeroCause.ROLLOUT), ("11", ZeroCause.UNHEALTHY)])
def test_a_stateful_set_rolls_out_pod_by_pod(revisions: str, cause: ZeroCause) -> None:
    owner = an_owner("StatefulSet", "db", replicas=2)
    pods = [
        running(
            f"db-{n}", "node-1", owner=owner, labels={**WEB, "controller-revision-hash": f"db-{revision}"}, ready=n > 0
        )
        for n, revision in enumerate(revisions)
    ]
    budget = synced(a_budget(maxUnavailable=1), *NODES, owner, *pods)

    assert the_state(*NODES, owner, *pods, budget).cause is cause


def test_a_status_that_does_not_follow_from_the_objects() -> None:
    assert not the_state(*causes()[None]).differs
    assert the_state(*causes()[ZeroCause.BEHIND]).differs


def test_blockers_come_first() -> None:
    objects = web_pods(3)
    never = synced(a_budget("z-never", maxUnavailable=0), *objects)
    loose = synced(a_budget("a-loose", maxUnavailable=3, labels={"app": "none"}), *objects)

    assert [each.budget.name for each in budget_states(Snapshot.from_objects([*objects, loose, never]))] == [
        "z-never",
        "a-loose",
    ]
