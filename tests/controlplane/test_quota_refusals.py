"""Refusals of quotas and LimitRanges, word for word as a real API server writes them."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

import pytest

from clusters.adapters.prune import KINDS, pruned_quota_configuration
from clusters.engine import Snapshot
from clusters.engine.admission import admit
from clusters.engine.simulation.controllers import PodAdmission
from clusters.engine.workloads.pods import copy_of
from tests.controlplane.admission import ADMISSION_CONFIGURATION, RESERVED_CLASS, RESERVED_RESOURCE
from tests.controlplane.api import Api, ApiError, Object
from tests.controlplane.release import RELEASE

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.controlplane

_PATIENCE_SECONDS = 30


def an_object(kind: str, name: str, namespace: str, **parts: Any) -> Object:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": namespace}, **parts}


def a_container(name: str = "web", requests: Object | None = None, limits: Object | None = None) -> Object:
    return {"name": name, "image": "web:1", "resources": {"requests": requests or {}, "limits": limits or {}}}


def a_pod(namespace: str, name: str, *containers: Object, **spec: Any) -> Object:
    return an_object("Pod", name, namespace, spec={"containers": list(containers) or [a_container()], **spec})


def a_claim(namespace: str, name: str, storage: str, storage_class: str = "gold") -> Object:
    spec = {
        "accessModes": ["ReadWriteOnce"],
        "storageClassName": storage_class,
        "resources": {"requests": {"storage": storage}},
    }
    return an_object("PersistentVolumeClaim", name, namespace, spec=spec)


def dry_run(api: Api, document: Object) -> Object:
    path = api.path(document["apiVersion"], document["kind"], namespace=document["metadata"]["namespace"])
    return api.post(f"{path}?dryRun=All", document)


def theirs(api: Api, document: Object) -> str:
    """What the API server answers; empty where it would create the object."""
    try:
        dry_run(api, document)
    except ApiError as error:
        return error.message
    return ""


def counted(api: Api, quota: Object) -> Object:
    """Create a quota, and wait until its controller has counted what is used."""
    metadata = quota["metadata"]
    api.create(quota)
    end = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < end:
        found = api.get("v1", "ResourceQuota", metadata["name"], namespace=metadata["namespace"])
        if found.get("status", {}).get("used", {}).keys() == quota["spec"]["hard"].keys():
            return found
        time.sleep(0.2)
    pytest.fail(f"nobody counts {metadata['name']}")


def held(*objects: Object) -> Snapshot:
    """What the mirror has of objects that an API server wrote."""
    pruned = ({**KINDS[each["kind"]].prune(each), "kind": each["kind"]} for each in objects)
    return Snapshot.from_objects(pruned, RELEASE)


def ours(snapshot: Snapshot, pod: Object) -> str:
    refusal = PodAdmission(snapshot).admit({**admit(pod, snapshot).pod, "status": {}})
    return "" if refusal is None else refusal.message


def same(one: str, other: str) -> bool:
    """Whether both say the same, whatever order an API server happens to take the resources of a LimitRange in."""
    return _parts(one) == _parts(other)


def _parts(message: str) -> tuple[str, list[str]]:
    """What a message begins with, and the errors in it by name."""
    begins, between, errors = message.partition(": ")
    return f"{begins}{between}", sorted(re.split(r", (?!but )", errors.removeprefix("[").removesuffix("]")))


# -- LimitRanges -------------------------------------------------------------------------------------------------------

BOUNDS: dict[str, Object] = {
    "container": {
        "type": "Container",
        "min": {"cpu": "0.1", "memory": "1024Ki"},
        "max": {"cpu": "2", "memory": "1024Mi"},
        "maxLimitRequestRatio": {"cpu": "3"},
    },
    "pod": {"type": "Pod", "max": {"cpu": "2500m", "memory": "1.5Gi"}, "maxLimitRequestRatio": {"memory": "2"}},
    "minimum": {"type": "Pod", "min": {"cpu": "400m"}},
    "defaults": {"type": "Container", "default": {"memory": "512Mi"}, "defaultRequest": {"cpu": "250m"}},
}
PODS: Mapping[str, tuple[Object, ...]] = {
    "bare": (a_container(),),
    "small": (a_container(requests={"cpu": "50m"}, limits={"cpu": "1"}),),
    "large": (a_container(requests={"cpu": "1"}, limits={"cpu": "2.5", "memory": "2Gi"}),),
    "apart": (a_container(requests={"cpu": "300m"}, limits={"cpu": "1", "memory": "512Mi"}),),
    "two": tuple(
        a_container(name, {"cpu": "1500m", "memory": "0.8Gi"}, {"cpu": "1500m", "memory": "0.8Gi"}) for name in "ab"
    ),
    "requests-alone": (a_container(requests={"cpu": "2", "memory": "1.25Gi"}),),
    "fits": (a_container(requests={"cpu": "1", "memory": "100M"}, limits={"cpu": "1", "memory": "100M"}),),
}


@pytest.mark.parametrize("bounds", BOUNDS)
def test_limit_ranges_refuse_pods_in_the_same_words(api: Api, namespace: str, bounds: str) -> None:
    stored = api.create(an_object("LimitRange", bounds, namespace, spec={"limits": [BOUNDS[bounds]]}))
    snapshot, answers = held(stored), []
    for name, containers in PODS.items():
        pod = a_pod(namespace, name, *containers)
        expected = theirs(api, pod)
        answers.append(expected)
        assert same(ours(snapshot, pod), expected), (name, ours(snapshot, pod), expected)
    assert len(set(answers)) > 1, "one at least is refused, and one is not"


def test_limit_ranges_refuse_claims_in_the_same_words(api: Api, namespace: str) -> None:
    limit = {"type": "PersistentVolumeClaim", "min": {"storage": "1Gi"}, "max": {"storage": "2048Mi"}}
    stored = api.create(an_object("LimitRange", "bounds", namespace, spec={"limits": [limit]}))
    late = {"kind": "StorageClass", "metadata": {"name": "gold"}, "volumeBindingMode": "WaitForFirstConsumer"}
    snapshot = Snapshot.from_objects([*held(stored).objects("LimitRange"), late])
    for storage in ("512Mi", "1Gi", "2Gi", "2.5Gi", "3G"):
        claim = a_claim(namespace, "data", storage)
        volume = {"name": "data", "persistentVolumeClaim": {"claimName": "data"}}
        with_claim = snapshot.copy()
        with_claim.upsert({**claim, "metadata": {**claim["metadata"], "uid": "imagined:claim/data"}})
        assert ours(with_claim, a_pod(namespace, "web", volumes=[volume])) == theirs(api, claim), storage


def test_a_copy_gets_the_defaults_of_now_as_its_template_would(api: Api, namespace: str) -> None:
    def limit_range(default: str, request: str) -> Object:
        limits = [{"type": "Container", "default": {"memory": default}, "defaultRequest": {"cpu": request}}]
        return an_object("LimitRange", "defaults", namespace, spec={"limits": limits})

    api.create(limit_range("256Mi", "100m"))
    first = a_container("first", limits={"cpu": "1"})
    template = a_pod(namespace, "web", a_container(requests={"memory": "64Mi"}), initContainers=[first])
    stored = api.create(template)
    api.delete("v1", "LimitRange", "defaults", namespace=namespace)
    now = api.create(limit_range("512Mi", "200m"))
    expected = dry_run(api, {**template, "metadata": {**template["metadata"], "name": "web-2"}})

    copied = copy_of(held(now), KINDS["Pod"].prune(stored), "web-2").pod

    for kind in ("containers", "initContainers"):
        assert [each["resources"] for each in copied["spec"][kind]] == [
            each["resources"] for each in expected["spec"][kind]
        ]
    annotation = "kubernetes.io/limit-ranger"
    assert copied["metadata"]["annotations"][annotation] == expected["metadata"]["annotations"][annotation]


# -- quotas ------------------------------------------------------------------------------------------------------------

QUOTAS: dict[str, Object] = {
    "compute": {"hard": {"requests.cpu": "1.5", "limits.memory": "1Gi", "pods": "9"}},
    "best-effort": {"hard": {"pods": "0", "count/pods": "9"}, "scopes": ["BestEffort"]},
    "storage": {"hard": {"requests.ephemeral-storage": "1Gi", "requests.example.com/gpu": "1"}},
    "ends": {"hard": {"pods": "0"}, "scopes": ["Terminating"]},
    "of-class": {
        "hard": {"cpu": "100m"},
        "scopeSelector": {
            "matchExpressions": [
                {"scopeName": "PriorityClass", "operator": "In", "values": ["system-cluster-critical"]}
            ]
        },
    },
}
CHARGED: dict[str, Object] = {
    "bare": a_pod("", "bare"),
    "fits": a_pod("", "fits", a_container(requests={"cpu": "500m"}, limits={"memory": "512Mi"})),
    "too-much": a_pod("", "too-much", a_container(requests={"cpu": "1501m"}, limits={"memory": "1.5Gi"})),
    "two": a_pod("", "two", *(a_container(name, {"cpu": "1"}, {"memory": "300M"}) for name in "ab")),
    "starts-large": a_pod(
        "",
        "starts-large",
        a_container(requests={"cpu": "1"}, limits={"memory": "1Mi"}),
        initContainers=[a_container("first", {"cpu": "2"}, {"memory": "1Mi"})],
    ),
    "devices": a_pod("", "devices", a_container(requests={"example.com/gpu": "2"}, limits={"example.com/gpu": "2"})),
    "stored": a_pod("", "stored", a_container(requests={"ephemeral-storage": "1500Mi"})),
    "ends": a_pod("", "ends", activeDeadlineSeconds=60),
    "critical": a_pod(
        "", "critical", a_container(requests={"cpu": "101m"}), priorityClassName="system-cluster-critical"
    ),
}


@pytest.mark.parametrize("name", QUOTAS)
def test_quotas_refuse_pods_in_the_same_words(api: Api, namespace: str, name: str) -> None:
    quota = counted(api, an_object("ResourceQuota", name, namespace, spec=QUOTAS[name]))
    classes = api.objects("scheduling.k8s.io/v1", "PriorityClass")
    snapshot, answers = held(quota, *({**each, "kind": "PriorityClass"} for each in classes)), []
    for document in CHARGED.values():
        pod = {**document, "metadata": {**document["metadata"], "namespace": namespace}}
        expected = theirs(api, pod)
        answers.append(expected)
        assert ours(snapshot, pod) == expected, document["metadata"]["name"]
    assert any(answers), "one at least is refused"
    assert not all(answers), "one at least is created"


def test_quotas_refuse_claims_in_the_same_words(api: Api, namespace: str) -> None:
    hard = {"gold.storageclass.storage.k8s.io/requests.storage": "10Gi", "persistentvolumeclaims": "2"}
    api.create(a_claim(namespace, "there", "7Gi"))
    quota = counted(api, an_object("ResourceQuota", "storage", namespace, spec={"hard": hard}))
    late = {"kind": "StorageClass", "metadata": {"name": "gold"}, "volumeBindingMode": "WaitForFirstConsumer"}
    for storage, storage_class in (("3Gi", "gold"), ("3.5Gi", "gold"), ("9Gi", "silver")):
        claim = a_claim(namespace, "data", storage, storage_class)
        snapshot = Snapshot.from_objects([*held(quota).objects("ResourceQuota"), late])
        snapshot.upsert({**claim, "metadata": {**claim["metadata"], "uid": "imagined:claim/data"}})
        volume = {"name": "data", "persistentVolumeClaim": {"claimName": "data"}}
        assert ours(snapshot, a_pod(namespace, "web", volumes=[volume])) == theirs(api, claim), (storage, storage_class)


def test_what_is_limited_by_default_is_refused_in_the_same_words(api: Api, namespace: str) -> None:
    reserved = {"value": 1, "apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass"}
    stored = [api.create({**reserved, "metadata": {"name": name}}) for name in (RESERVED_CLASS, "test-usual")]
    limited = pruned_quota_configuration(ADMISSION_CONFIGURATION)
    assert limited is not None
    one = {RESERVED_RESOURCE: "1"}
    pods = [
        a_pod(namespace, "reserved", priorityClassName=RESERVED_CLASS),
        a_pod(namespace, "usual", priorityClassName="test-usual"),
        a_pod(namespace, "extended", a_container("web", one, one)),
    ]
    try:
        snapshot = Snapshot.from_objects([*stored, limited])
        refused = [theirs(api, pod) for pod in pods]
        assert [ours(snapshot, pod) for pod in pods] == refused
        assert [bool(message) for message in refused] == [True, False, True]

        of_class = {"scopeName": "PriorityClass", "operator": "In", "values": [RESERVED_CLASS]}
        covering = [
            {"hard": {"pods": "1"}, "scopeSelector": {"matchExpressions": [of_class]}},
            {"hard": {f"requests.{RESERVED_RESOURCE}": "1"}},
        ]
        for number, spec in enumerate(covering):
            snapshot.upsert(counted(api, an_object("ResourceQuota", f"covering-{number}", namespace, spec=spec)))
        assert [ours(snapshot, pod) for pod in pods] == [theirs(api, pod) for pod in pods] == ["", "", ""]
    finally:
        for each in stored:
            api.delete("scheduling.k8s.io/v1", "PriorityClass", each["metadata"]["name"])
