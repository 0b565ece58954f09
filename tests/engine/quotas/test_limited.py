"""What the API server limits by default is refused unless a quota covers it."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.quotas import CONFIGURATION, LimitedResource, QuotaLedger, QuotaUncovered, claim_charge, pod_charge
from clusters.engine.simulation import Simulation
from tests.engine.builders import Document, a_pod
from tests.engine.quotas.quotas import a_quota, of_class
from tests.engine.simulation.test_quotas import add, case_of, deployment, nodes

SERVICES: Document = {
    "resource": "pods",
    "matchScopes": [{"scopeName": "PriorityClass", "operator": "In", "values": ["cluster-services"]}],
}


def configuration(*limited: Document) -> Document:
    return {"kind": CONFIGURATION, "metadata": {"name": "kube-apiserver"}, "limitedResources": list(limited)}


def ledger(limited: Document, *quotas: Document) -> QuotaLedger:
    return QuotaLedger(quotas, LimitedResource.all_of([configuration(limited)]))


def refused(pod: Document, limited: Document, *quotas: Document) -> str | None:
    refusal = ledger(limited, *quotas).refusal(pod_charge(pod))
    return None if refusal is None else refusal.message


def high(**spec: Any) -> Document:
    return a_pod("dns", priorityClassName="cluster-services", **spec)


def test_pods_of_a_limited_class_need_a_quota_of_that_scope() -> None:
    message = "insufficient quota to match these scopes: [{PriorityClass In [cluster-services]}]"
    mine = a_quota("services", hard={"pods": "5"}, used={}, scopeSelector=of_class("cluster-services"))
    others = a_quota("low", hard={"pods": "5"}, used={}, scopeSelector=of_class("low"))
    plain = a_quota("plain", hard={"pods": "5"}, used={})
    elsewhere = a_quota("services", "other", hard={"pods": "5"}, used={}, scopeSelector=of_class("cluster-services"))

    assert refused(high(), SERVICES) == message
    assert refused(high(), SERVICES, others, plain, elsewhere) == message
    assert refused(high(), SERVICES, mine) is None
    assert refused(a_pod("web"), SERVICES) is None
    assert ledger(SERVICES).refusal(pod_charge(high())) == QuotaUncovered(
        "default", message, (), ("PriorityClass In cluster-services",)
    )


@pytest.mark.parametrize("hard", [{"services": "1"}, {"requests.nvidia.com/gpu": "1"}])
def test_a_quota_that_counts_other_objects_covers_the_scope_all_the_same(hard: dict[str, str]) -> None:
    covering = a_quota("any", hard=hard, used={}, scopeSelector=of_class("cluster-services"))

    assert refused(high(), SERVICES, covering) is None


def test_limited_resources_have_to_be_bounded_by_a_quota() -> None:
    limited = {"resource": "pods", "matchContains": ["requests.cpu", "memory"]}
    pod = a_pod("web", requests={"cpu": "1", "memory": "1Gi"})
    cpu = a_quota("cpu", hard={"requests.cpu": "5"}, used={})
    memory = a_quota("memory", hard={"requests.memory": "5Gi", "memory": "5Gi"}, used={})

    assert refused(pod, limited) == (
        'pods "web" is forbidden: insufficient quota to consume: memory,requests.cpu,requests.memory'
    )
    assert refused(pod, limited, cpu) == (
        'pods "web" is forbidden: insufficient quota to consume: memory,requests.memory'
    )
    assert refused(pod, limited, cpu, memory) is None
    assert refused(a_pod("bare"), limited) is None


def test_a_quota_that_is_exceeded_is_told_only_where_everything_is_covered() -> None:
    full = a_quota("full", hard={"pods": "0", "count/pods": "9"}, used={})
    counted = {"resource": "pods", "matchContains": ["pods"]}

    assert "exceeded quota: full" in (refused(high(), counted, full) or "")
    # Every part of a name is looked for: the count of pods has to be bounded, too.
    only = a_quota("only", hard={"pods": "0"}, used={})
    assert "insufficient quota to consume: count/pods" in (refused(high(), counted, only) or "")
    assert "insufficient quota" in (refused(high(), SERVICES, full) or "")


def test_claims_of_any_class_may_need_a_quota() -> None:
    limited = {"resource": "persistentvolumeclaims", "matchContains": [".storageclass.storage.k8s.io/requests.storage"]}
    metadata = {"name": "data", "namespace": "default"}
    spec = {"storageClassName": "gold", "resources": {"requests": {"storage": "1Gi"}}}
    claim = claim_charge({"kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec})
    bound = "gold.storageclass.storage.k8s.io/requests.storage"

    refusal = ledger(limited).refusal(claim)

    assert refusal is not None
    assert refusal.message == f'persistentvolumeclaims "data" is forbidden: insufficient quota to consume: {bound}'
    assert ledger(limited, a_quota(hard={bound: "5Gi"}, used={})).refusal(claim) is None
    assert ledger(limited).refusal(pod_charge(a_pod())) is None


def test_a_simulation_does_not_create_what_is_limited() -> None:
    limited = configuration({"resource": "pods", "matchContains": ["pods"]})
    shop = add(deployment("shop", 1))

    (refused_step,) = Simulation(case_of([*nodes("n1"), limited], shop))
    quota = a_quota("pods", hard={"pods": "3", "count/pods": "3"}, used={})
    (placed,) = Simulation(case_of([*nodes("n1"), limited, quota], shop))

    assert isinstance(refused_step.problem, QuotaUncovered)
    assert placed.outcome == "placed"
