"""What a run keeps of a manifest is all that its pods are made from."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import SchedulerConfiguration
from clusters.engine.objects import labels_of, name_of
from clusters.engine.simulation import ChangeError, prepared
from clusters.services.runs.spec import SpecError, read_manifests, read_spec
from clusters.wording.problems import problem_sentence, remedy_sentence
from clusters.wording.runs.remarks import remark_sentence
from tests.clusters.runs.test_spec import BUDGET, DEPLOYMENT
from tests.engine.builders import a_node
from tests.engine.simulation.changing import a_workload

CLAIM = {"storageClassName": "none", "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
CLAIMS = [{"metadata": {"name": "data"}, "spec": CLAIM}]


@pytest.mark.parametrize(
    ("manifest", "names"),
    [
        (a_workload("ReplicaSet", replicas=2), ["web-1", "web-2"]),
        (a_workload("StatefulSet", ordinals={"start": 4}, volumeClaimTemplates=CLAIMS), ["web-4"]),
        (a_workload("DaemonSet"), ["web-n1", "web-n2"]),
        (
            a_workload("Job", completions=2, parallelism=2, completionMode="Indexed", pod={"restartPolicy": "Never"}),
            ["web-0", "web-1"],
        ),
    ],
)
def test_every_kind_is_kept_whole(manifest: dict[str, Any], names: list[str]) -> None:
    change = {"change": "add-workload", "manifest": manifest}
    spec = read_spec({"version": 1, "base": {"kind": "empty"}, "changes": [change]})
    case = prepared([a_node("n1"), a_node("n2")], spec.changes_read, SchedulerConfiguration.default()).case

    assert [name_of(each.pod) for each in case.wanted] == names
    assert all(labels_of(each.pod)["app"] == "web" for each in case.wanted)
    assert len(case.snapshot.objects("PersistentVolumeClaim")) == ("volumeClaimTemplates" in manifest["spec"])


def manifest_error(text: str) -> SpecError:
    with pytest.raises(SpecError) as caught:
        read_manifests(text)
    return caught.value


@pytest.mark.parametrize(
    ("right", "wrong", "field", "told", "remedy"),
    [
        ("kind: Deployment", "kind: Deploymnt", "kind", "Line 15: 'apps/v1' has no kind 'Deploymnt'", "Deployment?"),
        ("kind: Deployment", "kind: DaemonSets", "kind", "has no kind 'DaemonSets'", "DaemonSet?"),
        ("kind: Deployment", "kind: CronJob", "apiVersion", "is not the API of a CronJob", "batch/v1"),
        (
            "{matchLabels: {app: web}}",
            "{matchLabels: {app: wbe}}",
            "spec.selector",
            "Line 19: The selector does not match",
            "labels",
        ),
        ("apps/v1", "app/v1", "apiVersion", "'app/v1' is not the API", "apps/v1"),
        ("apps/v1\nkind: Deployment", "app/v1\nkind: Deploymnt", "apiVersion", "no API group 'app'", "apps/v1?"),
        ("replicas: 3", "replcias: 40", "spec.replcias", "Line 18: DeploymentSpec has no field", "replicas?"),
        (
            "containers:",
            "nodeSelectr: {a: b}\n      containers:",
            "nodeSelectr",
            "Line 23: PodSpec has",
            "nodeSelector?",
        ),
    ],
)
def test_a_slip_is_no_manifest_that_fits(right: str, wrong: str, field: str, told: str, remedy: str) -> None:
    # The first document is without fault, and its lines are not those of the second.
    error = manifest_error(DEPLOYMENT + "---" + DEPLOYMENT.replace(right, wrong, 1))

    assert error.field.startswith("document 2.")
    assert error.field.endswith(field)
    assert told in problem_sentence(error.problem, line=error.line)
    assert remedy in remedy_sentence(error.problem)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (BUDGET.replace("maxUnavailable", "maxUnavailabe"), "document 1.spec.maxUnavailabe"),
        ("apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pood}", "document 1.items[0].kind"),
    ],
)
def test_a_slip_in_what_is_no_workload(text: str, field: str) -> None:
    assert manifest_error(text).field == field


def test_what_is_left_out_is_said_truthfully() -> None:
    more = ["example.com/v1, kind: Rocket", "v1, kind: ConfigMap"]

    remarks = read_manifests("\n---\n".join([DEPLOYMENT, *(f"{{apiVersion: {each}}}" for each in more)])).remarks

    assert [remark_sentence(each) for each in remarks] == [
        "Rocket objects (example.com/v1) are left out: pods that their controllers would create are not simulated.",
        "ConfigMap objects are left out: the scheduler does not read them.",
    ]


def test_a_runtime_class_a_driver_and_a_nodes_drivers_are_added() -> None:
    text = """\
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: kata}
handler: kata
overhead: {podFixed: {cpu: "5"}}
---
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: fast.example.com}
spec: {storageCapacity: true}
---
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: n1}
spec: {drivers: [{name: fast.example.com, nodeID: n1, allocatable: {count: 3}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: boxed}
spec: {runtimeClassName: kata, containers: [{name: main, image: web:1}]}
"""
    spec = read_spec({"version": 1, "base": {"kind": "empty"}, "changes": [{"change": "add-workload", "text": text}]})
    made = prepared([a_node("n1")], spec.changes_read, SchedulerConfiguration.default())

    (wanted,) = made.case.wanted
    assert wanted.pod["spec"]["overhead"] == {"cpu": "5"}
    assert made.case.snapshot.object("CSIDriver", "fast.example.com") is not None
    assert made.case.snapshot.object("CSINode", "n1") is not None
    assert [*spec.notes, *made.remarks] == []


def test_what_only_the_cluster_decides_is_refused_with_file_document_and_field() -> None:
    text = """\
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {ports: [{port: 80}]}
---
apiVersion: v1
kind: Pod
metadata: {name: gpu}
spec: {containers: [{name: main, image: web:1, resources: {requests: {example.com/gpu: 1}}}]}
"""
    change = {"change": "add-workload", "text": text, "file": "web.yaml"}
    spec = read_spec({"version": 1, "base": {"kind": "empty"}, "changes": [change]})
    with pytest.raises(ChangeError) as caught:
        prepared([a_node("n1")], spec.changes_read, SchedulerConfiguration.default())
    assert caught.value.path == ("changes[1].web.yaml.document 2.spec.containers[0].resources.limits.example.com/gpu")
    assert remedy_sentence(caught.value.problem) == "Write example.com/gpu: 1 under limits, too."
