"""A snapshot that was brought forward by changes is the one that would be built afresh."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot, UnknownNodeError, explain
from clusters.engine.columns import LabelColumn, NodeTable
from clusters.engine.objects import Node, Pod
from clusters.engine.workloads import copy_of, with_own_claims, with_template_claims
from clusters.engine.world import World, no_changes
from tests.engine.builders import ZONE, a_node, a_pod
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


def a_table(*documents: dict[str, Any]) -> NodeTable:
    table = NodeTable()
    table.fill(Node.from_dict(document) for document in documents)
    return table


def with_images(name: str, *images: dict[str, Any]) -> dict[str, Any]:
    node = a_node(name)
    node["status"]["images"] = list(images)
    return node


def test_some_rows_by_themselves_are_nodes_too_as_often_as_they_are_named() -> None:
    table = a_table(a_node("a", allocatable={"cpu": "1"}), a_node("b", allocatable={"cpu": "2"}), a_node("c"))
    part = table.rows(np.array([1, 0, 1]))
    part.requested[0] += 500

    assert part.names == ["b", "a", "b"]
    assert part.allocatable[:, 0].tolist() == [2000, 1000, 2000]
    assert (part.requested[0] == 500).all()
    assert not part.requested[1:].any()
    assert not table.requested.any()


# -- label columns -----------------------------------------------------------------------------------------------

# Five nodes: two in a, two in b, one without.
COLUMN = LabelColumn(("a", "b"), np.array([0, 1, -1, 1, 0]))


@pytest.mark.parametrize(("value", "rows"), [("a", [0, 4]), ("b", [1, 3]), ("c", []), ("", [])])
def test_nodes_with_a_value(value: str, rows: list[int]) -> None:
    assert np.flatnonzero(COLUMN.equals(value)).tolist() == rows


def test_a_missing_label_takes_no_part_in_sums() -> None:
    assert COLUMN.present.tolist() == [True, True, False, True, True]
    sums = COLUMN.sum_by_value(np.array([1, 10, 100, 1000, 10000]))
    assert sums.tolist() == [10001, 1010]
    assert COLUMN.spread(sums).tolist() == [10001, 1010, 0, 1010, 10001]


def test_a_label_that_no_node_has() -> None:
    column = LabelColumn((), np.array([-1, -1]))

    assert column.sum_by_value(np.array([1, 2])).tolist() == []
    assert column.spread(column.sum_by_value(np.array([1, 2]))).tolist() == [0, 0]


def test_label_columns_follow_the_nodes() -> None:
    table = a_table(a_node("n2", zone="b"), a_node("n1"))

    def zones() -> list[str | None]:
        column = table.label(ZONE)
        return [column.values[code] if code >= 0 else None for code in column.codes]

    assert zones() == [None, "b"]
    table.replace(0, Node.from_dict(a_node("n1", zone="a")))
    assert zones() == ["a", "b"]
    table.insert(Node.from_dict(a_node("n0", zone="")))
    assert zones() == ["", "a", "b"]
    table.delete(1)
    assert zones() == ["", "b"]
    assert table.index == {"n0": 0, "n2": 1}


# -- resources ---------------------------------------------------------------------------------------------------


def test_resources_get_a_column_when_first_mentioned() -> None:
    table = a_table(a_node("n1", allocatable={"example.com/b": "3", "pods": "7"}), a_node("n2"))
    assert table.resources == ["cpu", "memory", "ephemeral-storage", "example.com/b"]
    assert table.allocatable.tolist() == [[8000, 16 * 1024**3, 0, 3], [8000, 16 * 1024**3, 0, 0]]
    assert table.allowed_pods.tolist() == [7, 110]
    assert table.resource("example.com/a") is None

    assert table.vector([("example.com/a", 5), ("cpu", 1), ("pods", 9)]).tolist() == [1, 0, 0, 0, 5]
    assert table.resource("example.com/a") == 4
    assert table.requested.shape == table.allocatable.shape == (2, 5)


def test_a_replaced_node_keeps_what_its_pods_hold() -> None:
    table = a_table(a_node("n1", allocatable={"example.com/b": "3"}))
    table.requested[0, 0] = 500
    table.replace(0, Node.from_dict(a_node("n1", allocatable={"cpu": "2"}, unschedulable=True)))

    assert table.requested[0].tolist() == [500, 0, 0, 0]
    assert table.allocatable[0].tolist() == [2000, 16 * 1024**3, 0, 0]
    assert table.unschedulable.tolist() == [True]


def test_equal_sets_of_taints_are_kept_once() -> None:
    taint = {"key": "a", "effect": "NoSchedule"}
    table = a_table(
        a_node("n1", taints=[taint]), a_node("n2"), a_node("n3", taints=[taint]), a_node("n4", taints=[taint, taint])
    )

    assert table.taint_set.tolist() == [1, 0, 1, 2]
    assert [len(taints) for taints in table.taint_sets] == [0, 1, 2]


# -- images ------------------------------------------------------------------------------------------------------


def test_images_by_every_name() -> None:
    table = a_table(
        with_images("n1", {"names": ["app@sha256:1", "app:1"], "sizeBytes": 5}),
        with_images("n2", {"names": ["other:1"], "sizeBytes": 1}, {"names": ["app:1"], "sizeBytes": 5}),
        with_images("n3", {"names": None, "sizeBytes": 3}),
    )

    def holders(image: str) -> list[str]:
        return [table.names[row] for row in table.image(image)[0]]

    assert [holders(image) for image in ("app:1", "app@sha256:1", "app:2")] == [["n1", "n2"], ["n1"], []]
    table.replace(2, Node.from_dict(with_images("n3", {"names": ["app:1"], "sizeBytes": 5})))
    assert holders("app:1") == ["n1", "n2", "n3"]
    table.delete(0)
    assert holders("app:1") == ["n2", "n3"]


def test_a_copy_is_not_changed_with_its_original() -> None:
    table = a_table(a_node("n1", zone="a"))
    table.label(ZONE)
    twin = table.copy()
    table.insert(Node.from_dict(a_node("n0", zone="b", allocatable={"example.com/a": "1"})))
    table.requested[1, 0] = 7

    assert (twin.names, twin.resources) == (["n1"], ["cpu", "memory", "ephemeral-storage"])
    assert twin.requested.tolist() == [[0, 0, 0]]
    assert twin.label(ZONE).values == ("a",)


NOBODY = np.empty(0, np.int64)


@pytest.fixture
def snapshot() -> Snapshot:
    """Three nodes: two pods on n0, one on n1, and pods nominated to n1 and n2."""
    return Snapshot.from_objects(
        [
            *(a_node(f"n{number}") for number in range(3)),
            a_pod("a", node="n0", labels={"app": "web"}),
            a_pod("b", node="n0", labels={"app": "db"}),
            a_pod("c", node="n1", labels={"app": "web"}),
            a_pod("d", nominated="n1", labels={"app": "web"}),
            a_pod("e", nominated="n2", labels={"app": "web"}),
        ]
    )


def slots(snapshot: Snapshot, names: str) -> list[int]:
    return [snapshot.pods.slot_of[f"default/{name}"] for name in names]


def a_world(snapshot: Snapshot, *, joining: str = "", leaving: str = "") -> World:
    removed = np.array(slots(snapshot, leaving), np.int64)
    return World.adding(snapshot.pods, slots(snapshot, joining)).removing(snapshot.pods, removed, NOBODY)


def label_sets(snapshot: Snapshot, names: str) -> set[int]:
    return {int(snapshot.pods.label_set[slot]) for slot in slots(snapshot, names)}


@pytest.mark.parametrize(
    ("joining", "leaving", "pods"),
    [
        ("", "", [0, 0, 0]),
        ("de", "", [0, 1, 1]),
        ("", "abc", [-2, -1, 0]),
        ("d", "ac", [-1, 0, 0]),
    ],
)
def test_sums_by_node(snapshot: Snapshot, joining: str, leaving: str, pods: list[int]) -> None:
    world = a_world(snapshot, joining=joining, leaving=leaving)
    weights = np.full(len(world.slots), 10)

    assert world.per_node(weights, 3).tolist() == [10 * number for number in pods]
    assert world.per_node(np.stack([weights, weights + 1], axis=1), 3).tolist() == [
        [10 * number, 11 * number] for number in pods
    ]


@pytest.mark.parametrize(
    ("meant", "counts"), [("a", [-1, 0, 1]), ("b", [-1, 0, 0]), ("ab", [-2, 0, 1]), ("", [0, 0, 0])]
)
def test_only_pods_with_the_labels_count(snapshot: Snapshot, meant: str, counts: list[int]) -> None:
    world = a_world(snapshot, joining="de", leaving="abc")

    assert world.count(snapshot.pods, label_sets(snapshot, meant), 3).tolist() == counts


def test_who_leaves_comes_before_who_joins(snapshot: Snapshot) -> None:
    world = a_world(snapshot, joining="d", leaving="ac")

    assert world.slots.tolist() == slots(snapshot, "acd")
    assert world.rows.tolist() == [0, 1, 1]
    assert world.signs.tolist() == [-1, -1, 1]


def test_who_came_back_is_remembered_but_changes_nothing(snapshot: Snapshot) -> None:
    back = np.array(slots(snapshot, "a"))
    world = no_changes().removing(snapshot.pods, NOBODY, back)

    assert world.returned.tolist() == back.tolist()
    assert world.per_node(np.ones(len(world.slots), np.int64), 3).tolist() == [0, 0, 0]


Object = dict[str, Any]
OWNER = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "uid": "db", "controller": True}
WAITS, AT_ONCE = "WaitForFirstConsumer", "Immediate"


def a_class(mode: str, **annotations: str) -> Object:
    metadata = {"name": "disk", "annotations": annotations}
    return {"kind": "StorageClass", "metadata": metadata, "provisioner": "p", "volumeBindingMode": mode}


def a_set(**claim: Any) -> Object:
    template = {"metadata": {"name": "data"}, "spec": {"accessModes": ["ReadWriteOnce"], **claim}}
    spec = {"replicas": 1, "volumeClaimTemplates": [template]}
    return {"kind": "StatefulSet", "metadata": {"name": "db", "namespace": "shop", "uid": "db"}, "spec": spec}


def pod_with_claim() -> Object:
    volume = {"name": "data", "persistentVolumeClaim": {"claimName": "data-db-0"}}
    return {
        "kind": "Pod",
        "metadata": {"name": "db-0", "namespace": "shop", "uid": "db-0", "ownerReferences": [OWNER]},
        "spec": {"containers": [{"name": "main"}], "volumes": [volume], "nodeName": "n1"},
        "status": {"phase": "Running"},
    }


def a_claim(name: str, **spec: Any) -> Object:
    return {"kind": "PersistentVolumeClaim", "metadata": {"name": name, "namespace": "shop", "uid": name}, "spec": spec}


@pytest.mark.parametrize(
    ("storage", "template"),
    [
        (a_class(WAITS), {"storageClassName": "disk"}),
        (a_class(WAITS, **{"storageclass.kubernetes.io/is-default-class": "true"}), {}),
    ],
)
def test_the_claim_of_a_stateful_sets_next_pod_is_made_from_its_template(storage: Object, template: Object) -> None:
    snapshot = Snapshot.from_objects([a_node("n1"), storage, a_set(**template), pod_with_claim()])
    copy = copy_of(snapshot, pod_with_claim(), "db-1")

    (claim,) = copy.claims
    assert claim["metadata"]["name"] == "data-db-1"
    assert claim["spec"]["storageClassName"] == "disk"
    assert copy.pod["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"] == "data-db-1"
    snapshot.upsert(claim)
    assert explain(snapshot, copy.pod, SchedulerConfiguration.default().profile_for(copy.pod)).fits


def test_a_claim_that_is_made_at_once_or_of_which_nothing_is_known_is_judged_without() -> None:
    for objects in ([a_class(AT_ONCE), a_set(storageClassName="disk")], []):
        snapshot = Snapshot.from_objects([a_node("n1"), *objects, pod_with_claim()])
        copy = copy_of(snapshot, pod_with_claim(), "db-1")
        assert (copy.claims, copy.unplaced) == ((), ("data-db-1",))
        assert copy.pod["spec"]["volumes"] == []
        assert explain(snapshot, copy.pod, SchedulerConfiguration.default().profile_for(copy.pod)).fits


def test_a_claim_that_an_earlier_pod_left_is_used_as_it_is() -> None:
    left = a_claim("data-db-1", storageClassName="disk", volumeName="pv-1")
    snapshot = Snapshot.from_objects(
        [a_node("n1"), a_class(WAITS), a_set(storageClassName="disk"), pod_with_claim(), left]
    )
    copy = copy_of(snapshot, pod_with_claim(), "db-1")
    assert copy.claims == ()
    assert copy.pod["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"] == "data-db-1"


@pytest.mark.parametrize("is_held", [True, False])
def test_a_pod_whose_owner_is_not_told_brings_claims_of_its_own_to_each_copy(is_held: bool) -> None:
    claim = a_claim("data-db-0", storageClassName="disk", volumeName="pv-0", accessModes=["ReadWriteOnce"])
    snapshot = Snapshot.from_objects([a_node("n1"), a_class(WAITS), a_set(storageClassName="disk"), pod_with_claim()])
    if is_held:
        snapshot.upsert(claim)
    told = with_own_claims(snapshot, pod_with_claim())
    orphan = {**told, "metadata": {"name": "db", "namespace": "shop"}}
    copies = [copy_of(snapshot, orphan, f"db-more-{number}") for number in range(2)]

    assert [[each["metadata"]["name"] for each in copy.claims] for copy in copies] == [
        ["db-more-0-data"],
        ["db-more-1-data"],
    ]
    assert all("volumeName" not in each["spec"] for copy in copies for each in copy.claims)


def test_pods_of_no_stateful_set_and_claims_that_are_shared_stay_as_they_are() -> None:
    shared = pod_with_claim()
    shared["spec"]["volumes"] = [{"name": "all", "persistentVolumeClaim": {"claimName": "all"}}]
    snapshot = Snapshot.from_objects([a_node("n1"), a_set(storageClassName="disk"), a_claim("all")])

    assert with_own_claims(snapshot, shared) == shared
    orphan = pod_with_claim()
    del orphan["metadata"]["ownerReferences"]
    assert with_own_claims(snapshot, orphan) == orphan


def test_the_template_of_a_stateful_set_has_a_volume_for_each_claim_template() -> None:
    templates = a_set(storageClassName="disk")["spec"]["volumeClaimTemplates"]
    pod = {"kind": "Pod", "metadata": {"name": "db"}, "spec": {"volumes": [{"name": "tmp"}, {"name": "data"}]}}

    volumes = with_template_claims(pod, templates)["spec"]["volumes"]
    assert [volume["name"] for volume in volumes] == ["tmp", "data"]
    assert volumes[1]["ephemeral"]["volumeClaimTemplate"]["spec"]["storageClassName"] == "disk"
    assert with_template_claims(pod, ()) == pod
