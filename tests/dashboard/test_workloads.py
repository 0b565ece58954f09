"""The pages about workloads, against what the engine says of the same cluster."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.owners import Workload
from clusters.engine.scheduling.explanation import place
from clusters.engine.workloads.pods import copy_of
from clusters.models import Cluster
from clusters.services.workloads import workloads_of
from clusters.services.workloads.growth import growth_of, next_pod, plan_for, update_of
from clusters.services.workloads.owners import sample_of
from dashboard.pictures.specs import BarsSpec, TrendSpec
from dashboard.presenters.workloads.changes import growth_figure, loss_figure, rollout_figure
from tests.clusters.test_workloads import deployed, made, thing, zones
from tests.support.answers import known
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


def test_list_is_filtered_and_sorted(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", uneven())

    for query, left in [
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
    ]:
        assert names(signed_in_client, query) == left


def test_file_holds_what_the_filter_lets_through(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", uneven())

    response = signed_in_client.get(f"{LIST}workloads.csv?state=uneven")
    (row,) = csv.DictReader(io.StringIO(response.text))

    assert (row["workload"], row["desired"], row["on nodes"], row["pending"]) == ("web", "4", "3", "1")
    assert (row["worst skew"], row["over max skew"], row["topology key"]) == ("3", "2", ZONE)


def test_workload_says_how_it_lies_and_why_pods_wait(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", uneven())

    said = text(signed_in_client, WEB)

    assert "desired 4 on nodes 3 ready 3 pending 1 nodes 1" in said
    assert "web-1-w0 Pending: schedulable, in the queue" in said
    assert "a 3 pods b 0 pods c 0 pods" in said
    assert "Evicting one of its ready pods now: Allowed (200). No budget selects the pod." in said


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


def test_the_pod_that_does_not_fit_says_why(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [node("a1", "a", cpu="2"), *deployed({"a1": 1})])

    said = text(signed_in_client, f"{WEB}?more=20")

    assert "3 of 20 fit Placed 3 in a. Pod 4: 0 of 1 node fits." in said
    assert "0/1 nodes are available: 1 Insufficient cpu." in said
    assert "a 1 +3 4 the only feasible node" in said


def test_a_number_that_makes_no_sense_says_so(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 1})])

    for number, problem in [
        ("0", "Write 1 or more."),
        ("501", "At most 500."),
        ("some", "Write a whole number of pods."),
    ]:
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
    assert "A Job's pods are never updated." in job
    assert "Copies of the pod, which has no controller." in alone


def test_an_update_says_how_it_ends(tmp_path: Path, signed_in_client: Client) -> None:
    load(
        tmp_path,
        "shop",
        [*zones(), *deployed({"a1": 2, "b1": 2}, topologySpreadConstraints=[spread("ScheduleAnyway")])],
    )

    before, said = (text(signed_in_client, f"{WEB}{query}") for query in ("", "?update=1"))

    assert "RollingUpdate (maxSurge 25%, maxUnavailable 25%): at most 5 pods, at least 3 available." in before
    assert "Completes At most 5 at once, at least 3 available." in said


def test_an_update_that_stalls_says_where_why_and_when_it_is_reported(tmp_path: Path, signed_in_client: Client) -> None:
    *pods, replica_set, deployment = deployed({"a1": 4})
    pace = {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}
    deployment["spec"] |= {"progressDeadlineSeconds": 90, "strategy": pace}
    load(tmp_path, "shop", [node("a1", "a", cpu="2"), *pods, replica_set, deployment])
    said = text(signed_in_client, f"{WEB}?update=1")
    assert "Stalls in round 1. New pods unschedulable: 1. Replaced: 0 of 4; old pods left: 4." in said
    assert "0/1 nodes are available: 1 Insufficient cpu." in said
    assert "After 90 s without progress: ProgressDeadlineExceeded" in said

    deployment["spec"] |= {"paused": True}
    load(tmp_path, "shop", [node("a1", "a", cpu="2"), *pods, replica_set, deployment])
    said = text(signed_in_client, f"{WEB}?update=1")
    assert "The Deployment is paused" in said
    assert "without progress" not in said


def test_objects_of_others_lead_to_their_workload(tmp_path: Path, signed_in_client: Client) -> None:
    over = {**thing("Job", "night"), "status": {"conditions": [{"type": "Complete", "status": "True"}]}}
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 1}), over])

    redirected = signed_in_client.get(f"{LIST}ReplicaSet/shop/web-1/")
    idle = signed_in_client.get(f"{LIST}Job/shop/night/")
    gone = signed_in_client.get(f"{LIST}Deployment/shop/gone/")

    assert redirected["Location"] == WEB
    assert (idle.status_code, "It has no pods now" in idle.text) == (200, True)
    assert (gone.status_code, "No such workload" in gone.text) == (404, True)


def test_what_is_assumed_is_told(tmp_path: Path, signed_in_client: Client) -> None:
    *pods, replica_set, deployment = deployed({"a1": 1}, waiting=1)
    load(tmp_path, "shop", [*zones(), *pods, replica_set, deployment])
    assumed = text(signed_in_client, f"{WEB}?more=1")
    deployment["spec"]["strategy"] = {"type": "Recreate"}
    load(tmp_path, "shop", [*zones(), *pods, replica_set, deployment])
    written = text(signed_in_client, f"{WEB}?update=1")

    assert "Its update strategy is unknown" in assumed
    assert "Not placed first: its pending pods (1)." in assumed
    assert "Recreate: all pods are deleted before new ones are created." in written


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


# -- StatefulSets ------------------------------------------------------------------------------------------------------


def test_a_stateful_sets_next_pod_gets_the_claim_that_would_be_made_for_it(
    tmp_path: Path, signed_in_client: Client
) -> None:
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "uid": "db", "controller": True}
    first = pod("db-0", nodeName="ash", volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data-db-0"}}])
    first["metadata"]["ownerReferences"] = [owner]
    template = {"metadata": {"name": "data"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "disk"}}
    stateful_set = {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": {"name": "db", "namespace": "shop", "uid": "db"},
        "spec": {"replicas": 1, "selector": {"matchLabels": {}}, "volumeClaimTemplates": [template]},
    }
    disk = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "disk", "uid": "disk"},
        "provisioner": "example.com/disk",
        "volumeBindingMode": "WaitForFirstConsumer",
    }
    load(tmp_path, "prod", [node("ash", "north"), node("birch", "south"), first, stateful_set, disk])

    page = text(signed_in_client, "/clusters/prod/workloads/StatefulSet/shop/db/")
    more = text(signed_in_client, "/clusters/prod/workloads/StatefulSet/shop/db/?more=1")

    assert "One more: Fits on 2 of 2 nodes" in page
    assert "persistentvolumeclaim" not in page
    assert "1 of 1 fit" in more


def test_further_ordinals_fill_gaps_and_wait_for_a_pod_that_is_not_ready(
    tmp_path: Path, signed_in_client: Client
) -> None:
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "uid": "db", "controller": True}
    ready = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    first, third = pod("db-5", nodeName="ash"), pod("db-7", nodeName="ash", status=ready)
    for each in (first, third):
        each["metadata"]["ownerReferences"] = [owner]
    stateful_set = {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": {"name": "db", "namespace": "shop", "uid": "db"},
        "spec": {"replicas": 2, "ordinals": {"start": 5}, "selector": {"matchLabels": {}}},
    }
    load(tmp_path, "prod", [node("ash", "north"), first, third, stateful_set])

    cluster = Cluster.objects.get(name="prod")
    found = workloads_of(cluster=cluster)
    workload = Workload("shop", "StatefulSet", "db")
    sample = sample_of(cluster, found, workload)
    assert sample is not None

    copied = next_pod(found, workload, sample)[1]
    more = text(signed_in_client, "/clusters/prod/workloads/StatefulSet/shop/db/?more=2")

    assert copied.pod["metadata"]["name"] == "db-6"
    assert "OrderedReady: the next pod waits for db-5 to be ready." in more


# -- pictures ----------------------------------------------------------------------------------------------------------


DEPLOYED = Workload("shop", "Deployment", "web")


@pytest.fixture
def shop(tmp_path: Path) -> Cluster:
    """A Deployment that lies 2–1–0 over three zones."""
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 2, "b1": 1}, topologySpreadConstraints=[spread()])])
    return Cluster.objects.get(name="shop")


def test_bars_of_growth_add_up_to_the_pods_and_those_that_fit(shop: Cluster) -> None:
    found = workloads_of(cluster=shop)
    state, sample = found.states[DEPLOYED], sample_of(shop, found, DEPLOYED)
    assert sample is not None
    growth = growth_of(cluster=shop, found=found, workload=DEPLOYED, sample=sample, more=4)
    figure = known(growth_figure(found, state, growth))
    assert isinstance(figure.spec, BarsSpec)

    assert sum(row.values[0] for row in figure.spec.rows) == state.placed == 3
    assert sum(row.values[1] for row in figure.spec.rows) == len(growth.landings) == 4
    assert figure.summary == "4 of 4 fit"


def test_without_a_zone_the_pods_of_the_others_are_left(shop: Cluster) -> None:
    found = workloads_of(cluster=shop)
    figure = known(loss_figure(found, found.states[DEPLOYED]))
    assert isinstance(figure.spec, BarsSpec)

    assert [(row.label, row.values) for row in figure.spec.rows] == [("without a", (1, 2)), ("without b", (2, 1))]
    assert all(sum(row.values) == 3 for row in figure.spec.rows)
    assert figure.summary == "Losing a leaves 1 of 3, until pods are recreated elsewhere."


def test_lines_of_a_rollout_begin_with_the_pods_of_now_and_end_with_new_ones(shop: Cluster) -> None:
    found = workloads_of(cluster=shop)
    plan, sample = plan_for(found, DEPLOYED), sample_of(shop, found, DEPLOYED)
    assert plan is not None
    assert sample is not None
    update = known(update_of(cluster=shop, found=found, workload=DEPLOYED, sample=sample, plan=plan))
    figure = known(rollout_figure(update))
    assert isinstance(figure.spec, TrendSpec)
    old, new, fewest = (series.values for series in figure.spec.series)

    assert (old[0], new[0], old[-1], new[-1]) == (3, 0, 0, 3)
    assert min(each for each in fewest if each is not None) == min(each.fewest for each in update.rounds)
    assert len(figure.rows) == len(update.rounds) + 1


def test_the_page_shows_them_and_the_spread(shop: Cluster, signed_in_client: Client) -> None:
    page = signed_in_client.get(f"{WEB}?more=4&update=1").text

    assert {"growth", "rollout", "zone-loss"} <= set(re.findall(r'<figure class="figure" id="([a-z-]+)"', page))
    assert re.search(r'<figure class="figure" id="spread-[0-9a-f]+"', page)
    plain = signed_in_client.get(WEB).text
    assert 'id="zone-loss"' in plain
    assert 'id="growth"' not in plain
