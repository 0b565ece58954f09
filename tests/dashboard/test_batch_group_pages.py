from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import pytest

from clusters.engine.analysis import Kind
from clusters.models import KubeObject
from clusters.services.pending.pods import pending_of
from clusters.services.pending.queue import queue_of
from clusters.wording.pod_groups import cause_in_group
from tests.clusters.explaining import run, words
from tests.support.batch_systems import KUEUE, NO_QUOTA, NOT_ENOUGH, batch_objects, grouped
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

LIST = "/clusters/batch/pod-groups/"
API = "/api/v1/clusters/batch/pod-groups/"


def rows(client: Client, query: str = "") -> list[str]:
    return re.findall(r'<tr data-key="ml/([^"]+)"', client.get(f"{LIST}{query}").text)


@pytest.fixture(autouse=True)
def cluster(tmp_path: Path) -> None:
    load(tmp_path, "batch", batch_objects())


def test_every_system_has_its_groups_in_the_list(signed_in_client: Client) -> None:
    found = csv.DictReader(io.StringIO(signed_in_client.get(f"{LIST}pod-groups.csv").content.decode("utf-8-sig")))

    assert [(row["group"].partition("/")[2], row["system"], row["pods"], row["missing"]) for row in found] == [
        ("paused", "JobSet", "0", "4"),
        ("sample", "Kueue", "2", "1"),
        ("mpi", "Coscheduling", "3", "1"),
        ("serve/1", "LeaderWorkerSet", "2", "0"),
        ("train", "Volcano", "3", "0"),
        ("sweep", "JobSet", "4", "0"),
        ("job-eval-1a2b3", "Kueue", "2", "0"),
        ("serve/0", "LeaderWorkerSet", "2", "0"),
    ]


def test_groups_are_filtered_by_their_system(signed_in_client: Client) -> None:
    assert rows(signed_in_client, "?system=Kueue") == [f"{KUEUE}/sample", f"{KUEUE}/job-eval-1a2b3"]
    assert rows(signed_in_client, "?system=Kueue&state=waiting-for-pods") == [f"{KUEUE}/sample"]
    assert rows(signed_in_client, "?policy=gang") == ["scheduling.x-k8s.io/mpi", "scheduling.volcano.sh/train"]
    assert rows(signed_in_client, "?workload=ml/eval") == [f"{KUEUE}/job-eval-1a2b3"]


def test_a_group_says_what_its_system_reports_who_decides_and_what_helps(signed_in_client: Client) -> None:
    sample = text(signed_in_client, f"{LIST}ml/{KUEUE}/sample/")
    assert "2 of 3 pods exist, scheduled: 0." in sample
    assert "Kueue reports QuotaReserved=False (WaitingForQuota)." in sample
    assert NO_QUOTA in sample
    assert "Kueue until it admits the group, then kube-scheduler" in sample
    assert "What helps:" not in sample

    train = text(signed_in_client, f"{LIST}ml/scheduling.volcano.sh/train/")
    assert NOT_ENOUGH in train
    assert "the scheduler volcano, which is not computed" in train

    paused = text(signed_in_client, f"{LIST}ml/jobset.x-k8s.io/paused/")
    assert "What helps: Set its spec.suspend to false." in paused
    assert "kube-scheduler, each pod by itself" in paused

    assert "Coscheduling reports the phase Pending." in text(signed_in_client, f"{LIST}ml/scheduling.x-k8s.io/mpi/")


def test_a_group_that_nothing_is_known_of_is_not_there(signed_in_client: Client) -> None:
    assert signed_in_client.get(f"{LIST}ml/{KUEUE}/none/").status_code == 404


def test_a_pod_says_whose_group_it_is_of_and_what_that_reports(signed_in_client: Client) -> None:
    said = text(signed_in_client, "/clusters/batch/pods/ml/sample-0/")
    assert "Pod group Kueue Workload sample" in said
    assert "Kueue reports QuotaReserved=False (WaitingForQuota)." in said
    assert NO_QUOTA in said

    # A scheduler of its own decides, and still it says for what the pod waits.
    assert NOT_ENOUGH in text(signed_in_client, "/clusters/batch/pods/ml/train-0/")
    # One that runs says where it belongs alone.
    running = text(signed_in_client, "/clusters/batch/pods/ml/eval-0/")
    assert "Pod group Kueue Workload job-eval-1a2b3" in running
    assert "Kueue reports" not in running


