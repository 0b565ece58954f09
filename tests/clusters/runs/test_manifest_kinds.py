"""Manifests of devices, priorities and of what makes pods beside workloads: simulated with what they name."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import SchedulerConfiguration
from clusters.engine.objects import name_of
from clusters.engine.simulation import ChangeError, Prepared, Simulation, prepared
from clusters.services.runs.spec import SpecError, read_spec
from clusters.wording.problems import problem_sentence
from tests.engine.builders import a_node

# The example of dynamic resource allocation in Kubernetes' documentation, with two devices of its driver.
CATS = """\
apiVersion: resource.k8s.io/v1beta2
kind: DeviceClass
metadata: {name: resource.example.com}
spec:
  selectors:
    - cel:
        expression: device.driver == "resource-driver.example.com"
---
apiVersion: resource.k8s.io/v1beta2
kind: ResourceClaimTemplate
metadata: {name: large-black-cat-claim-template}
spec:
  spec:
    devices:
      requests:
        - name: req-0
          exactly:
            deviceClassName: resource.example.com
            selectors:
              - cel:
                  expression: |-
                    device.attributes["resource-driver.example.com"].color == "black" &&
                    device.attributes["resource-driver.example.com"].size == "large"
---
apiVersion: v1
kind: Pod
metadata: {name: pod-with-cats}
spec:
  containers:
    - {name: container0, image: "ubuntu:20.04", resources: {claims: [{name: cat-0}]}}
    - {name: container1, image: "ubuntu:20.04", resources: {claims: [{name: cat-1}]}}
  resourceClaims:
    - {name: cat-0, resourceClaimTemplateName: large-black-cat-claim-template}
    - {name: cat-1, resourceClaimTemplateName: large-black-cat-claim-template}
"""
SLICE = """\
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: n1-cats}
spec:
  driver: resource-driver.example.com
  nodeName: n1
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
  devices:
    - {name: cat-0, attributes: {color: {string: black}, size: {string: large}}}
    - {name: cat-1, attributes: {color: {string: black}, size: {string: SIZE}}}
"""
CRON_JOB = """\
apiVersion: batch/v1
kind: CronJob
metadata: {name: report, namespace: shop}
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      parallelism: 2
      completions: 2
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: report:1}]}
"""
CONTROLLER = """\
apiVersion: v1
kind: ReplicationController
metadata: {name: web}
spec:
  replicas: 2
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: web:1}]}
"""
PRIORITY = """\
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: NAME}
value: 1000
globalDefault: true
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: urgent}
spec: {priorityClassName: high, containers: [{name: main, image: web:1}]}
"""


def made(text: str, **more: Any) -> Prepared:
    change = {"change": "add-workload", "text": text, **more}
    spec = read_spec({"version": 1, "base": {"kind": "empty"}, "changes": [change]})
    return prepared([a_node("n1"), a_node("n2")], spec.changes_read, SchedulerConfiguration.default())


@pytest.mark.parametrize(("size", "node"), [("large", "n1"), ("small", None)])
def test_a_pod_gets_the_devices_of_its_own_manifest(size: str, node: str | None) -> None:
    case = made(CATS + SLICE.replace("SIZE", size)).case

    # One claim for each entry of the pod, made from one template.
    assert len(case.snapshot.objects("ResourceClaim")) == 2
    (step,) = Simulation(case)
    assert (step.node or None) == node


def test_a_cron_job_starts_a_job() -> None:
    found = made(CRON_JOB)
    assert [name_of(each.pod) for each in found.case.wanted] == ["report-1-1", "report-1-2"]
    assert [name_of(each) for each in found.case.snapshot.objects("Job", "shop")] == ["report-1"]

    suspended = made(CRON_JOB.replace("  schedule", "  suspend: true\n  schedule"))
    assert suspended.case.wanted == []
    assert suspended.remarks


def test_a_replication_controller_selects_by_the_labels_of_its_template() -> None:
    found = made(CONTROLLER, replicas=3)
    assert [name_of(each.pod) for each in found.case.wanted] == ["web-1", "web-2", "web-3"]
    (stored,) = found.case.snapshot.objects("ReplicationController")
    assert stored["spec"] == {"replicas": 3, "selector": {"app": "web"}}


def test_one_priority_class_is_the_default() -> None:
    one, other = PRIORITY.replace("NAME", "high"), PRIORITY.replace("NAME", "low")
    assert made(f"{one}---\n{POD}").case.wanted[0].pod["spec"]["priority"] == 1000

    with pytest.raises(ChangeError) as caught:
        made(f"{one}---\n{other}")
    assert caught.value.path == "changes[1].manifest.globalDefault"
    assert problem_sentence(caught.value.problem) == "PriorityClass high is marked as default already."


def test_a_priority_class_that_is_not_there_is_refused() -> None:
    with pytest.raises(ChangeError) as caught:
        made(POD, file="pod.yaml")
    assert caught.value.path == "changes[0].pod.yaml.document 1.spec.priorityClassName"


def test_objects_with_a_generate_name_alone_get_names() -> None:
    text = CRON_JOB.replace("name: report, ", "generateName: report-, ")
    names = [[name_of(each.pod) for each in made(f"{text}---\n{text}").case.wanted] for _ in range(2)]

    assert names[0] == names[1]
    assert len(set(names[0])) == 4
    assert all(name.startswith("report-") for name in names[0])


@pytest.mark.parametrize(
    ("text", "right", "wrong", "field"),
    [
        (CRON_JOB, "restartPolicy: Never, ", "", "document 1.spec.jobTemplate.spec.template.spec.restartPolicy"),
        (
            CRON_JOB,
            "    spec:\n      parallelism",
            "    speck:\n      parallelism",
            "document 1.spec.jobTemplate.speck",
        ),
        (CATS, "deviceClassName", "deviceClass", "spec.spec.devices.requests[0].exactly.deviceClass"),
        (PRIORITY.replace("NAME", "high"), "1000", "1000000001", "document 1.value"),
        ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {}\n", "data: {}", "dat: {}", "document 1.dat"),
    ],
)
def test_what_the_api_server_refuses_is_named(text: str, right: str, wrong: str, field: str) -> None:
    assert right in text
    with pytest.raises(SpecError) as caught:
        made(text.replace(right, wrong))
    assert caught.value.field.endswith(field)
    assert caught.value.line
