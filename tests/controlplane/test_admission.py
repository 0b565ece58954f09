"""What Berth says admission would add, next to what a real API server adds to the same pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.adapters.prune import KINDS
from clusters.engine import Snapshot
from clusters.engine.admission import admit
from tests.controlplane.api import Api, ApiError, Object
from tests.controlplane.release import RELEASE
from tests.support import refused_pods
from tests.support.answers import error_of

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.controlplane

ZONE = "topology.kubernetes.io/zone"
LABELS = {"app": "web", "pod-template-hash": "1a"}
CLASSES: list[Object] = [
    {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "high"},
        "value": 1000,
        "preemptionPolicy": "Never",
    },
    {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "usual"},
        "value": 10,
        "globalDefault": True,
    },
    {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": "vm"},
        "handler": "vm",
        "overhead": {"podFixed": {"cpu": "250m", "memory": "64Mi"}},
        "scheduling": {
            "nodeSelector": {"vm": "yes"},
            "tolerations": [{"key": "vm", "operator": "Exists", "effect": "NoSchedule"}],
        },
    },
]
LIMITS: Object = {
    "apiVersion": "v1",
    "kind": "LimitRange",
    "metadata": {"name": "limits"},
    "spec": {
        "limits": [
            {
                "type": "Container",
                "default": {"memory": "512Mi"},
                "defaultRequest": {"cpu": "100m"},
                "min": {"cpu": "10m"},
                "max": {"cpu": "4"},
                "maxLimitRequestRatio": {"memory": "4"},
            },
            {"type": "Pod", "max": {"memory": "4Gi"}},
        ]
    },
}


def containers(**resources: dict[str, str]) -> list[Object]:
    return [{"name": "web", "image": "web:1", "resources": resources}]


def term(**parts: Any) -> Object:
    return {"topologyKey": ZONE, "labelSelector": {"matchLabels": {"app": "web"}}, **parts}


def spread(**parts: Any) -> Object:
    return {"maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule", **term(**parts)}


TAKEN: dict[str, Object] = {
    "plain": {},
    "limits-only": {"containers": containers(limits={"cpu": "2", "memory": "1Gi"})},
    "init": {"initContainers": [{"name": "first", "image": "web:1", "resources": {"limits": {"cpu": "1"}}}]},
    "pod-level": {"resources": {"limits": {"cpu": "2", "memory": "2Gi"}}},
    "class": {"priorityClassName": "high"},
    "system": {"priorityClassName": "system-cluster-critical"},
    "own-tolerations": {
        "tolerations": [
            {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5}
        ]
    },
    "runtime": {
        "runtimeClassName": "vm",
        "nodeSelector": {"disk": "ssd"},
        "tolerations": [{"key": "vm", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}],
    },
    "host-network": {
        "hostNetwork": True,
        "containers": [{"name": "web", "image": "web:1", "ports": [{"containerPort": 80}]}],
    },
    "affinity": {
        "affinity": {
            "podAntiAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": [term(matchLabelKeys=["pod-template-hash", "none"])],
                "preferredDuringSchedulingIgnoredDuringExecution": [
                    {"weight": 5, "podAffinityTerm": term(mismatchLabelKeys=["pod-template-hash"])}
                ],
            }
        }
    },
    "spread": {"topologySpreadConstraints": [spread(matchLabelKeys=["pod-template-hash"])]},
}
REFUSED: dict[str, Object] = {
    "too-much": {"containers": containers(requests={"cpu": "5"}, limits={"cpu": "5"})},
    "pod-too-much": {"containers": containers(requests={"cpu": "1"}, limits={"cpu": "1", "memory": "5Gi"})},
    "too-far-apart": {"containers": containers(requests={"memory": "1Mi"}, limits={"cpu": "1", "memory": "1Gi"})},
    "no-class": {"priorityClassName": "hihg"},
    "own-priority": {"priorityClassName": "high", "priority": 1},
    "no-runtime": {"runtimeClassName": "none"},
    "own-overhead": {"overhead": {"cpu": "1"}},
    "contradiction": {"runtimeClassName": "vm", "nodeSelector": {"vm": "no"}},
}


@pytest.fixture
def admitting(api: Api, namespace: str) -> Iterator[Snapshot]:
    """Put the classes and limits where the API server asks for them, and into a snapshot as it writes them."""
    created = [api.create(each) for each in CLASSES]
    stored = [api.create({**LIMITS, "metadata": {**LIMITS["metadata"], "namespace": namespace}})]
    yield Snapshot.from_objects([*created, *stored, *api.objects("scheduling.k8s.io/v1", "PriorityClass")], RELEASE)
    for each in CLASSES:
        api.delete(each["apiVersion"], each["kind"], each["metadata"]["name"])


def a_pod(namespace: str, name: str, spec: Object) -> Object:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "labels": LABELS},
        "spec": {"containers": containers(limits={"cpu": "1"}), **spec},
    }


def dry_run(api: Api, pod: Object) -> Object:
    return api.post(api.path("v1", "Pod", namespace=pod["metadata"]["namespace"]) + "?dryRun=All", pod)


def test_admission_adds_what_a_real_api_server_adds(api: Api, namespace: str, admitting: Snapshot) -> None:
    prune = KINDS["Pod"].prune
    for name, spec in TAKEN.items():
        pod = a_pod(namespace, name, spec)
        real = dry_run(api, pod)
        ours = admit(pod, admitting)
        assert not ours.refusals, name
        theirs = prune(real)["spec"]
        for unread in ("restartPolicy", "terminationGracePeriodSeconds"):
            theirs.pop(unread)
        # Service accounts bring a volume that a pod's place does not depend on.
        theirs["volumes"] = [each for each in theirs.pop("volumes", []) if not each["name"].startswith("kube-api-")]
        mine = prune(ours.pod)["spec"]
        assert without_protocols({"volumes": [], **mine}) == without_protocols(theirs), name
        assert admit(prune(real), admitting).additions == (), f"{name}: an admitted pod is left as it is"


def without_protocols(spec: Object) -> Object:
    for container in spec["containers"]:
        for port in container.get("ports", ()):
            port.pop("protocol", None)
    return spec


def test_admission_refuses_what_a_real_api_server_refuses(api: Api, namespace: str, admitting: Snapshot) -> None:
    for name, spec in REFUSED.items():
        pod = a_pod(namespace, name, spec)
        refused = error_of(ApiError, dry_run, api, pod)
        assert refused.status == 403, (name, refused.message)
        assert admit(pod, admitting).refusals, name


@pytest.mark.parametrize("name", refused_pods.REFUSED)
def test_a_real_api_server_refuses_what_its_rules_between_fields_refuse(api: Api, namespace: str, name: str) -> None:
    spec, _ = refused_pods.REFUSED[name]
    pod = {**a_pod(namespace, name, spec), "spec": {"containers": [{"name": "web", "image": "web:1"}], **spec}}
    pod["metadata"]["labels"] = {"app": "web"}
    refused = error_of(ApiError, dry_run, api, pod)
    assert refused.status == 422, refused
