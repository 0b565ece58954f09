"""Small Kubernetes objects for tests of the engine: what a test does not mention is left out of the object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.objects import Pod
from clusters.engine.plugin import Context
from clusters.engine.versions import ASSUMED, match_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Document = dict[str, Any]

HOSTNAME = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"
REGION = "topology.kubernetes.io/region"


def a_node(
    name: str,
    *,
    labels: Mapping[str, str] | None = None,
    zone: str | None = None,
    allocatable: Mapping[str, str] | None = None,
    taints: Iterable[Mapping[str, str]] = (),
    unschedulable: bool = False,
) -> Document:
    """A node with its host name as a label, and room for 110 pods."""
    placed = {ZONE: zone} if zone is not None else {}
    return {
        "kind": "Node",
        "metadata": {"name": name, "labels": {HOSTNAME: name, **placed, **(labels or {})}},
        "spec": {"taints": list(taints), "unschedulable": unschedulable},
        "status": {"allocatable": {"cpu": "8", "memory": "16Gi", "pods": "110", **(allocatable or {})}},
    }


def a_pod(
    name: str = "pod",
    *,
    namespace: str = "default",
    node: str | None = None,
    nominated: str | None = None,
    labels: Mapping[str, str] | None = None,
    requests: Mapping[str, str] | None = None,
    priority: int = 0,
    volumes: Iterable[Mapping[str, Any]] = (),
    **spec: Any,
) -> Document:
    """A pod with one container: pending, bound to ``node``, or nominated to one; ``spec`` adds any other field."""
    container = {"name": "main", "image": "registry.example/app:1", "resources": {"requests": dict(requests or {})}}
    return {
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "uid": f"uid-{name}", "labels": dict(labels or {})},
        "spec": {
            "containers": [container],
            "priority": priority,
            "volumes": [{"name": f"v{number}", **volume} for number, volume in enumerate(volumes)],
            **({"nodeName": node} if node is not None else {}),
            **spec,
        },
        "status": {"phase": "Pending", **({"nominatedNodeName": nominated} if nominated is not None else {})},
    }


def a_context(
    pod: Document,
    *objects: Document,
    arguments: Mapping[str, Any] | None = None,
    kubernetes: str = ASSUMED.compared,
) -> Context:
    """One cycle of a pod in the cluster that these objects make."""
    return Context(Snapshot.from_objects(objects, match_release(kubernetes).release), Pod(pod), arguments or {})


def explanation_of(
    pod: Document, *objects: Document, kubernetes: str = ASSUMED.compared, **configuration: Any
) -> Explanation:
    """A pod explained by a release's default scheduler, or by one with these fields of a KubeSchedulerConfiguration."""
    versioned = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", **configuration}
    release = match_release(kubernetes).release
    read = SchedulerConfiguration.from_dict(versioned, release)
    return explain(Snapshot.from_objects(objects, release), pod, read.profile_for(pod))


def with_arguments(plugin: str, **arguments: Any) -> Document:
    """Profiles of a configuration in which one plugin has these arguments."""
    return {"profiles": [{"pluginConfig": [{"name": plugin, "args": arguments}]}]}


def scores_of(explanation: Explanation, plugin: str) -> dict[str, tuple[int, int]]:
    """One plugin's raw and normalised scores by feasible node; empty where the plugin left the pod out."""
    for score in explanation.scores:
        if score.plugin == plugin:
            pairs = zip(score.raw.tolist(), score.normalised.tolist(), strict=True)
            return dict(zip(explanation.feasible, pairs, strict=True))
    return {}


def raw_scores_of(explanation: Explanation, plugin: str) -> dict[str, int]:
    """One plugin's raw scores by feasible node."""
    return {node: raw for node, (raw, _) in scores_of(explanation, plugin).items()}


def controlled(pod: Document, kind: str = "ReplicaSet", name: str = "web") -> Document:
    """The pod with a controller."""
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": name, "controller": True}
    return {**pod, "metadata": {**pod["metadata"], "ownerReferences": [owner]}}


def ready(pod: Document) -> Document:
    """The pod as it runs, with its containers ready."""
    return {**pod, "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}