def test_pending_pods_are_put_together_by_the_group_that_holds_them(signed_in_client: Client) -> None:
    said = text(signed_in_client, "/clusters/batch/pending/")

    assert "Kueue Workload ml/sample: WaitingForQuota" in said
    assert "Volcano PodGroup ml/train: NotEnoughResources" in said
    assert "Coscheduling PodGroup ml/mpi: Pending" in said
    # kube-scheduler alone decides about the rest.
    assert "Schedulable, in the queue" in said


def test_pods_of_a_scheduler_with_the_plugin_are_uncertain_for_their_group(tmp_path: Path) -> None:
    configuration = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [
            {"schedulerName": "batch", "plugins": {"multiPoint": {"enabled": [{"name": "Coscheduling"}]}}}
        ],
    }  # fmt: skip

    groups = pending_of(cluster=load(tmp_path, "batch", [*batch_objects(), configuration])).groups.values()

    (found,) = (group for group in groups if any(pod.name == "mpi-0" for pod in group.pods))
    assert (found.cause.kind, len(found.pods)) == (Kind.UNCERTAIN, 3)
    assert cause_in_group(found.cause, found.pod_group) == "Coscheduling PodGroup ml/mpi: Pending"


def test_the_queue_names_the_group(signed_in_client: Client) -> None:
    said = text(signed_in_client, "/clusters/batch/pending/queue/")

    assert "Kueue Workload ml/sample: WaitingForQuota" in said
    assert "LeaderWorkerSet serve/1" in said


def test_the_group_of_a_pod_that_several_hold_is_that_of_the_cause(tmp_path: Path) -> None:
    marks = {"kueue.x-k8s.io/pod-group-name": "sample", "jobset.sigs.k8s.io/jobset-name": "sweep"}
    gated = [{"name": "kueue.x-k8s.io/admission"}]
    cluster = load(
        tmp_path,
        "batch",
        [*batch_objects(), grouped("both", labels=marks, schedulingGates=gated), grouped("sweep-9", labels=marks)],
    )

    groups = {pod.name: pod for group in pending_of(cluster=cluster).groups.values() for pod in group.pods}

    assert str(getattr(groups["both"].group_of_cause, "key", "")) == f"ml/{KUEUE}/sample"
    assert groups["sweep-9"].group_of_cause is None
    assert groups["sweep-9"].pod_group is not None
    assert any(each.pod.name == "both" for each in queue_of(cluster=cluster).pods)


def test_the_workload_of_pods_leads_to_their_groups(signed_in_client: Client) -> None:
    assert "Kueue Workload job-eval-1a2b3" in text(signed_in_client, "/clusters/batch/workloads/Job/ml/eval/")


def test_groups_are_found_by_parts_of_their_names(signed_in_client: Client) -> None:
    said = signed_in_client.get("/clusters/batch/search/?q=sample").text

    assert f"/clusters/batch/pod-groups/?q=ml/{KUEUE}/sample" in said
    assert rows(signed_in_client, f"?q=ml/{KUEUE}/sample") == [f"{KUEUE}/sample"]


def test_the_api_has_systems_needs_and_reports(signed_in_client: Client) -> None:
    listed = signed_in_client.get(f"{API}?system={KUEUE}").json()
    assert [(each["name"], each["needed"], each["policy"]) for each in listed["podGroups"]] == [
        (f"{KUEUE}/sample", 3, None),
        (f"{KUEUE}/job-eval-1a2b3", 2, None),
    ]

    one = signed_in_client.get(f"{API}ml/{KUEUE}/sample").json()
    assert one["decidedBy"] == "Kueue until it admits the group, then kube-scheduler"
    assert one["reported"]["conditions"][0]["reason"] == "WaitingForQuota"
    assert one["attempt"] is None


def test_the_terminal_says_the_same_of_a_pod(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "batch.json", "--pod", "ml/sample-0") == 1
    said = words(capsys.readouterr().out)

    assert "Kueue Workload sample: 2 of 3 pods exist, scheduled: 0. Kueue reports QuotaReserved=False" in said

    run(tmp_path / "batch.json", "--pod", "ml/train-0")
    assert "Volcano PodGroup train: 3 of 3 pods exist, scheduled: 0." in words(capsys.readouterr().out)


def test_only_listed_fields_of_the_objects_are_kept() -> None:
    kept = KubeObject.objects.get(kind="JobSet.jobset.x-k8s.io", name="sweep").object

    assert kept["spec"] == {"replicatedJobs": [{"name": "w", "replicas": 2, "template": {"spec": {"parallelism": 2}}}]}
    assert (kept["kind"], kept["apiVersion"]) == ("JobSet.jobset.x-k8s.io", "jobset.x-k8s.io/v1alpha2")
