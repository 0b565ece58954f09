"""Manifests of a simulation bring Workloads and PodGroups with the pods that name them."""

from __future__ import annotations

from clusters.engine import SchedulerConfiguration
from clusters.engine.simulation import Outcome, Simulation, prepared, read_changes
from clusters.services.runs.spec import read_manifests
from tests.engine.builders import a_node
from tests.engine.podgroups.groups import GROUPING

TEXT = """
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata: {name: train, namespace: ml}
spec: {schedulingPolicy: {gang: {minCount: %(least)s}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: train, namespace: ml}
spec:
  parallelism: 3
  completions: 3
  template:
    spec:
      restartPolicy: Never
      schedulingGroup: {podGroupName: train}
      containers: [{name: main, image: a, resources: {requests: {cpu: "1"}}}]
"""


def outcomes(least: int, cpu: str) -> list[Outcome]:
    manifests = read_manifests(TEXT % {"least": least})
    assert not manifests.remarks
    changes = read_changes([{"change": "add-workload", "manifest": each} for each in manifests.documents])
    release = GROUPING["1.37"]
    base = [a_node("n1", allocatable={"cpu": cpu})]
    case = prepared(base, changes, SchedulerConfiguration.default(release)).case
    return [step.outcome for step in Simulation(case)]


def test_a_job_with_a_group_is_placed_whole_or_not_at_all() -> None:
    assert outcomes(3, "3") == [Outcome.PLACED] * 3
    assert outcomes(3, "2") == [Outcome.UNSCHEDULABLE] * 3
    assert outcomes(2, "2") == [Outcome.PLACED, Outcome.PLACED, Outcome.UNSCHEDULABLE]


def test_a_job_waits_for_pods_that_are_not_made() -> None:
    assert outcomes(4, "9") == [Outcome.GATED] * 3
