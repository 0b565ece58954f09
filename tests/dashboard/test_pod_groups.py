from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clusters.engine.podgroups.states import GroupPhase
from clusters.services.pending.pod_groups import causes_of_members, pod_groups_of
from dashboard.pictures.specs import SlotsSpec
from dashboard.presenters.pod_groups.picture import members_figure
from tests.clusters.dumps import node, pod
from tests.support.gangs import group, load_gangs, member
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db

LIST = "/clusters/gangs/pod-groups/"
COMMAND = "podgroups.scheduling.k8s.io"


def rows(client: Client, query: str = "") -> list[str]:
    html = client.get(f"{LIST}{query}").text
    return re.findall(r'<tr data-key="ml/([^"]+)"', html)


def test_groups_that_need_somebody_come_first_and_all_are_counted(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    said = text(signed_in_client, LIST)

    assert rows(signed_in_client) == ["lost", "train", "infer", "web", "idle"]
    assert "Of 5 pod groups: waiting for pods to be created 2, pending 1." in said
    assert "5 pod groups" in said
    assert "JobSet big" in said
    # Nothing of a JobSet is mirrored that a page could show.
    html = signed_in_client.get(LIST).text
    assert "/workloads/JobSet/" not in html
    assert 'href="/clusters/gangs/workloads/StatefulSet/ml/web/"' in html
    assert signed_in_client.get("/clusters/gangs/workloads/StatefulSet/ml/web/").status_code == 200
    assert "Pods name 1 group of which no object is held." in said
    assert COMMAND in said


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?q=infer", ["infer"]),
        ("?q=infer-2", ["infer"]),
        ("?q=ml/we", ["web"]),
        ("?state=waiting-for-pods", ["train"]),
        ("?policy=gang", ["train", "infer"]),
        ("?policy=basic", ["web", "idle"]),
        ("?workload=big", ["train"]),
        ("?workload=ml/big", ["train"]),
        ("?namespace=ml&q=nothing", []),
        ("?sort=name", ["idle", "infer", "lost", "train", "web"]),
        ("?sort=-missing&policy=gang", ["train", "infer"]),
        ("?sort=scheduled&policy=basic", ["idle", "web"]),
    ],
)
def test_filters_and_orders(signed_in_client: Client, tmp_path: Path, query: str, found: list[str]) -> None:
    load_gangs(tmp_path)

    assert rows(signed_in_client, query) == found


