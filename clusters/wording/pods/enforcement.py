"""What the kubelet has the runtime and the kernel enforce for a pod."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import message

WHOLE: Final = pgettext_lazy("cgroup", "whole pod")
NO_LIMIT: Final = pgettext_lazy("limit of CPU or memory", "none")
EXPLAINED: Final = gettext_lazy("Shares and weights count only while the CPU is busy.")
EVICTED: Final = gettext_lazy(
    "The kubelet evicts the pod, with a grace period of 1 s, once a container's logs and writable layer (on split file "
    "systems its logs alone) exceed its ephemeral-storage limit, or all with volumes the sum of limits."
)
NOT_SCORED: Final = gettext_lazy("The score of Burstable pods depends on their node's memory.")


def weight(number: int, newer: int | None) -> str:
    """Write the weight of cgroup v2, and what newer runtimes make of the same shares where that differs."""
    if newer is None or newer == number:
        return grouped(number)
    return _("%(weight)s, or %(newer)s since runc 1.3.2 and crun 1.23") % {
        "weight": grouped(number),
        "newer": grouped(newer),
    }


VOLUMES = message("emptyDir sizeLimits count too: %(volumes)s.")
VOLUME = message("%(name)s %(limit)s", context="volume and its limit")
QUOTA = message("%(micros)s µs in 100 ms")
