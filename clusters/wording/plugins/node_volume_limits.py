"""How Berth speaks of NodeVolumeLimits."""

from __future__ import annotations

from django.utils.translation import gettext as _

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
