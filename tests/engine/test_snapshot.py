"""A snapshot that was brought forward by changes is the one that would be built afresh."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot, UnknownNodeError, explain
from clusters.engine.columns import NodeTable
from clusters.engine.objects import Node, Pod
from clusters.engine.workloads import copy_of, with_own_claims, with_template_claims
from tests.engine.builders import a_node
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


@settings(max_examples=60, deadline=None)
@given(steps=st.lists(changes(), max_size=40), incoming=pods(placed=False))
def test_changes_lead_where_building_afresh_leads(steps: list[tuple[str, Document]], incoming: Document) -> None:
    snapshot = Snapshot()
    for action, document in steps:
        getattr(snapshot, action)(document)
    afresh = Snapshot.from_objects(after(steps).values())

    assert snapshot.content() == afresh.content()
    assert explain(snapshot, incoming, PROFILE).as_recorded() == explain(afresh, incoming, PROFILE).as_recorded()


@settings(max_examples=40, deadline=None)
@given(cluster=st.lists(st.one_of(nodes(), pods(placed=True)), max_size=25), other=st.lists(nodes(), max_size=5))
def test_many_nodes_at_once_are_those_one_by_one(cluster: list[Document], other: list[Document]) -> None:
    snapshot = Snapshot.from_objects({identity(each): each for each in cluster}.values())
    new = {name: Node.from_dict(each) for (_, name), each in {identity(each): each for each in other}.items()}
    stays = [node for node in snapshot.nodes.nodes if node.name not in new][::2]

    at_once = snapshot.copy().replace_nodes([*stays, *new.values()])

    for name in set(snapshot.nodes.names) - {node.name for node in stays} - new.keys():
        snapshot.delete({"kind": "Node", "metadata": {"name": name}})
    for each in other:
        snapshot.upsert(each)
    assert at_once.content() == snapshot.content()


@settings(max_examples=40, deadline=None)
@given(steps=st.lists(changes(), max_size=15), asked=st.lists(pods(placed=False), min_size=1, max_size=3))
def test_what_is_kept_for_the_next_question_is_brought_forward(
    steps: list[tuple[str, Document]], asked: list[Document]
) -> None:
    """Questions are asked after every change, and of a copy that then goes its own way."""
    snapshot = Snapshot()
    for number, (action, document) in enumerate(steps, 1):
        getattr(snapshot, action)(document)
        afresh, twin = Snapshot.from_objects(after(steps[:number]).values()), snapshot.copy()
        for pod in asked:
            explained = explain(snapshot, pod, PROFILE).as_recorded()
            assert explained == explain(afresh, pod, PROFILE).as_recorded()
            for name in twin.nodes.names[:2]:
                twin.assume(pod, name)
                explain(twin, pod, PROFILE)
            assert explain(snapshot, pod, PROFILE).as_recorded() == explained


@settings(max_examples=40, deadline=None)
@given(cluster=st.lists(nodes(), min_size=1, max_size=5), pod=pods(placed=False), places=st.lists(st.integers(0, 4)))
def test_placing_like_another_is_placing(cluster: list[Document], pod: Document, places: list[int]) -> None:
    snapshot = Snapshot.from_objects({identity(node): node for node in cluster}.values())
    one, other = snapshot.copy(), snapshot.copy()
    uid = str(pod["metadata"].get("uid") or "")
    for number, place in enumerate(places):
        row = place % len(snapshot.nodes)
        one.assume({**pod, "metadata": {**pod["metadata"], "name": f"copy-{number}"}}, snapshot.nodes.names[row])
        other.assume_like(f"shop/copy-{number}", uid, other.pods.entry(Pod(pod)), row)

    assert one.content() == other.content()
    assert explain(one, pod, PROFILE).as_recorded() == explain(other, pod, PROFILE).as_recorded()
    for key in list(one.pods.slot_of):
        one.delete({"kind": "Pod", "metadata": {"namespace": "shop", "name": key.removeprefix("shop/")}})
        other.delete({"kind": "Pod", "metadata": {"namespace": "shop", "name": key.removeprefix("shop/")}})
    assert other.content() == one.content() == snapshot.content()


@settings(max_examples=40, deadline=None)
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


@settings(max_examples=40, deadline=None)
@given(
    cluster=st.lists(st.one_of(nodes(), pods(placed=True)), max_size=20),
    steps=st.lists(changes(), max_size=10),
)
def test_a_copy_lives_its_own_life(cluster: list[Document], steps: list[tuple[str, Document]]) -> None:
    snapshot = Snapshot.from_objects({identity(document): document for document in cluster}.values())
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


@settings(max_examples=40, deadline=None)
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
    orphan = {**with_own_claims(snapshot, pod_with_claim()), "metadata": {"name": "db", "namespace": "shop"}}
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
