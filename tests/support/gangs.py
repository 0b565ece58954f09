"""A small cluster with a group of pods in each state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.models import Cluster
from clusters.services.mirror.snapshots import forget_snapshots
from tests.clusters.dumps import node, pod
from tests.engine.podgroups.groups import a_policy
from tests.support.mirrored import load

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Object = dict[str, Any]

NAMESPACE = "ml"
ON = {"GenericWorkload": True, "GangScheduling": True}


def group(name: str, least: int | None, *, owner: tuple[str, str] | None = None, **fields: Any) -> Object:
    """A PodGroup of 1.37; ``owner``: kind and name of its controller."""
    metadata = {"name": name, "namespace": NAMESPACE, "uid": f"group-{name}", "ownerReferences": _references(owner)}
    spec = {"schedulingPolicy": a_policy(least), **fields.pop("spec", {})}
    return {
        "apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup", "metadata": metadata, "spec": spec, **fields
    }  # fmt: skip


def member(name: str, of: str, *, on: str = "", cpu: str = "100m", owner: tuple[str, str] | None = None) -> Object:
    """A pod that names a group; ``owner``: kind and name of its controller."""
    requests = [{"name": "main", "image": "app:1", "resources": {"requests": {"cpu": cpu}}}]
    found = pod(name, NAMESPACE, on=on, schedulingGroup={"podGroupName": of}, containers=requests)
    found["metadata"]["ownerReferences"] = _references(owner)
    return found


def _references(owner: tuple[str, str] | None) -> list[Object]:
    return [{"apiVersion": "v1", "kind": owner[0], "name": owner[1], "controller": True}] if owner else []


def objects() -> list[Object]:
    """A node of 1.37; a gang that lacks pods, one with pods that fit nowhere, and groups of every other state."""
    n1 = node("n1")
    n1["status"]["nodeInfo"] = {"kubeletVersion": "v1.37.2"}
    reported = {"type": "PodGroupScheduled", "status": "False", "reason": "Unschedulable", "message": "no room"}
    return [
        n1,
        group("train", 5, owner=("JobSet", "big"), spec={"priorityClassName": "high", "priority": 7}),
        *(member(f"train-{number}", "train") for number in range(3)),
        group("infer", 3, status={"conditions": [reported]}, spec={"disruptionMode": {"all": {}}}),
        member("infer-0", "infer"),
        *(member(f"infer-{number}", "infer", cpu="100") for number in (1, 2)),
        group("web", None),
        *(member(f"web-{number}", "web", on="n1", owner=("StatefulSet", "web")) for number in range(2)),
        group("idle", None),
        member("stray", "lost"),
        pod("alone", NAMESPACE),
    ]


def load_gangs(
    folder: Path, name: str = "gangs", *, gates: dict[str, bool] | None = None, more: Sequence[Object] = ()
) -> Cluster:
    """Mirror the cluster and ``more``, by default with the feature gates that make kube-scheduler read groups."""
    cluster = load(folder, name, [*objects(), *more])
    Cluster.objects.filter(pk=cluster.pk).update(chosen_feature_gates=ON if gates is None else gates)
    forget_snapshots()
    cluster.refresh_from_db()
    return cluster


def gang_that_preempts() -> list[Object]:
    """A gang of 1.36 for which pods of lower priority would have to go, uncertain with WorkloadAwarePreemption."""
    request = {"name": "main", "image": "app:1", "resources": {"requests": {"cpu": "2"}}}
    info = {"nodeInfo": {"kubeletVersion": "v1.36.3"}}
    one = node("n1")
    low = [pod(f"low-{number}", on="n1", priority=-1, containers=[request]) for number in range(2)]
    spec = {"schedulingPolicy": {"gang": {"minCount": 2}}, "priority": 5}
    metadata = {"name": "train", "namespace": "shop", "uid": "train"}
    gang = {"apiVersion": "scheduling.k8s.io/v1alpha2", "kind": "PodGroup", "metadata": metadata, "spec": spec}
    named: Object = {"schedulingGroup": {"podGroupName": "train"}, "priority": 5, "containers": [request]}
    return [{**one, "status": {**one["status"], **info}}, *low, gang, *(pod(name, **named) for name in ("a", "b"))]
