"""How Berth speaks of NodeVolumeLimits."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.evidence import ClaimSubject, Subject
from clusters.engine.plugin import ClusterEvent
from clusters.engine.plugins.node_volume_limits import NOT_INSTALLED, REASON, DriverComparison, VolumeSubject
from clusters.wording.amounts import grouped
from clusters.wording.evidence.registry import comparison_view
from clusters.wording.evidence.values import count_fact
from clusters.wording.evidence.views import EvidenceView
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue


class Wording(PluginWording):
    """Words for NodeVolumeLimits."""

    def decides(self) -> str:
        return _("how many volumes can be attached to a node")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: the pod has no volumes that count against a limit.")

    def requires(self) -> str:
        return _("volume limits of nodes")

    def reason(self, reason: str, nodes: int) -> Reason | None:
        if reason == REASON:
            return Reason(
                phrase=_("volume limit reached"),
                counted=ngettext(
                    "%(nodes)s node has reached its volume limit",
                    "%(nodes)s nodes have reached their volume limit",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("node volume limit reached"),
            )
        if reason.endswith(f" {NOT_INSTALLED}"):
            values = {"driver": reason.removesuffix(f" {NOT_INSTALLED}"), "nodes": grouped(nodes)}
            return Reason(
                phrase=_("CSI driver %(driver)s not installed") % values,
                counted=ngettext(
                    "%(nodes)s node does not have the CSI driver %(driver)s",
                    "%(nodes)s nodes do not have the CSI driver %(driver)s",
                    nodes,
                )
                % values,
                cause=_("CSI driver not installed"),
            )
        return None

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(_("a pod with volumes is deleted"), (ClusterEvent.POD_DELETE,)),
            Requeue(_("a volume is detached"), (ClusterEvent.VOLUME_ATTACHMENT_DELETE,)),
            Requeue(
                _("the volume limits of a node's drivers change"),
                (ClusterEvent.CSI_NODE_ADD, ClusterEvent.CSI_NODE_UPDATE),
            ),
            Requeue(_("its claim is added"), (ClusterEvent.CLAIM_ADD,)),
        )

    def lifting_all(self) -> str:
        return _("raise the volume limit of the node")

    def lifting(self, subject: Subject) -> str:
        match subject:
            case ClaimSubject(claim):
                return _("raise the volume limit of the node, or remove the claim %(claim)s") % {"claim": claim}
            case VolumeSubject(volume):
                return _("raise the volume limit of the node, or remove the volume %(volume)s") % {"volume": volume}
            case _other:
                return super().lifting(subject)


@comparison_view.register(DriverComparison)
def volume_limit(compared: DriverComparison) -> EvidenceView:
    """Word how many volumes of a driver a node has and may have."""
    if compared.is_lacking:
        missing = _("the CSI driver %(driver)s is not installed on the node") % {"driver": compared.driver}
        return EvidenceView(compared.driver, (), holds=False, missing=missing)
    facts = (count_fact(_("attached"), compared.attached), count_fact(_("request"), compared.requested))
    if compared.limit is None:
        return EvidenceView(compared.driver, facts, holds=compared.holds)
    attached, limit = grouped(compared.attached), grouped(compared.limit)
    return EvidenceView(
        compared.driver,
        (*facts, count_fact(_("limit"), compared.limit)),
        holds=compared.holds,
        formula=_("attached + request ≤ limit"),
        worked=f"{compared.attached} + {compared.requested} ≤ {compared.limit}",
        missing=""
        if compared.holds
        else _("%(attached)s of at most %(limit)s volumes of %(driver)s are attached")
        % {"attached": attached, "limit": limit, "driver": compared.driver},
    )
