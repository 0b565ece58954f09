"""A history stands at any moment, and at moments that never were, as a snapshot built for them would."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.journal import History, NodesAtMoment, RecordedChange, RecordedPod, RecordedStretch, replay_stretch
from clusters.engine.objects import key_of
from clusters.engine.simulation import Case, Outcome, PodEnding, Simulation
from tests.engine.builders import a_node, a_pod
from tests.engine.simulation.cases import cases
from tests.engine.strategies import Document, changes, nodes, pods
from tests.support.decision_cluster import node, pod

Key = tuple[str, str]


def key(document: Document) -> Key:
    return document["kind"], document["metadata"]["name"]


def stepped(first: dict[Key, Document], done: list[tuple[str, Document]]) -> list[RecordedChange]:
    """Changes as steps, each with the state of its object before; what is not there cannot go."""
    present = dict(first)
    steps = []
    for version, (action, document) in enumerate(done, start=1):
        before = present.get(key(document))
        after = document if action == "upsert" else None
        if before is None and after is None:
            continue
        steps.append(RecordedChange(version, before, after, moment=version))
        if after is None:
            del present[key(document)]
        else:
            present[key(document)] = after
    return steps


def replayed(
    first: dict[Key, Document],
    steps: list[RecordedChange],
    without: set[RecordedChange],
    beyond: set[RecordedChange],
    version: int,
) -> Any:
    """What the snapshot says when the steps that count are gone through naively."""
    present = dict(first)
    fallen = set()
    for step in steps:
        name = key(dict(step.document))
        if step in without:
            fallen.add(name)
        if name in fallen or not (step.version < version or step in beyond):
            continue
        if step.after is None:
            present.pop(name, None)
        else:
            present[name] = dict(step.after)
    return Snapshot.from_objects(present.values()).content()


@st.composite
def histories(draw: st.DrawFn) -> tuple[dict[Key, Document], list[RecordedChange]]:
    first = {key(each): each for each in draw(st.lists(st.one_of(nodes(), pods(placed=True)), max_size=12))}
    return first, stepped(first, draw(st.lists(changes(), max_size=25)))


@settings(max_examples=50, deadline=None)
@given(given_history=histories(), data=st.data())
def test_every_state_is_the_one_built_for_it(
    given_history: tuple[dict[Key, Document], list[RecordedChange]], data: st.DataObject
) -> None:
    first, steps = given_history
    history = History(Snapshot.from_objects(first.values()))
    for step in data.draw(st.permutations(steps)):
        history.add(step)
    for _ in range(4):
        version = data.draw(st.integers(0, 27))
        past = [step for step in steps if step.version < version]
        future = [step for step in steps if step.version >= version]
        without = set(data.draw(st.lists(st.sampled_from(past), max_size=3))) if past else set()
        # The next one of an object leads to the ones after it, so only first ones are taken ahead.
        ahead = {key(dict(step.document)): step for step in reversed(future)}
        beyond = set(data.draw(st.lists(st.sampled_from(list(ahead.values())), max_size=3))) if ahead else set()
        with history.state(version, without=without, beyond=beyond) as snapshot:
            assert snapshot.content() == replayed(first, steps, without, beyond, version)


@settings(max_examples=40, deadline=None)
@given(given_history=histories(), forgotten=st.integers(0, 27), version=st.integers(0, 27))
def test_forgetting_keeps_what_comes_after(
    given_history: tuple[dict[Key, Document], list[RecordedChange]], forgotten: int, version: int
) -> None:
    first, steps = given_history
    history = History(Snapshot.from_objects(first.values()))
    for step in steps:
        history.add(step)
    history.forget(forgotten)

    assert len(history) == sum(step.version >= forgotten for step in steps)
    with history.state(max(version, forgotten)) as snapshot:
        assert snapshot.content() == replayed(first, steps, set(), set(), max(version, forgotten))


def step_of(before: Document | None, after: Document | None) -> RecordedChange:
    return RecordedChange(1, before, after)


def test_only_what_scheduling_reads_matters() -> None:
    node = a_node("n1")
    ready = {**node, "status": {**node["status"], "conditions": [{"type": "Ready", "status": "True"}]}}
    cordoned = {**node, "spec": {**node["spec"], "unschedulable": True}}
    pending = a_pod("p")
    bound = a_pod("p", node="n1")
    running = {**bound, "status": {"phase": "Running"}}
    leaving = {**running, "metadata": {**running["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z"}}
    finished = {**running, "status": {"phase": "Succeeded"}}

    read = [(node, cordoned), (pending, bound), (running, leaving), (running, finished)]
    unread = [(node, ready), (None, pending), (bound, running), (finished, None)]
    assert [step_of(*each).matters for each in (*read, *unread)] == [True] * 4 + [False] * 4


def test_bindings_and_nominations_are_the_schedulers() -> None:
    pending = a_pod("p")
    bound = a_pod("p", node="n1")
    nominated = a_pod("p", nominated="n1")

    others = [(None, bound), (bound, None), (bound, {**bound, "status": {"phase": "Running"}})]
    nodes = a_node("n1"), a_node("n1", unschedulable=True)
    assert all(step_of(pending, each).is_by_scheduler for each in (bound, nominated))
    assert not any(step_of(*each).is_by_scheduler for each in (*others, nodes))


DEFAULT = SchedulerConfiguration.default()


def recorded(case: Case) -> RecordedStretch:
    """What a journal would have recorded of a simulation without preemption: each pod when it was tried first."""
    wanted = sorted(case.wanted, key=lambda each: each.at)
    placed = {step.pod: step.node for step in Simulation(case) if step.outcome is Outcome.PLACED}
    pods = [RecordedPod(each.pod, each.at, placed.get(key_of(each.pod), ""), each.until) for each in wanted]
    return RecordedStretch(case.snapshot, 10, pods)


@settings(max_examples=40)
@given(cases())
def test_the_same_configuration_decides_alike(case: Case) -> None:
    patient = [
        replace(each, pod={**each.pod, "spec": {**each.pod["spec"], "preemptionPolicy": "Never"}})
        for each in case.wanted
    ]
    case = replace(case, wanted=patient, samples=False, placed={}, seed=3)
    stretch = recorded(case)

    replayed = replay_stretch(stretch, case.configuration)

    assert [each.node for each in replayed.pods] == [each.node for each in stretch.pods]
    assert [each.ending for each in replayed.pods] == [each.ending for each in stretch.pods]
    assert replayed.preempted == ()
    assert replayed.lost == 0


def stretch(*pods: RecordedPod, **fields: Any) -> RecordedStretch:
    there = [node("a", "north"), node("b", "south"), pod("there", nodeName="a", cpu="1")]
    return RecordedStretch(Snapshot.from_objects(there), 100, pods, **fields)


def ends(found: RecordedStretch, configuration: SchedulerConfiguration = DEFAULT) -> list[str]:
    """Where the replay ended for each pod."""
    return [each.node or each.ending.value for each in replay_stretch(found, configuration).pods]


def test_pods_leave_when_they_were_recorded_to_leave() -> None:
    large = RecordedPod(pod("large", cpu="3500m"), 10, "b", until=30)
    next_one = RecordedPod(pod("next", cpu="3500m"), 20)

    assert ends(stretch(large, next_one)) == ["b", "b"]
    assert ends(stretch(replace(large, until=None), next_one)) == ["b", "pending"]
    leaving = [(pod("there", nodeName="a", cpu="1"), 40)]
    assert ends(stretch(replace(large, until=None), next_one, leaving=leaving)) == ["b", "a"]


def test_nodes_come_and_go_when_they_were_recorded_to() -> None:
    pods = RecordedPod(pod("web", cpu="3500m"), 10, "b"), RecordedPod(pod("more", cpu="3500m"), 20, "c")
    added = NodesAtMoment(50, (node("c", "north"),), ())
    removed = NodesAtMoment(60, (), ("b",))

    assert ends(stretch(*pods)) == ["b", "pending"]
    found = replay_stretch(stretch(*pods, nodes=[added, removed]), DEFAULT)
    assert [each.node for each in found.pods] == ["b", "c"]
    assert found.lost == 0
    assert set(found.node_of) == {"a", "b", "c"}
    assert replay_stretch(stretch(RecordedPod(pod("web", cpu="3500m"), 10, "z"), nodes=[removed]), DEFAULT).lost == 1


def test_room_that_was_made_by_preemption_is_made_again_or_not() -> None:
    urgent = RecordedPod(pod("urgent", cpu="3500m", priority=100), 10, "a")
    other = RecordedPod(pod("other", cpu="3500m", priority=50), 5, "b")
    never = RecordedPod(pod("urgent", cpu="3500m", priority=100, preemptionPolicy="Never"), 10, "a")

    found = replay_stretch(stretch(other, urgent), DEFAULT)

    assert [each.node for each in found.pods] == ["b", "a"]
    assert found.preempted == ("shop/there",)
    without = replay_stretch(stretch(other, never), DEFAULT)
    assert [each.ending for each in without.pods] == [PodEnding.ON_NODE, PodEnding.PENDING]
    assert without.preempted == ()
    assert without.pods[1].message.startswith("0/2 nodes are available: 2 Insufficient cpu.")


def test_a_victim_of_the_replay_is_not_replaced_by_its_controller() -> None:
    victim = pod("victim", cpu="3500m")
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "victim", "uid": "u", "controller": True}
    victim["metadata"]["ownerReferences"] = [owner]
    first = RecordedPod(victim, 5, "b")
    second = RecordedPod(pod("urgent", cpu="3500m", priority=100, nodeSelector={"kubernetes.io/hostname": "b"}), 10)

    found = replay_stretch(stretch(first, second), DEFAULT)

    assert [each.ending for each in found.pods] == [PodEnding.ABSENT, PodEnding.ON_NODE]
