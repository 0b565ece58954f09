"""Whose pods those are that a sample names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine import Snapshot
from clusters.engine.usage.hour import UsageKey
from clusters.engine.usage.sample import WHOLE_POD, UsedAmounts
from clusters.engine.usage.workload_sizing import running_containers
from clusters.models import KubeObject, Pod
from clusters.services.workloads.owners import Owners

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.usage.sample import PodUsage
    from clusters.engine.workloads.pod_template import Workload
    from clusters.models import Cluster

_AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class PodMember:
    """A pod of the mirror: its workload, its UID, and the names of the containers that run in it."""

    workload: Workload
    uid: str
    containers: tuple[str, ...]

    def used(self, pod: PodUsage) -> Iterator[tuple[UsageKey, UsedAmounts]]:
        """What a sample tells of the pod, by container; the sum of a pod's only container is the container's."""
        for name, used in pod.containers.items():
            is_only = name == WHOLE_POD and len(self.containers) == 1
            yield UsageKey.of(self.workload, self.containers[0] if is_only else name), used


def pod_members(cluster: Cluster) -> dict[str, PodMember]:
    """Return the pods of the mirror by ``namespace/name``. The transaction that changes the mirror may ask as well."""
    between = KubeObject.objects.filter(cluster=cluster, kind__in=("ReplicaSet", "Job"))
    rows = list(between.values_list("kind", "namespace", "name", "object"))
    replica_sets = Snapshot.from_objects(document for kind, _, _, document in rows if kind == "ReplicaSet")
    jobs = {(namespace, name): document for kind, namespace, name, document in rows if kind == "Job"}
    owners = Owners(replica_sets, jobs)
    pods = Pod.objects.filter(cluster=cluster).values_list("namespace", "name", "uid", "object")
    return {
        f"{namespace}/{name}": PodMember(
            owners.of_pod(namespace, name, document),
            uid,
            tuple(str(container.get("name") or "") for container in running_containers(document)),
        )
        for namespace, name, uid, document in pods.iterator(_AT_ONCE)
    }
