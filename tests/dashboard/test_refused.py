"""Workloads whose pods the API server refuses, on the page of pending pods: by cause, and counted once everywhere."""

from __future__ import annotations

import csv
import re
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.owners import Workload
from clusters.engine.workloads.refusals import FailureKind, WorkloadFailure, refusal_of, refused, refused_groups
from tests.support.decision_cluster import node
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster

pytestmark = pytest.mark.django_db

PENDING = "/clusters/prod/pending/"


def refuses(pod: str, why: str) -> str:
    return f'pods "{pod}" is forbidden: {why}'


def exceeded(used: int) -> str:
    return f"exceeded quota: few, requested: pods=1, used: pods={used}, limited: pods=2"


def a_deployment(name: str, why: str, *, replicas: int, since: str = "2026-01-01T00:30:00Z") -> dict[str, Any]:
    told = {"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate", "lastTransitionTime": since}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": "shop", "uid": name, "creationTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": name}}},
        "status": {"conditions": [{**told, "message": refuses(f"{name}-x", why)}]},
    }


def refused_deployments() -> list[dict[str, Any]]:
    """Return Deployments that lack 3, 4 and 2 pods, the first two for one cause."""
    policy = 'violates PodSecurity "restricted:latest": privileged (container "main" must not be <b>privileged</b>)'
    return [
        a_deployment("web", exceeded(1), replicas=3, since="2026-01-01T00:20:00Z"),
        a_deployment("api", exceeded(2), replicas=4),
        a_deployment("shell", policy, replicas=2),
    ]


@pytest.fixture
def prod(tmp_path: Path) -> Cluster:
    return load(tmp_path, "prod", [node("n1", "a"), *refused_deployments()])


def test_the_cause_for_which_most_pods_are_missing_comes_first(signed_in_client: Client, prod: Cluster) -> None:
    shown = text(signed_in_client, PENDING)

    html = signed_in_client.get(PENDING).text
    assert re.findall(r'<strong class="cause-count">(\d+)<', html) == ["7", "2"]
    assert "ResourceQuota shop/few is exceeded: pods 1 requested with 2 of 2 used." in shown
    # One quota has to let in the pods of both.
    assert "Raise ResourceQuota shop/few (pods from 2 to 9), free what it" in shown
    assert refuses("web-x", exceeded(1)) in shown
    assert "<b>privileged</b>" not in html


def test_all_pages_count_the_same(signed_in_client: Client, prod: Cluster) -> None:
    overview = signed_in_client.get("/clusters/prod/").text
    assert "3 workloads cannot create pods" in overview
    assert f'href="{PENDING}#refused"' in overview
    failures = signed_in_client.get("/api/v1/clusters/prod/workloads/failing").json()["failures"]
    assert sum(each["missing"] for each in failures if each["fails"] == "create") == 9
    rows = list(csv.DictReader(StringIO(signed_in_client.get(f"{PENDING}refused.csv").text)))
    assert [(row["workload"], row["missing pods"]) for row in rows] == [("api", "4"), ("web", "3"), ("shell", "2")]
    assert rows[0]["kinds of causes"] == "QuotaExceeded"
    assert rows[1]["since"] == "2026-01-01T00:20:00Z"
    assert rows[1]["message"] == refuses("web-x", exceeded(1))


def failure(name: str, message: str, missing: int | None, namespace: str = "shop") -> WorkloadFailure:
    workload = Workload(namespace, "StatefulSet", name)
    refusal = refusal_of(message, namespace)
    return WorkloadFailure(workload, FailureKind.CREATE, "FailedCreate", message, missing, "", refusal)


@pytest.mark.parametrize(
    ("one", "other", "is_one_cause"),
    [
        (exceeded(1), exceeded(2), True),
        (exceeded(1), exceeded(1).replace("few", "more"), False),
        (exceeded(1), exceeded(1).replace("pods=", "requests.cpu="), False),
        (
            "failed quota: few: must specify limits.cpu for: main",
            "failed quota: few: must specify limits.cpu for: other",
            True,
        ),
        (
            "maximum cpu usage per Container is 1, but limit is 2",
            "maximum cpu usage per Container is 1, but limit is 3",
            True,
        ),
        (
            "maximum cpu usage per Container is 1, but limit is 2",
            "maximum cpu usage per Container is 4, but limit is 5",
            False,
        ),
        (
            "cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000",
            "cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000",
            True,
        ),
        ('violates PodSecurity "baseline:latest": a', 'violates PodSecurity "baseline:latest": b', True),
        ('violates PodSecurity "baseline:latest": a', 'violates PodSecurity "restricted:latest": a', False),
        ("no PriorityClass with name a was found", "no PriorityClass with name b was found", False),
    ],
)
def test_what_one_change_would_help_is_one_cause(one: str, other: str, is_one_cause: bool) -> None:
    found = [failure("a", refuses("a-0", one), 1), failure("b", refuses("b-0", other), 2)]
    groups = refused_groups({each.workload: (each,) for each in found})
    assert len(groups) == (1 if is_one_cause else 2)
    assert [each.workload.name for group in groups for each in group.failures] == ["b", "a"]
    assert sum(group.missing for group in groups) == 3


def test_a_cause_of_one_namespace_is_none_of_another() -> None:
    message = refuses("a-0", exceeded(1))
    found = [failure("a", message, 1), failure("a", message, 1, "bank")]
    assert len(refused_groups({each.workload: (each,) for each in found})) == 2


def test_what_fails_otherwise_is_not_refused() -> None:
    workload = Workload("shop", "Job", "import")
    gave_up = WorkloadFailure(workload, FailureKind.JOB, "BackoffLimitExceeded", "", None)
    assert refused({workload: (gave_up,)}) == []
