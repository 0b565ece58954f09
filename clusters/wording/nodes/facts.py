"""What taints and conditions of a node mean, and what its images and volumes are counted as."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of, listed
from clusters.wording.resources import resource_amount

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# By effect.
EFFECTS: Final = {
    "NoSchedule": gettext_lazy("Pods without a matching toleration are not scheduled to the node; running pods stay."),
    "PreferNoSchedule": gettext_lazy("The scheduler prefers other nodes for pods without a matching toleration."),
    "NoExecute": gettext_lazy(
        "Pods without a matching toleration are not scheduled to the node, and running ones are evicted."
    ),
}
# By key: who sets a taint, and when.
ORIGINS: Final = {
    "node.kubernetes.io/not-ready": gettext_lazy("Set while the condition Ready is False."),
    "node.kubernetes.io/unreachable": gettext_lazy("Set while the condition Ready is Unknown."),
    "node.kubernetes.io/memory-pressure": gettext_lazy("Set while the condition MemoryPressure is True."),
    "node.kubernetes.io/disk-pressure": gettext_lazy("Set while the condition DiskPressure is True."),
    "node.kubernetes.io/pid-pressure": gettext_lazy("Set while the condition PIDPressure is True."),
    "node.kubernetes.io/network-unavailable": gettext_lazy("Set while the condition NetworkUnavailable is True."),
    "node.kubernetes.io/unschedulable": gettext_lazy("Set while the node is cordoned."),
    "node.kubernetes.io/out-of-service": gettext_lazy("Set by an administrator after the node was shut down."),
    "node.cloudprovider.kubernetes.io/uninitialized": gettext_lazy(
        "Set until the cloud controller manager has initialised the node."
    ),
    "node.cloudprovider.kubernetes.io/shutdown": gettext_lazy("Set while the cloud provider reports a shutdown."),
}
# By type of a condition that is not as it should be: what follows.
CONDITIONS: Final = {
    "Ready": gettext_lazy("No new pods are scheduled; running pods are evicted when their tolerations expire."),
    "MemoryPressure": gettext_lazy("The kubelet evicts pods to reclaim memory, and admits no new BestEffort pods."),
    "DiskPressure": gettext_lazy("The kubelet removes unused images and evicts pods, and admits no new ones."),
    "PIDPressure": gettext_lazy("The kubelet evicts pods, and admits no new ones."),
    "NetworkUnavailable": gettext_lazy("The network of the node is not configured: no new pods are scheduled."),
}


def evicted_at_once(pods: int) -> str:
    """Count the pods that tolerate some NoExecute taint not at all."""
    return ngettext(
        "NoExecute taints evict %(pods)s pod at once.", "NoExecute taints evict %(pods)s pods at once.", pods
    ) % {"pods": grouped(pods)}


def evicted_after(pods: int, seconds: int) -> str:
    """Count the pods that tolerate the NoExecute taints for so many seconds."""
    return ngettext(
        "NoExecute taints evict %(pods)s pod after %(seconds)s s.",
        "NoExecute taints evict %(pods)s pods after %(seconds)s s.",
        pods,
    ) % {"pods": grouped(pods), "seconds": grouped(seconds)}


def tolerate(pods: int) -> str:
    """Count the pods that tolerate the NoExecute taints for ever."""
    return ngettext(
        "%(pods)s pod tolerates the NoExecute taints and stays.",
        "%(pods)s pods tolerate the NoExecute taints and stay.",
        pods,
    ) % {"pods": grouped(pods)}


def holders(nodes: int, of: int) -> str:
    """Say how many nodes hold an image."""
    return _("%(nodes)s of %(all)s") % {"nodes": grouped(nodes), "all": grouped(of)}


def other_names(number: int) -> str:
    """Count the names of an image beside the one that is shown."""
    return ngettext("%(number)s more name", "%(number)s more names", number) % {"number": grouped(number)}


def images(number: int) -> str:
    """Count the images of a node."""
    if not number:
        return _("No images reported")
    return ngettext("%(number)s image on the node", "%(number)s images on the node", number) % {
        "number": grouped(number)
    }


def more_images(number: int) -> str:
    """Count the images that are not shown, as the smallest."""
    return ngettext("%(number)s smaller image not shown.", "%(number)s smaller images not shown.", number) % {
        "number": grouped(number)
    }


def labels(number: int) -> str:
    """Count the labels of a node."""
    return ngettext("%(number)s label", "%(number)s labels", number) % {"number": grouped(number)}


def attached(volumes: int) -> str:
    """Count the volumes of a driver that names no limit."""
    return ngettext(
        "%(volumes)s volume attached, no limit known", "%(volumes)s volumes attached, no limit known", volumes
    ) % {"volumes": grouped(volumes)}


def volumes_of(driver: str) -> str:
    """Name the meter of a driver's volumes."""
    return _("Volumes of %(driver)s") % {"driver": driver}


def volume_parts(by_pods: int, others: int) -> str:
    """Say which of the attached volumes pods of the node use."""
    return _("Used by pods here: %(by_pods)s. Attached without a pod: %(others)s.") % {
        "by_pods": grouped(by_pods),
        "others": grouped(others),
    }


def deferred_resizes(pods: Sequence[str], held: Iterable[tuple[str, int]]) -> str:
    """Say what pods hold on a node for resizes that are deferred."""
    return ngettext(
        "%(pods)s waits for a deferred resize: the scheduler counts %(held)s for it that the pod does not run with.",
        "%(pods)s wait for deferred resizes: the scheduler counts %(held)s for them that the pods do not run with.",
        len(pods),
    ) % {"pods": first_of(pods), "held": listed([resource_amount(*each) for each in held])}


def unhealthy_devices(resource: str, *, capacity: int, allocatable: int) -> str:
    """Say that a node does not offer all devices that it has."""
    return _(
        "%(resource)s: capacity %(capacity)s, allocatable %(allocatable)s. The device plugin reports the others "
        "unhealthy, or does not run."
    ) % {"resource": resource, "capacity": grouped(capacity), "allocatable": grouped(allocatable)}
