"""What is said to be removable can go: every pod has a place afterwards, and no budget was broken on the way."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.analysis import MovePods, pods_to_move
from clusters.engine.objects import key_of
from clusters.engine.owners import Controller, Workload
from clusters.engine.scheduling import place
from clusters.engine.simulation import (
    Base,
    Keeps,
    Loss,
    Losses,
    Outcome,
    Portion,
    Removal,
    RemovalOptions,
    Simulation,
    Wanted,
    affected,
    find_removable,
    headroom,
    nodes_needed,
    play_losses,
    running_pods,
)
from clusters.engine.simulation.course import choose
from clusters.engine.versions import ASSUMED
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod, explanation_of
from tests.engine.simulation.changing import after, owned
from tests.engine.strategies import nodes, pods
from tests.support.answers import known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.simulation.node_counts import NodesNeeded

DEFAULT = SchedulerConfiguration.default()
READY = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
EVICTABLE = "cluster-autoscaler.kubernetes.io/safe-to-evict"


def resident(name: str, node: str, cpu: str = "1", *, kind: str | None = "ReplicaSet", **fields: Any) -> Document:
    """A ready pod on a node, of a controller that bears the name of its app."""
    app = name.partition("-")[0]
    pod = a_pod(name, node=node, labels={"app": app}, requests={"cpu": cpu}, **fields)
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": app, "uid": f"{kind}-{app}", "controller": True}
    return {**pod, "metadata": {**pod["metadata"], "ownerReferences": [owner] if kind else []}, "status": READY}


def budget(app: str, replicas: int, unavailable: int, namespace: str = "default") -> list[Document]:
    """A budget of an app, with the status that the controller writes, and the ReplicaSet that it asks."""
    status = {
        "disruptionsAllowed": unavailable,
        "currentHealthy": replicas,
        "desiredHealthy": replicas - unavailable,
        "expectedPods": replicas,
    }
    metadata = {"name": app, "namespace": namespace, "uid": f"ReplicaSet-{app}"}
    return [
        {
            "kind": "PodDisruptionBudget",
            "metadata": metadata,
            "spec": {"maxUnavailable": unavailable, "selector": {"matchLabels": {"app": app}}},
            "status": status,
        },
        {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": metadata, "spec": {"replicas": replicas}},
    ]


def found(*objects: Document, **options: Any) -> Removal:
    pods = [document for document in objects if document["kind"] == "Pod"]
    return find_removable(Snapshot.from_objects(objects), DEFAULT, pods, RemovalOptions(**options))


def reasons(removal: Removal) -> dict[str, Keeps]:
    return {node.name: node.why for node in removal.kept}


@given(
    places=st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 4), st.sampled_from(("1", "2"))), max_size=10),
    unavailable=st.integers(0, 2),
    apart=st.booleans(),
)
@settings(max_examples=30)
def test_nobody_waits_afterwards_and_no_budget_breaks(
    places: list[tuple[str, int, str]], unavailable: int, apart: bool
) -> None:
    term = {"topologyKey": HOSTNAME, "labelSelector": {"matchLabels": {"app": "a"}}}
    affinity = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term] if apart else []}}
    pods = [
        resident(f"{app}-{number}", f"n{node}", cpu, affinity=affinity if app == "a" else {})
        for number, (app, node, cpu) in enumerate(places)
    ]
    apps = Counter(app for app, _, _ in places)
    objects = [*(a_node(f"n{number}") for number in range(5)), *pods, *budget("b", apps["b"], unavailable)]
    before = Snapshot.from_objects(objects).content()
    snapshot = Snapshot.from_objects(objects)
    removal = find_removable(snapshot, DEFAULT, pods)

    assert snapshot.content() == before
    assert removal.is_verified
    gone = {node.name for node in removal.removed}
    after = removal.after
    assert gone | {node.name for node in removal.kept} == {f"n{number}" for number in range(5)}
    assert set(after.nodes.names).isdisjoint(gone)
    # As many pods of each app lie on nodes as before, and no node is overbooked.
    assert Counter(after.pods.labels(slot)["app"] for slot in after.pods.slot_of.values()) == apps
    kept = [snapshot.nodes.index[name] for name in after.nodes.names]
    assert (after.nodes.requested <= np.maximum(after.nodes.allocatable, snapshot.nodes.requested[kept])).all()
    assert (after.pods.node[list(after.pods.slot_of.values())] >= 0).all()
    for node in removal.removed:
        together = Counter((move.round, move.pod.partition("/")[2][0]) for move in node.moves)
        assert all(number <= unavailable for (_, app), number in together.items() if app == "b")


@pytest.mark.parametrize(
    ("pod", "why"),
    [
        (resident("bare", "a", kind=None), Keeps.BARE),
        (resident("clone", "a", kind="CloneSet"), Keeps.CUSTOM),
        (resident("dns-1", "a", namespace="kube-system"), Keeps.SYSTEM),
        (resident("db-1", "a", volumes=[{"emptyDir": {}}]), Keeps.LOCAL_STORAGE),
        (resident("db-1", "a", volumes=[{"hostPath": {"path": "/srv"}}]), Keeps.LOCAL_STORAGE),
        (resident("db-1", "a", volumes=[{"emptyDir": {"medium": "Memory"}}]), None),
        (resident("log-1", "a", kind="DaemonSet", volumes=[{"hostPath": {"path": "/srv"}}]), None),
        (resident("far-1", "a", nodeSelector={HOSTNAME: "a"}), Keeps.NO_ROOM),
        (resident("wide-1", "a", "7"), Keeps.USED),
        (resident("far-1", "a", schedulerName="another"), Keeps.OTHER_SCHEDULER),
        # Who tolerates everything would go back to the node that is emptied.
        (resident("all-1", "a", tolerations=[{"operator": "Exists"}], nodeSelector={HOSTNAME: "a"}), Keeps.NO_ROOM),
    ],
)
def test_what_keeps_a_node(pod: Document, why: Keeps | None) -> None:
    removal = found(a_node("a"), a_node("b"), pod, *(resident(f"x-{number}", "b") for number in range(5)))

    assert reasons(removal).get("a") == why
    assert [node.name for node in removal.removed] == ([] if why else ["a"])
    kept = {node.name: node.pods for node in removal.kept}
    if why not in (None, Keeps.USED):
        assert kept["a"] == (f"{pod['metadata']['namespace']}/{pod['metadata']['name']}",)


@pytest.mark.parametrize(("safe", "goes"), [("true", True), ("false", False)])
def test_pods_that_say_whether_they_are_safe_to_evict(safe: str, goes: bool) -> None:
    pod = resident("db-1", "a", volumes=[{"emptyDir": {}}] if goes else ())
    pod["metadata"]["annotations"] = {EVICTABLE: safe}
    removal = found(a_node("a"), a_node("b"), pod, *(resident(f"x-{number}", "b") for number in range(5)))

    assert [node.name for node in removal.removed] == (["a"] if goes else [])
    assert goes or reasons(removal)["a"] is Keeps.ANNOTATION


def test_budgets_are_asked_again_after_what_went_is_replaced() -> None:
    pods = [resident(f"web-{number}", "a") for number in range(3)]
    others = [a_node("a"), a_node("b"), *(resident(f"x-{number}", "b") for number in range(5))]

    assert [move.round for move in found(*others, *pods, *budget("web", 3, 1)).removed[0].moves] == [1, 2, 3]
    blocked = found(*others, *pods, *budget("web", 3, 0))
    assert reasons(blocked)["a"] is Keeps.BUDGET
    assert "web" in next(node.message for node in blocked.kept if node.name == "a")


def test_a_node_of_the_control_plane_stays() -> None:
    removal = found(a_node("a", labels={"node-role.kubernetes.io/control-plane": ""}), a_node("b"))

    assert reasons(removal) == {"a": Keeps.CONTROL_PLANE}
    assert [node.name for node in removal.removed] == ["b"]


LOW = {"app": "low"}
SHAPE = a_pod("shape", requests={"cpu": "1"})


def resident_of(name: str, node: str, cpu: str, kind: str = "ReplicaSet") -> Document:
    pod = a_pod(name, node=node, requests={"cpu": cpu})
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": "web", "uid": "web", "controller": True}
    return {**pod, "metadata": {**pod["metadata"], "ownerReferences": [owner]}, "status": {"phase": "Running"}}


NODES = [
    a_node("a", zone="x", allocatable={"cpu": "4"}),
    a_node("b", zone="x", allocatable={"cpu": "4"}),
    a_node("c", zone="y", allocatable={"cpu": "9"}),
]


def losses_of(objects: list[Document], *more: Document) -> Losses:
    return play_losses(Base.of(objects, ASSUMED), DEFAULT, [SHAPE, *more])


def zone_losses(nodes: list[Document], pods: list[Document]) -> dict[str, Loss]:
    found = losses_of([*nodes, *pods])
    return {loss.name: loss for loss in found.zones}


def test_what_lay_on_a_lost_node_takes_room_elsewhere() -> None:
    pods = [resident_of("web-1", "a", "2"), resident_of("log", "a", "1", "DaemonSet"), resident_of("web-2", "b", "3")]
    loss = zone_losses([a_node("a", zone="w", allocatable={"cpu": "4"}), *NODES[1:]], pods)["w"]

    # 1 on b and 9 on c, less the 2 CPUs of the pod that came from a.
    assert (loss.counts, loss.displaced, loss.newly_pending) == ((8,), 1, ())


def test_the_worst_losses_are_those_that_simulating_all_would_find() -> None:
    pods = [resident_of("web-1", "a", "2"), resident_of("web-2", "b", "1"), resident_of("web-3", "c", "1")]
    large = a_pod("large", requests={"cpu": "4"})
    found = losses_of([*NODES, *pods], large)

    every = []
    for name in "abc":
        simulation = Simulation(after([*NODES, *pods], {"change": "remove-nodes", "nodes": [name]}).case)
        assert [step.outcome for step in simulation] == [Outcome.PLACED]
        every.append([headroom(simulation.snapshot, DEFAULT, [Portion(shape)]).count for shape in (SHAPE, large)])
    assert found.before == (13, 2)
    assert [loss and loss.counts[number] for number, loss in enumerate(found.worst_nodes)] == [
        min(counts[number] for counts in every) for number in (0, 1)
    ]
    assert [(loss.name, loss.nodes, loss.counts[0], loss.displaced) for loss in found.zones] == [
        ("x", 2, 5, 2),
        ("y", 1, 4, 1),
    ]
    assert (found.played, found.kinds, found.too_large) == (3, 3, ())


def test_losing_all_that_there_is() -> None:
    found = losses_of([NODES[0]])

    assert (found.before, [loss.counts for loss in found.zones]) == ((4,), [(0,)])
    assert losses_of([]).worst_nodes == (None,)


def test_a_loss_leaves_over_what_its_simulation_does() -> None:
    """Those who have to make room for the displaced ones are pending too."""
    budget = {
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "low", "namespace": "default"},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": LOW}},
    }
    base = [
        *NODES,
        budget,
        *(owned(f"high-{each}", "high", "c", requests={"cpu": "3"}, priority=9) for each in range(3)),
        *(
            owned(f"low-{each}", "low", "ab"[each % 2], requests={"cpu": "1"}, labels={"app": "low"})
            for each in range(6)
        ),
        a_pod("alone", node="b", requests={"cpu": "1"}),
        owned("done", "job", "c", kind="Job", status={"phase": "Succeeded"}),
    ]
    simulation = Simulation(after(base, {"change": "lose-zone", "zone": "y", "how": "gone"}).case)
    steps = list(simulation)
    found = {each.name: each for each in losses_of(base).zones}

    assert found["y"].displaced == 3
    assert found["y"].newly_pending == tuple(sorted(simulation.waiting))
    told = affected(
        running_pods(Snapshot.from_objects(base)),
        running_pods(simulation.snapshot, [simulation.document_of(key) for key in simulation.waiting]),
        {key: Workload.of("default", Controller.of(simulation.document_of(key)), "") for key in simulation.waiting},
    )
    assert found["y"].affected == told
    assert sum(step.outcome is Outcome.PREEMPTED for step in steps) >= len(found["y"].newly_pending) - 1 >= 3


def test_pods_that_were_pending_before_are_tried_and_not_counted_again() -> None:
    """They take room that displaced pods would have, as they do in a simulation of the same loss."""
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["c"]}]}
    pinned = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    waiting = [
        owned("early", "early", requests={"cpu": "2"}, priority=9),
        owned("giant", "giant", requests={"cpu": "64"}),
        a_pod("foreign", requests={"cpu": "1"}, schedulerName="another"),
        owned("agent", "agent", kind="DaemonSet", requests={"cpu": "1"}, affinity={"nodeAffinity": pinned}),
    ]
    base = [*NODES, *(owned(f"web-{each}", "web", "c", requests={"cpu": "3"}) for each in range(3)), *waiting]
    simulation = Simulation(after(base, {"change": "lose-zone", "zone": "y", "how": "gone"}).case)
    for _ in simulation:
        pass
    loss = {each.name: each for each in losses_of(base).zones}["y"]

    assert sorted(simulation.waiting) == sorted([*loss.newly_pending, "default/giant"])
    assert (loss.displaced, len(loss.newly_pending)) == (3, 2)


def copies(number: int, name: str = "web", **fields: object) -> list[Wanted]:
    return [Wanted(a_pod(f"{name}-{place}", **fields)) for place in range(number)]  # type: ignore[arg-type]


def needed(
    wanted: list[Wanted], *cluster: Document, template: Document | None = None, **options: object
) -> NodesNeeded:
    like = template or a_node("big", allocatable={"cpu": "4"})
    return nodes_needed(Snapshot.from_objects(cluster), DEFAULT, like, wanted, **options)  # type: ignore[arg-type]


@given(
    sizes=st.lists(st.sampled_from(("500m", "1", "1500m", "3")), max_size=14),
    apart=st.booleans(),
    present=st.integers(0, 2),
)
@settings(max_examples=25)
def test_it_fits_with_that_many_and_not_with_one_less(sizes: list[str], apart: bool, present: int) -> None:
    term = {"topologyKey": HOSTNAME, "labelSelector": {"matchLabels": {"app": "db"}}}
    affinity = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}} if apart else {}
    wanted = [
        Wanted(a_pod(f"p{number}", labels={"app": "db"}, requests={"cpu": size}, affinity=affinity))
        for number, size in enumerate(sizes)
    ]
    cluster = [a_node(f"n{number}", allocatable={"cpu": "2"}) for number in range(present)]
    found = needed(wanted, *cluster)

    assert found.count is not None
    fits = {trial.nodes: trial.fits for trial in found.trials}
    assert fits[found.count]
    assert found.count == 0 or not fits[found.count - 1]
    for more, expected in ((found.count, True), (found.count - 1, False)):
        if more >= 0 and not apart and len(set(sizes)) == 1:
            snapshot = Snapshot.from_objects(
                [*cluster, *(a_node(f"m{number}", allocatable={"cpu": "4"}) for number in range(more))]
            )
            assert all(each.node for each in place(snapshot, [each.pod for each in wanted], DEFAULT)) is expected
            assert found.is_least


def test_a_pod_that_no_empty_node_takes_never_fits() -> None:
    found = needed(copies(3, requests={"cpu": "5"}), a_node("there", allocatable={"cpu": "5"}), most=64)

    assert (found.count, found.never) == (None, True)
    assert "Insufficient cpu" in known(found.stop).message
    # Once an empty node rejects a pod, the most is tried at once.
    assert [trial.nodes for trial in found.trials] == [3, 64]


def test_spreading_over_zones_needs_nodes_in_each() -> None:
    spread = {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }
    wanted = copies(12, labels={"app": "web"}, requests={"cpu": "1"}, topologySpreadConstraints=[spread])
    full = [a_node(name, zone=name, allocatable={"cpu": "1"}) for name in ("east", "west")]
    one_zone = a_node("big", zone="east", allocatable={"cpu": "4"})

    assert needed(wanted, *full, template=one_zone, most=50).never
    both = needed(wanted, *full, template=one_zone, zones=("east", "west"), most=50)
    assert (both.count, both.is_least) == (4, False)


def test_a_pod_waits_for_one_that_comes_later() -> None:
    term = {"topologyKey": HOSTNAME, "labelSelector": {"matchLabels": {"app": "db"}}}
    near = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    wanted = [
        Wanted(a_pod("web", requests={"cpu": "1"}, affinity=near)),
        Wanted(a_pod("db", labels={"app": "db"}, requests={"cpu": "1"})),
    ]

    assert needed(wanted).count == 1


def apart(key: str, **labels: str) -> Document:
    """An affinity that keeps pods with these labels out of each other's domains."""
    term = {"topologyKey": key, "labelSelector": {"matchLabels": labels}}
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


