from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import pytest

from clusters.engine.analysis.causes import Kind
from clusters.engine.group_states import GroupPhase
from clusters.models import Cluster
from clusters.services.mirror.state import pod_groups_of
from clusters.services.pending.pods import outlook_of
from dashboard.pictures.specs import SlotsSpec
from dashboard.presenters.pod_groups import members_figure
from tests.clusters.dumps import node, pod
from tests.support.gangs import ON, group, load_gangs, member
from tests.support.mirrored import load, text
from tests.support.training import training_objects

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from dashboard.pictures.figure import Figure

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

LIST = "/clusters/gangs/pod-groups/"
COMMAND = "podgroups.scheduling.k8s.io"


def rows(client: Client, query: str = "") -> list[str]:
    return re.findall(r'<tr data-key="ml/([^"]+)"', client.get(f"{LIST}{query}").text)


def test_groups_that_need_somebody_come_first_and_all_are_counted(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    said = text(signed_in_client, LIST)

    assert rows(signed_in_client) == ["lost", "train", "infer", "web", "idle"]
    assert "Of 5 pod groups: waiting for pods 2, pending 1." in said
    assert "5 pod groups" in said
    assert "JobSet big" in said
    # Nothing of a JobSet is mirrored that a page could show.
    html = signed_in_client.get(LIST).text
    assert "/workloads/JobSet/" not in html
    assert 'href="/clusters/gangs/workloads/StatefulSet/ml/web/"' in html
    assert signed_in_client.get("/clusters/gangs/workloads/StatefulSet/ml/web/").status_code == 200
    assert "Pods name 1 group that the source lacks." in said
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

    assert "3 of 5 pods exist" in said
    assert "Create 2 more pods of the group (by JobSet big)" in said
    assert "0 scheduled, 3 pending, 2 not created." in said
    assert "7 (high)" in said


def test_a_pending_gang_names_the_pods_that_block_it_and_why(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    html = signed_in_client.get(f"{LIST}ml/infer/").text
    said = text(signed_in_client, f"{LIST}ml/infer/")

    assert "1 of minCount 3 pods have or find a node" in said
    assert "1 of 3 pending pods find no node: insufficient CPU, larger than any node." in said
    assert "What helps: Request at most 3.7 CPU" in said
    assert "pod group is unschedulable, minCount (3) cannot be satisfied" in said
    assert "all: pods are removed together" in said
    assert "PodGroupScheduled=False (Unschedulable)" in said
    assert "no room" in said
    # What finds no node comes first; every pod has its link.
    assert re.findall(r'<tr data-key="ml/(infer-\d)"', html) == ["infer-1", "infer-0", "infer-2"]
    assert re.findall(r'data-column="Group attempt">([^<]+)<', html) == [
        "0/1 nodes are available: 1 Insufficient cpu.",
        "finds n1",
        "not tried",
    ]
    assert 'href="/clusters/gangs/pods/ml/infer-1/"' in html


def test_a_scheduled_group_needs_nothing(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    html = signed_in_client.get(f"{LIST}ml/web/").text
    said = text(signed_in_client, f"{LIST}ml/web/")

    assert "All 2 pods are scheduled." in said
    assert "What helps:" not in said
    assert 'href="/clusters/gangs/nodes/n1/"' in html


def test_a_group_that_is_not_held_says_how_to_include_it(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    said = text(signed_in_client, f"{LIST}ml/lost/")

    assert "1 pod names this group and stays out of the queue" in said
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

    assert "If the cluster has any, read a dump" in said
    assert COMMAND in said
    assert "kube-scheduler 1.34 knows no pod groups" in said


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

    assert "1 of 2 pods exist" in said
    assert list(pod_groups_of(cluster=cluster).states) == ["ml/train/workers/0"]


def test_the_picture_has_a_slot_for_each_pod_up_to_min_count(tmp_path: Path) -> None:
    cluster = load_gangs(tmp_path)
    found = pod_groups_of(cluster=cluster)

    def drawn(name: str) -> Figure | None:
        state = found.states[f"ml/{name}"]
        return members_figure(state, outlook_of(cluster=cluster, found=found, state=state).attempt)

    def slots(figure: Figure | None) -> list[int]:
        assert figure is not None
        assert isinstance(figure.spec, SlotsSpec)
        return [part.slots for part in figure.spec.parts]

    train, web = drawn("train"), drawn("web")
    assert slots(train) == [0, 0, 0, 3, 2]
    assert slots(drawn("infer")) == [0, 1, 1, 1, 0]
    assert slots(web) == [2, 0, 0, 0, 0]
    assert train is not None
    assert web is not None
    assert "minCount: 5" in train.wide
    assert "minCount:" not in web.wide
    assert drawn("idle") is None


def test_a_gang_that_fits_is_said_to_be_scheduled_next(signed_in_client: Client, tmp_path: Path) -> None:
    first = node("n1")
    first["status"]["nodeInfo"] = {"kubeletVersion": "v1.37.2"}
    cluster = load(tmp_path, "gangs", [first, group("train", 2), member("a", "train"), member("b", "train")])
    cluster.chosen_feature_gates = ON
    cluster.save()

    said = text(signed_in_client, f"{LIST}ml/train/")

    assert "Schedulable, in the queue: 2 pods have or find a node, minCount 2." in said
    assert "What helps:" not in said


def test_a_gang_that_preempts_names_the_victims(signed_in_client: Client, tmp_path: Path) -> None:
    first = node("n1")
    first["status"]["nodeInfo"] = {"kubeletVersion": "v1.37.2"}
    low = pod("low", "ml", on="n1", priority=0)
    low["spec"]["containers"][0]["resources"] = {"requests": {"cpu": "4"}}
    members = [member(name, "train", cpu="1") for name in "ab"]
    for each in members:
        each["spec"]["priority"] = 10
    cluster = load(tmp_path, "gangs", [first, low, group("train", 2, spec={"priority": 10}), *members])
    cluster.chosen_feature_gates = ON
    cluster.save()

    said = text(signed_in_client, f"{LIST}ml/train/")

    assert "Fits by preemption: scheduled once 1 pod is removed." in said
    assert "ml/low" in said
    assert "What helps:" not in said


def test_a_group_that_asks_for_what_is_not_computed_is_uncertain(signed_in_client: Client, tmp_path: Path) -> None:
    first = node("n1")
    first["status"]["nodeInfo"] = {"kubeletVersion": "v1.37.2"}
    nested = group("train", 1, spec={"parentCompositePodGroupName": "all"})
    cluster = load(tmp_path, "gangs", [first, nested, member("a", "train")])
    cluster.chosen_feature_gates = {**ON, "TopologyAwareWorkloadScheduling": True, "CompositePodGroup": True}
    cluster.save()

    said = text(signed_in_client, f"{LIST}ml/train/")

    assert "Uncertain: the next attempt for the group is not computed" in said
    assert "Part of CompositePodGroup all" in said


def test_pods_with_an_unknown_scheduler_are_not_tried(tmp_path: Path) -> None:
    other = member("a", "train")
    other["spec"]["schedulerName"] = "other"
    first = node("n1")
    first["status"]["nodeInfo"] = {"kubeletVersion": "v1.37.2"}
    cluster = load(tmp_path, "gangs", [first, group("train", 1), other])
    cluster.chosen_feature_gates = ON
    cluster.save()
    found = pod_groups_of(cluster=cluster)

    outlook = outlook_of(cluster=cluster, found=found, state=found.states["ml/train"])

    assert outlook.attempt is None
    assert [group.cause.kind for group in outlook.causes] == [Kind.OTHER_SCHEDULER]


def test_refused_pods_have_the_cause_of_their_turn_and_others_that_of_the_list(tmp_path: Path) -> None:
    cluster = load_gangs(tmp_path)
    found = pod_groups_of(cluster=cluster)
    state = found.states["ml/infer"]

    causes = outlook_of(cluster=cluster, found=found, state=state).causes

    assert state.phase is GroupPhase.PENDING
    by_pod = {pod.name: group.cause for group in causes for pod in group.pods}
    assert set(by_pod) == {"infer-0", "infer-1", "infer-2"}
    assert by_pod["infer-1"].resources == ("cpu",)
    assert by_pod["infer-0"].plugins == ("GangScheduling",)
    web = found.states["ml/web"]
    assert outlook_of(cluster=cluster, found=found, state=web) == (None, (), None)


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


def test_a_gang_that_lacks_room_says_how_many_nodes_let_it_in(signed_in_client: Client, tmp_path: Path) -> None:
    load(tmp_path, "training", training_objects())
    address = "/clusters/training/pod-groups/ml/llama/"

    said = text(signed_in_client, address)
    html = signed_in_client.get(address).text
    found = signed_in_client.get("/api/v1/clusters/training/pod-groups/ml/llama").json()

    assert "2 of minCount 4 pods have or find a node" in said
    remedy = "Add 1 more node like gpu-a-1 (pool training): 4 pods then have or find a node, 2 more than now."
    assert f"What helps: {remedy} Simulate one more gpu-a-1" in said
    assert re.search(r'href="/clusters/training/\?change=[^"]*"[^>]*>Simulate one more gpu-a-1', html)
    assert found["remedy"] == remedy
    assert found["moreNodes"] == {"like": "gpu-a-1", "pool": "training", "nodes": 1, "found": 4, "gained": 2}
    urgent = signed_in_client.get("/api/v1/clusters/training/pod-groups/ml/urgent").json()
    assert urgent["moreNodes"] is None, "removing pods is enough"
    assert "Simulate" not in signed_in_client.get("/clusters/training/pod-groups/ml/sweep/").text.partition("<main")[2]


def test_nodes_that_an_extender_would_be_asked_about_are_not_named(tmp_path: Path) -> None:
    cluster = load(tmp_path, "training", training_objects())
    found = pod_groups_of(cluster=cluster)
    assert outlook_of(cluster=cluster, found=found, state=found.states["ml/llama"]).nodes is not None

    Cluster.objects.filter(pk=cluster.pk).update(
        chosen_configuration={
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "extenders": [{"urlPrefix": "http://extender", "filterVerb": "filter"}],
        }
    )
    cluster.refresh_from_db()

    assert outlook_of(cluster=cluster, found=found, state=found.states["ml/llama"]).nodes is None