def test_columns_are_chosen(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    html = signed_in_client.get(f"{LIST}?columns=state,missing").text

    assert re.findall(r'<td[^>]*data-column="([^"]+)"', html)[:2] == ["State", "Missing"]
    assert 'data-column="Policy"' not in html


def test_the_file_has_what_the_filter_lets_through(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    content = signed_in_client.get(f"{LIST}pod-groups.csv?q=train").content.decode("utf-8-sig")

    (found,) = list(csv.DictReader(io.StringIO(content)))
    assert found == {
        "namespace": "ml",
        "group": "train",
        "state": "Waiting for pods",
        "policy": "gang, minCount 5",
        "minCount": "5",
        "pods": "3",
        "scheduled": "0",
        "pending": "3",
        "missing": "2",
        "workload": "",
        "controller": "JobSet/big",
    }


def test_a_gang_that_lacks_pods_says_how_many_and_who_makes_them(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    said = text(signed_in_client, f"{LIST}ml/train/")

    assert "Waiting for pods: 3 of 5 pods exist." in said
    assert "Create 2 more pods that name the group (JobSet big makes them)" in said
    assert "0 scheduled, 3 pending, 2 not created." in said
    assert "7 (high)" in said


def test_a_pending_gang_names_the_pods_that_block_it_and_why(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    html = signed_in_client.get(f"{LIST}ml/infer/").text
    said = text(signed_in_client, f"{LIST}ml/infer/")

    assert "Pending: 0 of minCount 3 pods are scheduled." in said
    assert "2 of 3 pending pods, evaluated independently: insufficient CPU." in said
    assert "What helps:" in said
    assert "all: its pods are removed together" in said
    assert "PodGroupScheduled=False (Unschedulable)" in said
    assert "no room" in said
    # Blocked pods come before the one that fits by itself; every pod has its link.
    order = re.findall(r'<tr data-key="ml/(infer-\d)"', html)
    assert (set(order[:2]), order[2]) == ({"infer-1", "infer-2"}, "infer-0")
    assert 'href="/clusters/gangs/pods/ml/infer-1/"' in html


def test_a_scheduled_group_needs_nothing(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    html = signed_in_client.get(f"{LIST}ml/web/").text
    said = text(signed_in_client, f"{LIST}ml/web/")

    assert "All 2 pods of the group are scheduled." in said
    assert "What helps:" not in said
    assert 'href="/clusters/gangs/nodes/n1/"' in html


def test_a_group_that_is_not_held_says_how_to_include_it(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    said = text(signed_in_client, f"{LIST}ml/lost/")

    assert "1 pod names this group, and no such object is held" in said
    assert COMMAND in said


def test_a_group_without_pods_says_how_pods_name_it(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    said = text(signed_in_client, f"{LIST}ml/idle/")

    assert "No pod names this group" in said
    assert "spec.schedulingGroup.podGroupName" in said


def test_where_the_gate_is_off_nothing_is_said_to_be_scheduled_together(
    signed_in_client: Client, tmp_path: Path
) -> None:
    load_gangs(tmp_path, gates={"GenericWorkload": False})

    whole, one = text(signed_in_client, LIST), text(signed_in_client, f"{LIST}ml/infer/")

    for said in (whole, one):
        assert "The feature gate GenericWorkload counts as off" in said
        assert "set it on the page Scheduler" in said
        assert 'href="/clusters/gangs/configuration/"' in signed_in_client.get(LIST).text
    assert "Of 5 pod groups" not in whole
    assert "or none" not in one


def test_without_groups_the_page_says_which_command_includes_them(signed_in_client: Client, tmp_path: Path) -> None:
    load(tmp_path, "plain", [node("n1"), pod("web", on="n1")])

    said = text(signed_in_client, "/clusters/plain/pod-groups/")

    assert "No pod names a group, and the source holds no PodGroup" in said
    assert COMMAND in said
    assert "kube-scheduler 1.34 knows no groups of pods" in said


def test_a_group_that_nobody_names_is_not_found(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    assert signed_in_client.get(f"{LIST}ml/nothing/").status_code == 404
    assert signed_in_client.get(f"{LIST}ml/nothing/else/").status_code == 404


def test_groups_of_1_35_have_a_page_by_workload_group_and_replica_key(signed_in_client: Client, tmp_path: Path) -> None:
    first = node("n1")
    first["status"]["nodeInfo"] = {"kubeletVersion": "v1.35.4"}
    policy = {"gang": {"minCount": 2}}
    workload = {
        "apiVersion": "scheduling.k8s.io/v1alpha1",
        "kind": "Workload",
        "metadata": {"name": "train", "namespace": "ml", "uid": "w"},
        "spec": {"podGroups": [{"name": "workers", "policy": policy}]},
    }
    reference = {"name": "train", "podGroup": "workers", "podGroupReplicaKey": "0"}
    cluster = load(tmp_path, "old", [first, workload, pod("a", "ml", workloadRef=reference)])
    cluster.chosen_feature_gates = {"GenericWorkload": True, "GangScheduling": True}
    cluster.save()

    said = text(signed_in_client, "/clusters/old/pod-groups/ml/train/workers/0/")

    assert "Waiting for pods: 1 of 2 pods exist." in said
    assert list(pod_groups_of(cluster=cluster).states) == ["ml/train/workers/0"]


def test_the_picture_has_a_slot_for_each_pod_up_to_min_count(tmp_path: Path) -> None:
    cluster = load_gangs(tmp_path)
    states = pod_groups_of(cluster=cluster).states

    train = members_figure(states["ml/train"], blocked=1)
    web = members_figure(states["ml/web"], blocked=0)

    assert train is not None
    assert web is not None
    assert isinstance(train.spec, SlotsSpec)
    assert isinstance(web.spec, SlotsSpec)
    assert [part.slots for part in train.spec.parts] == [0, 2, 1, 2]
    assert train.wide.count("<rect") - web.wide.count("<rect") == 5 - 2 + 3 - 1
    assert (train.spec.line_at, "minCount: 5" in train.wide) == (5, True)
    assert "minCount:" not in web.wide
    assert members_figure(states["ml/idle"], blocked=0) is None


def test_alike_pods_are_one_cause_and_pods_of_others_none(tmp_path: Path) -> None:
    cluster = load_gangs(tmp_path)
    state = pod_groups_of(cluster=cluster).states["ml/infer"]

    causes = causes_of_members(cluster=cluster, state=state)

    assert state.phase is GroupPhase.PENDING
    assert [[pod.name for pod in group.pods] for group in causes] == [["infer-1", "infer-2"], ["infer-0"]]
    assert causes_of_members(cluster=cluster, state=pod_groups_of(cluster=cluster).states["ml/web"]) == []


def test_a_job_set_with_pods_has_a_page(signed_in_client: Client, tmp_path: Path) -> None:
    owner = ("JobSet", "big")
    load(tmp_path, "gangs", [node("n1"), group("train", 1, owner=owner), member("a", "train", owner=owner)])

    assert 'href="/clusters/gangs/workloads/JobSet/ml/big/"' in signed_in_client.get(LIST).text
    assert signed_in_client.get("/clusters/gangs/workloads/JobSet/ml/big/").status_code == 200


def test_pages_ask_the_database_no_more_for_more_groups(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)
    signed_in_client.get(LIST)

    with CaptureQueriesContext(connection) as few:
        signed_in_client.get(f"{LIST}?q=web")
    with CaptureQueriesContext(connection) as many:
        signed_in_client.get(LIST)

    assert len(many) == len(few)


def test_the_search_finds_groups_and_leads_to_those_of_a_workload(signed_in_client: Client, tmp_path: Path) -> None:
    workload = {
        "apiVersion": "scheduling.k8s.io/v1beta1",
        "kind": "Workload",
        "metadata": {"name": "training", "namespace": "ml", "uid": "w"},
        "spec": {},
    }
    load(tmp_path, "gangs", [node("n1"), workload, group("train", 2)])

    html = signed_in_client.get("/clusters/gangs/search/?q=train").text

    assert 'href="/clusters/gangs/pod-groups/ml/train/"' in html
    assert 'href="/clusters/gangs/pod-groups/?workload=ml/training"' in html
    assert "2 results." in html
