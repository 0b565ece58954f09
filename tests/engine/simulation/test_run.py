"""What happens in a simulation, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.nodes import GRACE, SECOND
from clusters.engine.owners import Workload
from clusters.engine.scheduling.answers import rejecting
from clusters.engine.scheduling.search import SearchOrder, first_found
from clusters.engine.simulation import (
    Base,
    Case,
    Finished,
    MoreNodes,
    MovedPod,
    MovedPods,
    NodeLikeness,
    OneMoreNode,
    Origin,
    Outcome,
    PodEnding,
    Portion,
    Simulation,
    Step,
    Wanted,
    compare_runs,
    explained,
    headroom,
    moved_pods,
    node_shapes,
    prepared,
    read_changes,
    state_after,
)
from clusters.engine.simulation.controllers import nominated, running
from clusters.engine.simulation.course import choose
from clusters.engine.simulation.kinds import explain_attempt
from clusters.engine.simulation.node_counts import MOST_SHAPES
from clusters.engine.versions import RELEASES
from clusters.engine.volumes import is_bound
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod, controlled, ready
from tests.engine.simulation.cases import cases, named
from tests.engine.simulation.changing import DEFAULT, a_workload, after, owned
from tests.engine.simulation.test_comparison import case_of, finished
from tests.engine.storage_builders import a_claim, a_class, a_volume, uses
from tests.engine.strategies import pods
from tests.support.answers import known

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Explanation


def a_case(objects: Iterable[Document], wanted: Iterable[Wanted | Document], **fields: Any) -> Case:
    """A case under the default scheduler; the objects' pods are known."""
    objects = list(objects)
    placed = {f"default/{each['metadata']['name']}": each for each in objects if each["kind"] == "Pod"}
    given = [each if isinstance(each, Wanted) else Wanted(each) for each in wanted]
    configuration = fields.pop("configuration", SchedulerConfiguration.default())
    return Case(Snapshot.from_objects(objects), configuration, given, placed=placed, **fields)


def brief(steps: Iterable[Step]) -> list[tuple[str, str, str]]:
    return [(step.outcome.value, step.pod.removeprefix("default/"), step.node) for step in steps]


# -- the queue ---------------------------------------------------------------------------------------------------------


def test_who_waits_is_tried_again_when_room_comes_free_and_only_then() -> None:
    nodes = [a_node("big", allocatable={"cpu": "4"}), a_node("small", allocatable={"cpu": "1"})]
    wanted = [
        Wanted(a_pod("filler", requests={"cpu": "4"}), until=9),
        Wanted(a_pod("late", requests={"cpu": "3"}), at=1),
        Wanted(a_pod("alike", requests={"cpu": "3"}), at=1),
        Wanted(a_pod("passing", requests={"cpu": "1"}), at=2, until=3),
    ]

    steps = list(Simulation(a_case(nodes, wanted)))

    assert brief(steps) == [
        ("placed", "filler", "big"),
        ("unschedulable", "late", ""),
        ("unschedulable", "alike", ""),
        ("placed", "passing", "small"),
        ("completed", "passing", "small"),
        ("completed", "filler", "big"),
        ("placed", "late", "big"),
    ]
    assert [step.at for step in steps] == [0, 1, 1, 2, 3, 9, 9]


def test_those_alike_follow_one_after_another_as_long_as_there_is_room() -> None:
    wanted = [Wanted(a_pod("filler", requests={"cpu": "8"}), until=5)]
    wanted += [Wanted(a_pod(f"p{number}", requests={"cpu": "3"}), at=1) for number in range(4)]

    steps = list(Simulation(a_case([a_node("n")], wanted)))

    assert brief(steps)[5:] == [("completed", "filler", "n"), ("placed", "p0", "n"), ("placed", "p1", "n")]


def test_another_is_tried_in_the_place_of_a_woken_pod_that_leaves() -> None:
    full = {"cpu": "8"}
    wanted = [
        Wanted(a_pod("filler", requests=full), until=5),
        Wanted(a_pod("leaving", requests=full), until=5),
        Wanted(a_pod("next", requests=full)),
    ]

    steps = list(Simulation(a_case([a_node("n")], wanted)))

    assert brief(steps)[3:] == [("completed", "filler", "n"), ("completed", "leaving", ""), ("placed", "next", "n")]


