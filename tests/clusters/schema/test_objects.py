"""Objects of every kind that people write: what the API server takes passes, and what it refuses is named."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from clusters.adapters.prune import KINDS, kind_of
from clusters.adapters.schema.checking import check_object, type_of_kind
from clusters.wording.problems import problem_sentence, remedy_sentence

POD = "containers: [{name: main, image: web:1}]"
TEMPLATE = f"template: {{metadata: {{labels: {{app: web}}}}, spec: {{{POD}}}}}"
SELECTED = f"selector: {{matchLabels: {{app: web}}}}, {TEMPLATE}"
JOB = f"template: {{spec: {{restartPolicy: Never, {POD}}}}}"
CLAIM = "accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}"
REQUEST = "{name: gpu, exactly: {deviceClassName: gpu, selectors: [{cel: {expression: 'true'}}]}}"
DEVICES = f"devices: {{requests: [{REQUEST}], constraints: [{{requests: [gpu], matchAttribute: a.b/c}}]}}"

# Of each kind one that the API server takes.
GOOD = {
    "CSIDriver": "storage.k8s.io/v1 spec: {storageCapacity: true}",
    "CSINode": "storage.k8s.io/v1 spec: {drivers: [{name: a.b, nodeID: n1, allocatable: {count: 3}}]}",
    "CSIStorageCapacity": "storage.k8s.io/v1 storageClassName: fast\ncapacity: 10Gi",
    "CronJob": f"batch/v1 spec: {{schedule: '0 3 * * *', jobTemplate: {{spec: {{{JOB}}}}}}}",
    "DaemonSet": f"apps/v1 spec: {{{SELECTED}, updateStrategy: {{rollingUpdate: {{maxSurge: 0}}}}}}",
    "Deployment": f"apps/v1 spec: {{replicas: 2, {SELECTED}, strategy: {{rollingUpdate: {{maxSurge: 200%}}}}}}",
    "DeviceClass": "resource.k8s.io/v1 spec: {selectors: [{cel: {expression: 'true'}}]}",
    "DeviceTaintRule": "resource.k8s.io/v1beta2 spec: {taint: {key: bad, effect: NoExecute}}",
    "Job": f"batch/v1 spec: {{parallelism: 2, {JOB}}}",
    "LimitRange": "v1 spec: {limits: [{type: Container, max: {cpu: '2'}, default: {cpu: '1'}}]}",
    "Namespace": "v1 spec: {}",
    "Node": "v1 spec: {taints: [{key: a, effect: NoSchedule}]}\nstatus: {allocatable: {cpu: '4'}}",
    "PersistentVolume": "v1 spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: /data}}",
    "PersistentVolumeClaim": f"v1 spec: {{{CLAIM}}}",
    "Pod": f"v1 spec: {{{POD}}}",
    "PodDisruptionBudget": "policy/v1 spec: {maxUnavailable: 50%, selector: {matchLabels: {app: web}}}",
    "PodGroup": "scheduling.k8s.io/v1beta1 spec: {schedulingPolicy: {gang: {minCount: 2}}}",
    "PriorityClass": "scheduling.k8s.io/v1 value: 1000000000",
    "ReplicaSet": f"apps/v1 spec: {{{SELECTED}}}",
    "ReplicationController": f"v1 spec: {{replicas: 2, {TEMPLATE}}}",
    "ResourceClaim": f"resource.k8s.io/v1 spec: {{{DEVICES}}}",
    "ResourceClaimTemplate": f"resource.k8s.io/v1 spec: {{spec: {{{DEVICES}}}}}",
    "ResourceQuota": "v1 spec: {hard: {pods: '3'}, scopes: [BestEffort]}",
    "ResourceSlice": (
        "resource.k8s.io/v1 spec: {driver: a.b, nodeName: n1, pool: {name: n1, generation: 1, resourceSliceCount: 1}, "
        "devices: [{name: gpu-0, attributes: {model: {string: a}}, capacity: {memory: {value: 1Gi}}}]}"
    ),
    "RuntimeClass": "node.k8s.io/v1 handler: kata\noverhead: {podFixed: {cpu: 100m}}",
    "Service": "v1 spec: {selector: {app: web}, ports: [{port: 80}]}",
    "StatefulSet": (
        f"apps/v1 spec: {{{SELECTED}, volumeClaimTemplates: [{{metadata: {{name: data}}, spec: {{{CLAIM}}}}}]}}"
    ),
    "StorageClass": "storage.k8s.io/v1 provisioner: a.b",
    "VolumeAttachment": "storage.k8s.io/v1 spec: {attacher: a.b, nodeName: n1, source: {persistentVolumeName: v}}",
    "Workload": (
        "scheduling.k8s.io/v1beta1 spec: {podGroupTemplates: [{name: a, schedulingPolicy: {gang: {minCount: 2}}}]}"
    ),
    "CompositePodGroup": (
        "scheduling.k8s.io/v1alpha3 spec: {workloadRef: {workloadName: a, templateName: b}, "
        "schedulingPolicy: {gang: {minGroupCount: 1}}}"
    ),
}
# Kinds without rules for where pods run, as they stand in charts beside the others.
BESIDE = {
    "ConfigMap": "v1 data: {a: b}",
    "HorizontalPodAutoscaler": (
        "autoscaling/v2 spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}"
    ),
    "Ingress": "networking.k8s.io/v1 spec: {rules: [{host: a.b}]}",
}


def written(kind: str, text: str, *, name: str = "web") -> dict[str, Any]:
    version, _, body = text.partition(" ")
    found: dict[str, Any] = yaml.safe_load(f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: {name}}}\n{body}")
    return found


def told(document: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (each.path, f"{problem_sentence(each.problem)} {remedy_sentence(each.problem)}")
        for each in check_object(document)
    ]


def test_every_kind_that_is_read_is_among_these() -> None:
    # What happened is nobody's to write, and of other APIs nothing is known here.
    assert set(GOOD) == {name for name, kind in KINDS.items() if name == kind.object_kind} - {"Event"}


@pytest.mark.parametrize("kind", GOOD)
def test_what_the_api_server_takes_passes_and_so_does_what_is_kept_of_it(kind: str) -> None:
    document = written(kind, GOOD[kind])
    assert told(document) == []

    read = kind_of(document["apiVersion"], kind)
    assert read is not None
    assert told({"apiVersion": document["apiVersion"], "kind": kind, **read.prune(document)}) == []


@pytest.mark.parametrize("kind", [*GOOD, *BESIDE])
def test_a_field_that_a_kind_does_not_have_is_named(kind: str) -> None:
    document = written(kind, (GOOD | BESIDE)[kind])
    ((path, said),) = told({**document, "specc": {}})
    assert path == "specc"
    assert "There is no field 'specc'" in said


@pytest.mark.parametrize("version", ["v1beta1", "v1beta2"])
def test_a_version_has_its_own_fields(version: str) -> None:
    flat = {"name": "gpu", "deviceClassName": "gpu"}
    document = written("ResourceClaim", f"resource.k8s.io/{version} spec: {{devices: {{requests: [{flat}]}}}}")
    assert bool(told(document)) == (version == "v1beta2")


def test_a_version_that_is_not_served_any_more_is_checked_as_the_latest() -> None:
    assert type_of_kind("policy/v1beta1", "PodDisruptionBudget") == "PodDisruptionBudget"
    assert type_of_kind("example.com/v1", "Rocket") is None


WRONG = [
    ("PodDisruptionBudget", "maxUnavailable: 50%", "maxUnavailable: 1, minAvailable: 1", "spec", "exclude each other"),
    ("PodDisruptionBudget", "50%", "-1", "spec.maxUnavailable", "-1 is not valid here."),
    ("PodDisruptionBudget", "50%", "150%", "spec.maxUnavailable", "'150%' is not valid here."),
    ("PodDisruptionBudget", "50%", "foo", "spec.maxUnavailable", "'foo' is not valid here."),
    ("PodDisruptionBudget", "50%", "1.5", "spec.maxUnavailable", "8080 or http"),
    (
        "PodDisruptionBudget",
        "maxUnavailable",
        "unhealthyPodEvictionPolicy: Always, maxUnavailable",
        "spec.unhealthyPodEvictionPolicy",
        "AlwaysAllow",
    ),
    ("PodDisruptionBudget", "{app: web}", "{app: we b}", "spec.selector.matchLabels.app", "label"),
    ("PriorityClass", "1000000000", "1000000001", "value", "1 000 000 000"),
    ("PriorityClass", "1000000000", "high", "value", "whole number"),
    ("PriorityClass", "value:", "preemptionPolicy: Later\nvalue:", "preemptionPolicy", "Never"),
    ("Deployment", "app: web}}, template", "app: wbe}}, template", "spec.selector", "does not match"),
    ("Deployment", "maxSurge: 200%", "maxSurge: 0, maxUnavailable: 0%", "spec.strategy.rollingUpdate", "not both be 0"),
    ("Deployment", "rollingUpdate", "type: Recreate, rollingUpdate", "spec.strategy.rollingUpdate", "RollingUpdate"),
    ("Deployment", "replicas: 2", "paused: 1", "spec.paused", "neither true nor false"),
    (
        "Deployment",
        "template: {metadata",
        "template: {metdata",
        "spec.template.metdata",
        "There is no field",
    ),
    ("Deployment", "{rollingUpdate", "{typ: x, rollingUpdate", "spec.strategy.typ", "There is no field 'typ'"),
    ("Deployment", "replicas: 2", "replicas: -1", "spec.replicas", "at least 0"),
    (
        "Deployment",
        "replicas: 2",
        "progressDeadlineSeconds: 5, minReadySeconds: 5",
        "spec.progressDeadlineSeconds",
        "6",
    ),
    ("Deployment", "{containers", "{restartPolicy: Never, containers", "spec.template.spec.restartPolicy", "Always"),
    ("ReplicaSet", "image: web:1", "ports: [{}]", "spec.template.spec.containers[0].ports[0]", "containerPort"),
    ("DaemonSet", "maxSurge: 0", "maxSurge: 1, maxUnavailable: 1", "spec.updateStrategy.rollingUpdate", "exclude"),
    ("StatefulSet", "accessModes: [ReadWriteOnce]", "accessModes: [Once]", "accessModes[0]", "ReadWriteOnce"),
    ("Job", "restartPolicy: Never, ", "", "spec.template.spec.restartPolicy", "OnFailure"),
    ("Job", "parallelism: 2", "completionMode: Indexed", "spec.completions", ""),
    ("Job", "parallelism: 2", "backoffLimitPerIndex: 1", "spec.backoffLimitPerIndex", "completionMode: Indexed"),
    ("CronJob", "0 3 * * *", "0 25 * * *", "spec.schedule", "is not valid here"),
    ("CronJob", "schedule", "concurrencyPolicy: Skip, schedule", "spec.concurrencyPolicy", "Forbid"),
    ("ReplicationController", "replicas: 2", "selector: {app: db}", "spec.selector", "does not match"),
    ("LimitRange", "default: {cpu: '1'}", "default: {cpu: '3'}", "spec.limits[0].default.cpu", "must be ≤ max"),
    ("LimitRange", "Container", "Pod", "spec.limits[0].default", "Container"),
    ("ResourceQuota", "[BestEffort]", "[BestEffort, NotBestEffort]", "spec.scopes", "exclude each other"),
    ("ResourceQuota", "[BestEffort]", "[Best]", "spec.scopes[0]", "BestEffort"),
    ("Node", "effect: NoSchedule", "effect: NoRun", "spec.taints[0].effect", "NoSchedule"),
    ("Node", "cpu: '4'", "cpu: '-4'", "status.allocatable.cpu", ""),
    ("PersistentVolumeClaim", "[ReadWriteOnce]", "[ReadWriteOnce, ReadWriteOncePod]", "spec.accessModes", "exclude"),
    ("PersistentVolumeClaim", "1Gi", "0", "spec.resources.requests.storage", ""),
    ("PersistentVolume", "hostPath", "nfs: {server: a, path: /}, hostPath", "spec", "exclude each other"),
    ("PersistentVolume", "hostPath", "local", "spec.nodeAffinity.required", ""),
    ("RuntimeClass", "handler: kata", "description: a", "description", "no field"),
    ("ResourceClaim", "requests: [gpu]", "requests: [cpu]", "spec.devices.constraints[0].requests[0]", "Write gpu"),
    ("ResourceClaim", "exactly: {", "exactly: {count: -1, ", "spec.devices.requests[0].exactly.count", "at least 1"),
    ("ResourceClaim", "deviceClassName: gpu, ", "", "spec.devices.requests[0].exactly", "deviceClassName"),
    (
        "ResourceClaimTemplate",
        "exactly",
        "firstAvailable: [], exactl",
        "spec.spec.devices.requests[0].exactl",
        "exactly",
    ),
    ("DeviceClass", "cel: {expression: 'true'}", "", "spec.selectors[0].cel", ""),
    ("DeviceClass", "'true'", "device.driver == 1", "spec.selectors[0].cel.expression", "found no matching overload"),
    ("ResourceClaim", "'true'", "'1 +'", "spec.devices.requests[0].exactly.selectors[0].cel.expression", "Syntax"),
    ("DeviceTaintRule", "NoExecute", "Evict", "spec.taint.effect", "NoExecute"),
    ("ResourceSlice", "nodeName: n1", "nodeName: n1, allNodes: true", "spec", "exactly one of"),
    ("ResourceSlice", "{string: a}", "{string: a, int: 1}", "spec.devices[0].attributes.model", "exactly one of"),
    ("PodGroup", "minCount: 2", "minCount: 0", "spec.schedulingPolicy.gang.minCount", "at least 1"),
    ("Workload", "gang", "basic: {}, gang", "spec.podGroupTemplates[0].schedulingPolicy", "exactly one of"),
    ("StorageClass", "provisioner", "volumeBindingMode: Later\nprovisioner", "volumeBindingMode", "WaitForFirst"),
    ("CSINode", "count: 3", "count: -3", "spec.drivers[0].allocatable.count", "at least 0"),
]


@pytest.mark.parametrize(("kind", "right", "wrong", "path", "said"), WRONG)
def test_what_the_api_server_refuses_is_named(kind: str, right: str, wrong: str, path: str, said: str) -> None:
    text = GOOD[kind].replace(right, wrong, 1)
    assert text != GOOD[kind]
    found = told(written(kind, text))
    assert [each for each in found if each[0].endswith(path) and said in each[1].replace("\u202f", " ")], found


@pytest.mark.parametrize(
    ("name", "value", "is_right"),
    [("system-node-critical", 2_000_001_000, True), ("system-node-critical", 5, False), ("system-mine", 5, False)],
)
def test_names_of_the_systems_priority_classes_are_reserved(name: str, value: int, *, is_right: bool) -> None:
    found = told(written("PriorityClass", f"scheduling.k8s.io/v1 value: {value}", name=name))
    assert [each[0] for each in found] == ([] if is_right else ["metadata.name"])


def test_a_budget_may_bound_nothing() -> None:
    assert told(written("PodDisruptionBudget", "policy/v1 spec: {}")) == []
