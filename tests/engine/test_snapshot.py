"""A snapshot that was brought forward by changes is the one that would be built afresh."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot, UnknownNodeError, explain
from clusters.engine.objects import Pod
from tests.engine.strategies import NODE_NAMES, Document, changes, nodes, pods

PROFILE = SchedulerConfiguration.default().profiles[0]


def identity(document: Document) -> tuple[str, str]:
    return document["kind"], document["metadata"]["name"]


def after(steps: list[tuple[str, Document]]) -> dict[tuple[str, str], Document]:
    """The objects that are left after some changes, in the order in which they came."""
    left: dict[tuple[str, str], Document] = {}
    for action, document in steps:
        left.pop(identity(document), None)
        if action == "upsert":
            left[identity(document)] = document
    return left


@settings(max_examples=150, deadline=None)
@given(steps=st.lists(changes(), max_size=40), incoming=pods(placed=False))
def test_changes_lead_where_building_afresh_leads(steps: list[tuple[str, Document]], incoming: Document) -> None:
    snapshot = Snapshot()
    for action, document in steps:
        getattr(snapshot, action)(document)
    afresh = Snapshot.from_objects(after(steps).values())

    assert snapshot.content() == afresh.content()
    assert explain(snapshot, incoming, PROFILE).as_recorded() == explain(afresh, incoming, PROFILE).as_recorded()


@settings(max_examples=60, deadline=None)
@given(cluster=st.lists(nodes(), min_size=1, max_size=5), pod=pods(placed=False), places=st.lists(st.integers(0, 4)))
def test_placing_like_another_is_placing(cluster: list[Document], pod: Document, places: list[int]) -> None:
    snapshot = Snapshot.from_objects({identity(node): node for node in cluster}.values())
    one, other = snapshot.copy(), snapshot.copy()
    for number, place in enumerate(places):
        copy = {**pod, "metadata": {**pod["metadata"], "name": f"copy-{number}"}}
        row = place % len(snapshot.nodes)
        one.assume(copy, snapshot.nodes.names[row])
        other.assume_like(f"shop/copy-{number}", other.pods.entry(Pod(pod)), row)

    assert one.content() == other.content()
    assert explain(one, pod, PROFILE).as_recorded() == explain(other, pod, PROFILE).as_recorded()
    for key in list(one.pods.slot_of):
        one.delete({"kind": "Pod", "metadata": {"namespace": "shop", "name": key.removeprefix("shop/")}})
        other.delete({"kind": "Pod", "metadata": {"namespace": "shop", "name": key.removeprefix("shop/")}})
    assert other.content() == one.content() == snapshot.content()


@settings(max_examples=100, deadline=None)
@given(
    cluster=st.lists(st.one_of(nodes(), pods(placed=True)), max_size=25),
    incoming=pods(placed=False),
    node=st.sampled_from(NODE_NAMES),
)
def test_forget_undoes_assume(cluster: list[Document], incoming: Document, node: str) -> None:
    objects = {identity(document): document for document in cluster}
    snapshot = Snapshot.from_objects(objects.values())
    before = snapshot.content()
    if ("Node", node) not in objects:
        with pytest.raises(UnknownNodeError, match=node):
            snapshot.assume(incoming, node)
    else:
        assert snapshot.assume(incoming, node).placed_on("shop/incoming") == node
        bound = {**incoming, "spec": {**incoming["spec"], "nodeName": node}}
        assert snapshot.content() == Snapshot.from_objects([*objects.values(), bound]).content()
        snapshot.forget(incoming)

    assert snapshot.content() == before


@settings(max_examples=60, deadline=None)
@given(
    cluster=st.lists(st.one_of(nodes(), pods(placed=True)), max_size=20),
    steps=st.lists(changes(), max_size=10),
)
def test_a_copy_lives_its_own_life(cluster: list[Document], steps: list[tuple[str, Document]]) -> None:
    objects = {identity(document): document for document in cluster}
    snapshot = Snapshot.from_objects(objects.values())
    before = snapshot.content()
    twin = snapshot.copy()
    assert twin.content() == before
    for action, document in steps:
        getattr(twin, action)(document)
    assert snapshot.content() == before
    changed = twin.content()
    for action, document in steps:
        getattr(snapshot, action)(document)
    assert twin.content() == changed == snapshot.content()


@settings(max_examples=60, deadline=None)
@given(data=st.data(), cluster=st.lists(st.one_of(nodes(), pods(placed=True)), max_size=25))
def test_the_order_of_objects_does_not_matter(data: st.DataObject, cluster: list[Document]) -> None:
    objects = list({identity(document): document for document in cluster}.values())
    shuffled = data.draw(st.permutations(objects))

    assert Snapshot.from_objects(objects).content() == Snapshot.from_objects(shuffled).content()


def test_a_pod_waits_for_its_node() -> None:
    pod: dict[str, Any] = {
        "kind": "Pod",
        "metadata": {"name": "early", "namespace": "shop"},
        "spec": {"nodeName": "late", "containers": [{"resources": {"requests": {"cpu": "1500m"}}}]},
    }
    node = {"kind": "Node", "metadata": {"name": "late"}, "status": {"allocatable": {"cpu": "2", "pods": "1"}}}

    snapshot = Snapshot.from_objects([pod])
    assert snapshot.placed_on("shop/early") is None
    snapshot.upsert(node)
    assert snapshot.placed_on("shop/early") == "late"
    assert snapshot.nodes.requested[0, 0] == 1500
    assert snapshot.nodes.pod_count[0] == 1
    snapshot.delete(node).upsert(node)
    assert snapshot.nodes.requested[0, 0] == 1500