def test_a_placement_wakes_who_wants_to_be_near_it() -> None:
    term = {"labelSelector": {"matchLabels": {"app": "store"}}, "topologyKey": HOSTNAME}
    wanted = [
        Wanted(a_pod("web", affinity={"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}})),
        Wanted(a_pod("other"), at=1),
        Wanted(a_pod("store", labels={"app": "store"}), at=2),
    ]

    steps = list(Simulation(a_case([a_node("n")], wanted)))

    assert [step.pod for step in steps] == [f"default/{name}" for name in ("web", "other", "store", "web")]
    assert steps[-1].node == "n"


def test_the_seed_decides_among_equals_and_nothing_else_does() -> None:
    nodes = [a_node(f"n{number}") for number in range(8)]
    pods = [a_pod(f"p{number}", requests={"cpu": "1"}) for number in range(8)]

    runs = [list(Simulation(a_case(nodes, pods, seed=seed))) for seed in (1, 1, 2)]

    assert runs[0] == runs[1]
    assert [step.node for step in runs[0]] != [step.node for step in runs[2]]
    assert sorted(step.node for step in runs[2]) == sorted(f"n{number}" for number in range(8))


def test_explaining_what_was_no_attempt_is_an_error() -> None:
    case = a_case([a_node("n")], [Wanted(a_pod("p"), until=1)])
    steps = list(Simulation(case))

    with pytest.raises(ValueError, match="step 1 is no attempt to place a pod: completed"):
        explained(case, steps, 1)


# -- preemption --------------------------------------------------------------------------------------------------------


def test_victims_go_their_controllers_make_others_and_the_preemptor_takes_the_node() -> None:
    half = {"cpu": "4"}
    objects = [
        a_node("n"),
        controlled(a_pod("old", node="n", requests=half)),
        a_pod("bare", node="n", requests=half),
    ]
    objects[2]["status"]["startTime"] = "2026-01-01T00:00:00Z"

    simulation = Simulation(a_case(objects, [a_pod("urgent", priority=9, requests={"cpu": "8"})]))
    steps = list(simulation)

    assert brief(steps) == [
        ("unschedulable", "urgent", "n"),
        ("preempted", "bare", "n"),
        ("preempted", "old", "n"),
        ("placed", "urgent", "n"),
        ("unschedulable", "web-again-1", ""),
    ]
    assert {step.by for step in steps[1:3]} == {"default/urgent"}
    assert list(simulation.waiting) == ["default/web-again-1"]


# -- evictions ---------------------------------------------------------------------------------------------------------


def a_deployment_of_three() -> list[Document]:
    labels = {"app": "db"}
    pods = [
        ready(controlled(a_pod(f"pod-{name}", node=f"node-{number}", labels=labels, requests={"cpu": "3"})))
        for number, name in enumerate("abc", 1)
    ]
    lone = ready(controlled(a_pod("pod-x", node="node-1", requests={"cpu": "3"}), name="other"))
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "db", "namespace": "default"},
        "spec": {"minAvailable": 2, "selector": {"matchLabels": labels}},
    }
    nodes = [a_node(f"node-{number}", allocatable={"cpu": cpu}) for number, cpu in ((1, "7"), (2, "7"), (3, "3"))]
    return [*nodes, *pods, lone, budget]


def test_a_drain_goes_as_far_as_budgets_allow() -> None:
    simulation = Simulation(a_case(a_deployment_of_three(), [], drained=["node-1", "node-2"]))
    steps = list(simulation)

    assert brief(steps) == [
        ("evicted", "pod-a", "node-1"),
        # Node-2 has room, and is cordoned from the beginning.
        ("unschedulable", "web-again-1", ""),
        ("evicted", "pod-x", "node-1"),
        ("unschedulable", "other-again-1", ""),
        ("refused", "pod-b", "node-2"),
    ]
    assert steps[-1].message == (
        "Cannot evict pod as it would violate the pod's disruption budget. "
        "The disruption budget db needs 2 healthy pods and has 2 currently"
    )
    assert list(simulation.waiting) == ["default/web-again-1", "default/other-again-1"]
    assert [node.unschedulable for node in simulation.snapshot.nodes.nodes] == [True, True, False]


def test_pods_that_were_pending_before_leave_a_drain_as_it_is() -> None:
    """They come to no node that is drained, and take no room from its pods, whatever their priority."""
    nodes = [a_node(name, allocatable={"cpu": "2"}) for name in "ab"]
    there = ready(controlled(a_pod("there", node="a", requests={"cpu": "1"}, priority=0)))
    waiting = [
        Wanted(a_pod(name, requests={"cpu": "1"}, priority=9), origin=Origin.PENDING_BEFORE)
        for name in ("first", "second")
    ]

    steps = list(Simulation(a_case([*nodes, there], waiting, drained=["a"])))

    assert brief(steps)[:2] == [("evicted", "there", "a"), ("placed", "web-again-1", "b")]
    assert {(step.pod, step.node) for step in steps if step.outcome is Outcome.PLACED} >= {("default/first", "b")}


def test_a_node_with_a_pod_that_nothing_controls_is_not_begun_with() -> None:
    objects = [a_node("a"), a_node("b"), ready(a_pod("bare", node="a")), ready(controlled(a_pod("web", node="a")))]

    steps = list(Simulation(a_case(objects, [], drained=["a"])))

    assert brief(steps) == [("held", "bare", "a")]
    assert steps[0].message.startswith("cannot delete Pods that declare no controller")


# -- scoring -----------------------------------------------------------------------------------------------------------


def test_a_pod_on_a_node_leaves_in_time_and_so_does_the_one_in_its_place() -> None:
    nodes = [a_node("n", allocatable={"cpu": "1"})]
    there = ready(controlled(a_pod("there", node="n", requests={"cpu": "1"}, priority=0)))
    urgent = Wanted(a_pod("urgent", requests={"cpu": "1"}, priority=9), at=1, until=3)

    assert brief(Simulation(a_case([*nodes, there], [urgent], leaving={"default/there": 5}))) == [
        ("unschedulable", "urgent", "n"),
        ("preempted", "there", "n"),
        ("placed", "urgent", "n"),
        ("unschedulable", "web-again-1", ""),
        ("completed", "urgent", "n"),
        ("placed", "web-again-1", "n"),
        ("completed", "web-again-1", "n"),
    ]


def test_a_pod_that_terminates_as_its_time_comes_is_gone_once_its_grace_period_is_over() -> None:
    there = ready(controlled(a_pod("there", node="n", requests={"cpu": "1"}, priority=0)))
    there["spec"]["terminationGracePeriodSeconds"] = 10
    urgent = Wanted(a_pod("urgent", requests={"cpu": "1"}, priority=9))
    nodes = [a_node("n", allocatable={"cpu": "1"})]

    steps = list(Simulation(a_case([*nodes, there], [urgent], leaving={"default/there": 5}, is_graceful=True)))

    # What was made in its place leaves instead of it.
    assert [(step.outcome, step.pod.partition("/")[2], step.at // 10**9) for step in steps] == [
        (Outcome.UNSCHEDULABLE, "urgent", 0),
        (Outcome.PREEMPTED, "there", 0),
        (Outcome.UNSCHEDULABLE, "web-again-1", 0),
        (Outcome.COMPLETED, "web-again-1", 0),
        (Outcome.TERMINATED, "there", 10),
        (Outcome.PLACED, "urgent", 10),
    ]


def test_whoever_observes_is_given_each_attempt_on_the_state_before_it() -> None:
    pods = [a_pod(name, requests={"cpu": "1"}) for name in ("first", "second")]
    seen = []

    def observe(step: Step, explanation: Explanation) -> None:
        seen.append((step.pod, step.outcome, explanation.fits, explanation.message))

    steps = list(Simulation(a_case([a_node("n", allocatable={"cpu": "1"})], pods), observe=observe))

    assert [(step.pod, step.outcome) for step in steps] == [each[:2] for each in seen]
    assert [each[2] for each in seen] == [True, False]
    assert seen[1][3] == steps[1].message


LOCAL = a_class("wait", provisioner="kubernetes.io/no-provisioner")
NODES = [a_node("a"), a_node("b")]


def pods_of_run(count: int) -> list[Wanted]:
    return [Wanted(a_pod(f"db-{number}", volumes=[uses(f"data-{number}")])) for number in range(count)]


def claims(count: int) -> list[Document]:
    return [a_claim(f"data-{number}") for number in range(count)]


def test_a_local_volume_is_given_to_one_claim() -> None:
    volumes = [a_volume("on-a", nodes=["a"]), a_volume("on-b", nodes=["b"])]
    simulation = Simulation(Case(Snapshot.from_objects([*NODES, LOCAL, *claims(3), *volumes]), DEFAULT, pods_of_run(3)))
    steps = list(simulation)

    assert {step.node for step in steps[:2]} == {"a", "b"}
    assert steps[2].outcome is Outcome.UNSCHEDULABLE
    assert "didn't find available persistent volumes to bind" in steps[2].message
    first = known(simulation.snapshot.object("PersistentVolumeClaim", "data-0", "default"))
    assert is_bound(first)
    assert first["spec"]["volumeName"] == f"on-{steps[0].node}"
    volume = known(simulation.snapshot.object("PersistentVolume", f"on-{steps[0].node}"))
    assert volume["spec"]["claimRef"]["uid"] == "uid-data-0"


def test_headroom_ends_with_the_volumes() -> None:
    """A StatefulSet's pods bring claims of their own."""
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "uid": "u", "controller": True}
    shape = a_pod("db-0", node="a", volumes=[{"persistentVolumeClaim": {"claimName": "data-db-0"}}])
    shape["metadata"]["ownerReferences"] = [owner]
    there = [a_claim("data-db-0", volume="taken"), a_volume("taken", nodes=["a"], phase="Bound")]
    free = [a_volume(f"free-{number}", nodes=["b"]) for number in range(5)]
    found = headroom(Snapshot.from_objects([*NODES, LOCAL, *there, *free, shape]), DEFAULT, [Portion(shape)])

    assert (found.count, dict(found.nodes)) == (5, {"b": 5})


POOL = "example.com/pool"
GOLD = {"key": "class", "value": "gold", "effect": "NoSchedule"}
NOT_READY = {"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}


def pool(name: str, pool: str, cpu: str = "4", **fields: Any) -> Document:
    return a_node(name, labels={POOL: pool}, allocatable={"cpu": cpu}, **fields)


def more_of(nodes: list[Document], *others: Document, daemons: dict[str, list[Document]] | None = None) -> MoreNodes:
    """Return one more node of each shape of these, beside other objects."""
    snapshot = Snapshot.from_objects([*nodes, *others, *[pod for pods in (daemons or {}).values() for pod in pods]])
    by_name = {node["metadata"]["name"]: node for node in nodes}
    return MoreNodes(
        snapshot,
        [NodeLikeness(by_name[name], tuple((daemons or {}).get(name, ()))) for name in node_shapes(snapshot)],
    )


def taking(pod: Document, nodes: list[Document], *others: Document, **fields: Any) -> list[str]:
    """Return the likes of the nodes of which one more would take a pod."""
    more = more_of(nodes, *others, **fields)
    explanation = explain(Snapshot.from_objects([*nodes, *others]), pod, DEFAULT.profile_for(pod))
    return [each.like for each in more.taking(explanation)]


FULL = [a_pod(f"full-{name}", node=name, requests={"cpu": "4"}) for name in ("a", "b", "c")]
POOLS = [pool("a", "small"), pool("b", "large", "16"), pool("c", "gold", taints=[GOLD])]
BUSY = [*FULL, a_pod("more", node="b", requests={"cpu": "12"})]


def test_taints_of_the_pool_stay_and_those_of_the_node_s_state_do_not() -> None:
    ill = pool("a", "small", taints=[NOT_READY], unschedulable=True)
    tolerant = a_pod(requests={"cpu": "2"}, tolerations=[{"key": "class", "operator": "Exists"}])

    assert taking(a_pod(requests={"cpu": "2"}), [ill, *POOLS[1:]], *BUSY) == ["a", "b"]
    assert taking(tolerant, POOLS, *BUSY) == ["a", "c", "b"]


def test_pods_of_daemon_sets_take_their_part_of_the_new_node() -> None:
    agent = a_pod("agent", node="a", requests={"cpu": "1"})
    nodes, others = [pool("a", "small")], [FULL[0]]

    assert taking(a_pod(requests={"cpu": "4"}), nodes, *others) == ["a"]
    assert taking(a_pod(requests={"cpu": "4"}), nodes, *others, daemons={"a": [agent]}) == []


def test_no_node_helps_where_none_was_looked_at_or_the_pod_fits_already() -> None:
    assert taking(a_pod(volumes=[{"persistentVolumeClaim": {"claimName": "none"}}]), POOLS, *BUSY) == []
    assert taking(a_pod(requests={"cpu": "1"}), POOLS) == []


def test_what_is_elsewhere_counts_for_the_new_node_added_alone() -> None:
    term = {"topologyKey": ZONE, "labelSelector": {"matchLabels": {"app": "web"}}}
    apart = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    nodes = [a_node("e", zone="east"), a_node("w", zone="west", unschedulable=True)]
    web = a_pod("web", node="e", labels={"app": "web"})

    assert taking(a_pod("next", labels={"app": "web"}, affinity=apart), nodes, web) == ["w"]


@given(st.lists(st.integers(1, 5), min_size=1, max_size=8))
@settings(max_examples=25, deadline=None)
def test_as_many_are_freed_as_one_node_has_room_for(sizes: list[int]) -> None:
    waiting = [a_pod(f"p{number}", requests={"cpu": str(size)}) for number, size in enumerate(sizes)]

    freed = more_of(POOLS[:1], FULL[0]).freed(OneMoreNode("a"), waiting, DEFAULT)

    left, expected = 4, set()
    for number, size in enumerate(sizes):
        if size <= left:
            left -= size
            expected.add(f"default/p{number}")
    assert freed == expected


def test_a_shape_is_what_nodes_say_alike_and_many_zones_leave_room_for_every_pool() -> None:
    own = [a_node(f"n{number}", labels={"id": f"i-{number}"}) for number in range(100)]
    zones = [pool(f"{name}-{zone}", name, zone=f"z{zone}") for name in ("aa", "bb") for zone in range(MOST_SHAPES)]
    control_plane = a_node("c", labels={"node-role.kubernetes.io/control-plane": ""}, allocatable={"cpu": "2"})

    assert node_shapes(Snapshot.from_objects([*own, control_plane])) == ["n0"]
    shapes = node_shapes(Snapshot.from_objects(zones))
    assert len(shapes) == MOST_SHAPES
    assert {name[:2] for name in shapes} == {"aa", "bb"}


def test_the_cluster_itself_stays_as_it_is() -> None:
    snapshot = Snapshot.from_objects([*POOLS, *BUSY])
    before = snapshot.content()

    MoreNodes(snapshot, [NodeLikeness(node) for node in POOLS]).freed(OneMoreNode("a"), [a_pod()], DEFAULT)

    assert snapshot.content() == before
    assert HOSTNAME in snapshot.nodes.nodes[0].labels


def moved(left: Finished, right: Finished) -> MovedPods:
    return moved_pods(left, right, compare_runs(left, right).changes)


def by_pod(found: MovedPods) -> dict[str, MovedPod]:
    return {each.pod.removeprefix("default/"): each for each in found.pods}


def base() -> list[Document]:
    return [
        a_node("a", zone="x"),
        a_node("b", zone="y", allocatable={"cpu": "5"}),
        *(owned(f"web-{number}", "web", "a", requests={"cpu": "3"}) for number in range(2)),
        owned("log", "log", "a", kind="DaemonSet"),
    ]


def test_the_other_way_round_it_is_the_same() -> None:
    before = finished(after(base()).case)
    lost = finished(after(base(), {"change": "lose-zone", "zone": "x", "how": "gone"}).case)

    there, back = moved(before, lost), moved(lost, before)

    assert {(each.pod, each.left, each.right, each.left_end, each.right_end) for each in there.pods} == {
        (each.pod, each.right, each.left, each.right_end, each.left_end) for each in back.pods
    }
    assert [node.name for node in there.nodes] == [node.name for node in back.nodes] == ["a", "b"]
    assert (there.not_left, there.not_right) == (frozenset(), frozenset({"a"}))
    assert (back.not_left, back.not_right) == (frozenset({"a"}), frozenset())


def test_wanted_pods_that_never_ran_belong_to_what_they_name() -> None:
    wanted = [a_pod("alone", requests={"cpu": "9"}), owned("web-9", "web", None, requests={"cpu": "9"})]
    nowhere = finished(case_of(a_node("a", allocatable={"cpu": "4"}), wanted=wanted))

    found = by_pod(moved(nowhere, finished(case_of(a_node("a", allocatable={"cpu": "40"}), wanted=wanted))))

    assert found["alone"].workload == Workload("default", "Pod", "alone")
    assert found["web-9"].workload == Workload("default", "ReplicaSet", "web")
    assert {each.left_end for each in found.values()} == {PodEnding.PENDING}


def test_nothing_moves_between_a_run_and_itself() -> None:
    run = finished(after(base()).case)

    assert moved(run, run).pods == ()


def test_the_next_search_begins_after_the_nodes_of_one_in_vain_as_well() -> None:
    """A pod that is meant for one node is tried there alone, and so is one with a nominated node that fits."""
    names = [f"n{number:03d}" for number in range(200)]
    old = [{"key": "old", "effect": "PreferNoSchedule"}]
    nodes = [a_node(each, taints=() if each in ("n000", "n100") else old) for each in names]
    name = {"key": "metadata.name", "operator": "In", "values": ["n007"]}
    affinity = {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchFields": [name]}]}
        }
    }
    pods = [
        a_pod("pinned", requests={"cpu": "100"}, affinity=affinity, priority=2),
        a_pod("nominated", nominated="n190", priority=1),
        *(a_pod(f"p{number}") for number in range(3)),
    ]
    case = Case(
        Snapshot.from_objects(nodes), SchedulerConfiguration.default(), [Wanted(pod) for pod in pods], samples=True
    )
    steps = list(Simulation(case))

    assert [(step.outcome, step.looked_at) for step in steps[:2]] == [(Outcome.UNSCHEDULABLE, 1), (Outcome.PLACED, 1)]
    assert steps[1].node == "n190"
    # One hundred nodes each time, from the second one on, and of those the one that is not disliked.
    assert [(step.looked_at, step.node) for step in steps[2:]] == [(100, "n100"), (100, "n000"), (100, "n100")]


def test_small_clusters_are_searched_whole_and_a_single_node_is_not_scored() -> None:
    steps = list(Simulation(a_case([a_node("a"), a_node("b", unschedulable=True)], [a_pod("p")], samples=True)))

    assert (steps[0].looked_at, steps[0].feasible, steps[0].total, steps[0].ties) == (2, 1, None, 1)


def test_pods_that_differ_only_in_what_scheduling_does_not_read_fare_alike() -> None:
    mounts = [{"name": "kube-api-access-x1"}, {"name": "kube-api-access-x2"}]
    pods = [a_pod(f"p{number}", requests={"cpu": "5"}) for number in range(2)]
    for pod, mount in zip(pods, mounts, strict=True):
        pod["spec"]["volumes"] = [mount]
        pod["status"]["conditions"] = [{"type": "PodScheduled", "lastTransitionTime": mount["name"]}]
    simulation = Simulation(a_case([a_node("n", allocatable={"cpu": "1"})], pods))
    for _ in simulation:
        pass

    assert [keys for keys, _ in simulation.explain_waiting()] == [["default/p0", "default/p1"]]


READY = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}


