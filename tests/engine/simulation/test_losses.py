"""What is left after a node or a zone is lost, once its pods lie elsewhere."""

from __future__ import annotations

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.owners import Controller, Workload
from clusters.engine.simulation import Loss, Outcome, Portion, Simulation, affected, headroom, play_losses, running_pods
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.simulation.changing import after, owned

DEFAULT = SchedulerConfiguration.default()
LOW = {"app": "low"}
SHAPE = a_pod("shape", requests={"cpu": "1"})


def resident(name: str, node: str, cpu: str, kind: str = "ReplicaSet") -> Document:
    pod = a_pod(name, node=node, requests={"cpu": cpu})
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": "web", "uid": "web", "controller": True}
    return {**pod, "metadata": {**pod["metadata"], "ownerReferences": [owner]}, "status": {"phase": "Running"}}


NODES = [
    a_node("a", zone="x", allocatable={"cpu": "4"}),
    a_node("b", zone="x", allocatable={"cpu": "4"}),
    a_node("c", zone="y", allocatable={"cpu": "9"}),
]


def zone_losses(nodes: list[Document], pods: list[Document]) -> dict[str, Loss]:
    found = play_losses(Snapshot.from_objects([*nodes, *pods]), DEFAULT, [SHAPE], pods)
    return {loss.name: loss for loss in found.zones}


def test_what_lay_on_a_lost_node_takes_room_elsewhere() -> None:
    pods = [resident("web-1", "a", "2"), resident("log", "a", "1", "DaemonSet"), resident("web-2", "b", "3")]
    loss = zone_losses([a_node("a", zone="w", allocatable={"cpu": "4"}), *NODES[1:]], pods)["w"]

    # 1 on b and 9 on c, less the 2 CPUs of the pod that came from a.
    assert (loss.counts, loss.displaced, loss.newly_pending) == ((8,), 1, ())


def test_a_loss_leaves_the_snapshot_as_it_is() -> None:
    pods = [resident("web-1", "a", "2"), resident("web-2", "b", "3")]
    snapshot = Snapshot.from_objects([*NODES, *pods])
    before = snapshot.content()
    play_losses(snapshot, DEFAULT, [SHAPE], pods)

    assert snapshot.content() == before


def test_pods_without_a_home_are_named() -> None:
    loss = zone_losses(NODES, [resident("web-1", "c", "8"), resident("web-2", "c", "1")])["y"]

    assert (loss.displaced, loss.newly_pending, loss.counts) == (2, ("default/web-again-1",), (7,))


def test_the_worst_losses_are_those_that_simulating_all_would_find() -> None:
    pods = [resident("web-1", "a", "2"), resident("web-2", "b", "1"), resident("web-3", "c", "1")]
    large = a_pod("large", requests={"cpu": "4"})
    found = play_losses(Snapshot.from_objects([*NODES, *pods]), DEFAULT, [SHAPE, large], pods)

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


def test_alike_nodes_are_played_once_and_large_zones_not_at_all() -> None:
    nodes = [a_node(f"n{number}", zone="x", allocatable={"cpu": "4"}) for number in range(8)]
    pods = [resident(f"web-{number}", f"n{number}", "1") for number in range(8)]
    found = play_losses(Snapshot.from_objects([*nodes, *pods]), DEFAULT, [SHAPE], pods, most_displaced=7)

    assert (found.played, found.kinds, found.zones, found.too_large) == (1, 1, (), ("x",))
    assert found.worst_nodes[0] is not None
    assert (found.worst_nodes[0].name, found.worst_nodes[0].counts) == ("n0", (20,))


def test_losing_all_that_there_is() -> None:
    found = play_losses(Snapshot.from_objects([NODES[0]]), DEFAULT, [SHAPE], [])

    assert (found.before, [loss.counts for loss in found.zones]) == ((4,), [(0,)])
    assert play_losses(Snapshot.from_objects([]), DEFAULT, [SHAPE], []).worst_nodes == (None,)


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
    change = {"change": "lose-zone", "zone": "y", "how": "gone"}
    simulation = Simulation(after(base, change).case)
    steps = list(simulation)
    placed = [each for each in base if (each.get("spec") or {}).get("nodeName")]
    found = {each.name: each for each in play_losses(Snapshot.from_objects(base), DEFAULT, [SHAPE], placed).zones}

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
    running = [each for each in base if each["kind"] == "Pod" and each["spec"].get("nodeName")]
    loss = {
        each.name: each for each in play_losses(Snapshot.from_objects(base), DEFAULT, [SHAPE], running, waiting).zones
    }["y"]

    assert sorted(simulation.waiting) == sorted([*loss.newly_pending, "default/giant"])
    assert (loss.displaced, len(loss.newly_pending)) == (3, 2)
