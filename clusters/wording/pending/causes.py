"""Names of what keeps pods pending: each completes `3 pods pending: …`, and heads a row or a group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.engine.plugins import (
    inter_pod_affinity,
    node_affinity,
    node_name,
    node_ports,
    node_resources_fit,
    node_unschedulable,
    node_volume_limits,
    pod_topology_spread,
    volume_binding,
    volume_restrictions,
    volume_zone,
)
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

# By kube-scheduler's own reason.
BY_REASON: Final = {
    node_resources_fit.TOO_MANY_PODS: gettext_lazy("node pod limit reached"),
    node_unschedulable.REASON: gettext_lazy("unschedulable (cordoned) nodes"),
    node_name.REASON: gettext_lazy("node name matches no node"),
    node_affinity.REASON_POD: gettext_lazy("node selector or node affinity"),
    node_affinity.REASON_ENFORCED: gettext_lazy("addedAffinity of the profile"),
    node_ports.REASON: gettext_lazy("host port in use"),
    pod_topology_spread.REASON_SKEW: gettext_lazy("spread constraints"),
    pod_topology_spread.REASON_LABEL: gettext_lazy("missing topology label of a spread constraint"),
    inter_pod_affinity.REASON_AFFINITY: gettext_lazy("pod affinity"),
    inter_pod_affinity.REASON_ANTI_AFFINITY: gettext_lazy("pod anti-affinity"),
    inter_pod_affinity.REASON_EXISTING: gettext_lazy("anti-affinity of existing pods"),
    volume_restrictions.DISK_CONFLICT: gettext_lazy("disk in use by another pod"),
    volume_restrictions.CLAIM_CONFLICT: gettext_lazy("ReadWriteOncePod claim in use by another pod"),
    node_volume_limits.REASON: gettext_lazy("node volume limit reached"),
    volume_zone.REASON: gettext_lazy("volume in another zone"),
    volume_binding.NODE_CONFLICT: gettext_lazy("node affinity of a volume"),
    volume_binding.BIND_CONFLICT: gettext_lazy("no volume for a claim"),
    volume_binding.NO_SPACE: gettext_lazy("insufficient storage for a claim"),
    volume_binding.VOLUME_MISSING: gettext_lazy("volume of a claim not found"),
}
TAINTS: Final = gettext_lazy("untolerated taints")
IN_QUEUE: Final = gettext_lazy("schedulable, in the queue")
PREEMPTION: Final = gettext_lazy("preemption possible")
NOMINATED: Final = gettext_lazy("nominated, waiting for victims to terminate")
NOT_EVALUATED: Final = gettext_lazy("not evaluated here")
NOT_COMPUTED: Final = gettext_lazy("could not be computed")
NO_NODES: Final = gettext_lazy("no nodes mirrored")
VOLUME_PROVISIONING: Final = gettext_lazy("volume being provisioned")
CLAIM_NOT_FOUND: Final = gettext_lazy("PersistentVolumeClaim not found")
CLAIM_DELETED: Final = gettext_lazy("PersistentVolumeClaim being deleted")
CLAIM_NOT_BOUND: Final = gettext_lazy("PersistentVolumeClaim not bound")


def insufficient(resources: Sequence[str]) -> str:
    """Name the resources of which no node has enough free."""
    return _("insufficient %(resources)s") % {"resources": listed(resources)}


def together(causes: Sequence[str]) -> str:
    """Name causes that keep pods pending only together."""
    return _("%(causes)s together") % {"causes": listed(causes)}


def gates(names: Sequence[str]) -> str:
    """Name the scheduling gates of pods."""
    return ngettext("scheduling gate %(names)s", "scheduling gates %(names)s", len(names)) % {"names": ", ".join(names)}


def other_scheduler(name: str) -> str:
    """Name the scheduler that pods ask for."""
    return _("scheduler %(name)s") % {"name": name}


def error_of(plugin: str) -> str:
    """Name the plugin whose error ends every attempt."""
    return _("error of %(plugin)s") % {"plugin": plugin}


def uncertain(why: str) -> str:
    """Say that it is uncertain whether pods fit."""
    return _("uncertain: %(why)s") % {"why": why}


def volume(reason: str) -> str:
    """Name a reason of a volume plugin that has no name of its own."""
    return _("volume: %(reason)s") % {"reason": reason}


def of_plugin(plugin: str, reason: str) -> str:
    """Name a plugin's reason that has no name of its own."""
    return _("%(plugin)s: %(reason)s") % {"plugin": plugin, "reason": reason}
