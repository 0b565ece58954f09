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
    BudgetState,
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
from clusters.engine.owners import Workload
from clusters.engine.simulation import DrainedWorkload, Quorum, drained_workloads
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
from tests.support.answers import known

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def test_a_node_with_two_pods_of_a_budget_waits_for_the_first() -> None:
    objects = [*nodes(3), *web_with("1", "node-1", "node-1", "node-2")]

    plan = plan_of(*objects, synced(a_budget(minAvailable=2), *objects), nodes=["node-1"])

    assert [(each.pod, each.round) for each in plan.batches[0].evictions] == [
        ("default/web-0", 1),
        ("default/web-1", 2),
    ]
    assert plan.batches[0].rounds == 2


def test_what_never_goes_is_said_before_anything_is_tried() -> None:
    objects = [*nodes(3), *web_with("1", "node-1", "node-2")]
    never = synced(a_budget(maxUnavailable=0), *objects)
    second = synced(a_budget("second", minAvailable=1), *objects)

    by_budget = plan_of(*objects, never, nodes=["node-1"], lasting=frozenset({"default/web"}))
    by_two = plan_of(*objects, never, second, nodes=["node-1"], lasting=frozenset({"default/web"}))
    by_flag = plan_of(*objects, web(9, "node-1", volumes=[EMPTY_DIR]), nodes=["node-1"], empty_dirs=False)

    assert [stuck(each) for each in (by_budget, by_two, by_flag)] == [
        {"node-1": Block.NEVER},
        {"node-1": Block.TWO_BUDGETS},
        {"node-1": Block.FLAG},
    ]
    assert [each.answer and each.answer.code for each in by_two.asked] == [500]
    assert [each.answer for each in by_flag.asked] == [None, None]


def test_pods_that_are_not_ready_elsewhere_block_for_now() -> None:
    objects = [*nodes(3), *web_with("1", "node-1"), running("web-9", "node-2", owner=REPLICA_SET, ready=False)]

    plan = plan_of(*objects, synced(a_budget(minAvailable=1), *objects), nodes=["node-1"])

    assert stuck(plan) == {"node-1": Block.BUDGET}
    assert not Block.BUDGET.lasts


def test_rolling_upgrade_gives_room_back() -> None:
    """Two full nodes and an empty one: all three can be drained only if each takes pods again."""
    objects = [*nodes(3, cpu="2"), *web_with("1500m", "node-1", "node-2")]
    chosen = ["node-1", "node-2", "node-3"]

    plain, rolling = (plan_of(*objects, nodes=chosen, uncordon=given) for given in (False, True))

    assert batches(plain) == [["node-3"]]
    assert batches(rolling) == [["node-1"], ["node-2"], ["node-3"]]
    assert [(each.pod, each.moved) for each in rolling.batches[2].evictions] == [("default/web-1-replacement-1", 1)]


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

    assert "volumeName" not in known(made)["spec"]
    assert world.snapshot.content() == snapshot.content()


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


@settings(max_examples=50, deadline=None)
@given(cluster=clusters, found=st.lists(budgets(), min_size=1, max_size=2), chosen=options)
def test_every_node_has_one_fate_and_every_pod_goes_once(
    cluster: list[Document], found: list[Document], chosen: DrainOptions
) -> None:
    objects = settled(unique(*cluster, *found, *owners()))
    plan = planned(objects, chosen)

    drained = [node.name for batch in plan.batches for node in batch.nodes]
    assert Counter([*drained, *(node.name for node in plan.blocked)]) == Counter(plan.nodes)
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


@settings(max_examples=50, deadline=None)
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