def steps_of(
    base: list[Document], *changes: Document, configuration: SchedulerConfiguration = DEFAULT, **more: Any
) -> list[Step]:
    return list(
        Simulation(
            prepared(Base.of(base, configuration.release), read_changes(list(changes)), configuration, **more).case
        )
    )


def placed(steps: list[Step]) -> list[str]:
    return [step.node for step in steps if step.outcome is Outcome.PLACED]


def configured(**fields: Any) -> SchedulerConfiguration:
    versioned = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    return SchedulerConfiguration.from_dict({**versioned, **fields})


# -- where pods go -----------------------------------------------------------------------------------------------------


def test_nodes_are_visited_with_their_zones_in_turn() -> None:
    zones = {"n1": "1", "n2": "1", "n3": "1", "n4": "1", "n5": "2", "n6": "2"}
    # Where nothing scores, the first node that fits is taken, and the next search begins after it.
    plain = configured(profiles=[{"plugins": {"score": {"disabled": [{"name": "*"}]}}}])
    nodes = [a_node(name, zone=zone) for name, zone in zones.items()]
    change = {"change": "add-workload", "manifest": a_workload("ReplicaSet"), "replicas": 7}
    steps = steps_of(nodes, change, configuration=plain, samples=True)

    assert placed(steps) == ["n1", "n5", "n2", "n6", "n3", "n4", "n1"]


