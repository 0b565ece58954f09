"""What the API server would answer a controller that tries again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import Snapshot
from clusters.engine.admission.problems import AboveMaximum, NoPriorityClass
from clusters.engine.quotas import QuotaExceeded, QuotaLedger, QuotaUnspecified, pod_charge, raises
from clusters.engine.workloads import AbsentPriorityClass, NextTry, WebhookDenied, cause_of, next_try
from tests.engine.quotas.quotas import a_quota, limited

if TYPE_CHECKING:
    from clusters.engine.problems import Problem
    from tests.engine.builders import Document

EXCEEDED = QuotaExceeded("default", "few", "", ("pods",), ("1",), ("1",), ("1",))


def a_workload(kind: str = "Deployment", requests: dict[str, str] | None = None, **spec: Any) -> Document:
    container: Document = {"name": "main", "image": "app:1", "resources": {"requests": requests or {}}}
    pod: Document = {"containers": [container], **spec.pop("pod", {})}
    template = {"metadata": {"labels": {"app": "web"}}, "spec": pod}
    return {"kind": kind, "metadata": {"name": "web", "namespace": "default"}, "spec": {"template": template, **spec}}


def answered(
    workload: Document,
    wanted: int,
    *objects: Document,
    quotas: tuple[Document, ...] = (),
    before: Problem = EXCEEDED,
    unread: frozenset[str] = frozenset(),
) -> NextTry | None:
    snapshot = Snapshot.from_objects([*objects, *quotas])
    return next_try(workload, wanted, snapshot, quotas, before=[before], unread=unread)


def limit_range(maximum: str) -> Document:
    limits = [{"type": "Container", "max": {"cpu": maximum}}]
    return {"kind": "LimitRange", "metadata": {"name": "narrow", "namespace": "default"}, "spec": {"limits": limits}}


@pytest.mark.parametrize(("hard", "admitted"), [("1", 0), ("3", 2), ("4", 3), ("9", 3)])
def test_as_many_pods_are_created_as_the_quota_has_room_for(hard: str, admitted: int) -> None:
    answer = answered(a_workload(), 3, quotas=(a_quota("few", hard={"pods": hard}, used={"pods": "1"}),))

    assert answer is not None
    assert (answer.wanted, answer.admitted, answer.is_decisive) == (3, admitted, True)
    assert [type(problem) for problem in answer.problems] == ([QuotaExceeded] if admitted < 3 else [])


def test_a_quota_that_is_gone_refuses_nothing_where_quotas_are_mirrored() -> None:
    answer = answered(a_workload(), 2)
    assert answer == NextTry(2, 2, (), (), True)
    assert answered(a_workload(), 2, unread=frozenset({"ResourceQuota"})) is None
    few = a_quota("few", hard={"pods": "9"}, used={"pods": "1"})
    still = answered(a_workload(), 2, quotas=(few,), unread=frozenset({"ResourceQuota"}))
    assert still is not None
    assert still.admitted == 2


def test_what_a_limit_range_refuses_is_refused_whatever_quotas_allow() -> None:
    bound = AboveMaximum("LimitRange narrow", "1", "cpu", "container", "limits", "")
    workload = a_workload(requests={"cpu": "500m"})
    answer = answered(workload, 2, limit_range("1"), before=bound)
    # A maximum is a default as well.
    assert answer == NextTry(2, 2, (), (), True)
    workload = a_workload(requests={"cpu": "2"})
    answer = answered(workload, 2, limit_range("1"), before=bound)
    assert answer is not None
    assert answer.admitted == 0
    assert AboveMaximum("LimitRange narrow", "1", "cpu", "container", "requests", "2") in answer.problems
    assert answered(workload, 2, before=bound) == NextTry(2, 2, (), (), True)


def test_what_containers_must_specify_is_refused_before_amounts_are_looked_at() -> None:
    quota = a_quota("few", hard={"limits.cpu": "9"}, used={})
    answer = answered(a_workload(), 2, quotas=(quota,))
    assert answer is not None
    assert answer.admitted == 0
    (problem,) = answer.problems
    assert isinstance(problem, QuotaUnspecified)
    assert problem.resources == ("limits.cpu",)


def test_a_priority_class_that_is_still_missing() -> None:
    workload = a_workload(pod={"priorityClassName": "urgent"})
    other = {"kind": "PriorityClass", "metadata": {"name": "low"}, "value": 1}
    answer = answered(workload, 1, other, before=AbsentPriorityClass("urgent"))
    assert answer is not None
    (problem,) = answer.problems
    assert isinstance(problem, NoPriorityClass)
    assert cause_of(problem) == AbsentPriorityClass("urgent")
    there = {"kind": "PriorityClass", "metadata": {"name": "urgent"}, "value": 1000}
    answer = answered(workload, 1, there, before=AbsentPriorityClass("urgent"))
    assert answer == NextTry(1, 1, (), (), True)


def test_what_a_webhook_says_next_is_not_known() -> None:
    answer = answered(a_workload(), 2, before=WebhookDenied("policy.example.com", "no"))
    assert answer is not None
    assert not answer.is_decisive


def test_claims_of_a_stateful_set_are_charged_unless_they_are_there() -> None:
    template = {"metadata": {"name": "data"}, "spec": {"resources": {"requests": {"storage": "10Gi"}}}}
    workload = a_workload("StatefulSet", replicas=3, volumeClaimTemplates=[template])
    quota = a_quota("few", hard={"requests.storage": "15Gi"}, used={})
    answer = answered(workload, 2, quotas=(quota,))
    assert answer is not None
    assert (answer.admitted, [type(each) for each in answer.problems]) == (1, [QuotaExceeded])
    claim = {"kind": "PersistentVolumeClaim", "metadata": {"name": "data-web-1", "namespace": "default"}, "spec": {}}
    answer = answered(workload, 2, claim, quotas=(quota,))
    assert answer is not None
    assert answer.admitted == 2


def test_a_cron_job_is_answered_for_its_next_job() -> None:
    cron_job = {"kind": "CronJob", "metadata": {"name": "tidy", "namespace": "default"}, "spec": {}}
    full = a_quota("few", hard={"count/jobs.batch": "2"}, used={"count/jobs.batch": "2"})
    answer = answered(cron_job, 1, quotas=(full,))
    assert answer is not None
    assert answer.admitted == 0
    room = a_quota("few", hard={"count/jobs.batch": "3"}, used={"count/jobs.batch": "2"})
    answer = answered(cron_job, 1, quotas=(room,))
    assert answer is not None
    assert answer.admitted == 1


def test_nothing_is_known_without_a_template() -> None:
    assert answered({"kind": "Deployment", "metadata": {"name": "web", "namespace": "default"}, "spec": {}}, 2) is None
    assert answered(a_workload(requests={"cpu": "many"}), 2) is None


AMOUNTS = st.sampled_from(["100m", "1", "1500m", "2"])
QUOTAS = st.lists(
    st.dictionaries(st.sampled_from(["pods", "requests.cpu", "limits.cpu"]), st.sampled_from(["0", "1", "3500m", "7"])),
    max_size=3,
)


@given(hard=QUOTAS, used=st.sampled_from(["0", "1", "2"]), cpu=AMOUNTS, wanted=st.integers(1, 6))
def test_the_number_is_what_trying_pod_after_pod_gives(
    hard: list[dict[str, str]], used: str, cpu: str, wanted: int
) -> None:
    quotas = tuple(a_quota(f"q{number}", hard=each, used=dict.fromkeys(each, used)) for number, each in enumerate(hard))
    limits = {"limits": {"cpu": cpu}, "requests": {"cpu": cpu}}
    workload = a_workload(pod={"containers": [{"name": "main", "image": "app:1", "resources": limits}]})
    answer = answered(workload, wanted, quotas=quotas)

    ledger, tried = QuotaLedger(quotas), 0
    for _ in range(wanted):
        if ledger.charge(pod_charge(limited("web", requests={"cpu": cpu}, limits={"cpu": cpu}))) is not None:
            break
        tried += 1
    assert answer is not None
    assert answer.admitted == tried
    assert bool(answer.problems) == (tried < wanted)
    # Raised by what is said, quotas let in all of them, and by less they do not.
    raised = {(each.quota, each.resource): each.needed for each in raises(answer.demands)}
    enough = tuple(_raised(quota, raised) for quota in quotas)
    after = answered(workload, wanted, quotas=enough)
    assert after is not None
    assert after.admitted == wanted
    assert bool(raised) == (tried < wanted)
    if raised:
        short = dict(raised)
        short.pop(next(iter(short)))
        less = answered(workload, wanted, quotas=tuple(_raised(quota, short) for quota in quotas))
        assert less is not None
        assert less.admitted < wanted


def _raised(quota: Document, raised: dict[tuple[str, str], str]) -> Document:
    name = quota["metadata"]["name"]
    hard = {resource: raised.get((name, resource), amount) for resource, amount in quota["status"]["hard"].items()}
    return {**quota, "status": {**quota["status"], "hard": hard}}


def test_workloads_under_one_quota_need_what_they_need_together() -> None:
    quota = a_quota("few", hard={"pods": "2"}, used={"pods": "2"})
    two, three = answered(a_workload(), 2, quotas=(quota,)), answered(a_workload(), 3, quotas=(quota,))
    assert two is not None
    assert three is not None
    (each,) = raises([*two.demands, *three.demands])
    assert (each.quota, each.resource, each.hard, each.needed) == ("few", "pods", "2", "7")
    # Of what was used, the latest that is known counts.
    late = [replace_used(demand, 3) for demand in three.demands]
    assert [each.needed for each in raises([*two.demands, *late])] == ["8"]


def replace_used(demand: Any, used: int) -> Any:
    return demand._replace(used=demand.used.plus(replace_amount(demand.used, used)))


def replace_amount(amount: Any, used: int) -> Any:
    return amount._replace(nanos=used * 10**9 - amount.nanos)


def test_claims_from_templates_are_charged_with_the_pods_that_a_controller_tries_again() -> None:
    devices = "gpu.deviceclass.resource.k8s.io/devices"
    requests = [{"name": "one", "exactly": {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 2}}]
    template = {
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "gpu", "namespace": "default"},
        "spec": {"spec": {"devices": {"requests": requests}}},
    }
    workload = a_workload(pod={"resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "gpu"}]})
    answer = answered(workload, 4, template, quotas=(a_quota("few", hard={devices: "7"}, used={devices: "2"}),))

    assert answer is not None
    assert answer.admitted == 2
    assert [(demand.resource, str(demand.each)) for demand in answer.demands] == [(devices, "2")]
