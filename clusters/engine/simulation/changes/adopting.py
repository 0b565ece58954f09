"""Pods that nothing controls, of which a ReplicaSet that comes takes control.

Upstream: ``ClaimPods`` in ``pkg/controller/controller_ref_manager.go`` and ``manageReplicas`` in
``pkg/controller/replicaset`` v1.34.1. Pods that have ended or are being deleted are not adopted; of more than are
wanted some go, in the order in which the controller deletes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.matching.selectors import LabelSelector
from clusters.engine.objects import Pod, key_of, labels_of, metadata, name_of, namespace_of
from clusters.engine.simulation.ranking import first_to_go
from clusters.engine.simulation.remarks import PodsAdopted
from clusters.engine.volumes.claims import spec_of
from clusters.engine.workloads.pod_template import Workload

if TYPE_CHECKING:
    from clusters.engine.objects import Document
    from clusters.engine.simulation.changes.world import ClusterDocuments


def adopt(world: ClusterDocuments, replica_set: Document) -> int:
    """Let a ReplicaSet, or a ReplicationController, take control of the pods that its selector means.

    Returns how many it then has.
    """
    namespace, spec = namespace_of(replica_set), spec_of(replica_set)
    kind, given = str(replica_set["kind"]), spec.get("selector")
    selector = LabelSelector.from_dict({"matchLabels": given} if kind == "ReplicationController" else given)
    orphans = [
        document
        for document in world.pods_of(Workload(namespace, "", ""))
        if selector.matches(labels_of(document)) and not Pod(document).finished and not Pod(document).terminating
    ]
    if not orphans:
        return 0
    deleted = first_to_go(orphans, max(0, len(orphans) - int(spec["replicas"])))
    gone = {key_of(document) for document in deleted}
    for key in gone:
        world.drop(key)
    fields = metadata(replica_set)
    owner = {
        "apiVersion": str(replica_set.get("apiVersion") or "apps/v1"),
        "kind": kind,
        "name": name_of(replica_set),
        "uid": fields["uid"],
        "controller": True,
    }
    for document in orphans:
        if key_of(document) not in gone:
            world.own(key_of(document), owner)
    world.remarks.append(PodsAdopted(f"{kind} {namespace}/{name_of(replica_set)}", len(orphans), len(gone)))
    return len(orphans) - len(gone)
