"""Who is placed in a batch is not tried again, whoever is woken meanwhile."""

from __future__ import annotations

from clusters.adapters.flow import solve
from clusters.engine import Snapshot
from clusters.engine.nodes import GRACE
from clusters.engine.simulation import BatchSimulation, Case, Outcome, Wanted
from tests.engine.builders import ZONE, a_node, a_pod
from tests.engine.simulation.batch.examples import CONFIGURATION, a_case, run
from tests.engine.storage_builders import a_claim, a_class, a_volume, uses


def test_pods_that_waited_are_placed_once() -> None:
    snapshot = Snapshot.from_objects([a_node("n", allocatable={"pods": "2"})])
    first = [Wanted(a_pod(f"first-{number}"), until=5) for number in range(2)]
    then = [Wanted(a_pod(f"then-{number}"), at=1) for number in range(4)]
    simulation = BatchSimulation(Case(snapshot, CONFIGURATION, [*first, *then]), solve)
    placed = [step.pod for step in simulation if step.outcome is Outcome.PLACED]

    assert len(placed) == len(set(placed)) == 4
    assert len(simulation.waiting) == 2
    assert not set(simulation.waiting) & set(placed)


def test_a_local_volume_is_given_to_one_claim() -> None:
    local = a_class("wait", provisioner="kubernetes.io/no-provisioner")
    volumes = [a_volume("on-a", nodes=["a"]), a_volume("on-b", nodes=["b"])]
    claims = [a_claim(f"data-{number}") for number in range(3)]
    pods = [a_pod(f"db-{number}", volumes=[uses(f"data-{number}")]) for number in range(3)]
    steps = run(a_case([a_node("a"), a_node("b"), local, *volumes, *claims], pods))

    assert [step.outcome for step in steps] == [Outcome.PLACED, Outcome.PLACED, Outcome.UNSCHEDULABLE]
    assert {step.node for step in steps[:2]} == {"a", "b"}


def test_what_is_recorded_of_a_later_time_is_not_taken_for_now() -> None:
    """Pods that are pending as before say nothing, and their next step may follow upon those of others at once."""
    spread = {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }
    pods = [a_pod(f"web-{number}", labels={"app": "web"}, topologySpreadConstraints=[spread]) for number in range(4)]
    nodes = [a_node("a", zone="a"), a_node("b", zone="b", allocatable={"pods": "0"})]
    wanted = [Wanted(pods[0], until=5), *map(Wanted, pods[1:])]
    case = Case(Snapshot.from_objects(nodes), CONFIGURATION, wanted, unreachable=["b"])
    steps = run(case)

    assert [step.pod for step in steps[-2:]] == ["default/web-2", "default/web-3"]
    assert {step.at for step in steps[-2:]} == {GRACE}
    for number in range(len(steps) + 1):
        assert list(BatchSimulation(case, solve, steps[:number])) == steps
