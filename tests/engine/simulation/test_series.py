"""Every point of a series is what measuring the state there would say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given, settings, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.simulation import Case, Outcome, Simulation, Wanted, measures_of, series_of, state_after
from tests.engine.builders import Document, a_node, a_pod

if TYPE_CHECKING:
    from clusters.engine.simulation.measures import Point

NODES = [a_node("a", zone="x", allocatable={"cpu": "4"}), a_node("b", zone="y", allocatable={"cpu": "3"})]


def made_by(kind: str, name: str, pod: Document) -> Document:
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": name, "controller": True}
    return {**pod, "metadata": {**pod["metadata"], "ownerReferences": [owner]}}


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Pods that come, wait, push others out and leave."""
    placed = [
        made_by(kind, "web", a_pod(f"old-{number}", node=draw(st.sampled_from("ab")), requests={"cpu": "1"}))
        for number, kind in enumerate(draw(st.lists(st.sampled_from(("ReplicaSet", "DaemonSet")), max_size=3)))
    ]
    wanted = [
        Wanted(
            made_by(
                "ReplicaSet",
                "new",
                a_pod(f"new-{number}", requests={"cpu": draw(st.sampled_from(("500m", "2")))}, priority=priority),
            ),
            at=at,
            until=draw(st.none() | st.integers(at, 40)),
        )
        for number, (priority, at) in enumerate(
            draw(st.lists(st.tuples(st.sampled_from((0, 10)), st.integers(0, 20)), max_size=8))
        )
    ]
    snapshot = Snapshot.from_objects([*NODES, *placed])
    by_key = {f"default/{pod['metadata']['name']}": pod for pod in placed}
    return Case(snapshot, SchedulerConfiguration.default(), wanted, placed=by_key)


@given(case=cases(), most=st.sampled_from((4, 200)), by_time=st.booleans())
@settings(max_examples=25, deadline=None)
def test_points_are_exact(case: Case, most: int, by_time: bool) -> None:
    simulation, steps = Simulation(case), []
    documents: dict[str, Any] = {}
    for step in simulation:
        steps.append(step)
        if step.outcome is Outcome.PLACED:
            documents[step.pod] = simulation.document_of(step.pod)
    found = series_of(case, steps, documents.__getitem__, most=most, by_time=by_time)

    assert len(found.points) <= most
    assert found.points[0].step == -1
    assert found.points[-1].step == len(steps) - 1
    for point in found.points:
        state = state_after(case, steps[: point.step + 1])
        measures = measures_of(state.snapshot)
        assert point.requested == {name: amount.requested for name, amount in measures.amounts.items()}
        assert point.zones == {
            part.name: {name: amount.requested for name, amount in part.amounts.items()} for part in measures.zones
        }
        assert (point.placed, point.nodes) == (measures.pods, measures.nodes - measures.empty)
        assert point.pending == len(state.waiting)
    if by_time:
        assert all(
            following.at > steps[point.step].at
            for point in found.points[1:]
            for following in steps[point.step + 1 : point.step + 2]
        )


def test_a_series_is_thinned_out_evenly() -> None:
    wanted = [Wanted(a_pod(f"p{number}"), at=number) for number in range(150)]
    case = Case(Snapshot.from_objects(NODES), SchedulerConfiguration.default(), wanted)
    simulation = Simulation(case)
    found = series_of(case, list(simulation), simulation.document_of, most=31)

    assert [point.step for point in found.points] == [-1, *range(4, 150, 5)]
    assert found.allocatable["cpu"] == 7000
    assert found.zones["y"]["cpu"] == 3000
    last: Point = found.points[-1]
    assert (last.placed, last.pending, last.share(found.allocatable, "pods")) == (150, 0, 150 / 220)
