"""What was asked is counted apart from what waited before, and said alike wherever it is told."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.documents.words import summary_in_words
from clusters.engine.conclusion import Conclusion
from clusters.services.runs.results import forbidden_after, pending_after, placed_of, verdict
from clusters.services.runs.spec import read_spec
from clusters.wording.runs.summary import verdict_sentence
from tests.clusters.dumps import node, pod
from tests.engine.builders import a_node
from tests.engine.simulation.changing import owned
from tests.support.simulating import simulated_on

NONE = {"pool": "none"}


def manifest(name: str, cpu: str, **spec: Any) -> dict[str, Any]:
    main = {"name": "main", "image": "app:1", "resources": {"requests": {"cpu": cpu}}}
    metadata = {"name": name, "namespace": "shop"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": [main], **spec}}


def summary_of(base: list[dict[str, Any]], *changes: dict[str, Any]) -> dict[str, Any]:
    return simulated_on(base, read_spec({"base": {"kind": "cluster"}, "changes": list(changes)})).summary


def adding(document: dict[str, Any]) -> dict[str, Any]:
    return {"change": "add-workload", "manifest": document}


@pytest.mark.parametrize("how", ["gone", "unreachable"])
def test_newly_pending_pods_are_the_same_by_origin_by_workload_and_by_cause(how: str) -> None:
    base = [
        a_node("n1", zone="x", allocatable={"cpu": "4"}),
        a_node("n2", zone="y", allocatable={"cpu": "4"}),
        *(owned(f"web-{n}", "web", "n1", requests={"cpu": "1"}, priority=9) for n in range(4)),
        *(owned(f"low-{n}", "low", "n2", requests={"cpu": "1"}) for n in range(3)),
        pod("waiting", nodeSelector=NONE),
    ]

    found = summary_of(base, {"change": "lose-zone", "zone": "x", "how": how})

    pending, affected = pending_after(found["origins"]), found["affected"]
    assert pending.newly == affected["pending"] == sum(each["pending"] for each in affected["first"]) > 0
    assert sum(each["pods"] for each in found["pending_causes"]) == pending.newly + pending.before
    assert pending.before == 1


def test_pods_are_counted_by_what_brought_them() -> None:
    base = [
        node("n1"),
        node("n2"),
        owned("small", "web", "n1", requests={"cpu": "3"}),
        pod("again", nodeSelector=NONE),
        pod("waiting", nodeSelector=NONE),
    ]
    urgent = {"metadata": {"name": "urgent"}, "value": 1000, "apiVersion": "scheduling.k8s.io/v1"}
    changes: list[dict[str, Any]] = [
        {"change": "put-priority-class", "manifest": {**urgent, "kind": "PriorityClass"}},
        {"change": "remove-nodes", "nodes": ["n1"]},
        adding(manifest("large", "4", priorityClassName="urgent")),
        # It waits already, but now it is this question's.
        adding(manifest("again", "1", nodeSelector=NONE)),
    ]

    found = summary_of(base, *changes)

    counts = {name: (each["total"], each["placed"], each["pending"]) for name, each in found["origins"].items()}
    assert counts["added"] == (2, 1, 1)
    assert counts["pending_before"] == (1, 0, 1)
    # It lost its node, and either never got another or was preempted there and made again.
    assert counts["displaced"][0] == 1
    left = sum(each["pending"] for each in found["origins"].values())
    assert left == found["pods"]["unschedulable"]
    newly, before = pending_after(found["origins"])
    assert (newly + before, before) == (left, 1)

    answer = verdict(found, even_pending=False)
    assert answer.conclusion is Conclusion.UNSCHEDULABLE

    assert "shop/again" in answer.pending
    assert "shop/waiting" not in answer.pending
    assert "shop/waiting" in verdict(found, even_pending=True).pending


@pytest.mark.parametrize(
    ("changes", "fits", "reason"),
    [
        ([adding(manifest("new", "1"))], True, "Fits. Added pods: 1 of 1 placed. "),
        (
            [{**adding(manifest("new", "9")), "replicas": 2}],
            False,
            "Does not fit. Added pods: 0 of 2 placed, 2 pending. ",
        ),
        ([], True, "Nothing to place. "),
    ],
)
def test_pods_that_waited_before_are_told_apart(changes: list[dict[str, Any]], fits: bool, reason: str) -> None:
    found = summary_of([node("n1"), pod("free"), pod("waiting", nodeSelector=NONE)], *changes)

    answer = verdict(found, even_pending=False)

    assert answer.conclusion is (Conclusion.FITS if fits else Conclusion.UNSCHEDULABLE)
    assert verdict_sentence(found, answer).startswith(f"{reason}Previously pending pods: 1 of 2 placed, 1 pending.")
    assert verdict(found, even_pending=True).conclusion is Conclusion.UNSCHEDULABLE


CLAIMS = [{"name": "gpu", "resourceClaimName": "gpu"}]
QUOTA = {
    "kind": "ResourceQuota",
    "apiVersion": "v1",
    "metadata": {"name": "few", "namespace": "shop"},
    "spec": {"hard": {"pods": "9"}},
}


def test_new_pods_that_a_quota_refuses_are_told_in_the_words_of_the_api_server() -> None:
    quota = {**QUOTA, "spec": {"hard": {"pods": "2"}}}

    found = summary_of([node("n1"), quota, pod("waiting")], *(adding(manifest(f"new-{each}", "1")) for each in "abc"))

    answer = verdict(found, even_pending=True)
    assert (answer.conclusion, answer.pending, answer.forbidden) == (
        Conclusion.UNSCHEDULABLE,
        [],
        ["shop/new-b", "shop/new-c"],
    )
    message = 'pods "new-b" is forbidden: exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2'

    assert found["refusals"] == [
        {
            "namespace": "shop",
            "quota": "few",
            "limit_range": "",
            "resources": ["pods"],
            "kind": "QuotaExceeded",
            "message": message,
            "pods": 2,
            "examples": ["shop/new-b", "shop/new-c"],
        }
    ]
    assert (found["pods"]["forbidden"], found["steps"]["forbidden"], found["pending_causes"]) == (2, 2, [])
    assert (pending_after(found["origins"]).newly, forbidden_after(found["origins"])) == (0, 2)
    assert placed_of(found).wanted == 4


def test_e68_ordinals_that_wait_for_one_that_is_pending_are_counted_as_not_created() -> None:
    template = {"metadata": {"labels": {"app": "web"}}, "spec": manifest("web", "2")["spec"]}
    spec = {"replicas": 5, "selector": {"matchLabels": {"app": "web"}}, "template": template}
    stateful_set = {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web", "namespace": "shop"}}

    found = summary_of([node("n1")], adding({**stateful_set, "spec": spec}))

    added = found["origins"]["added"]
    assert [added[name] for name in ("total", "placed", "pending", "forbidden", "gone")] == [5, 2, 1, 2, 0]
    assert (found["pods"]["forbidden"], found["steps"]["forbidden"], found["refusals"]) == (2, 2, [])
    assert len(summary_in_words(found)["notes"]) == 1
    assert verdict(found, even_pending=False).conclusion is Conclusion.UNSCHEDULABLE


def test_what_does_not_fit_is_graver_than_what_is_uncertain() -> None:
    changes = [adding(manifest("new", "1", resourceClaims=CLAIMS)), adding(manifest("huge", "99"))]

    found = summary_of([node("n1")], *changes)

    answer = verdict(found, even_pending=False)

    assert answer.conclusion is Conclusion.UNSCHEDULABLE

    assert (answer.pending, answer.uncertain) == (["shop/huge"], ["shop/new"])


def test_waiting_pods_that_are_uncertain_count_where_they_are_asked_for() -> None:
    found = summary_of([node("n1"), pod("device", resourceClaims=CLAIMS)], adding(manifest("new", "1")))

    assert verdict(found, even_pending=False).conclusion is Conclusion.FITS
    assert verdict(found, even_pending=True).conclusion is Conclusion.UNCERTAIN


def test_pods_of_a_failed_job_are_counted_apart() -> None:
    # They come to the node although it is cordoned.
    cordoned = [{"key": "node.kubernetes.io/unschedulable", "operator": "Exists"}]
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "import", "namespace": "shop"},
        "spec": {
            "parallelism": 3,
            "completions": 3,
            "backoffLimit": 0,
            "template": {
                "spec": {**manifest("import", "3")["spec"], "restartPolicy": "Never", "tolerations": cordoned}
            },
        },
    }

    found = summary_of([node("n1"), node("n2")], adding(job), {"change": "drain-nodes", "nodes": ["n1"]})

    added = found["origins"]["added"]
    assert (added["total"], added["gone"], added["deleted"], added["pending"]) == (3, 1, 2, 0)


@pytest.mark.parametrize(("graceful", "terminated"), [(None, 1), (True, 1), (False, 0)])
def test_pods_take_their_grace_period_in_a_run_with_times(graceful: bool | None, terminated: int) -> None:
    base = [node("n1"), node("n2"), owned("web-0", "web", "n1", kind="StatefulSet", requests={"cpu": "1"})]
    scheduler = {} if graceful is None else {"graceful": graceful}
    failing = {"change": "fail-nodes", "nodes": ["n1"], "how": "not-ready"}

    found = simulated_on(
        base, read_spec({"base": {"kind": "cluster"}, "changes": [failing], "scheduler": scheduler})
    ).summary

    assert (found["steps"]["evicted"], found["steps"]["terminated"]) == (1, terminated)
    assert (found["pods"]["placed"], found["pods"]["evicted"]) == (1, 0)
