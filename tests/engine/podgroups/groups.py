"""Workloads, PodGroups and their pods for tests of groups."""

from __future__ import annotations

from typing import Any

from clusters.engine import Snapshot
from clusters.engine.versions import RELEASES, Gate
from tests.engine.builders import Document, a_node, a_pod

# Gates that bring groups of pods in each minor that has them.
GROUP_GATES = {
    "1.35": {Gate.GENERIC_WORKLOAD: True, Gate.GANG_SCHEDULING: True},
    "1.36": {Gate.GENERIC_WORKLOAD: True, Gate.GANG_SCHEDULING: True},
    "1.37": {Gate.GENERIC_WORKLOAD: True},
    "1.38": {Gate.GENERIC_WORKLOAD: True},
}
GROUPING = {minor: RELEASES[minor].with_gates(gates) for minor, gates in GROUP_GATES.items()}
VERSIONS = {"1.35": "v1alpha1", "1.36": "v1alpha2", "1.37": "v1beta1", "1.38": "v1beta1"}


def a_policy(least: int | None) -> Document:
    """A gang with its least number of pods, or the basic policy."""
    return {"basic": {}} if least is None else {"gang": {"minCount": least}}


def a_group(name: str = "train", least: int | None = 2, *, minor: str = "1.37", **spec: Any) -> Document:
    """What pods of the minor name: a Workload with one pod group ``workers``, or a PodGroup."""
    version = f"scheduling.k8s.io/{VERSIONS[minor]}"
    metadata = {"name": name, "namespace": "default"}
    if minor == "1.35":
        groups = [{"name": "workers", "policy": a_policy(least)}]
        return {"apiVersion": version, "kind": "Workload", "metadata": metadata, "spec": {"podGroups": groups, **spec}}
    spec = {"schedulingPolicy": a_policy(least), **spec}
    return {"apiVersion": version, "kind": "PodGroup", "metadata": metadata, "spec": spec}


def a_member(name: str, group: str = "train", *, minor: str = "1.37", **fields: Any) -> Document:
    """A pod of a group."""
    if minor == "1.35":
        return a_pod(name, workloadRef={"name": group, "podGroup": "workers"}, **fields)
    return a_pod(name, schedulingGroup={"podGroupName": group}, **fields)


def a_cluster(minor: str, *objects: Document) -> Snapshot:
    """A snapshot of a minor that knows groups of pods."""
    return Snapshot.from_objects(objects, GROUPING[minor])


def a_small_node(name: str, cpu: int) -> Document:
    """A node of so many CPUs."""
    return a_node(name, allocatable={"cpu": str(cpu)})


def members(*names: str, minor: str = "1.37", cpu: int = 1, **fields: Any) -> list[Document]:
    """Pods of the group that each request so many CPUs."""
    return [a_member(name, minor=minor, requests={"cpu": str(cpu)}, **fields) for name in names]
