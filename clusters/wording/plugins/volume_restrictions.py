"""How Berth speaks of VolumeRestrictions."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.evidence import ClaimSubject, Subject
from clusters.engine.plugin import ClusterEvent
from clusters.engine.plugins.volume_restrictions import (
    CLAIM_CONFLICT,
    DISK_CONFLICT,
    DiskComparison,
    DiskSubject,
    ExclusiveClaimComparison,
)
from clusters.wording.amounts import grouped
from clusters.wording.evidence.registry import comparison_view
from clusters.wording.evidence.values import pod_facts, pod_list
from clusters.wording.evidence.views import EvidenceView
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue


class Wording(PluginWording):
    """Words for VolumeRestrictions."""

    def decides(self) -> str:
        return _("volumes that only one pod may use")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: no volume of the pod excludes other pods.")

    def requires(self) -> str:
        return _("volumes that other pods use")

    def reason(self, reason: str, nodes: int) -> Reason | None:
        if reason == DISK_CONFLICT:
            return Reason(
                phrase=_("disk in use by another pod"),
                counted=ngettext(
                    "%(nodes)s node has another pod that uses a disk of the pod",
                    "%(nodes)s nodes have another pod that uses a disk of the pod",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("disk in use by another pod"),
            )
        if reason == CLAIM_CONFLICT:
            return Reason(
                phrase=_("ReadWriteOncePod claim in use by another pod"),
                counted=ngettext(
                    "%(nodes)s node is rejected for a ReadWriteOncePod claim that another pod uses",
                    "%(nodes)s nodes are rejected for a ReadWriteOncePod claim that another pod uses",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("ReadWriteOncePod claim in use by another pod"),
            )
        return None

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(_("a pod that shares a volume with it is deleted"), (ClusterEvent.POD_DELETE,)),
            Requeue(_("its claim is added"), (ClusterEvent.CLAIM_ADD,)),
            Requeue(_("a node is added"), (ClusterEvent.NODE_ADD,)),
        )

    def lifting_all(self) -> str:
        return _("release the volumes that other pods use")

    def lifting(self, subject: Subject) -> str:
        match subject:
            case ClaimSubject(claim):
                return _("release the claim %(claim)s, which another pod uses") % {"claim": claim}
            case DiskSubject(disk=disk):
                return _("release the disk %(disk)s, which another pod uses") % {"disk": disk}
            case _other:
                return super().lifting(subject)


@comparison_view.register(DiskComparison)
def disk(compared: DiskComparison) -> EvidenceView:
    """Word a disk that a node cannot mount twice."""
    source, name = compared.source, compared.disk
    unmet = _("the disk %(disk)s (%(source)s) is mounted by %(pods)s") % {
        "disk": name,
        "source": source,
        "pods": pod_list(compared.holders),
    }
    return EvidenceView(
        label=f"{source} {name}",
        facts=pod_facts(_("held by"), compared.holders),
        holds=compared.holds,
        missing="" if compared.holds else unmet,
    )


@comparison_view.register(ExclusiveClaimComparison)
def exclusive_claim(compared: ExclusiveClaimComparison) -> EvidenceView:
    """Word a claim that one pod at a time may use."""
    unmet = _("the claim %(claim)s (ReadWriteOncePod) is used by %(pods)s") % {
        "claim": compared.claim,
        "pods": pod_list(compared.holders),
    }
    return EvidenceView(
        label=compared.claim,
        facts=pod_facts(_("held by"), compared.holders),
        holds=compared.holds,
        missing="" if compared.holds else unmet,
    )
