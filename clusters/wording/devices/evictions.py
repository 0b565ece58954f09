"""What taints NoExecute of devices do to running pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.wording.amounts import grouped

if TYPE_CHECKING:
    from clusters.engine.devices import DeviceTaintStay

GATE: Final = gettext_lazy(
    "This is what the device taint eviction controller does where the feature gate DRADeviceTaints is on in "
    "kube-controller-manager: it is off by default in Kubernetes 1.34, and cannot be seen from here. No disruption "
    "budget is asked."
)
REQUESTED: Final = gettext_lazy(
    "The request tolerates the taint, but kube-scheduler v1.34.1 does not copy tolerations into the "
    "allocation, which the controller reads."
)


def deleted(stay: DeviceTaintStay, *, since: str, at: str) -> str:
    """Say for which taint of which device a pod is deleted, and when; times are empty where they are not told."""
    device, claim, taint = str(stay.device), stay.claim, str(stay.taint)
    if stay.seconds is None:
        if not since:
            return _(
                "The device %(device)s of the claim %(claim)s has the taint %(taint)s, which the allocation does not "
                "tolerate: the pod is deleted at once."
            ) % {"device": device, "claim": claim, "taint": taint}
        return _(
            "The device %(device)s of the claim %(claim)s has the taint %(taint)s since %(since)s, which the "
            "allocation does not tolerate: the pod is deleted at once."
        ) % {"device": device, "claim": claim, "taint": taint, "since": since}
    if not since:
        return ngettext(
            "The device %(device)s of the claim %(claim)s has the taint %(taint)s, which the allocation tolerates for "
            "%(seconds)s s: the pod is deleted after that.",
            "The device %(device)s of the claim %(claim)s has the taint %(taint)s, which the allocation tolerates for "
            "%(seconds)s s: the pod is deleted after that.",
            stay.seconds,
        ) % {"device": device, "claim": claim, "taint": taint, "seconds": grouped(stay.seconds)}
    return ngettext(
        "The device %(device)s of the claim %(claim)s has the taint %(taint)s since %(since)s, which the allocation "
        "tolerates for %(seconds)s s: the pod is deleted at %(at)s.",
        "The device %(device)s of the claim %(claim)s has the taint %(taint)s since %(since)s, which the allocation "
        "tolerates for %(seconds)s s: the pod is deleted at %(at)s.",
        stay.seconds,
    ) % {
        "device": device,
        "claim": claim,
        "taint": taint,
        "since": since,
        "seconds": grouped(stay.seconds),
        "at": at,
    }
