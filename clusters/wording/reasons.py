"""What the scheduler's reasons for rejecting a node mean: as a phrase about one node, and counted over several."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

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
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.status import Status

# Stands for several taints in one sentence.
_TAINTS: Final = "untolerated taints"

# By what the scheduler says: a phrase about one node, and a clause that counts nodes.
_REASONS: Final = {
    _TAINTS: (
        gettext_lazy("untolerated taints"),
        ngettext_lazy("%(nodes)s node has untolerated taints", "%(nodes)s nodes have untolerated taints", "count"),
    ),
    node_resources_fit.TOO_MANY_PODS: (
        gettext_lazy("node pod limit reached"),
        ngettext_lazy(
            "%(nodes)s node has reached its pod limit", "%(nodes)s nodes have reached their pod limit", "count"
        ),
    ),
    node_unschedulable.REASON: (
        gettext_lazy("unschedulable (cordoned)"),
        ngettext_lazy(
            "%(nodes)s node is unschedulable (cordoned)", "%(nodes)s nodes are unschedulable (cordoned)", "count"
        ),
    ),
    node_name.REASON: (
        gettext_lazy("not the node that the pod names"),
        ngettext_lazy(
            "%(nodes)s node is not the one that the pod names",
            "%(nodes)s nodes are not the one that the pod names",
            "count",
        ),
    ),
    node_affinity.REASON_POD: (
        gettext_lazy("no match for the pod's node selector or affinity"),
        ngettext_lazy(
            "%(nodes)s node does not match the pod's node selector or affinity",
            "%(nodes)s nodes do not match the pod's node selector or affinity",
            "count",
        ),
    ),
    node_affinity.REASON_ENFORCED: (
        gettext_lazy("no match for the profile's added affinity"),
        ngettext_lazy(
            "%(nodes)s node does not match the profile's added affinity",
            "%(nodes)s nodes do not match the profile's added affinity",
            "count",
        ),
    ),
    node_ports.REASON: (
        gettext_lazy("host port in use"),
        ngettext_lazy(
            "%(nodes)s node has a host port of the pod in use",
            "%(nodes)s nodes have a host port of the pod in use",
            "count",
        ),
    ),
    pod_topology_spread.REASON_SKEW: (
        gettext_lazy("maxSkew of a spread constraint exceeded"),
        ngettext_lazy(
            "%(nodes)s node would exceed maxSkew of a spread constraint",
            "%(nodes)s nodes would exceed maxSkew of a spread constraint",
            "count",
        ),
    ),
    pod_topology_spread.REASON_LABEL: (
        gettext_lazy("topology label of a spread constraint missing"),
        ngettext_lazy(
            "%(nodes)s node has no topology label of a spread constraint",
            "%(nodes)s nodes have no topology label of a spread constraint",
            "count",
        ),
    ),
    inter_pod_affinity.REASON_AFFINITY: (
        gettext_lazy("no match for the pod's pod affinity"),
        ngettext_lazy(
            "%(nodes)s node does not match the pod's pod affinity",
            "%(nodes)s nodes do not match the pod's pod affinity",
            "count",
        ),
    ),
    inter_pod_affinity.REASON_ANTI_AFFINITY: (
        gettext_lazy("conflict with the pod's anti-affinity"),
        ngettext_lazy(
            "%(nodes)s node conflicts with the pod's anti-affinity",
            "%(nodes)s nodes conflict with the pod's anti-affinity",
            "count",
        ),
    ),
    inter_pod_affinity.REASON_EXISTING: (
        gettext_lazy("conflict with the anti-affinity of existing pods"),
        ngettext_lazy(
            "%(nodes)s node conflicts with the anti-affinity of existing pods",
            "%(nodes)s nodes conflict with the anti-affinity of existing pods",
            "count",
        ),
    ),
    volume_restrictions.DISK_CONFLICT: (
        gettext_lazy("disk in use by another pod"),
        ngettext_lazy(
            "%(nodes)s node has another pod that uses a disk of the pod",
            "%(nodes)s nodes have another pod that uses a disk of the pod",
            "count",
        ),
    ),
    volume_restrictions.CLAIM_CONFLICT: (
        gettext_lazy("ReadWriteOncePod claim in use by another pod"),
        ngettext_lazy(
            "%(nodes)s node is rejected for a ReadWriteOncePod claim that another pod uses",
            "%(nodes)s nodes are rejected for a ReadWriteOncePod claim that another pod uses",
            "count",
        ),
    ),
    node_volume_limits.REASON: (
        gettext_lazy("volume limit reached"),
        ngettext_lazy(
            "%(nodes)s node has reached its volume limit", "%(nodes)s nodes have reached their volume limit", "count"
        ),
    ),
    volume_zone.REASON: (
        gettext_lazy("volume in another zone"),
        ngettext_lazy(
            "%(nodes)s node is in another zone than a volume of the pod",
            "%(nodes)s nodes are in another zone than a volume of the pod",
            "count",
        ),
    ),
    volume_binding.VOLUME_MISSING: (
        gettext_lazy("volume of a claim does not exist"),
        ngettext_lazy(
            "%(nodes)s node is rejected for a claim whose volume does not exist",
            "%(nodes)s nodes are rejected for a claim whose volume does not exist",
            "count",
        ),
    ),
    volume_binding.NODE_CONFLICT: (
        gettext_lazy("no match for the node affinity of a volume"),
        ngettext_lazy(
            "%(nodes)s node does not match the node affinity of a volume",
            "%(nodes)s nodes do not match the node affinity of a volume",
            "count",
        ),
    ),
    volume_binding.BIND_CONFLICT: (
        gettext_lazy("no volume for a claim"),
        ngettext_lazy(
            "%(nodes)s node has no volume for a claim of the pod",
            "%(nodes)s nodes have no volume for a claim of the pod",
            "count",
        ),
    ),
    volume_binding.NO_SPACE: (
        gettext_lazy("insufficient storage for a claim"),
        ngettext_lazy(
            "%(nodes)s node has insufficient storage for a claim of the pod",
            "%(nodes)s nodes have insufficient storage for a claim of the pod",
            "count",
        ),
    ),
}

_INSUFFICIENT = re.compile(r"Insufficient (?P<resource>\S+)")
_TAINT = re.compile(r"node\(s\) had untolerated taint \{(?P<key>[^:]*): (?P<value>.*)\}", re.DOTALL)
_RULED_OUT = re.compile(r"node\(s\) didn't satisfy plugin\(s\) \[(?P<plugins>.*)\]")
_RESOURCES: Final = {"cpu": "CPU"}


def as_reported(status: Status) -> str:
    """Join the reasons of a status as the scheduler spells them, or quote its code where it gives none."""
    return ", ".join(status.reasons) or str(status.code)


def reason_phrases(reasons: Iterable[str]) -> str:
    """Say in a few words each why one node rejects a pod: `unschedulable (cordoned), insufficient CPU and memory`."""
    resources, phrases = [], []
    for reason in dict.fromkeys(reasons):
        if match := _INSUFFICIENT.fullmatch(reason):
            resources.append(_RESOURCES.get(match["resource"], match["resource"]))
        else:
            phrases.append(_phrase(reason))
    if resources:
        phrases.append(_("insufficient %(resources)s") % {"resources": listed(resources)})
    return ", ".join(phrases)


def _phrase(reason: str) -> str:
    if found := _REASONS.get(reason):
        return str(found[0])
    if match := _TAINT.fullmatch(reason):
        return _("untolerated taint %(taint)s") % {"taint": _taint(match)}
    if match := _RULED_OUT.fullmatch(reason):
        return _("left out by %(plugins)s in PreFilter") % {"plugins": listed(match["plugins"].split())}
    return reason


def nodes_with_reason(count: int, reason: str) -> str:
    """Say how many nodes a reason of the scheduler is about: `41 nodes have insufficient CPU`."""
    if found := _REASONS.get(reason):
        return str(found[1] % {"nodes": grouped(count), "count": count})
    if match := _INSUFFICIENT.fullmatch(reason):
        return ngettext(
            "%(nodes)s node has insufficient %(resource)s", "%(nodes)s nodes have insufficient %(resource)s", count
        ) % {"nodes": grouped(count), "resource": _RESOURCES.get(match["resource"], match["resource"])}
    if match := _TAINT.fullmatch(reason):
        return ngettext(
            "%(nodes)s node has the untolerated taint %(taint)s",
            "%(nodes)s nodes have the untolerated taint %(taint)s",
            count,
        ) % {"nodes": grouped(count), "taint": _taint(match)}
    if match := _RULED_OUT.fullmatch(reason):
        return ngettext(
            "%(nodes)s node is left out by %(plugins)s in PreFilter",
            "%(nodes)s nodes are left out by %(plugins)s in PreFilter",
            count,
        ) % {"nodes": grouped(count), "plugins": listed(match["plugins"].split())}
    return ngettext("%(nodes)s node: %(reason)s", "%(nodes)s nodes: %(reason)s", count) % {
        "nodes": grouped(count),
        "reason": reason,
    }


def nodes_by_reason(found: Sequence[tuple[str, int]]) -> str:
    """Say how many nodes give which reason, most first, taints put together where they differ."""
    counts: Counter[str] = Counter()
    taints = [reason for reason, _count in found if _TAINT.fullmatch(reason)]
    for reason, number in found:
        # A node reports its first untolerated taint only, so that the numbers add up.
        counts[_TAINTS if len(taints) > 1 and reason in taints else reason] += number
    return "; ".join(nodes_with_reason(number, reason) for reason, number in counts.most_common())


def _taint(match: re.Match[str]) -> str:
    return f"{match['key']}={match['value']}" if match["value"] else match["key"]
