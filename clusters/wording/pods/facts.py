"""What scheduling reads of a pod, as a list of facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext, pgettext_lazy

from clusters.wording.lists import listed
from clusters.wording.messages import message

if TYPE_CHECKING:
    from collections.abc import Iterable

# Terms.
OWNER: Final = pgettext_lazy("fact of a pod", "Owner")
SCHEDULER: Final = pgettext_lazy("fact of a pod", "Scheduler")
PRIORITY: Final = pgettext_lazy("fact of a pod", "Priority")
PREEMPTION: Final = pgettext_lazy("fact of a pod", "Preemption")
QOS_CLASS: Final = pgettext_lazy("fact of a pod", "QoS class")
GATES: Final = pgettext_lazy("fact of a pod", "Scheduling gates")
NODE_SELECTOR: Final = pgettext_lazy("fact of a pod", "Node selector")
NODE_AFFINITY: Final = pgettext_lazy("fact of a pod", "Node affinity")
SPREAD: Final = pgettext_lazy("fact of a pod", "Spread constraints")
TOLERATIONS: Final = pgettext_lazy("fact of a pod", "Tolerations")
VOLUMES: Final = pgettext_lazy("fact of a pod", "Volumes")
RUNTIME_CLASS: Final = pgettext_lazy("fact of a pod", "Runtime class")
REQUESTS: Final = pgettext_lazy("fact of a pod", "Requests")
RESOURCE_CLAIMS: Final = pgettext_lazy("fact of a pod", "Resource claims")
HOST_PORTS: Final = pgettext_lazy("fact of a pod", "Host ports")
AFFINITY: Final = gettext_lazy("Required pod affinity")
ANTI_AFFINITY: Final = gettext_lazy("Required pod anti-affinity")
PREFERRED_AFFINITY: Final = gettext_lazy("Preferred pod affinity")
PREFERRED_ANTI_AFFINITY: Final = gettext_lazy("Preferred pod anti-affinity")

NEVER_PREEMPTS: Final = gettext_lazy("never preempts")
REQUESTS_NOTHING: Final = pgettext_lazy("requests of a pod", "none")
ANY_TAINT: Final = gettext_lazy("any taint")
MATCHES_NOTHING: Final = gettext_lazy("matches no node")


def requirements(texts: Iterable[str]) -> str:
    """Join requirements that all hold."""
    return pgettext("requirements", " and ").join(texts)


def alternatives(texts: Iterable[str]) -> str:
    """Join terms of which one has to hold."""
    return pgettext("node selector terms", " or ").join(texts)


def key_exists(key: str) -> str:
    """Write the operator Exists."""
    return _("%(key)s exists") % {"key": key}


def key_does_not_exist(key: str) -> str:
    """Write the operator DoesNotExist."""
    return _("%(key)s does not exist") % {"key": key}


def pods_per(pods: str, topology_key: str) -> str:
    """Write a required term: which pods, in which domains."""
    return _("pods with %(labels)s, per %(key)s") % {"labels": pods or _("any labels"), "key": topology_key}


def pods_per_weighted(pods: str, topology_key: str, weight: int) -> str:
    """Write a preferred term: which pods, in which domains, and how much they weigh."""
    return _("pods with %(labels)s, per %(key)s, weight %(weight)s") % {
        "labels": pods or _("any labels"),
        "key": topology_key,
        "weight": weight,
    }


REQUIRED = message("required: %(terms)s")


def preferred(term: str, weight: object) -> str:
    """Write preferred node affinity."""
    return _("preferred: %(term)s, weight %(weight)s") % {"term": term, "weight": weight}


def spread(*, key: object, max_skew: object, action: str) -> str:
    """Write a spread constraint."""
    return _("%(key)s maxSkew %(max_skew)s %(action)s") % {"key": key, "max_skew": max_skew, "action": action}


def tolerated_for(toleration: str, seconds: object) -> str:
    """Write a toleration that ends."""
    return _("%(toleration)s for %(seconds)s s") % {"toleration": toleration, "seconds": seconds}


def allocated_claim(name: str, devices: Iterable[str]) -> str:
    """Write a ResourceClaim and the devices that it has."""
    return _("%(claim)s (allocated: %(devices)s)") % {"claim": name, "devices": listed(list(devices))}


PENDING_CLAIM = message("%(claim)s (not allocated)")
MISSING_CLAIM = message("%(claim)s (no ResourceClaim)")
CLAIM = message("%(volume)s (claim %(claim)s)")
