"""How Berth speaks of VolumeRestrictions."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.traits import ClusterEvent
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue


class Wording(PluginWording):
    """Words for VolumeRestrictions."""

    def decides(self) -> str:
        return _("volumes that only one pod may use")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: no volume of the pod excludes other pods.")

    def requires(self) -> str:
        return _("volumes that other pods use")

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(_("a pod that shares a volume with it is deleted"), (ClusterEvent.POD_DELETE,)),
            Requeue(_("its claim is added"), (ClusterEvent.CLAIM_ADD,)),
            Requeue(_("a node is added"), (ClusterEvent.NODE_ADD,)),
        )
