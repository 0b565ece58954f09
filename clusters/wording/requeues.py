"""What requeues pods in words, and causes that keep them pending."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils.translation import gettext as _

from clusters.engine.analysis import Cause, Kind
from clusters.engine.plugin import ClusterEvent
from clusters.engine.registry import registered_events
from clusters.wording.conclusions import uncertainty_clauses
from clusters.wording.messages import Message, message

if TYPE_CHECKING:
    from clusters.engine.versions import Release


# -- Why pods are pending, in words -----------------------------------------------------------------------------------


def cause_reason(cause: Cause) -> str:
    """Return the reason of a cause for a column of a table: the scheduler's words, gates, or what is not computed."""
    if cause.has_no_nodes:
        return _("no nodes")
    if cause.kind is Kind.VOLUME:
        return _("a volume is being provisioned")
    if cause.uncertainties:
        return uncertainty_clauses(cause.uncertainties)
    return cause.quoted


# -- What requeues a pod that a plugin rejected -----------------------------------------------------------------------


class Requeue(NamedTuple):
    """What has to happen so that the queue asks a plugin again, as a clause, and the events that stand for it."""

    when: Message
    events: tuple[ClusterEvent, ...]


REQUEUES: Final = (
    Requeue(message("a node is added"), (ClusterEvent.NODE_ADD,)),
    Requeue(message("a node is deleted"), (ClusterEvent.NODE_DELETE,)),
    Requeue(message("a node's allocatable resources change"), (ClusterEvent.NODE_ALLOCATABLE,)),
    Requeue(message("a node declares other features"), (ClusterEvent.NODE_DECLARED_FEATURE,)),
    Requeue(message("a node's labels change"), (ClusterEvent.NODE_LABEL,)),
    Requeue(message("a node's podPreemptionPolicy changes"), (ClusterEvent.NODE_PREEMPTION_POLICY,)),
    Requeue(message("a node's taints change"), (ClusterEvent.NODE_TAINT,)),
    Requeue(message("a pod is added"), (ClusterEvent.POD_ADD,)),
    Requeue(message("the pod changes"), (ClusterEvent.POD_UPDATE,)),
    Requeue(message("a pod is deleted"), (ClusterEvent.POD_DELETE,)),
    Requeue(message("a pod's labels change"), (ClusterEvent.POD_LABEL,)),
    Requeue(message("a pod requests less"), (ClusterEvent.POD_SCALE_DOWN,)),
    Requeue(message("a pod requests more"), (ClusterEvent.POD_SCALE_UP,)),
    Requeue(message("the pod gets a toleration"), (ClusterEvent.POD_TOLERATION,)),
    Requeue(message("the last gate is removed"), (ClusterEvent.POD_GATES_ELIMINATED,)),
    Requeue(message("a claim is added"), (ClusterEvent.CLAIM_ADD,)),
    Requeue(message("a claim changes"), (ClusterEvent.CLAIM_UPDATE,)),
    Requeue(message("a volume is added or changes"), (ClusterEvent.VOLUME_ADD, ClusterEvent.VOLUME_UPDATE)),
    Requeue(message("a storage class is added"), (ClusterEvent.STORAGE_CLASS_ADD,)),
    Requeue(message("a storage class changes"), (ClusterEvent.STORAGE_CLASS_UPDATE,)),
    Requeue(
        message("storage capacity changes"),
        (ClusterEvent.STORAGE_CAPACITY_ADD, ClusterEvent.STORAGE_CAPACITY_UPDATE),
    ),
    Requeue(message("a volume is detached"), (ClusterEvent.VOLUME_ATTACHMENT_DELETE,)),
    Requeue(
        message("a CSI driver changes"),
        (ClusterEvent.CSI_NODE_ADD, ClusterEvent.CSI_NODE_UPDATE, ClusterEvent.CSI_DRIVER_UPDATE),
    ),
    Requeue(
        message("a resource claim is added or changes"),
        (
            ClusterEvent.RESOURCE_CLAIM_ADD,
            ClusterEvent.RESOURCE_CLAIM_UPDATE,
            ClusterEvent.POD_GENERATED_RESOURCE_CLAIM,
        ),
    ),
    Requeue(message("a resource claim is deleted"), (ClusterEvent.RESOURCE_CLAIM_DELETE,)),
    Requeue(
        message("devices are added or change"),
        (ClusterEvent.RESOURCE_SLICE_ADD, ClusterEvent.RESOURCE_SLICE_UPDATE),
    ),
    Requeue(
        message("a device class is added or changes"),
        (ClusterEvent.DEVICE_CLASS_ADD, ClusterEvent.DEVICE_CLASS_UPDATE),
    ),
    Requeue(message("a Workload is created"), (ClusterEvent.WORKLOAD_ADD,)),
    Requeue(
        message("a PodGroup is created or changes"),
        (ClusterEvent.POD_GROUP_ADD, ClusterEvent.POD_GROUP_UPDATE),
    ),
    Requeue(
        message("a CompositePodGroup is created or changes"),
        (ClusterEvent.COMPOSITE_POD_GROUP_ADD, ClusterEvent.COMPOSITE_POD_GROUP_UPDATE),
    ),
)


def requeues_of(plugin: str, release: Release) -> tuple[Requeue, ...]:
    """Return what requeues a pod in a release that a plugin rejected, with the events that stand for it there."""
    events = registered_events(plugin, release)
    found = (each._replace(events=tuple(event for event in each.events if event in events)) for each in REQUEUES)
    return tuple(each for each in found if each.events)