@given(
    cluster=st.lists(nodes(), min_size=1, max_size=4, unique_by=lambda node: node["metadata"]["name"]),
    others=st.lists(pods(placed=True), max_size=4, unique_by=lambda pod: pod["metadata"]["name"]),
    shape=pods(placed=False),
    seed=st.integers(0, 9),
)
@settings(max_examples=40)
def test_as_many_fit_as_can_be_placed_one_by_one(
    cluster: list[Document], others: list[Document], shape: Document, seed: int
) -> None:
    snapshot = Snapshot.from_objects([*cluster, *others])
    before = snapshot.content()
    found = headroom(snapshot, DEFAULT, [Portion(shape)], seed=seed)

    spec = {**shape["spec"], "preemptionPolicy": "Never"}
    state, placed = snapshot.copy(), Counter[str]()
    while True:
        number = placed.total()
        copy = {**shape, "metadata": {**shape["metadata"], "name": f"copy-{number}"}, "spec": spec}
        explanation = explain(state, copy, DEFAULT.profile_for(copy))
        if not explanation.fits:
            break
        node = explanation.best[choose(seed, number, len(explanation.best))]
        state.assume(copy, node)
        placed[node] += 1

    assert snapshot.content() == before
    assert found.stop is not None
    assert (found.nodes, found.count, found.stop.message) == (dict(placed), placed.total(), explanation.fit_error)
    assert sum(each.nodes for each in found.stop.reasons) == len(cluster)


