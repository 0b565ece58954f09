"""Pods that a controller would make next, and the claims that come with them."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.workloads.pod_copies import copy_of
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
