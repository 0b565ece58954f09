"""The pages about workloads, against what the engine says of the same cluster."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.scheduling.explanation import place
from clusters.engine.workloads.pods import copy_of
from tests.clusters.test_workloads import deployed, made, thing, zones
from tests.support.decision_cluster import ZONE, node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

LIST = "/clusters/shop/workloads/"
WEB = f"{LIST}Deployment/shop/web/"


def spread(action: str = "DoNotSchedule") -> dict[str, Any]:
    selector = {"matchLabels": {"app": "web"}}
    return {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": action, "labelSelector": selector}


def uneven() -> list[dict[str, Any]]:
    """Return a Deployment that lies 3–0–0, and a StatefulSet that lies evenly and has no constraint."""
    database = [made(pod(f"db-{at}", app="db", nodeName=f"{at}1"), "StatefulSet", "db") for at in "abc"]
    return [*zones(), *deployed({"a1": 3}, waiting=1, topologySpreadConstraints=[spread()]), *database]


def names(client: Client, query: str) -> list[str]:
    """Return the workloads of a list in their order."""
    return re.findall(r'data-key="\w+/shop/([\w-]+)"', client.get(f"{LIST}{query}").text)


def test_list_says_which_workload_has_the_worst_skew(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", uneven())

    said = text(signed_in_client, LIST)

    assert "2 workloads, 6 pods on nodes. 1 pending pod in 1 workload." in said
    assert "Worst skew: shop/web, 3 over zones, exceeds maxSkew 1. See web" in said
    assert "shop/ web Deployment 3 of 4 3 ready 1 pending pod 3–0–0 3 over zones, maxSkew 1 none" in said
    assert names(signed_in_client, "?sort=-skew") == ["web", "db"]
    assert names(signed_in_client, "?sort=skew") == ["db", "web"]


def test_list_says_that_nodes_of_pods_are_missing(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [*uneven(), made(pod("db-x", app="db", nodeName="gone"), "StatefulSet", "db")])

    said = text(signed_in_client, LIST)

    assert "2 workloads, 7 pods on nodes. Nodes missing from the cluster's data: those of 1 pod." in said


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("", ["web", "db"]),
        ("?sort=name", ["db", "web"]),
        ("?sort=-pods", ["web", "db"]),
        ("?kind=StatefulSet", ["db"]),
        ("?q=shop/w", ["web"]),
        ("?state=pending", ["web"]),
        ("?state=uneven", ["web"]),
        ("?state=short", ["web"]),
        ("?state=unguarded", ["web", "db"]),
        ("?state=held", []),
        ("?namespace=nowhere", []),
    ],
)
def test_list_is_filtered_and_sorted(tmp_path: Path, signed_in_client: Client, query: str, left: list[str]) -> None:
    load(tmp_path, "shop", uneven())

    assert names(signed_in_client, query) == left


def test_file_holds_what_the_filter_lets_through(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", uneven())

    response = signed_in_client.get(f"{LIST}workloads.csv?state=uneven")
    (row,) = csv.DictReader(io.StringIO(response.text))

    assert (row["workload"], row["desired"], row["on nodes"], row["pending"]) == ("web", "4", "3", "1")
    assert (row["worst skew"], row["over max skew"], row["topology key"]) == ("3", "2", ZONE)


def test_file_of_pods_names_the_same_workloads(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [*uneven(), pod("alone")])

    response: Any = signed_in_client.get("/clusters/shop/pods.csv")

    rows = csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode()))
    found = {(row["workload kind"], row["workload"]) for row in rows}
    assert found == {("Deployment", "web"), ("StatefulSet", "db"), ("", "")}


def test_file_writes_priorities_as_plain_numbers(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [node("ash", "north"), pod("low", priority=-100), pod("high", priority=1000)])

    rows = csv.DictReader(io.StringIO(signed_in_client.get(f"{LIST}workloads.csv").text))

    found = {row["workload"]: (row["lowest priority"], row["highest priority"]) for row in rows}
    assert found == {"low": ("-100", "-100"), "high": ("1000", "1000")}


def test_workload_says_how_it_lies_and_why_pods_wait(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", uneven())

    said = text(signed_in_client, WEB)

    assert "desired 4 on nodes 3 ready 3 pending 1 nodes 1" in said
    assert "web-1-w0 Pending: schedulable, in the queue" in said
    assert "a 3 pods b 0 pods c 0 pods" in said
    assert "No disruption budget selects its pods." in said
    assert "Evicting one of its ready pods now: Allowed (200). No budget selects the pod." in said
    assert "shop/web is spread 3–0–0 over 3 zones. Skew 3, maxSkew 1. The next pod is allowed in b or c only." in said
    assert f"Spread constraints {ZONE} maxSkew 1 DoNotSchedule" in said
    assert "Requests 0.5 CPU, 256 MiB memory" in said


def test_budget_says_what_an_eviction_is_answered(tmp_path: Path, signed_in_client: Client) -> None:
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web", "namespace": "shop", "uid": "budget", "generation": 1},
        "spec": {"maxUnavailable": 0, "selector": {"matchLabels": {"app": "web"}}},
        "status": {
            "expectedPods": 2,
            "currentHealthy": 2,
            "desiredHealthy": 2,
            "disruptionsAllowed": 0,
            "observedGeneration": 1,
        },
    }
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 2}), budget])

    said = text(signed_in_client, WEB)

    assert "Budget: allows 0 until changed" in said
    assert "Evicting one of its ready pods now: Refused by a budget (429)." in said
    assert "The disruption budget web needs 2 healthy pods and has 2 currently" in said


def test_more_pods_go_where_the_engine_places_them(tmp_path: Path, signed_in_client: Client) -> None:
    objects = [*zones(), *deployed({"a1": 2}, topologySpreadConstraints=[spread()])]
    load(tmp_path, "shop", objects)
    snapshot = Snapshot.from_objects(objects)
    sample = objects[len(zones())]
    copies = [copy_of(snapshot, sample, f"web-more-{number}").pod for number in range(1, 11)]
    expected: dict[str, int] = {}
    for placement in place(snapshot, copies, SchedulerConfiguration.default()):
        expected[placement.node] = expected.get(placement.node, 0) + 1

    page = signed_in_client.get(f"{WEB}?more=10").text
    said = text(signed_in_client, f"{WEB}?more=10")

    table = page[page.index("More pods by node") :]
    rows = re.findall(r'nodes/(\w+)/">.*?data-column="More">\+(\d+)<', table, re.DOTALL)
    assert {name: int(number) for name, number in rows} == expected
    assert "10 of 10 fit Placed " in said
    assert "zones, DoNotSchedule 1 2 " in said
    assert "As of revision 1. Compute again" in said


def test_the_pod_that_does_not_fit_says_why(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [node("a1", "a", cpu="2"), *deployed({"a1": 1})])

    said = text(signed_in_client, f"{WEB}?more=20")

    assert "3 of 20 fit Placed 3 in a. Pod 4: 0 of 1 node fits." in said
    assert "0/1 nodes are available: 1 Insufficient cpu." in said
    assert "a 1 +3 4 the only feasible node" in said


@pytest.mark.parametrize(
    ("number", "problem"),
    [
        ("0", "Write 1 or more."),
        ("501", "At most 500."),
        ("some", "Write a whole number of pods."),
    ],
)
def test_a_number_that_makes_no_sense_says_so(
    tmp_path: Path, signed_in_client: Client, number: str, problem: str
) -> None:
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 1})])

    said = text(signed_in_client, f"{WEB}?more={number}")

    assert problem in said
    assert "Placed " not in said


def test_what_has_no_replicas_says_so(tmp_path: Path, signed_in_client: Client) -> None:
    agent = made(pod("agent-1", nodeName="a1"), "DaemonSet", "agent")
    load_ = made(pod("load-1", nodeName="a1"), "Job", "load")
    objects = [
        *zones(),
        agent,
        thing("DaemonSet", "agent", status={"desiredNumberScheduled": 4}),
        load_,
        pod("alone", nodeName="a1"),
    ]
    load(tmp_path, "shop", objects)

    daemon, job, alone = (
        text(signed_in_client, f"{LIST}{place}/")
        for place in ("DaemonSet/shop/agent", "Job/shop/load", "Pod/shop/alone")
    )

    assert "A DaemonSet creates one pod for each node" in daemon
    assert "As if parallelism were raised." in job
    assert "A Job's pods are never updated." in job
    assert "Copies of the pod, which has no controller." in alone
    assert "Without a controller the pod would not be recreated." in alone


def test_an_update_says_how_it_ends(tmp_path: Path, signed_in_client: Client) -> None:
    load(
        tmp_path,
        "shop",
        [*zones(), *deployed({"a1": 2, "b1": 2}, topologySpreadConstraints=[spread("ScheduleAnyway")])],
    )

    before, said = (text(signed_in_client, f"{WEB}{query}") for query in ("", "?update=1"))

    assert "RollingUpdate (maxSurge 25%, maxUnavailable 25%): at most 5 pods, at least 3 available." in before
    assert "Disruption budgets do not limit a rollout" in before
    assert "Simulate it" in before
    assert "Completes At most 5 at once, at least 3 available." in said
    assert "zones, ScheduleAnyway 1" in said


def test_an_update_that_stalls_says_when_its_deployment_reports_it(tmp_path: Path, signed_in_client: Client) -> None:
    *pods, replica_set, deployment = deployed({"a1": 4})
    pace = {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}
    deployment["spec"] |= {"progressDeadlineSeconds": 90, "strategy": pace}
    load(tmp_path, "shop", [node("a1", "a", cpu="2"), *pods, replica_set, deployment])

    said = text(signed_in_client, f"{WEB}?update=1")

    assert "After 90 s without progress: ProgressDeadlineExceeded" in said


def test_an_update_that_gets_stuck_says_where_and_why(tmp_path: Path, signed_in_client: Client) -> None:
    *pods, replica_set, deployment = deployed({"a1": 4})
    deployment["spec"] |= {"paused": True, "strategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}}
    load(tmp_path, "shop", [node("a1", "a", cpu="2"), *pods, replica_set, deployment])

    said = text(signed_in_client, f"{WEB}?update=1")

    assert "Stalls in round 1. New pods unschedulable: 1. Replaced: 0 of 4; old pods left: 4." in said
    assert "without progress" not in said
    assert "0/1 nodes are available: 1 Insufficient cpu." in said
    assert "The Deployment is paused" in said


def test_the_parts_answer_htmx_alone(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", uneven())

    for target, query, heading in (
        ("trials", "?more=1", "Add replicas"),
        ("trials", "?more=1&update=1", "Rounds of the rollout"),
        ("nodes", "?page=1", "Nodes with pods"),
    ):
        response = signed_in_client.get(f"{WEB}{query}", headers={"HX-Request": "true", "HX-Target": target})
        assert heading in response.text
        assert "<html" not in response.text
        assert response["Vary"].startswith("HX-Request, HX-Target")


def test_each_trial_keeps_the_other(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", uneven())

    more, update = (signed_in_client.get(f"{WEB}{query}").text for query in ("?more=7", "?update=1"))

    assert 'href="?more=7&amp;update=1#update"' in more
    assert '<input type="hidden" name="update" value="1">' in update


def test_objects_of_others_lead_to_their_workload(tmp_path: Path, signed_in_client: Client) -> None:
    over = {**thing("Job", "night"), "status": {"conditions": [{"type": "Complete", "status": "True"}]}}
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 1}), over])

    redirected = signed_in_client.get(f"{LIST}ReplicaSet/shop/web-1/")
    idle = signed_in_client.get(f"{LIST}Job/shop/night/")
    gone = signed_in_client.get(f"{LIST}Deployment/shop/gone/")

    assert redirected["Location"] == WEB
    assert (idle.status_code, "It has no pods now" in idle.text) == (200, True)
    assert (gone.status_code, "No such workload" in gone.text) == (404, True)


def test_missing_replica_sets_are_told(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [*zones(), *(each for each in deployed({"a1": 1}) if each["kind"] != "ReplicaSet")])

    assert "Deployments of 1 are inferred from names" in text(signed_in_client, LIST)


def test_pods_of_another_scheduler_are_not_placed(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 1}, schedulerName="other")])

    assert "places this pod" in text(signed_in_client, f"{WEB}?more=3&update=1")


@pytest.mark.parametrize(
    ("part", "page", "said"),
    [
        ("workloads.answer", LIST, "Worst skew: shop/web"),
        ("workloads.list", f"{LIST}?state=uneven", "1 of 2 workloads shown."),
        ("workload.head", WEB, "1 pending pod"),
        ("workload.body", WEB, "Nodes with pods of this workload"),
    ],
)
def test_what_changes_with_the_cluster_is_live(
    tmp_path: Path, signed_in_client: Client, part: str, page: str, said: str
) -> None:
    cluster = load(tmp_path, "shop", uneven())

    assert f'data-live="{part}"' in signed_in_client.get(page).text
    assert said in text(signed_in_client, f"/live/{part}/?{urlencode({'cluster': cluster.pk, 'page': page})}")


def test_what_is_assumed_is_told(tmp_path: Path, signed_in_client: Client) -> None:
    *pods, replica_set, deployment = deployed({"a1": 1}, waiting=1)
    load(tmp_path, "shop", [*zones(), *pods, replica_set, deployment])
    assumed = text(signed_in_client, f"{WEB}?more=1")
    deployment["spec"]["strategy"] = {"type": "Recreate"}
    load(tmp_path, "shop", [*zones(), *pods, replica_set, deployment])
    written = text(signed_in_client, f"{WEB}?update=1")

    assert "Its update strategy is unknown" in assumed
    assert "Not placed first: its pending pods (1)." in assumed
    assert "update strategy" not in written
    assert "Recreate: all pods are deleted before new ones are created." in written
    assert "Completes At most 2 at once, at least 0 available." in written


@pytest.mark.usefixtures("demo")
def test_every_workload_of_the_demo_has_a_page(signed_in_client: Client) -> None:
    addresses = set()
    for page in (1, 2, 3):
        addresses |= set(
            re.findall(
                r'href="(/clusters/demo/workloads/\w+/[\w-]+/[\w.-]+/)"',
                signed_in_client.get(f"/clusters/demo/workloads/?page={page}").text,
            )
        )

    assert len(addresses) == 106
    for address in sorted(addresses)[::7]:
        assert "Add replicas" in text(signed_in_client, f"{address}?more=3&update=1")
    assert "The controller's next try is refused, too." in text(
        signed_in_client, "/clusters/demo/workloads/Deployment/mobile/mobile-bff/"
    )
