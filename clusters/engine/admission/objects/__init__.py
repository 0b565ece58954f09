"""What the API server refuses of objects beside pods, by rules between their fields and bounds of their values.

Each field's own type is looked at before. Upstream: the packages ``validation`` of ``pkg/apis`` (v1.37.2, feature gates
at their defaults), as far as scheduling reads the fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.admission.objects import bounds, devices, groups, priorities, volumes, workloads
from clusters.engine.admission.validation.selecting import check_labels
from clusters.engine.objects import metadata

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clusters.engine.admission.validation.wrong import Wrong
    from clusters.engine.objects import Document

__all__ = ["wrongs_of_object"]

_RULES: Final[dict[str, Callable[[Document], Iterator[Wrong]]]] = {
    "CSINode": volumes.csi_node,
    "CompositePodGroup": groups.group,
    "CronJob": workloads.cron_job,
    "DaemonSet": workloads.daemon_set,
    "Deployment": workloads.deployment,
    "DeviceClass": devices.device_class,
    "DeviceTaintRule": devices.taint_rule,
    "Job": workloads.job,
    "LimitRange": bounds.limit_range,
    "Node": bounds.node,
    "PersistentVolume": volumes.volume,
    "PersistentVolumeClaim": volumes.claim,
    "PodDisruptionBudget": bounds.budget,
    "PodGroup": groups.group,
    "PriorityClass": priorities.priority_class,
    "ReplicaSet": workloads.replica_set,
    "ReplicationController": workloads.replication_controller,
    "ResourceClaim": devices.claim,
    "ResourceClaimTemplate": devices.claim_template,
    "ResourceQuota": bounds.quota,
    "ResourceSlice": devices.resource_slice,
    "RuntimeClass": bounds.runtime_class,
    "Service": bounds.service,
    "StatefulSet": workloads.stateful_set,
    "Workload": groups.workload,
}


def wrongs_of_object(document: Document) -> Iterator[Wrong]:
    """Yield every field for which the API server would refuse an object; none of kinds without rules here."""
    yield from check_labels(metadata(document).get("labels"), "metadata.labels")
    rules = _RULES.get(str(document.get("kind")))
    if rules is not None:
        yield from rules(document)
