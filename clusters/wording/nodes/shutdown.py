"""What becomes of the pods of a node that shuts down gracefully."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

PICTURE: Final = gettext_lazy("From the order to shut down until the node is off")
SECONDS: Final = pgettext_lazy("unit of a scale of time", "s")
# The stretches of the timeline.
TERMINATING: Final = gettext_lazy("pods get this long to terminate")
WAITING: Final = gettext_lazy("left for volumes to be unmounted")
NOT_GRACEFUL: Final = gettext_lazy(
    "By its defaults the kubelet terminates no pod when the node shuts down (shutdownGracePeriod is 0): the containers "
    "are killed with the node, and their pods stay Running in the API until the node is found to be down. Give a "
    "configuration with shutdownGracePeriod, or shutdownGracePeriodByPodPriority, to see who gets how long."
)
NOT_GRACEFUL_AS_GIVEN: Final = gettext_lazy(
    "The configuration has no shutdownGracePeriod and no shutdownGracePeriodByPodPriority: the kubelet terminates no "
    "pod when the node shuts down, and the containers are killed with the node."
)
GROUPS: Final = gettext_lazy(
    "Groups go one after the other, lowest priority first, each until its pods are gone and volumes "
    "unmounted. Pods become Failed with the reason Terminated; the NotReady node refuses new ones."
)
LOGIND: Final = gettext_lazy(
    "The kubelet delays the shutdown through systemd-logind: InhibitDelayMaxSec has to be at least "
    "the sum of all groups. A power failure gives no time."
)
TERMINATION: Final = gettext_lazy(
    "terminationGracePeriodSeconds is 30 where a pod sets none. A preStop hook runs within this time; then comes TERM, "
    "and at its end KILL. A container whose hook has used the time up gets 2 s all the same."
)


def sentence(*, node: str, pods: int, seconds: int, cut: int) -> str:
    """Say first how long a shutdown lasts at most, and how many pods get less time than they ask for."""
    lasts = ngettext(
        "When %(node)s shuts down, the kubelet terminates its %(pods)s pod within %(seconds)s s.",
        "When %(node)s shuts down, the kubelet terminates its %(pods)s pods within %(seconds)s s.",
        pods,
    ) % {"node": node, "pods": grouped(pods), "seconds": grouped(seconds)}
    if not cut:
        return lasts
    return f"{lasts} {_CUT(pods=cut)}"


_CUT = plural(
    "%(pods)s pod gets less time than its terminationGracePeriodSeconds.",
    "%(pods)s pods get less time than their terminationGracePeriodSeconds.",
    by="pods",
)
GROUP = plural(
    "%(pods)s pod of priority %(priority)s or more", "%(pods)s pods of priority %(priority)s or more", by="pods"
)
GROUP_ENDS = message("at most %(seconds)s s")


def seconds(number: int) -> str:
    """Write a time in seconds."""
    return _("%(seconds)s s") % {"seconds": grouped(number)}