# -- drains ------------------------------------------------------------------------------------------------------------


def controller(name: str, replicas: int) -> Document:
    return {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {"name": name, "namespace": "default", "uid": f"uid-{name}"},
        "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": name}}},
    }


# -- nodes that stop answering -----------------------------------------------------------------------------------------


def test_a_zone_that_stops_answering_loses_its_pods_one_node_after_another() -> None:
    nodes = [a_node("a0", zone="a"), a_node("a1", zone="a"), a_node("b0", zone="b")]
    key = "node.kubernetes.io/unreachable"
    patience = [{"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}]
    pods = [
        owned("quick", "web", "a1", status=READY),
        owned("patient", "web", "a0", status=READY, tolerations=patience),
        owned("proxy", "proxy", "a0", kind="DaemonSet", tolerations=[{"operator": "Exists"}]),
    ]
    steps = steps_of([*nodes, *pods], {"change": "lose-zone", "zone": "a", "how": "unreachable"})

    assert [((step.at - GRACE) // SECOND, *each) for step, each in zip(steps, brief(steps), strict=True)] == [
        (10, "evicted", "quick", "a1"),
        (10, "placed", "web-again-1", "b0"),
        (300, "evicted", "patient", "a0"),
        (300, "placed", "web-again-2", "b0"),
    ]


def nomination(pod: Any) -> str:
    return str(pod["status"].get("nominatedNodeName", ""))


def check_placed(case: Case, step: Step, explanation: Explanation, pod: Any, order: SearchOrder) -> None:
    """A placement is one of the best nodes, chosen by the seed or found first; a fitting nominated one goes alone."""
    if nomination(pod) in explanation.feasible:
        assert step.node == nomination(pod)
        return
    best = explanation.best
    first = first_found(explanation.cycle, order)
    nodes = explanation.snapshot.nodes
    assert step.node == (best[choose(case.seed, step.number, len(best))] if first is None else nodes.names[first])
    assert (step.ties, step.feasible) == (len(best), len(explanation.feasible))
    if not (case.samples and step.feasible == 1):
        assert step.total == explanation.cycle.totals.max()


def check_failed(step: Step, explanation: Explanation) -> None:
    assert not explanation.best
    if not explanation.fits:
        assert step.message == explanation.message
        assert step.plugins == rejecting(explanation.cycle)
        selected = explanation.preemption.selected if explanation.preemption else None
        if selected is not None:
            assert step.node == selected.node


@settings(max_examples=40, deadline=None)
@given(case=st.one_of(cases(), cases(plain=True)))
def test_every_attempt_ends_as_its_explanation_says(case: Case) -> None:
    simulation = Simulation(case)
    before, order = case.snapshot.copy(), SearchOrder(case.snapshot.nodes)
    known: dict[str, Any] = {}
    for step in simulation:
        if step.outcome in (Outcome.PLACED, Outcome.UNSCHEDULABLE):
            pod: Any = simulation.document_of(step.pod)
            pod = known.get(step.pod, pod if step.outcome is Outcome.PLACED else nominated(pod, ""))
            explanation = explain(before, pod, case.configuration.profile_for(pod))
            if step.outcome is Outcome.PLACED:
                check_placed(case, step, explanation, pod, order)
                before.assume(running(pod), step.node)
                assert before.content() == simulation.snapshot.content()
            else:
                check_failed(step, explanation)
            if step.outcome is Outcome.UNSCHEDULABLE or nomination(pod) not in explanation.feasible:
                order.advance(step.looked_at)
            known[step.pod] = simulation.document_of(step.pod)
        before = simulation.snapshot.copy()


def _constraint(key: str, when: str) -> dict[str, Any]:
    return {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": when, "labelSelector": {"matchLabels": {"app": "x"}}}


def _apart(key: str) -> dict[str, Any]:
    term = {"labelSelector": {"matchLabels": {"app": "y"}}, "topologyKey": key}
    preferred = {"weight": 10, "podAffinityTerm": term}
    return {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [preferred]}}


_HARD, _SOFT = _constraint(ZONE, "DoNotSchedule"), _constraint(HOSTNAME, "ScheduleAnyway")
KINDS: tuple[dict[str, Any], ...] = (
    {"requests": {"cpu": "500m", "memory": "1Gi"}},
    {"requests": {"cpu": "1500m", "memory": "256Mi"}},
    # So little that the next finds the same scores.
    {"requests": {"cpu": "5m", "memory": "1Mi"}},
    {"requests": {"cpu": "500m"}, "labels": {"app": "x"}, "topologySpreadConstraints": [_HARD]},
    {"requests": {"cpu": "250m"}, "labels": {"app": "x"}, "topologySpreadConstraints": [_HARD, _SOFT]},
    {"requests": {"cpu": "500m"}, "labels": {"app": "y"}, "affinity": _apart(HOSTNAME)},
)


@settings(max_examples=25, deadline=None)
@given(
    sizes=st.lists(st.sampled_from(["2", "4", "8"]), min_size=3, max_size=9),
    # Runs of one kind, as a workload's pods are, so that what one left is of use to the next.
    runs=st.lists(st.tuples(st.sampled_from(KINDS), st.integers(1, 25)), min_size=1, max_size=6),
    minor=st.sampled_from(["1.34", "1.37"]),
)
def test_what_a_pod_leaves_to_the_next_of_its_kind_is_what_it_would_find(
    sizes: list[str], runs: list[tuple[dict[str, Any], int]], minor: str
) -> None:
    """Of nodes of few sizes many have the same amounts, are filled in turn, and run out of room."""
    nodes = [
        a_node(f"n{number}", zone=f"z{number % 3}" if number else None, allocatable={"cpu": size})
        for number, size in enumerate(sizes)
    ]
    pods = [kind for kind, length in runs for _ in range(length)]
    wanted = [Wanted(a_pod(f"p{number:03d}", **kind)) for number, kind in enumerate(pods)]
    release = RELEASES[minor]
    case = Case(Snapshot.from_objects(nodes, release), SchedulerConfiguration.default(release), wanted)
    before, order = case.snapshot.copy(), SearchOrder(case.snapshot.nodes)
    for step in Simulation(case):
        pod: Any = wanted[int(step.pod[-3:])].pod
        explanation = explain(before, pod, case.configuration.profiles[0])
        if step.outcome is Outcome.PLACED:
            check_placed(case, step, explanation, pod, order)
            before.assume(running(pod), step.node)
        else:
            check_failed(step, explanation)
        order.advance(step.looked_at)


@pytest.mark.parametrize("minor", ["1.34", "1.35", "1.37"])
def test_a_search_that_ends_early_finds_what_explaining_finds(minor: str) -> None:
    """On enough nodes for the search to end early, some of them closed to the pods and some less liked."""
    taints: tuple[list[Document], ...] = (
        [{"key": "dedicated", "effect": "NoSchedule"}],
        [{"key": "old", "effect": "PreferNoSchedule"}],
        [],
    )
    nodes = [a_node(f"n{number:03d}", zone=f"z{number % 4}", taints=taints[number % 3]) for number in range(200)]
    kinds = ({"cpu": "3"}, {"cpu": "5", "memory": "1Gi"}, {"memory": "3Gi"})
    wanted = [Wanted(a_pod(f"p{number}", requests=kinds[number % 3])) for number in range(60)]
    release = RELEASES[minor]
    case = Case(Snapshot.from_objects(nodes, release), SchedulerConfiguration.default(release), wanted, samples=True)
    before, order = case.snapshot.copy(), SearchOrder(case.snapshot.nodes)
    for step, each in zip(Simulation(case), wanted, strict=True):
        explanation, looked_at = explain_attempt(before, each.pod, case.configuration.profiles[0], order)
        check_placed(case, step, explanation, each.pod, order)
        assert 100 < step.looked_at == looked_at < 200
        order.advance(looked_at)
        before.assume(running(each.pod), step.node)


@settings(max_examples=40, deadline=None)
@given(case=cases(disrupted=True))
def test_nobody_sleeps_who_would_fit(case: Case) -> None:
    simulation = Simulation(case)
    for _ in simulation:
        pass
    for key, step in simulation.waiting.items():
        pod = simulation.document_of(key)
        explanation = explain(simulation.snapshot, pod, case.configuration.profile_for(pod))
        assert step.outcome is Outcome.UNSCHEDULABLE
        assert not explanation.best
        if not nomination(pod):
            assert explanation.preemption is None or explanation.preemption.selected is None


@settings(max_examples=20, deadline=None)
@given(case=cases(disrupted=True))
def test_a_run_taken_up_anywhere_goes_on_as_it_was(case: Case) -> None:
    steps = list(Simulation(case))
    states: list[dict[str, Any]] = []
    for _ in (again := Simulation(case)):
        states.append(again.snapshot.content())
    for number in range(len(steps) + 1):
        resumed = state_after(case, steps[:number])
        if number:
            assert resumed.snapshot.content() == states[number - 1]
        assert list(resumed) == steps[number:]


@settings(max_examples=25, deadline=None)
@given(case=cases(disrupted=True), passing=st.lists(pods(placed=True), max_size=4))
def test_how_the_cluster_came_about_does_not_matter(case: Case, passing: list[Document]) -> None:
    """Pods that came and went before leave traces in a snapshot, but none in what follows."""
    walked = case.snapshot.copy()
    for number, pod in enumerate(passing):
        walked.upsert(named(pod, f"passing-{number}"))
    for number, pod in enumerate(passing):
        walked.delete(named(pod, f"passing-{number}"))

    assert list(Simulation(replace(case, snapshot=walked))) == list(Simulation(case))


@settings(max_examples=20, deadline=None)
@given(case=cases())
def test_the_decision_of_an_attempt_can_be_had_again(case: Case) -> None:
    steps = list(Simulation(case))
    for step in steps:
        if step.outcome is Outcome.PLACED:
            assert step.node in explained(case, steps, step.number).best
        elif step.outcome is Outcome.UNSCHEDULABLE:
            found = explained(case, steps, step.number)
            assert found.message is None or found.message == step.message


def budget(least: int) -> Document:
    manifest = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"minAvailable": least, "selector": {"matchLabels": {"app": "web"}}},
    }
    return {"change": "put-budget", "manifest": manifest}
