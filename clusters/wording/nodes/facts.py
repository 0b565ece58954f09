"""What taints and conditions of a node mean, and what its images and volumes are counted as."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of, listed
from clusters.wording.messages import message, plural
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
    "Ready": gettext_lazy("No new pods; running pods are evicted as their tolerations expire."),
    "MemoryPressure": gettext_lazy("The kubelet evicts pods to reclaim memory, and admits no BestEffort pods."),
    "DiskPressure": gettext_lazy("The kubelet removes unused images, evicts pods and admits no new ones."),
    "PIDPressure": gettext_lazy("The kubelet evicts pods, and admits no new ones."),
    "NetworkUnavailable": gettext_lazy("The network of the node is not configured: no new pods are scheduled."),
}


EVICTED_AT_ONCE = plural(
    "NoExecute taints evict %(pods)s pod at once.", "NoExecute taints evict %(pods)s pods at once.", by="pods"
)
EVICTED_AFTER = plural(
    "NoExecute taints evict %(pods)s pod after %(seconds)s s.",
    "NoExecute taints evict %(pods)s pods after %(seconds)s s.",
    by="pods",
)
TOLERATE = plural(
    "%(pods)s pod tolerates the NoExecute taints and stays.",
    "%(pods)s pods tolerate the NoExecute taints and stay.",
    by="pods",
)
HOLDERS = message("%(nodes)s of %(all)s")
OTHER_NAMES = plural("%(number)s more name", "%(number)s more names", by="number")


def images(number: int) -> str:
    """Count the images of a node."""
    if not number:
        return _("No images reported")
    return ngettext("%(number)s image on the node", "%(number)s images on the node", number) % {
        "number": grouped(number)
    }


MORE_IMAGES = plural("%(number)s smaller image not shown.", "%(number)s smaller images not shown.", by="number")
LABELS = plural("%(number)s label", "%(number)s labels", by="number")
ATTACHED = plural(
    "%(volumes)s volume attached, no limit known", "%(volumes)s volumes attached, no limit known", by="volumes"
)
VOLUMES_OF = message("Volumes of %(driver)s")
VOLUME_PARTS = message("Used by pods here: %(by_pods)s. Attached without a pod: %(others)s.")


def deferred_resizes(pods: Sequence[str], held: Iterable[tuple[str, int]]) -> str:
    """Say what pods hold on a node for resizes that are deferred."""
    return ngettext(
        "%(pods)s waits for a deferred resize: the scheduler counts %(held)s for it that the pod does not run with.",
        "%(pods)s wait for deferred resizes: the scheduler counts %(held)s for them that the pods do not run with.",
        len(pods),
    ) % {"pods": first_of(pods), "held": listed([resource_amount(*each) for each in held])}


UNHEALTHY_DEVICES = message(
    "%(resource)s: capacity %(capacity)s, allocatable %(allocatable)s. The device plugin reports the others "
    "unhealthy, or does not run."
)