@pytest.mark.parametrize(("key", "count"), [(HOSTNAME, 4), (ZONE, 2)])
def test_pods_that_keep_apart_fit_once_in_each_domain(key: str, count: int) -> None:
    snapshot = Snapshot.from_objects([a_node(f"n{number}", zone=f"z{number % 2}") for number in range(4)])
    found = headroom(snapshot, DEFAULT, [Portion(a_pod("db", labels={"app": "db"}, affinity=apart(key, app="db")))])

    assert (found.count, found.is_computed) == (count, False)
    assert known(found.stop).reasons[0].plugin == "InterPodAffinity"


def test_counting_ends_at_the_limit() -> None:
    snapshot = Snapshot.from_objects([a_node("a")])
    mix = [Portion(a_pod("one")), Portion(a_pod("two"))]

    assert (headroom(snapshot, DEFAULT, mix, most=5).count, headroom(snapshot, DEFAULT, mix, most=5).stop) == (5, None)
    assert headroom(snapshot, DEFAULT, mix).count == 110


def test_a_gated_shape_never_fits() -> None:
    gated = a_pod("gated", schedulingGates=[{"name": "wait"}])
    found = headroom(Snapshot.from_objects([a_node("a")]), DEFAULT, [Portion(gated)])

    assert found.count == 0
    assert "wait" in known(found.stop).message


