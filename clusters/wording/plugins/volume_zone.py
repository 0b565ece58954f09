"""How Berth speaks of VolumeZone."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.evidence import ClaimSubject, Subject
from clusters.engine.plugin import ClusterEvent
from clusters.engine.plugins.volume_zone import REASON, ZoneComparison
from clusters.wording.amounts import grouped
from clusters.wording.evidence.registry import comparison_view
from clusters.wording.evidence.values import node_value
from clusters.wording.evidence.views import EvidenceView, FactView
from clusters.wording.lists import listed
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue


class Wording(PluginWording):
    """Words for VolumeZone."""

    def decides(self) -> str:
        return _("bound volumes must be in the node's zone")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: the pod has no bound volumes with a zone.")

    def requires(self) -> str:
        return _("zones of volumes")

    def reason(self, reason: str, nodes: int) -> Reason | None:
        if reason == REASON:
            return Reason(
                phrase=_("volume in another zone"),
                counted=ngettext(
                    "%(nodes)s node is in another zone than a volume of the pod",
                    "%(nodes)s nodes are in another zone than a volume of the pod",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("volume in another zone"),
            )
        return None

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(_("a claim is added or changes"), (ClusterEvent.CLAIM_ADD, ClusterEvent.CLAIM_UPDATE)),
            Requeue(_("a volume is added or changes"), (ClusterEvent.VOLUME_ADD, ClusterEvent.VOLUME_UPDATE)),
            Requeue(_("a storage class is added"), (ClusterEvent.STORAGE_CLASS_ADD,)),
            Requeue(_("a node is added or its labels change"), (ClusterEvent.NODE_ADD, ClusterEvent.NODE_LABEL)),
        )

    def lifting_all(self) -> str:
        return _("move the volumes to the zone of the node")

    def lifting(self, subject: Subject) -> str:
        match subject:
            case ClaimSubject(claim):
                return _("move the volume of the claim %(claim)s to the zone of the node") % {"claim": claim}
            case _other:
                return super().lifting(subject)


@comparison_view.register(ZoneComparison)
def zone(compared: ZoneComparison) -> EvidenceView:
    """Word a zone or region label of a volume and of the node."""
    key = compared.key
    unmet = _("the volume %(volume)s is in %(values)s (%(key)s), the node is not") % {
        "volume": compared.volume,
        "values": listed(compared.values),
        "key": key,
    }
    return EvidenceView(
        label=compared.claim,
        facts=(
            FactView(_("volume"), compared.volume),
            *(FactView(_("volume %(key)s") % {"key": key}, value) for value in compared.values),
            FactView(_("node %(key)s") % {"key": key}, node_value(compared.node_value)),
        ),
        holds=compared.holds,
        missing="" if compared.holds else unmet,
    )
