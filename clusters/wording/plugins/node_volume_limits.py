"""How Berth speaks of NodeVolumeLimits."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.plugins.node_volume_limits import VolumeSubject
from clusters.engine.subjects import ClaimSubject, Subject
from clusters.engine.traits import ClusterEvent
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue


class Wording(PluginWording):
    """Words for NodeVolumeLimits."""

    def decides(self) -> str:
        return _("how many volumes can be attached to a node")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: the pod has no volumes that count against a limit.")

    def requires(self) -> str:
        return _("volume limits of nodes")

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
