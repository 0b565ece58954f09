"""Quotas as objects are charged, refused and released."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import Snapshot
from clusters.engine.admission import admit
from clusters.engine.admission.problems import AboveMaximum, BelowMinimum
from clusters.engine.objects import Pod
from clusters.engine.quotas import (
    CONFIGURATION,
    LimitedResource,
    QuotaExceeded,
    QuotaLedger,
    QuotaUnspecified,
    applied_quotas,
    claim_charge,
    object_charge,
    pod_charge,
    quota_users,
    quota_uses,
)
from tests.engine.builders import Document, a_pod
from tests.engine.quotas.quotas import a_quota, limited, of_class, used


def test_e46_a_pod_counts_in_the_quota_of_its_priority_class_alone() -> None:
    amounts = {"high": ("1k", "200Gi", "10"), "medium": ("10", "20Gi", "10"), "low": ("5", "10Gi", "10")}
    ledger = QuotaLedger(
        a_quota(
            f"pods-{name}", hard={"cpu": cpu, "memory": memory, "pods": pods}, used={}, scopeSelector=of_class(name)
        )
        for name, (cpu, memory, pods) in amounts.items()
    )
    pod = limited("high-priority", requests={"cpu": "500m", "memory": "10Gi"}, priorityClassName="high")

    assert ledger.charge(pod_charge(pod)) is None

    assert used(ledger, "pods-high") == {"cpu": "500m", "memory": "10Gi", "pods": "1"}
    assert used(ledger, "pods-medium") == used(ledger, "pods-low") == {"cpu": "0", "memory": "0", "pods": "0"}


def test_e47_objects_are_counted_by_kind() -> None:
    hard = {"count/deployments.apps": "2", "count/replicasets.apps": "4", "count/pods": "3", "count/secrets": "4"}
    ledger = QuotaLedger([a_quota("counts", hard=hard, used={"count/secrets": "1"})])
    objects: list[tuple[str, str, Document]] = [
        ("deployments", "apps", {"metadata": {"name": "nginx"}}),
        ("replicasets", "apps", {"metadata": {"name": "nginx-1"}}),
    ]
    charges = [object_charge(document, plural, group) for plural, group, document in objects]
    charges += [pod_charge(a_pod(f"nginx-1-{number}")) for number in range(2)]

    assert [ledger.charge(charge) for charge in charges] == [None] * 4
    assert list(used(ledger, "counts").values()) == ["1", "1", "2", "1"]
    # Of object-counts none of these is one.
    legacy = {"configmaps": "10", "persistentvolumeclaims": "4", "pods": "4", "replicationcontrollers": "20"}
    others = QuotaLedger([a_quota("object-counts", hard=legacy | {"secrets": "10"}, used={"secrets": "1"})])
    for charge in charges:
        others.charge(charge)
    assert list(used(others, "object-counts").values()) == ["0", "0", "2", "0", "1"]


def test_e48_the_fifth_gpu_is_refused() -> None:
    ledger = QuotaLedger([a_quota("gpus", hard={"requests.nvidia.com/gpu": "4"}, used={})])
    pods = [a_pod(f"gpu-{number}", requests={"nvidia.com/gpu": "1"}) for number in range(1, 6)]

    *first, last = [ledger.charge(pod_charge(pod)) for pod in pods]

    assert first == [None] * 4
    assert last == QuotaExceeded(
        "default",
        "gpus",
        'pods "gpu-5" is forbidden: exceeded quota: gpus, requested: requests.nvidia.com/gpu=1, '
        "used: requests.nvidia.com/gpu=4, limited: requests.nvidia.com/gpu=4",
        ("requests.nvidia.com/gpu",),
        ("1",),
        ("4",),
        ("4",),
    )
    # A pod without one is none of its business.
    assert ledger.charge(pod_charge(a_pod("plain"))) is None


def test_e49_bounds_refuse_and_defaults_are_charged() -> None:
    container = {
        "type": "Container",
        "min": {"cpu": "100m", "memory": "200Mi"},
        "max": {"cpu": "500m", "memory": "600Mi"},
        "default": {"cpu": "150m", "memory": "300Mi"},
        "defaultRequest": {"cpu": "150m", "memory": "300Mi"},
    }
    ranges: Document = {"kind": "LimitRange", "metadata": {"name": "bounds", "namespace": "default"}}
    snapshot = Snapshot.from_objects([ranges | {"spec": {"limits": [container]}}])
    ledger = QuotaLedger([a_quota("compute", hard={"requests.cpu": "300m", "limits.memory": "1Gi"}, used={})])

    assert isinstance(ledger.refusal(pod_charge(a_pod("bare"))), QuotaUnspecified)
    admitted = admit(a_pod("bare"), snapshot)
    assert admitted.refusals == ()
    assert ledger.charge(pod_charge(admitted.pod)) is None
    assert used(ledger, "compute") == {"requests.cpu": "150m", "limits.memory": "300Mi"}

    small = admit(limited("small", requests={"cpu": "50m"}), snapshot)
    large = admit(limited("large", requests={"cpu": "100m"}, limits={"memory": "700Mi"}), snapshot)
    assert [type(each.problem) for each in small.refusals] == [BelowMinimum]
    assert [type(each.problem) for each in large.refusals if "limits" in each.field] == [AboveMaximum]


def test_e50_teams_have_what_their_quotas_say_and_the_first_to_come_has_it() -> None:
    quotas = [
        a_quota("team", name, hard={"requests.cpu": cpu, "requests.memory": memory}, used={})
        for name, (cpu, memory) in {"a": ("10", "20Gi"), "b": ("4", "10Gi"), "reserve": ("2", "2Gi")}.items()
    ]
    ledger = QuotaLedger(quotas)
    uses = {(each.namespace, each.resource): each.hard for each in quota_uses(ledger)}
    assert sum(hard for (_, resource), hard in uses.items() if resource == "requests.cpu") == 16_000
    assert sum(hard for (_, resource), hard in uses.items() if resource == "requests.memory") == 32 << 30

    pods = [limited(f"p{n}", requests={"cpu": "1500m", "memory": "1Gi"}, namespace="b") for n in range(1, 4)]
    answers = [ledger.charge(pod_charge(pod)) for pod in pods]

    assert answers[:2] == [None, None]
    refused = answers[2]
    assert refused is not None
    assert refused.message == (
        'pods "p3" is forbidden: exceeded quota: team, requested: requests.cpu=1500m, used: requests.cpu=3, '
        "limited: requests.cpu=4"
    )
    # Nothing bounds a namespace without a quota.
    assert ledger.charge(pod_charge(limited("p", requests={"cpu": "64"}, namespace="production"))) is None


def test_scopes_of_pods_leave_claims_out_and_those_of_claims_leave_pods_out() -> None:
    claim: Document = {
        "metadata": {"name": "data", "namespace": "default"},
        "spec": {"volumeAttributesClassName": "fast"},
    }
    fast = {"matchExpressions": [{"scopeName": "VolumeAttributesClass", "operator": "In", "values": ["fast"]}]}
    both = {"pods": "0", "persistentvolumeclaims": "0"}

    of_pods = QuotaLedger([a_quota("q", hard=both, used={}, scopes=["NotTerminating"])])
    assert of_pods.refusal(pod_charge(a_pod())) is not None
    assert of_pods.refusal(claim_charge(claim)) is None
    of_claims = QuotaLedger([a_quota("q", hard=both, used={}, scopeSelector=fast)])
    assert of_claims.refusal(pod_charge(a_pod())) is None
    assert of_claims.refusal(claim_charge(claim)) is not None
    assert of_claims.refusal(claim_charge({**claim, "spec": {}})) is None


# -- properties ----------------------------------------------------------------------------------------------------

CPUS = st.sampled_from(["0", "1m", "100m", "0.25", "1", "2"])
MEMORIES = st.sampled_from(["1Ki", "100M", "0.5Gi", "1Gi", "1e9"])
RESOURCES = ("pods", "cpu", "limits.cpu", "requests.memory", "count/pods", "requests.example.com/x")


@st.composite
def pods(draw: st.DrawFn) -> Document:
    requests = draw(
        st.fixed_dictionaries({}, optional={"cpu": CPUS, "memory": MEMORIES, "example.com/x": st.just("1")})
    )
    limits = draw(st.fixed_dictionaries({}, optional={"cpu": CPUS}))
    more: dict[str, Any] = draw(
        st.fixed_dictionaries({}, optional={"activeDeadlineSeconds": st.integers(0, 9), "priorityClassName": NAMES})
    )
    return limited("pod", requests=requests, limits=limits, **more)


NAMES = st.sampled_from(["high", "low"])
SCOPES = st.sampled_from(["Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass"])
SELECTED = st.builds(
    lambda operator, values: {"scopeName": "PriorityClass", "operator": operator, "values": values},
    st.sampled_from(["In", "NotIn"]),
    st.lists(NAMES, min_size=1, max_size=2),
)


@st.composite
def quotas(draw: st.DrawFn) -> list[Document]:
    return [
        a_quota(
            f"q{number}",
            hard=draw(st.dictionaries(st.sampled_from(RESOURCES), st.integers(0, 4).map(str), min_size=1)),
            used={},
            scopes=draw(st.lists(SCOPES, max_size=2, unique=True)),
            scopeSelector={"matchExpressions": draw(st.lists(SELECTED, max_size=1))},
        )
        for number in range(draw(st.integers(1, 3)))
    ]


def all_used(ledger: QuotaLedger) -> dict[tuple[str, str], int]:
    return {(quota.name, resource): amount.nanos for quota in ledger for resource, amount in quota.used.items()}


@settings(max_examples=40)
@given(quotas(), st.lists(pods(), max_size=12))
def test_admitted_pods_never_use_more_than_is_hard_and_their_release_leaves_nothing(
    given_quotas: list[Document], arriving: list[Document]
) -> None:
    ledger = QuotaLedger(given_quotas)
    admitted = [charge for charge in map(pod_charge, arriving) if ledger.charge(charge) is None]

    for quota in ledger:
        assert all(amount.nanos <= quota.hard[resource].nanos for resource, amount in quota.used.items())
    for charge in admitted:
        ledger.release(charge)
    assert set(all_used(ledger).values()) <= {0}


@settings(max_examples=40)
@given(quotas(), st.lists(pods(), max_size=4), pods())
def test_room_is_how_often_a_pod_is_admitted(
    given_quotas: list[Document], there: list[Document], one: Document
) -> None:
    ledger = QuotaLedger(given_quotas)
    for pod in there:
        ledger.charge(pod_charge(pod))
    charge = pod_charge(one)
    counting = ledger.counting(charge)
    rooms = [room for quota in counting if (room := quota.room_for(charge)) is not None]
    unspecified = any(quota.unspecified(charge) for quota in counting)

    admitted = 0
    while admitted <= 9 and ledger.charge(charge) is None:
        admitted += 1

    expected = 0 if unspecified else min(rooms, default=10)
    assert admitted == expected


def plainly_in(spec: Document, pod: Document) -> bool:
    """The rule of scopes written out for one pod."""
    inner: dict[str, Any] = dict(pod["spec"])
    ends = "activeDeadlineSeconds" in inner
    resources = inner["containers"][0]["resources"]
    amounts = [value for role in resources.values() for name, value in role.items() if name in ("cpu", "memory")]
    best_effort = all(value == "0" for value in amounts)
    priority_class = inner.get("priorityClassName")
    holds = {
        "Terminating": ends,
        "NotTerminating": not ends,
        "BestEffort": best_effort,
        "NotBestEffort": not best_effort,
        "PriorityClass": priority_class is not None,
    }
    selected = [
        (priority_class in each["values"]) == (each["operator"] == "In")
        for each in spec["scopeSelector"]["matchExpressions"]
    ]
    return all(holds[name] for name in spec["scopes"]) and all(selected)


@given(quotas(), pods())
def test_scopes_mean_the_pods_that_the_rule_written_out_means(given_quotas: list[Document], pod: Document) -> None:
    found = {quota.name for quota in QuotaLedger(given_quotas).counting(pod_charge(pod))}

    assert found == {each["metadata"]["name"] for each in given_quotas if plainly_in(each["spec"], pod)}


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


@pytest.mark.parametrize("hard", [{"services": "1"}, {"requests.nvidia.com/gpu": "1"}])
def test_a_quota_that_counts_other_objects_covers_the_scope_all_the_same(hard: dict[str, str]) -> None:
    covering = a_quota("any", hard=hard, used={}, scopeSelector=of_class("cluster-services"))

    assert refused(high(), SERVICES, covering) is None


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


EPHEMERAL: Document = {"ephemeral": {"volumeClaimTemplate": {"spec": {}}}}
ELSEWHERE = {"topologyKey": "zone", "namespaces": ["other"]}


def quota_with_status(name: str = "quota", namespace: str = "default", **spec: Any) -> Document:
    return {"kind": "ResourceQuota", "metadata": {"name": name, "namespace": namespace}, "spec": spec}


def applies(pod: Document, **spec: Any) -> bool:
    return bool(applied_quotas(Snapshot.from_objects([quota_with_status(**spec)]), Pod(pod)))


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

    assert [applies(pod, hard={"pods": "1"}, scopeSelector=selector) for pod in pods] == [of_high, of_low, of_none]


def of(controller: str, name: str, cpu: str) -> Document:
    pod = a_pod(name, requests={"cpu": cpu})
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": controller, "controller": True}
    pod["metadata"]["ownerReferences"] = [owner]
    return pod


def test_workloads_come_in_the_order_of_what_they_use() -> None:
    (quota,) = QuotaLedger(
        [a_quota(hard={"requests.cpu": "10", "pods": "100"}, used={"requests.cpu": "5", "pods": "3"})]
    )
    pods = [of("small", "small-0", "1"), of("large", "large-0", "1"), of("large", "large-1", "3")]
    finished = {**of("small", "small-1", "9"), "status": {"phase": "Succeeded"}}

    (found,) = quota_users([quota], [*pods, finished, a_pod("other", namespace="other", requests={"cpu": "9"})])

    assert [(user.workload.name, user.share, user.more) for user in found] == [("large", 0.4, 1), ("small", 0.1, 5)]
    assert {name: str(amount) for name, amount in found[0].amounts.items()} == {"requests.cpu": "4", "pods": "2"}


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 5)), max_size=12))
def test_what_workloads_use_is_what_the_quota_counts(pods: list[tuple[str, int]]) -> None:
    made = [of(name, f"{name}-{number}", str(cpu)) for number, (name, cpu) in enumerate(pods)]
    ledger = QuotaLedger([a_quota(hard={"requests.cpu": "100", "pods": "100"}, used={})])
    for pod in made:
        ledger.charge(pod_charge(pod))
    (quota,) = ledger

    (users,) = quota_users([quota], made)

    for resource, amount in quota.used.items():
        assert sum(user.amounts[resource].nanos for user in users) == amount.nanos
