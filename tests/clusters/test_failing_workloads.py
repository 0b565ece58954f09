"""Workloads whose controllers fail: what conditions and events tell, and the same words in terminal, API and pages."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from django.core.management import call_command

from clusters.engine.problems import NoSuchObject, Problem
from clusters.engine.quotas import QuotaExceeded
from clusters.engine.workloads import FailureKind, Failures, MissedStarts
from clusters.models import Cluster
from clusters.services.files import read_dump
from clusters.services.workloads.failing import failures_of, missed_by
from clusters.wording.refusals import because, outlook
from clusters.wording.workload_failures import remedy
from tests.support.decision_cluster import node
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from django.test import Client


pytestmark = pytest.mark.django_db

Object = dict[str, Any]
QUOTA = 'pods "web-x" is forbidden: exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1'


def an_object(kind: str, name: str, owner: tuple[str, str] | None = None, **parts: Any) -> Object:
    version = (
        "v1"
        if kind in ("Pod", "ReplicationController", "LimitRange", "ResourceQuota")
        else "batch/v1"
        if "Job" in kind
        else "apps/v1"
    )
    metadata: Object = {"name": name, "namespace": "shop", "uid": f"{kind}-{name}"}
    metadata |= {"creationTimestamp": "2026-01-01T00:00:00Z", **parts.pop("metadata", {})}
    if owner is not None:
        above, of = owner
        reference = {"apiVersion": "apps/v1", "kind": above, "name": of, "uid": f"{above}-{of}", "controller": True}
        metadata["ownerReferences"] = [reference]
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **parts}


def condition(kind: str, status: str, reason: str, message: str = "") -> Object:
    return {"conditions": [{"type": kind, "status": status, "reason": reason, "message": message}]}


def a_pod(name: str, owner: tuple[str, str], created: str = "2026-01-01T00:00:00Z", **status: Any) -> Object:
    spec = {"containers": [{"name": "main"}], "nodeName": "n1"}
    metadata = {"creationTimestamp": created}
    return an_object("Pod", name, owner, metadata=metadata, spec=spec, status={"phase": "Running", **status})


def failed_create(kind: str, name: str, at: str = "2026-01-01T01:00:00Z", message: str = QUOTA) -> Object:
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": f"{name}.1", "namespace": "shop", "uid": f"event-{name}-{at}"},
        "type": "Warning",
        "reason": "FailedCreate",
        "message": message,
        "involvedObject": {"kind": kind, "name": name, "namespace": "shop", "uid": f"{kind}-{name}"},
        "lastTimestamp": at,
    }


def a_deployment(*conditions: Object, replicas: int = 3) -> list[Object]:
    told = [each for one in conditions for each in one["conditions"]]
    spec = {"replicas": replicas, "selector": {"matchLabels": {"app": "web"}}}
    return [
        an_object("Deployment", "web", spec=spec, status={"conditions": told}),
        an_object("ReplicaSet", "web-1", ("Deployment", "web"), spec=spec),
        a_pod("web-1-a", ("ReplicaSet", "web-1")),
    ]


@pytest.fixture
def failing(tmp_path: Path) -> Callable[..., Failures]:
    """Return what fails in a cluster and, with the same answer, in a dump."""

    def found(*objects: Object) -> Failures:
        everything = [node("n1", "a"), *objects]
        cluster = load(tmp_path, "prod", everything)
        path = tmp_path / "dump.json"
        path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": everything}))
        mirrored = failures_of(cluster=cluster)
        assert mirrored == read_dump(path).failures
        return mirrored

    return found


def kinds(failures: Failures) -> list[tuple[str, FailureKind, int | None]]:
    return [(each.workload.name, each.kind, each.missing) for found in failures.values() for each in found]


def test_a_deployment_says_what_its_replica_set_cannot_create(failing: Callable[..., Failures]) -> None:
    found = failing(
        *a_deployment(
            condition("Progressing", "False", "ProgressDeadlineExceeded"),
            condition("ReplicaFailure", "True", "FailedCreate", QUOTA),
        )
    )
    assert kinds(found) == [("web", FailureKind.CREATE, 2), ("web", FailureKind.PROGRESS, None)]
    ((create, progress),) = found.values()
    assert (create.reason, create.message) == ("FailedCreate", QUOTA)
    assert "(pods from 1 to 3)" in remedy(create, (create, progress))
    assert "shop/few" in because(create)


def test_the_condition_keeps_the_first_answer_and_events_tell_the_last(failing: Callable[..., Failures]) -> None:
    refused = condition("ReplicaFailure", "True", "FailedCreate", QUOTA)
    refused["conditions"][0]["lastTransitionTime"] = "2026-01-01T00:30:00Z"
    other = 'pods "web-y" is forbidden: no PriorityClass with name urgent was found'

    def problem(*events: Object) -> tuple[Problem, str]:
        ((create,),) = failing(*a_deployment(refused), *events).values()
        assert create.refusal is not None
        (found,) = create.refusal.problems
        return found, create.since

    first, since = problem()
    assert isinstance(first, QuotaExceeded)
    assert since == "2026-01-01T00:30:00+00:00"
    late = failed_create("ReplicaSet", "web-1", "2026-01-01T01:00:00Z", f"Error creating: {other}")
    assert problem(late) == (NoSuchObject("PriorityClass", "urgent"), since)
    early = failed_create("ReplicaSet", "web-1", "2026-01-01T00:20:00Z", f"Error creating: {other}")
    assert problem(early) == (first, since)


@pytest.mark.parametrize(
    ("hard", "said", "to_do"),
    [
        ("1", "The controller's next try is refused, too.", "(pods from 1 to 3)"),
        ("2", "In part: the controller's next try creates 1 of 2 pods.", "(pods from 2 to 3)"),
        ("3", "No longer: the controller's next try creates all 2 pods.", "Nothing: "),
    ],
)
def test_whether_the_answer_still_holds_is_said(
    failing: Callable[..., Failures], hard: str, said: str, to_do: str
) -> None:
    deployment, *others = a_deployment(condition("ReplicaFailure", "True", "FailedCreate", QUOTA))
    deployment["spec"]["template"] = {
        "metadata": {"labels": {"app": "web"}},
        "spec": {"containers": [{"name": "main", "image": "app:1"}]},
    }
    quota = an_object("ResourceQuota", "few", spec={"hard": {"pods": hard}})
    ((create,),) = failing(deployment, *others, quota).values()
    assert outlook(create).startswith(said)
    assert to_do in remedy(create, (create,))
    # Of what a dump does not hold nothing is said.
    ((create,),) = failing(deployment, *others).values()
    assert outlook(create) == ""


def test_the_limit_range_that_has_the_bound_is_named(failing: Callable[..., Failures]) -> None:
    bound = 'pods "web-x" is forbidden: maximum cpu usage per Container is 1, but limit is 2'
    limits = [{"type": "Container", "max": {"cpu": "1"}}]
    narrow = an_object("LimitRange", "narrow", spec={"limits": limits})
    ((create,),) = failing(*a_deployment(condition("ReplicaFailure", "True", "FailedCreate", bound)), narrow).values()
    assert because(create).startswith("LimitRange narrow: ")


def test_a_cron_job_whose_jobs_are_refused_fails_until_one_comes(failing: Callable[..., Failures]) -> None:
    said = (
        'Error creating job: jobs.batch "tidy-1" is forbidden: exceeded quota: few, requested: count/jobs.batch=1, '
        "used: count/jobs.batch=2, limited: count/jobs.batch=2"
    )
    cron_job = an_object("CronJob", "tidy", spec={"schedule": "0 12 * * *"})
    event = failed_create("CronJob", "tidy", message=said)
    found = failing(cron_job, event)
    assert kinds(found) == [("tidy", FailureKind.CREATE, None)]
    ((create,),) = found.values()
    assert "(count/jobs.batch from 2 to 3)" in remedy(create, (create,))
    assert failing(cron_job, an_object("Job", "tidy-0", ("CronJob", "tidy")), event) == found
    late = an_object("Job", "tidy-2", ("CronJob", "tidy"), metadata={"creationTimestamp": "2026-01-01T02:00:00Z"})
    assert failing(cron_job, late, event) == {}
    assert failing(event) == {}


def test_a_deployment_that_is_well_does_not_fail(failing: Callable[..., Failures]) -> None:
    assert failing(*a_deployment(condition("Progressing", "True", "NewReplicaSetAvailable"))) == {}


def test_a_replica_sets_condition_counts_for_its_deployment(failing: Callable[..., Failures]) -> None:
    deployment, replica_set, pod = a_deployment()
    replica_set["status"] = condition("ReplicaFailure", "True", "FailedCreate", QUOTA)
    assert kinds(failing(deployment, replica_set, pod)) == [("web", FailureKind.CREATE, 2)]


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("StatefulSet", {"spec": {"replicas": 2}}),
        ("DaemonSet", {"status": {"desiredNumberScheduled": 2}}),
        ("Job", {"spec": {"parallelism": 2}}),
        ("ReplicationController", {"spec": {"replicas": 2}}),
    ],
)
def test_events_tell_of_controllers_without_conditions(
    failing: Callable[..., Failures], kind: str, wanted: Object
) -> None:
    owner = an_object(kind, "web", **wanted)
    pod = a_pod("web-0", (kind, "web"))
    assert kinds(failing(owner, pod, failed_create(kind, "web"))) == [("web", FailureKind.CREATE, 1)]


def test_an_event_is_over_once_a_pod_came_after_it_or_none_is_missing(failing: Callable[..., Failures]) -> None:
    owner = an_object("StatefulSet", "web", spec={"replicas": 2})
    first, late = a_pod("web-0", ("StatefulSet", "web")), a_pod("web-0", ("StatefulSet", "web"), "2026-01-01T02:00:00Z")
    event = failed_create("StatefulSet", "web")
    assert failing(owner, late, event) == {}
    assert failing(owner, first, a_pod("web-1", ("StatefulSet", "web")), event) == {}
    # A pod that has finished, or is on its way out, is missing all the same.
    done = a_pod("web-1", ("StatefulSet", "web"), phase="Failed")
    assert kinds(failing(owner, first, done, event)) == [("web", FailureKind.CREATE, 1)]


def test_a_job_that_gave_up_is_told_and_of_a_cron_job_only_the_last_one(failing: Callable[..., Failures]) -> None:
    failed = condition("Failed", "True", "BackoffLimitExceeded", "Job has reached the specified backoff limit")
    old = an_object("Job", "tidy-1", ("CronJob", "tidy"), status=failed)
    new = an_object("Job", "tidy-2", ("CronJob", "tidy"), metadata={"creationTimestamp": "2026-01-02T00:00:00Z"})
    alone = an_object("Job", "import", status=failed)
    found = failing(an_object("CronJob", "tidy"), old, new, alone)
    assert kinds(found) == [("import", FailureKind.JOB, None)]
    again = {**new, "status": failed}
    assert [name for name, _, _ in kinds(failing(an_object("CronJob", "tidy"), old, again))] == ["tidy"]


def a_cron_job(name: str = "tidy", last: str = "2026-01-01T08:29:00Z", **spec: Any) -> Object:
    active = {"active": [{"name": f"{name}-1"}]} if spec.get("concurrencyPolicy") else {}
    return an_object(
        "CronJob", name, spec={"schedule": "*/10 * * * *", **spec}, status={"lastScheduleTime": last, **active}
    )


# The last moment of a dump is that of its last event.
LATER = failed_create("Node", "n1", "2026-01-01T09:00:00Z")


def test_cron_jobs_that_missed_starts_fail_unless_they_are_suspended(failing: Callable[..., Failures]) -> None:
    found = failing(
        a_cron_job(),
        a_cron_job("held", concurrencyPolicy="Forbid"),
        a_cron_job("off", suspend=True),
        a_cron_job("on-time", "2026-01-01T08:50:00Z"),
        a_cron_job("deadline", startingDeadlineSeconds=60),
        a_cron_job("odd", schedule="every day"),
        LATER,
    )

    assert kinds(found) == [("held", FailureKind.STARTS, None), ("tidy", FailureKind.STARTS, None)]
    held, tidy = (failure for failures in found.values() for failure in failures)
    assert (held.missed, tidy.missed) == (MissedStarts(4, is_put_off=True), MissedStarts(4, is_put_off=False))
    assert tidy.since == "2026-01-01T08:30:00+00:00"


def test_starts_are_missed_after_what_is_graver(failing: Callable[..., Failures]) -> None:
    (failures,) = failing(a_cron_job(), failed_create("CronJob", "tidy", "2026-01-01T09:00:00Z")).values()

    assert [each.kind for each in failures] == [FailureKind.CREATE, FailureKind.STARTS]


def test_what_a_live_cluster_missed_is_as_of_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = load(tmp_path, "prod", [node("n1", "a"), a_cron_job()])
    cluster.source = Cluster.Source.LIVE
    starts = []
    for minute in (45, 51, 59):
        now = datetime(2026, 1, 1, 8, minute, 30, tzinfo=UTC)
        monkeypatch.setattr("django.utils.timezone.now", lambda now=now: now)
        starts += [failure.missed.starts for failure in missed_by(cluster) if failure.missed]

    assert starts == [2, 3, 3]


def test_terminal_api_and_pages_say_the_same_first(
    signed_in_client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    objects = [node("n1", "a"), *a_deployment(condition("ReplicaFailure", "True", "FailedCreate", QUOTA))]
    load(tmp_path, "prod", objects)
    said = ("Deployment shop/web: cannot create 2 pods", QUOTA, "Raise ResourceQuota shop/few")

    with pytest.raises(SystemExit) as ended:
        call_command("explain", str(tmp_path / "prod.json"), all_pending=True)
    printed = " ".join(capsys.readouterr().out.split())
    assert ended.value.code == 1
    assert printed.startswith(said[0])

    (failure,) = signed_in_client.get("/api/v1/clusters/prod/workloads/failing").json()["failures"]
    (problem,) = failure["refusal"]["problems"]
    assert (problem["kind"], problem["quota"], problem["limited"]) == ("QuotaExceeded", "few", ["1"])
    assert failure["page"] == "/clusters/prod/workloads/Deployment/shop/web/"
    overview = text(signed_in_client, "/clusters/prod/")
    assert overview.index("1 workload cannot create pods") < overview.index("0 pods pending")
    for told in (printed, overview, text(signed_in_client, failure["page"])):
        assert all(each in told for each in said)
    assert "cannot create 2 pods" in text(signed_in_client, "/clusters/prod/workloads/?state=failing")


def test_api_and_pages_list_cron_jobs_that_missed_starts(signed_in_client: Client, tmp_path: Path) -> None:
    load(tmp_path, "prod", [node("n1", "a"), a_cron_job(), LATER])

    assert "1 CronJob missed starts" in text(signed_in_client, "/clusters/prod/")
    assert "missed 4 starts" in text(signed_in_client, "/clusters/prod/workloads/?state=failing")
    (failure,) = signed_in_client.get("/api/v1/clusters/prod/workloads/failing").json()["failures"]
    assert (failure["fails"], failure["since"]) == ("starts", "2026-01-01T08:30:00+00:00")
