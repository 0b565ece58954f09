"""How Berth speaks of VolumeRestrictions."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.plugins.volume_restrictions import DiskSubject
from clusters.engine.subjects import ClaimSubject, Subject
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