@settings(max_examples=40, deadline=None)
@given(cluster=clusters, budget=budgets())
def test_a_charge_is_what_the_api_server_stores(cluster: list[Document], budget: Document) -> None:
    objects = unique(*cluster, budget, *owners())
    for pod in [each for each in objects if each["kind"] == "Pod"]:
        ledger = Ledger(Snapshot.from_objects(objects))

        stored = charged(budget, pod["metadata"]["name"], MOMENT) if ledger.ask(Pod(pod)).is_charged else budget
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
        # Each of these leaves one voluntary disruption of five replicas.
        ({"minAvailable": 4}, 5, 5, 5, 4, 1),
        ({"minAvailable": "80%"}, 5, 5, 5, 4, 1),
        ({"maxUnavailable": 1}, 5, 5, 5, 4, 1),
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
def test_e57_the_arithmetic(
    spec: Document, replicas: int, healthy: int, expected: int, desired: int, allowed: int
) -> None:
    computed = the_state(*web_pods(replicas, healthy=healthy), a_budget(**spec)).computed

    assert (computed.expected, computed.healthy, computed.desired, computed.allowed) == (
        expected,
        healthy,
        desired,
        allowed,
    )
    assert (computed.failure, computed.unknown) == ("", "")


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
    state = the_state(*web_pods(replicas), a_budget(**spec))

    assert state.never is expected
    if expected:
        assert state.cause is ZeroCause.NEVER
        assert state.is_blocker
        assert state.computed.allowed == 0


def test_a_budget_grants_nothing_while_others_select_each_of_its_pods() -> None:
    extra = {**WEB, "tier": "extra"}
    objects = [*web_pods(3), *(synced(a_budget(name, maxUnavailable=2), *web_pods(3)) for name in ("web", "twin"))]
    alone = running("extra-1", "node-1", labels=extra)
    waiting, done = (running(f"extra-{phase}", labels=extra, phase=phase) for phase in ("Pending", "Succeeded"))
    of_extra = a_budget("extra", labels={"tier": "extra"}, minAvailable=1)

    def found(*more: Document, others: tuple[Document, ...] = ()) -> dict[str, BudgetState]:
        return {each.budget.name: each for each in budget_states(Snapshot.from_objects([*objects, *more]), others)}

    twins = found()
    assert {(each.never, each.cause, each.grants) for each in twins.values()} == {
        (Never.SEVERAL_BUDGETS, ZeroCause.NEVER, 0)
    }
    assert all(each.budget.grants == 2 and each.is_blocker and each.blocks_for_good for each in twins.values())
    # One pod that is its own is enough, be it pending; finished ones are nobody's.
    own = running("own", labels={"tier": "extra"}, phase="Pending")
    covered = found(alone, of_extra, others=(waiting, done))["extra"]
    usable = found(alone, of_extra, others=(waiting, own))["extra"]
    assert (covered.never, usable.never) == (Never.SEVERAL_BUDGETS, None)
    assert found(alone, a_budget("extra", labels={"tier": "extra"}, maxUnavailable=0))["extra"].never is (
        Never.NONE_UNAVAILABLE
    )


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


def test_a_status_that_does_not_follow_from_the_objects() -> None:
    assert not the_state(*causes()[None]).differs
    assert the_state(*causes()[ZeroCause.BEHIND]).differs


KAFKA = an_owner("StatefulSet", "kafka", replicas=3)


def effect(
    objects: Sequence[Document], *drained: str, lasting: frozenset[str] = frozenset(), **options: Any
) -> tuple[DrainedWorkload, ...]:
    pods = [each for each in objects if each["kind"] == "Pod" and each["spec"].get("nodeName") in drained]
    snapshot = Snapshot.from_objects(objects)
    plan = drain_plan(snapshot, DEFAULT, DrainCase(drained, pods, lasting=lasting), DrainOptions(**options))
    return drained_workloads(snapshot, plan)


def member(number: int, node: str, *, cpu: str = "100m") -> Document:
    return requesting(running(f"kafka-{number}", node, owner=KAFKA, labels={"app": "kafka"}), cpu)


def small_web(number: int, node: str, *, cpu: str = "100m") -> Document:
    return requesting(running(f"web-{number}", node, owner=REPLICA_SET), cpu)


def requesting(pod: Document, cpu: str) -> Document:
    pod["spec"]["containers"][0]["resources"] = {"requests": {"cpu": cpu}}
    return pod


