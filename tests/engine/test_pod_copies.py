"""Pods that a controller would make next, and the claims that come with them."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.workloads import copy_of, with_own_claims, with_template_claims
from tests.engine.builders import a_node

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


def a_pod() -> Object:
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
    snapshot = Snapshot.from_objects([a_node("n1"), storage, a_set(**template), a_pod()])
    copy = copy_of(snapshot, a_pod(), "db-1")

    (claim,) = copy.claims
    assert claim["metadata"]["name"] == "data-db-1"
    assert claim["spec"]["storageClassName"] == "disk"
    assert copy.pod["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"] == "data-db-1"
    snapshot.upsert(claim)
    assert explain(snapshot, copy.pod, SchedulerConfiguration.default().profile_for(copy.pod)).fits


def test_a_claim_that_is_made_at_once_or_of_which_nothing_is_known_is_judged_without() -> None:
    for objects in ([a_class(AT_ONCE), a_set(storageClassName="disk")], []):
        snapshot = Snapshot.from_objects([a_node("n1"), *objects, a_pod()])
        copy = copy_of(snapshot, a_pod(), "db-1")
        assert (copy.claims, copy.unplaced) == ((), ("data-db-1",))
        assert copy.pod["spec"]["volumes"] == []
        assert explain(snapshot, copy.pod, SchedulerConfiguration.default().profile_for(copy.pod)).fits


def test_a_claim_that_an_earlier_pod_left_is_used_as_it_is() -> None:
    left = a_claim("data-db-1", storageClassName="disk", volumeName="pv-1")
    snapshot = Snapshot.from_objects([a_node("n1"), a_class(WAITS), a_set(storageClassName="disk"), a_pod(), left])
    copy = copy_of(snapshot, a_pod(), "db-1")
    assert copy.claims == ()
    assert copy.pod["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"] == "data-db-1"


@pytest.mark.parametrize("is_held", [True, False])
def test_a_pod_whose_owner_is_not_told_brings_claims_of_its_own_to_each_copy(is_held: bool) -> None:
    claim = a_claim("data-db-0", storageClassName="disk", volumeName="pv-0", accessModes=["ReadWriteOnce"])
    snapshot = Snapshot.from_objects([a_node("n1"), a_class(WAITS), a_set(storageClassName="disk"), a_pod()])
    if is_held:
        snapshot.upsert(claim)
    told = with_own_claims(snapshot, a_pod())
    orphan = {**told, "metadata": {"name": "db", "namespace": "shop"}}
    copies = [copy_of(snapshot, orphan, f"db-more-{number}") for number in range(2)]

    assert [[each["metadata"]["name"] for each in copy.claims] for copy in copies] == [
        ["db-more-0-data"],
        ["db-more-1-data"],
    ]
    assert all("volumeName" not in each["spec"] for copy in copies for each in copy.claims)


def test_pods_of_no_stateful_set_and_claims_that_are_shared_stay_as_they_are() -> None:
    shared = a_pod()
    shared["spec"]["volumes"] = [{"name": "all", "persistentVolumeClaim": {"claimName": "all"}}]
    snapshot = Snapshot.from_objects([a_node("n1"), a_set(storageClassName="disk"), a_claim("all")])

    assert with_own_claims(snapshot, shared) == shared
    orphan = a_pod()
    del orphan["metadata"]["ownerReferences"]
    assert with_own_claims(snapshot, orphan) == orphan


def test_the_template_of_a_stateful_set_has_a_volume_for_each_claim_template() -> None:
    templates = a_set(storageClassName="disk")["spec"]["volumeClaimTemplates"]
    pod = {"kind": "Pod", "metadata": {"name": "db"}, "spec": {"volumes": [{"name": "tmp"}, {"name": "data"}]}}

    volumes = with_template_claims(pod, templates)["spec"]["volumes"]
    assert [volume["name"] for volume in volumes] == ["tmp", "data"]
    assert volumes[1]["ephemeral"]["volumeClaimTemplate"]["spec"]["storageClassName"] == "disk"
    assert with_template_claims(pod, ()) == pod
