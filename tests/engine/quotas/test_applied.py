"""Which ResourceQuotas are charged for a pod."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.conclusion import AppliedQuota
from clusters.engine.objects import Pod
from clusters.engine.quotas import applied_quotas
from tests.engine.builders import Document, a_pod

EPHEMERAL: Document = {"ephemeral": {"volumeClaimTemplate": {"spec": {}}}}
ELSEWHERE = {"topologyKey": "zone", "namespaces": ["other"]}


def a_quota(name: str = "quota", namespace: str = "default", **spec: Any) -> Document:
    return {"kind": "ResourceQuota", "metadata": {"name": name, "namespace": namespace}, "spec": spec}


def applies(pod: Document, **spec: Any) -> bool:
    return bool(applied_quotas(Snapshot.from_objects([a_quota(**spec)]), Pod(pod)))


def test_quotas_of_the_namespace_are_named_in_order() -> None:
    hard = {"pods": "1"}
    quotas = [a_quota("b", hard=hard), a_quota("a", hard=hard), a_quota("c", namespace="other", hard=hard)]

    assert applied_quotas(Snapshot.from_objects(quotas), Pod(a_pod())) == (
        AppliedQuota("default", "a"),
        AppliedQuota("default", "b"),
    )


@pytest.mark.parametrize(
    ("resource", "is_charged"),
    [
        ("pods", True),
        ("count/pods", True),
        ("cpu", True),
        ("requests.memory", True),
        ("limits.cpu", True),
        ("requests.nvidia.com/gpu", True),
        ("hugepages-2Mi", True),
        ("requests.hugepages-2Mi", True),
        ("services", False),
        ("count/deployments.apps", False),
        ("requests.storage", False),
        ("persistentvolumeclaims", False),
        ("fast.storageclass.storage.k8s.io/requests.storage", False),
    ],
)
def test_resources_that_pods_are_charged_for(resource: str, is_charged: bool) -> None:
    assert applies(a_pod(), hard={resource: "1"}) is is_charged


@pytest.mark.parametrize(
    "resource", ["requests.storage", "persistentvolumeclaims", "fast.storageclass.storage.k8s.io/requests.storage"]
)
def test_claims_that_come_with_a_pod_are_charged_too(resource: str) -> None:
    assert applies(a_pod(volumes=[EPHEMERAL]), hard={resource: "1"})
    assert not applies(a_pod(volumes=[{"persistentVolumeClaim": {"claimName": "there"}}]), hard={resource: "1"})


@pytest.mark.parametrize(
    ("scope", "inside", "outside"),
    [
        ("Terminating", a_pod(activeDeadlineSeconds=60), a_pod()),
        ("NotTerminating", a_pod(), a_pod(activeDeadlineSeconds=0)),
        ("BestEffort", a_pod(), a_pod(requests={"cpu": "1"})),
        ("NotBestEffort", a_pod(requests={"cpu": "1"}), a_pod()),
        ("PriorityClass", a_pod(priorityClassName="high"), a_pod()),
        (
            "CrossNamespacePodAffinity",
            a_pod(affinity={"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [ELSEWHERE]}}),
            a_pod(),
        ),
        (
            "CrossNamespacePodAffinity",
            a_pod(
                affinity={
                    "podAntiAffinity": {
                        "preferredDuringSchedulingIgnoredDuringExecution": [
                            {"weight": 1, "podAffinityTerm": {"topologyKey": "zone", "namespaceSelector": {}}}
                        ]
                    }
                }
            ),
            a_pod(affinity={"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{}]}}),
        ),
    ],
)
def test_scopes_choose_pods(scope: str, inside: Document, outside: Document) -> None:
    assert applies(inside, hard={"pods": "1"}, scopes=[scope])
    assert not applies(outside, hard={"pods": "1"}, scopes=[scope])


@pytest.mark.parametrize(
    ("operator", "of_high", "of_low", "of_none"),
    [
        ("In", True, False, False),
        ("NotIn", False, True, True),
        ("Exists", True, True, False),
        ("DoesNotExist", False, False, True),
    ],
)
def test_scope_selector_asks_for_priority_classes(operator: str, of_high: bool, of_low: bool, of_none: bool) -> None:
    values = ["high"] if operator in ("In", "NotIn") else []
    selector = {"matchExpressions": [{"scopeName": "PriorityClass", "operator": operator, "values": values}]}
    pods = (a_pod(priorityClassName="high"), a_pod(priorityClassName="low"), a_pod())

    found = [applies(pod, hard={"pods": "1"}, scopeSelector=selector) for pod in pods]

    assert found == [of_high, of_low, of_none]


def test_every_scope_has_to_hold() -> None:
    assert not applies(a_pod(activeDeadlineSeconds=60), hard={"pods": "1"}, scopes=["Terminating", "NotBestEffort"])
