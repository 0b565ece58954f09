"""What a node's kubelet observed of its disks, and which pods exceed their limits there: in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.kubelet import ExceededLimit, StorageExcess
from clusters.wording.amounts import grouped, moment, size
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime


MET: Final = pgettext_lazy("state of an eviction threshold", "met")
MEMORY_USED: Final = gettext_lazy("Memory used")
DISK_USED: Final = gettext_lazy("Disk used, of what counts")
INODES_USED: Final = gettext_lazy("Inodes used, of what counts")
PROCESSES: Final = gettext_lazy("Processes")
LAYOUT_BY_SIZES: Final = gettext_lazy(
    "How its file systems are divided follows from their sizes in the summary; choose otherwise where that is wrong."
)
WHOLE_POD: Final = pgettext_lazy("what exceeds a limit for ephemeral storage", "whole pod")
EVICTED: Final = gettext_lazy("The kubelet evicts the pod, with 1 s of time, however full the node is.")
SPARED: Final = gettext_lazy("The kubelet spares the pod all the same, as it is critical.")
NOT_KNOWN: Final = gettext_lazy("Its use of disks is not known: give the summary of its node's kubelet as usage.")


def observed_at(at: datetime) -> str:
    """Say when the kubelet observed what is available."""
    return _("What is available is what the kubelet reported at %(moment)s.") % {"moment": moment(at)}


def used_at(at: datetime) -> str:
    """Say when the kubelet reported what pods use."""
    return _("What is used is what the node's kubelet reported at %(moment)s.") % {"moment": moment(at)}


USED = message("%(amount)s used")
GIVE_SUMMARY = message(
    "What is used of disks is not known: metrics.k8s.io does not have it. Give what "
    "kubectl get --raw /api/v1/nodes/%(node)s/proxy/stats/summary prints as a file of usage."
)


def thresholds_met(thresholds: Sequence[str], at: datetime) -> str:
    """Name the thresholds that were met when the kubelet reported; ``thresholds`` as Kubernetes writes them."""
    if not thresholds:
        return _("At %(moment)s no threshold was met.") % {"moment": moment(at)}
    return ngettext(
        "At %(moment)s this threshold was met: %(thresholds)s.",
        "At %(moment)s these thresholds were met: %(thresholds)s.",
        len(thresholds),
    ) % {"moment": moment(at), "thresholds": listed(thresholds)}


USED_MARK = message("reported: %(percent)s used")
ABOVE_REQUESTS = plural(
    "%(pods)s pod uses more than it requests.", "%(pods)s pods use more than they request.", by="pods"
)


def excesses(pods: int, spared: int) -> str:
    """Say how many pods exceed a limit, and how many of them the kubelet does not evict."""
    if not pods:
        return _("No pod exceeds a limit for ephemeral storage.")
    said = ngettext(
        "%(pods)s pod exceeds a limit for ephemeral storage: the kubelet evicts it with 1 s of time, however full the "
        "node is.",
        "%(pods)s pods exceed a limit for ephemeral storage: the kubelet evicts them with 1 s of time, however full "
        "the node is.",
        pods,
    ) % {"pods": grouped(pods)}
    if not spared:
        return said
    rest = ngettext(
        "%(pods)s of them is critical and is spared.", "%(pods)s of them are critical and are spared.", spared
    ) % {"pods": grouped(spared)}
    return f"{said} {rest}"


def holder(excess: StorageExcess) -> str:
    """Name what exceeds its limit."""
    match excess.kind:
        case ExceededLimit.EMPTY_DIR:
            return _("emptyDir %(name)s") % {"name": excess.name}
        case ExceededLimit.CONTAINER:
            return _("container %(name)s") % {"name": excess.name}
        case ExceededLimit.POD:
            return str(WHOLE_POD)


def excess_sentence(excess: StorageExcess) -> str:
    """Say what of a pod exceeds its limit, and what follows."""
    said = _exceeds(excess)
    return f"{said} {SPARED if excess.is_spared else EVICTED}"


def _exceeds(excess: StorageExcess) -> str:
    used, limit = size(excess.used), size(excess.limit)
    match excess.kind:
        case ExceededLimit.EMPTY_DIR:
            return _("Its emptyDir %(name)s takes %(used)s, and its sizeLimit is %(limit)s.") % {
                "name": excess.name,
                "used": used,
                "limit": limit,
            }
        case ExceededLimit.CONTAINER:
            return _("Its container %(name)s takes %(used)s of ephemeral storage, and its limit is %(limit)s.") % {
                "name": excess.name,
                "used": used,
                "limit": limit,
            }
        case ExceededLimit.POD:
            return _("It takes %(used)s of ephemeral storage, and the limits of its containers come to %(limit)s.") % {
                "used": used,
                "limit": limit,
            }