BIG = a_pod("big", requests={"cpu": "3"})
HOST = {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": "kubernetes.io/hostname"}


def owned_on(name: str, node: str, cpu: str, kind: str = "ReplicaSet", **fields: Any) -> Document:
    pod = a_pod(name, node=node, requests={"cpu": cpu}, labels={"app": "web"}, **fields)
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": "web", "uid": "u-web", "controller": True}
    status = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    return {**pod, "metadata": {**pod["metadata"], "ownerReferences": [owner]}, "status": status}


def moved(pod: Document, *cluster: Document) -> MovePods | None:
    pods = {key_of(each): each for each in cluster if each["kind"] == "Pod"}

    def documents(keys: Sequence[str]) -> list[Document]:
        return [pods[key] for key in keys]

    return pods_to_move(explanation_of(pod, *cluster), SchedulerConfiguration.default(), documents)


def nodes_of_cpu(**cpu: str) -> list[Document]:
    return [a_node(name, allocatable={"cpu": amount}) for name, amount in cpu.items()]


@pytest.mark.parametrize(
    "holder",
    [
        # Its replacement fits nowhere else, or nowhere at all.
        owned_on("web-1", "a", "3"),
        owned_on("web-1", "a", "1", nodeSelector={"disk": "ssd"}),
        # Nothing makes it again, or only there.
        a_pod("web-1", node="a", requests={"cpu": "1"}),
        owned_on("web-1", "a", "1", kind="DaemonSet"),
        owned_on("web-1", "a", "1", kind="Node"),
        # It loses what it has written.
        owned_on("web-1", "a", "1", volumes=[{"name": "data", "emptyDir": {}}]),
    ],
)
def test_a_pod_that_cannot_go_elsewhere_stays(holder: Document) -> None:
    cluster = [a_node("a", allocatable={"cpu": "3"}, labels={"disk": "ssd"}), *nodes_of_cpu(b="2")]

    assert moved(BIG, *cluster, holder) is None


def guarded(pod: Document) -> Document:
    return {**pod, "metadata": {**pod["metadata"], "labels": {"app": "guarded"}}}


NO_DISRUPTION: Document = {
    "apiVersion": "policy/v1",
    "kind": "PodDisruptionBudget",
    "metadata": {"name": "guarded", "namespace": "default", "generation": 1},
    "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "guarded"}}},
    "status": {"observedGeneration": 1, "disruptionsAllowed": 0, "desiredHealthy": 1, "currentHealthy": 1},
}


@pytest.mark.parametrize(
    ("cpu", "staying"),
    [
        pytest.param("4100m", guarded(owned_on("big-1", "a", "2")), id="one may not go"),
        pytest.param("5100m", owned_on("large", "a", "3"), id="one fits nowhere else"),
    ],
)
def test_pods_that_stay_leave_their_place_to_smaller_ones_together(cpu: str, staying: Document) -> None:
    small = [owned_on("web-1", "a", "1"), owned_on("web-2", "a", "1")]
    cluster = [*nodes_of_cpu(a=cpu, b="2"), staying, *small, NO_DISRUPTION]

    assert moved(a_pod("big", requests={"cpu": "2100m"}), *cluster) == (
        MovePods("a", ("default/web-1", "default/web-2"), ("b", "b"))
    )


def test_the_replacement_is_tried_beside_the_pod() -> None:
    apart = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [HOST]}}
    cluster = [*nodes_of_cpu(a="3", b="2"), owned_on("web-1", "a", "1", affinity=apart), owned_on("web-2", "b", "500m")]

    assert moved(BIG, *cluster) is None
    assert moved(BIG, *cluster[:-1]) == MovePods("a", ("default/web-1",), ("b",))


def test_a_node_that_something_else_keeps_closed_is_left_alone() -> None:
    closed = a_node("a", allocatable={"cpu": "3"}, taints=[{"key": "gold", "effect": "NoSchedule"}])

    assert moved(BIG, closed, *nodes_of_cpu(b="2"), owned_on("web-1", "a", "1")) is None


def test_what_preemption_does_by_itself_is_no_advice() -> None:
    cluster = [*nodes_of_cpu(a="3", b="2"), owned_on("web-1", "a", "1", priority=-1)]

    assert moved(BIG, *cluster) is None
    assert moved(a_pod("big", requests={"cpu": "3"}, preemptionPolicy="Never"), *cluster) is not None


def test_a_pod_that_fits_elsewhere_makes_room() -> None:
    cluster = [*nodes_of_cpu(a="4", b="4", c="2"), owned_on("web-1", "a", "1"), owned_on("web-2", "b", "2500m")]
    cluster.append(owned_on("web-3", "a", "1", kind="DaemonSet"))

    assert moved(BIG, *cluster) == MovePods("a", ("default/web-1",), ("c",))