def test_pods_that_nothing_controls_are_gone_afterwards() -> None:
    objects = [*nodes(2, cpu="4", pods="20"), running("alone", "node-1"), running("other", "node-2")]

    assert effect(objects, "node-1", force=True) == (
        DrainedWorkload(Workload("default", "Pod", "alone"), 1, 1, 0, 1, 0, 0, Quorum.KEPT),
    )
    # Without the flag nothing is evicted, and no budget or scheduler is what keeps it.
    assert effect(objects, "node-1") == ()


def test_pods_without_room_are_counted_where_a_budget_holds_others() -> None:
    never = a_budget("kafka", labels={"app": "kafka"}, maxUnavailable=0)
    objects = [
        DEPLOYMENT, REPLICA_SET, KAFKA, never, *nodes(2, cpu="4", pods="20"),
        small_web(1, "node-1", cpu="3"), small_web(2, "node-2", cpu="3"), member(0, "node-1"),
    ]  # fmt: skip

    web, kafka = effect(objects, "node-1", lasting=frozenset({"default/kafka"}))

    assert (web.evicted, web.after, web.unschedulable, web.refused) == (1, 1, 1, 0)
    assert (kafka.evicted, kafka.after, kafka.unschedulable, kafka.refused) == (0, 1, 0, 1)


def test_pods_that_terminate_or_whose_node_does_not_report_do_not_run() -> None:
    silent = a_node("node-3", allocatable={"cpu": "4", "pods": "20"})
    silent["status"]["conditions"] = [{"type": "Ready", "status": "Unknown"}]
    objects = [
        DEPLOYMENT, REPLICA_SET, *nodes(2, cpu="4", pods="20"), silent,
        small_web(1, "node-1"), leaving(small_web(2, "node-1")), small_web(3, "node-3"), small_web(4, "node-2"),
    ]  # fmt: skip

    (found,) = effect(objects, "node-1")

    # The one that terminates has its replacement already, so the plan makes none and nothing is missing.
    assert (found.before, found.after, found.evicted) == (2, 2, 2)


def test_a_pod_that_moves_twice_is_one_pod() -> None:
    objects = [DEPLOYMENT, REPLICA_SET, *nodes(2, cpu="4", pods="20"), small_web(1, "node-1")]

    (found,) = effect(objects, "node-1", "node-2", uncordon=True, at_a_time=1)

    assert (found.before, found.evicted, found.after) == (1, 1, 1)


@given(
    places=st.lists(st.integers(1, 4), min_size=1, max_size=10),
    drained=st.sets(st.integers(1, 4), min_size=1, max_size=3),
    cpu=st.sampled_from(["100m", "1", "2"]),
)
def test_what_leaves_and_what_stays_adds_up(places: list[int], drained: set[int], cpu: str) -> None:
    objects = [DEPLOYMENT, REPLICA_SET, *nodes(4, cpu="4", pods="20")]
    used = dict.fromkeys(range(1, 5), 0.0)
    for number, node in enumerate(places):
        if used[node] + float(cpu.replace("100m", "0.1")) <= 4:
            used[node] += float(cpu.replace("100m", "0.1"))
            objects.append(small_web(number, f"node-{node}", cpu=cpu))
    running_pods = sum(each["kind"] == "Pod" for each in objects)
    on_drained = sum(
        each["kind"] == "Pod" and each["spec"]["nodeName"] in {f"node-{number}" for number in drained}
        for each in objects
    )

    found = effect(objects, *(f"node-{number}" for number in sorted(drained)))

    assert sum(each.before for each in found) in (0, running_pods)
    assert all(each.after == each.before for each in found)
    assert sum(each.evicted + each.unschedulable for each in found) <= on_drained
    assert bool(found) is bool(on_drained)


def test_the_gravest_come_first() -> None:
    objects = [
        KAFKA,
        DEPLOYMENT,
        REPLICA_SET,
        *nodes(3, cpu="4", pods="20"),
        *[member(number, "node-1") for number in range(3)],
        small_web(1, "node-1"),
        running("alone", "node-1"),
    ]

    assert [each.workload.name for each in effect(objects, "node-1", force=True)] == ["kafka", "alone", "web-1"]
