"""A history stands at any moment, and at moments that never were, as a snapshot built for them would."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine import Snapshot
from clusters.engine.journal import History, RecordedChange
from tests.engine.builders import a_node, a_pod
from tests.engine.strategies import Document, changes, nodes, pods

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


@settings(max_examples=120, deadline=None)
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


@settings(max_examples=60, deadline=None)
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

    assert not step_of(node, ready).matters
    assert step_of(node, cordoned).matters
    assert not step_of(None, pending).matters
    assert step_of(pending, bound).matters
    assert not step_of(bound, running).matters
    assert step_of(running, leaving).matters
    assert step_of(running, finished).matters
    assert not step_of(finished, None).matters


def test_bindings_and_nominations_are_the_schedulers() -> None:
    pending = a_pod("p")
    bound = a_pod("p", node="n1")
    nominated = a_pod("p", nominated="n1")

    assert step_of(pending, bound).is_by_scheduler
    assert step_of(pending, nominated).is_by_scheduler
    assert not step_of(None, bound).is_by_scheduler
    assert not step_of(bound, None).is_by_scheduler
    assert not step_of(bound, {**bound, "status": {"phase": "Running"}}).is_by_scheduler
    assert not step_of(a_node("n1"), a_node("n1", unschedulable=True)).is_by_scheduler
