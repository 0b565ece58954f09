"""Next pods that the API server of one minor creates and that of another refuses, or that none creates."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from clusters.engine.admission.problems import AboveMaximum
from clusters.engine.quotas import QuotaExceeded
from clusters.engine.upgrading import (
    Amendment,
    AmendmentKind,
    AnswerAspect,
    SubjectRole,
    UpgradePreview,
    upgrade_preview,
)
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.upgrading.test_upgrade import case_of, owned


def quota(**hard: str) -> Document:
    amounts = {name.replace("_", "."): amount for name, amount in hard.items()}
    used = dict.fromkeys(amounts, "0")
    return {
        "kind": "ResourceQuota",
        "metadata": {"name": "share", "namespace": "default"},
        "spec": {"hard": amounts},
        "status": {"hard": amounts, "used": used},
    }


def web(**spec: Any) -> Document:
    return owned(a_pod("web-1", node="a", **spec), "ReplicaSet", "web")


def previewed(before: str, after: str, *objects: Document) -> UpgradePreview:
    quotas = [each for each in objects if each["kind"] == "ResourceQuota"]
    return upgrade_preview(replace(case_of(before, after, *objects), quotas=quotas))


def with_pod_level(requests: dict[str, str], limits: dict[str, str]) -> Document:
    """A pod that requests something as a whole, and whose only container is limited."""
    pod = web()
    spec = {**pod["spec"], "resources": {"requests": requests}}
    spec["containers"] = [{**spec["containers"][0], "resources": {"requests": limits, "limits": limits}}]
    return {**pod, "spec": spec}


def test_limits_that_1_37_derives_may_exceed_a_quota() -> None:
    pod = with_pod_level({"memory": "4Gi"}, {"memory": "1Gi"})

    (change,) = previewed("1.34", "1.37", a_node("a"), pod, quota(limits_memory="2Gi")).changes

    assert (change.aspect, change.minor, change.subject.role) == (AnswerAspect.ADMISSION, "1.37", SubjectRole.NEXT)
    assert change.amendments == (Amendment(AmendmentKind.RULE, "completes_pods_after_admission"),)
    assert change.before.refusals == ()
    (refusal,) = change.after.refusals
    assert isinstance(refusal.problem, QuotaExceeded)


def test_a_pod_that_neither_creates_is_told_and_is_no_difference() -> None:
    found = previewed("1.34", "1.37", a_node("a"), web(requests={"cpu": "2"}), quota(requests_cpu="1"))

    assert not [each for each in found.changes if each.aspect is AnswerAspect.ADMISSION]
    (refused,) = found.refused_pods
    assert refused.workload.name == "web"
    assert isinstance(refused.refusals[0].problem, QuotaExceeded)


def test_limit_ranges_are_asked() -> None:
    bounds: Document = {
        "kind": "LimitRange",
        "metadata": {"name": "small", "namespace": "default"},
        "spec": {"limits": [{"type": "Container", "max": {"cpu": "1"}}]},
    }
    pod = with_pod_level({"cpu": "2"}, {"cpu": "2"})

    found = previewed("1.34", "1.37", a_node("a"), pod, bounds)

    assert isinstance(found.refused_pods[0].refusals[0].problem, AboveMaximum)


def test_where_there_is_room_nothing_is_refused() -> None:
    found = previewed("1.34", "1.37", a_node("a"), web(requests={"cpu": "1"}), quota(requests_cpu="1"))

    assert found.refused_pods == ()
    assert not [each for each in found.changes if each.aspect is AnswerAspect.ADMISSION]


def test_pending_pods_exist_and_are_not_asked_for() -> None:
    pending = a_pod("alone", requests={"cpu": "2"})

    found = previewed("1.34", "1.37", a_node("a"), pending, quota(requests_cpu="1"))

    assert found.refused_pods == ()


def test_what_was_derived_before_is_derived_anew_by_each_release() -> None:
    bounds: Document = {
        "kind": "LimitRange",
        "metadata": {"name": "given", "namespace": "default"},
        "spec": {"limits": [{"type": "Container", "defaultRequest": {"cpu": "100m"}}]},
    }
    pod = web()
    pod["metadata"]["annotations"] = {
        "kubernetes.io/limit-ranger": "LimitRanger plugin set: cpu request for container main"
    }
    container = {"name": "main", "resources": {"requests": {"cpu": "100m"}}}
    pod["spec"] |= {"containers": [container], "resources": {"requests": {"cpu": "2"}, "limits": {"cpu": "2"}}}

    found = previewed("1.36", "1.37", a_node("a"), pod, bounds, quota(requests_cpu="1"))

    # Under 1.37 the pod requests what the LimitRange gives its container.
    (change,) = [each for each in found.changes if each.aspect is AnswerAspect.ADMISSION]
    assert [type(each.problem) for each in change.before.refusals] == [QuotaExceeded]
    assert change.after.refusals == ()
    assert change.amendments == (Amendment(AmendmentKind.RULE, "completes_pods_after_admission"),)


def test_claims_from_templates_are_charged_with_the_next_pod() -> None:
    devices = "gpu.deviceclass.resource.k8s.io/devices"
    exactly = {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}
    template: Document = {
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "gpu", "namespace": "default"},
        "spec": {"spec": {"devices": {"requests": [{"name": "one", "exactly": exactly}]}}},
    }
    pod = web(resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": "gpu"}])

    found = previewed("1.36", "1.37", a_node("a"), pod, template, quota(**{devices: "0"}))

    (refused,) = found.refused_pods
    problem = refused.refusals[0].problem
    assert isinstance(problem, QuotaExceeded)
    assert problem.resources == (devices,)
