"""Claims that are bound because their pod was placed."""

from __future__ import annotations

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.simulation import Case, Outcome, Portion, Simulation, Wanted, headroom
from clusters.engine.volumes import is_bound
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.storage_builders import a_claim, a_class, a_volume, uses

DEFAULT = SchedulerConfiguration.default()
LOCAL = a_class("wait", provisioner="kubernetes.io/no-provisioner")
NODES = [a_node("a"), a_node("b")]


def pods(count: int) -> list[Wanted]:
    return [Wanted(a_pod(f"db-{number}", volumes=[uses(f"data-{number}")])) for number in range(count)]


def claims(count: int) -> list[Document]:
    return [a_claim(f"data-{number}") for number in range(count)]


def test_a_local_volume_is_given_to_one_claim() -> None:
    volumes = [a_volume("on-a", nodes=["a"]), a_volume("on-b", nodes=["b"])]
    simulation = Simulation(Case(Snapshot.from_objects([*NODES, LOCAL, *claims(3), *volumes]), DEFAULT, pods(3)))
    steps = list(simulation)

    assert {step.node for step in steps[:2]} == {"a", "b"}
    assert steps[2].outcome is Outcome.UNSCHEDULABLE
    assert "didn't find available persistent volumes to bind" in steps[2].message
    first = simulation.snapshot.object("PersistentVolumeClaim", "data-0", "default")
    assert first is not None
    assert is_bound(first)
    assert first["spec"]["volumeName"] == f"on-{steps[0].node}"
    volume = simulation.snapshot.object("PersistentVolume", f"on-{steps[0].node}")
    assert volume is not None
    assert volume["spec"]["claimRef"]["uid"] == "uid-data-0"


def test_pods_that_share_a_claim_follow_its_volume() -> None:
    shared = [Wanted(a_pod(f"web-{number}", volumes=[uses("data-0")])) for number in range(4)]
    objects = [*NODES, LOCAL, *claims(1), a_volume("on-a", nodes=["a"]), a_volume("on-b", nodes=["b"])]
    steps = list(Simulation(Case(Snapshot.from_objects(objects), DEFAULT, shared)))

    assert len({step.node for step in steps}) == 1
    assert all(step.outcome is Outcome.PLACED for step in steps)


def test_a_volume_that_a_provisioner_makes_is_not_there() -> None:
    simulation = Simulation(Case(Snapshot.from_objects([*NODES, a_class(), *claims(3)]), DEFAULT, pods(3)))

    assert [step.outcome for step in simulation] == [Outcome.PLACED] * 3
    assert not any(map(is_bound, simulation.snapshot.objects("PersistentVolumeClaim")))


def test_headroom_ends_with_the_volumes() -> None:
    """A StatefulSet's pods bring claims of their own."""
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "uid": "u", "controller": True}
    shape = a_pod("db-0", node="a", volumes=[{"persistentVolumeClaim": {"claimName": "data-db-0"}}])
    shape["metadata"]["ownerReferences"] = [owner]
    there = [a_claim("data-db-0", volume="taken"), a_volume("taken", nodes=["a"], phase="Bound")]
    free = [a_volume(f"free-{number}", nodes=["b"]) for number in range(5)]
    found = headroom(Snapshot.from_objects([*NODES, LOCAL, *there, *free, shape]), DEFAULT, [Portion(shape)])

    assert (found.count, dict(found.nodes)) == (5, {"b": 5})
