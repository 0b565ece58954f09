"""Hourly samples: what they hold, when they are taken, and how long they are kept."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management.color import no_style
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clusters.adapters.prune import KINDS, WrongField
from clusters.adapters.schema.checking import check_pod
from clusters.adapters.state import USES, gaps_of
from clusters.engine import SchedulerConfiguration, explain
from clusters.engine.problems import BelowLeast, Missing, NotAMap, NotAnInteger, NotOneOf
from clusters.management.terminal.decision import Decision
from clusters.models import CapacitySample, Cluster
from clusters.problems.inputs import Use
from clusters.services.mirror.state import PodCounts, pod_counts
from clusters.services.reports import capacity_samples as capacity
from tests.clusters.live_batches import apply, followed_cluster
from tests.clusters.reports.review_cluster import objects, review_cluster
from tests.clusters.test_prune import kept
from tests.engine.builders import Document, a_node
from tests.engine.podgroups.groups import GROUPING, a_cluster, a_group, a_member
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.django_db


def test_sample_holds_amounts_by_zone_and_namespace(tmp_path: Path) -> None:
    cluster = review_cluster(tmp_path)
    cluster.refresh_from_db()

    taken = capacity.sample(cluster=cluster)

    assert taken is not None
    assert (taken.at.minute, taken.at.second) == (0, 0)
    found = taken.amounts
    assert (found["nodes"], found["usable"], found["pods"], found["pending"]) == (4, 4, 6, 1)
    assert found["resources"]["cpu"] == [3_100, 20_000]
    assert found["zones"]["south"]["cpu"] == [1_500, 12_000]
    assert found["namespaces"]["shop"] == [2_500, 1_792 * 1024**2, 4]
    assert list(found["namespaces"]) == ["shop", "data", "ops"]
    assert len(taken.packed_amounts) < 500


def test_dump_has_one_sample_a_state(tmp_path: Path) -> None:
    cluster = review_cluster(tmp_path)
    for _ in range(2):
        assert capacity.sample_all() == 1
    cluster = load(tmp_path, cluster.name, [each for each in objects() if each["metadata"]["name"] != "web-4"])

    assert capacity.sample_all() == 1

    assert CapacitySample.objects.get().amounts["pods"] == 5


def test_followed_cluster_keeps_the_hours_first_sample(tmp_path: Path) -> None:
    cluster = review_cluster(tmp_path)
    Cluster.objects.update(source=Cluster.Source.LIVE)
    cluster.refresh_from_db()
    first = capacity.sample(cluster=cluster)
    Cluster.objects.update(revision=cluster.revision + 1)
    cluster.refresh_from_db()

    assert capacity.sample(cluster=cluster) == first
    assert CapacitySample.objects.count() == 1


def test_cluster_without_a_state_has_none() -> None:
    Cluster.objects.create(name="empty")
    assert capacity.sample_all() == 0


def test_old_samples_go_but_for_the_latest(tmp_path: Path) -> None:
    old, new = review_cluster(tmp_path, "old"), review_cluster(tmp_path, "new")
    now = timezone.now().replace(minute=0, second=0, microsecond=0)
    for cluster, days in ((old, 500), (old, 450), (new, 500), (new, 1)):
        taken = CapacitySample(cluster=cluster, at=now - timedelta(days=days))
        taken.amounts = {}
        taken.save()

    assert capacity.prune(keep=timedelta(days=400)) == 2

    assert {(each.cluster.name, (now - each.at).days) for each in CapacitySample.objects.all()} == {
        ("old", 450),
        ("new", 1),
    }


def in_namespace(namespace: str, name: str, **spec: Any) -> dict[str, Any]:
    document = pod(name, **spec)
    return {**document, "metadata": {**document["metadata"], "namespace": namespace, "uid": f"{namespace}-{name}"}}


def test_pods_are_counted_in_all_namespaces(tmp_path: Path) -> None:
    twins = [in_namespace("web", name) for name in ("twin-a", "twin-b")]
    for twin in twins:
        twin["metadata"]["ownerReferences"] = [{"kind": "ReplicaSet", "name": "twin", "controller": True}]
    objects = [
        node("ash", "north"),
        in_namespace("web", "front", nodeName="ash"),
        in_namespace("web", "back"),
        *twins,
        in_namespace("batch", "job"),
        in_namespace("batch", "done", nodeName="ash", status={"phase": "Succeeded"}),
    ]

    assert pod_counts(load(tmp_path, "shop", objects)) == PodCounts(("batch", "web"), pods=6, pending=4, alike=3)


def test_each_revision_is_counted_once() -> None:
    cluster, lease = followed_cluster()
    apply(lease, put=(node("ash", "north"), in_namespace("web", "front")))
    before = pod_counts(Cluster.objects.get(pk=cluster.pk))
    apply(lease, put=(in_namespace("web", "front", nodeName="ash"), in_namespace("batch", "job")))
    present = Cluster.objects.get(pk=cluster.pk)

    with CaptureQueriesContext(connection) as asked:
        after = pod_counts(present), pod_counts(present)

    assert before == PodCounts(("web",), pods=1, pending=1, alike=1)
    assert after == (PodCounts(("batch", "web"), pods=2, pending=1, alike=1),) * 2
    assert len(asked) == 3


def test_a_cluster_made_anew_is_another_one(tmp_path: Path) -> None:
    first = load(tmp_path, "shop", [in_namespace("web", "front")])
    counted = pod_counts(first)
    Cluster.objects.filter(pk=first.pk).delete()
    second = Cluster.objects.create(pk=first.pk, name="shop", revision=first.revision)

    assert counted.pods == 1
    assert pod_counts(second).pods == 0


GANG = {"gang": {"minCount": 3}}


def a_pod_group(version: str, **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": f"scheduling.k8s.io/{version}",
        "kind": "PodGroup",
        "metadata": {"name": "train", "namespace": "ml"},
        "spec": {"schedulingPolicy": GANG, **spec},
    }


def test_the_mode_of_v1alpha2_and_its_reference_are_kept_as_those_of_v1beta1() -> None:
    reference = {"workload": {"workloadName": "job", "podGroupTemplateName": "workers"}}
    old = kept(a_pod_group("v1alpha2", disruptionMode="PodGroup", podGroupTemplateRef=reference))
    new = kept(
        a_pod_group(
            "v1beta1", disruptionMode={"all": {}}, workloadRef={"workloadName": "job", "templateName": "workers"}
        )
    )

    assert old["spec"] == new["spec"]
    assert old["spec"]["workloadRef"] == {"workloadName": "job", "templateName": "workers"}


def test_the_groups_of_a_workload_of_1_35_stay_in_it() -> None:
    groups = [{"name": "workers", "policy": GANG}, {"name": "driver", "policy": {"basic": {}}}]
    workload = {
        "apiVersion": "scheduling.k8s.io/v1alpha1",
        "kind": "Workload",
        "metadata": {"name": "train", "namespace": "ml"},
        "spec": {"controllerRef": {"apiGroup": "batch", "kind": "Job", "name": "train"}, "podGroups": groups},
    }

    assert kept(workload)["spec"] == workload["spec"]


def test_templates_are_kept_as_deep_as_the_api_allows() -> None:
    template: dict[str, Any] = {"name": "leaf", "schedulingPolicy": GANG}
    level: dict[str, Any] = {"podGroupTemplates": [template]}
    for name in ("fourth", "third", "second", "first"):
        composite = {"name": name, "schedulingPolicy": {"gang": {"minGroupCount": 1}}, **level}
        level = {"compositePodGroupTemplates": [composite]}
    workload = {
        "apiVersion": "scheduling.k8s.io/v1alpha3",
        "kind": "Workload",
        "metadata": {"name": "w", "namespace": "ml"},
        "spec": level,
    }

    assert kept(workload)["spec"] == workload["spec"]


def test_what_the_scheduler_reported_of_a_group_is_kept() -> None:
    condition = {"type": "PodGroupInitiallyScheduled", "status": "False", "reason": "Unschedulable", "message": "m"}
    document = {**a_pod_group("v1beta1"), "status": {"conditions": [{**condition, "secret": "x"}]}}

    assert kept(document)["status"] == {"conditions": [condition]}


@pytest.mark.parametrize(
    ("spec", "path", "problem"),
    [
        ({"schedulingPolicy": {"gang": {"minCount": 0}}}, "spec.schedulingPolicy.gang.minCount", BelowLeast("0", 1)),
        ({"schedulingPolicy": {"gang": {}}}, "spec.schedulingPolicy.gang.minCount", Missing()),
        ({"schedulingPolicy": []}, "spec.schedulingPolicy", NotAMap("[]")),
        ({"priority": "high"}, "spec.priority", NotAnInteger("'high'", bits=32)),
        ({"disruptionMode": "None"}, "spec.disruptionMode", NotOneOf("'None'", ("Pod", "PodGroup"))),
    ],
)
def test_a_wrong_field_is_named_with_its_place(spec: dict[str, Any], path: str, problem: Any) -> None:
    with pytest.raises(WrongField) as raised:
        KINDS["PodGroup"].prune(a_pod_group("v1beta1", **spec))

    assert raised.value.path == path
    assert type(raised.value.problem) is type(problem)


@pytest.mark.parametrize(
    "named", [{"schedulingGroup": {"podGroupName": "g"}}, {"workloadRef": {"name": "w", "podGroup": "g"}}]
)
def test_the_group_that_a_pod_names_is_kept_and_taken_from_a_manifest(named: dict[str, Any]) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "a", "namespace": "ml"},
        "spec": {"containers": [{"name": "a", "image": "b"}], **named},
    }

    assert named.items() <= kept(pod)["spec"].items()
    assert not list(check_pod(pod))


@pytest.mark.parametrize(("use", "kind"), [(Use.POD_GROUPS, "PodGroup"), (Use.WORKLOADS, "Workload")])
def test_groups_are_a_gap_only_where_pods_name_them(use: Use, kind: str) -> None:
    assert use in USES
    assert kind in {gap.kind for gap in gaps_of(present=(), uses=(use,), missing_nodes={})}
    assert kind not in {gap.kind for gap in gaps_of(present=(), uses=(), missing_nodes={})}


def lines(minor: str, pod: Document, *objects: Document) -> str:
    """Return the report about a pod that is one of the cluster's."""
    snapshot = a_cluster(minor, a_node("n1"), pod, *objects)
    profile = SchedulerConfiguration.default(snapshot.release).profiles[0]
    return "\n".join(Decision(explain(snapshot, pod, profile), no_style(), 100, version=()).lines())


@pytest.mark.parametrize("minor", GROUPING)
def test_the_group_of_a_pod_is_named_with_its_numbers(minor: str) -> None:
    name = "default/train/workers" if minor == "1.35" else "default/train"

    said = lines(minor, a_member("a", minor=minor), a_group(least=3, minor=minor), a_member("b", minor=minor))

    assert f"Pod group {name}: 2 pods exist, minCount 3." in said
