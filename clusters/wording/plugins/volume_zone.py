"""How Berth speaks of VolumeZone."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.subjects import ClaimSubject, Subject
from clusters.engine.traits import ClusterEvent
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue


class Wording(PluginWording):
    """Words for VolumeZone."""

    def decides(self) -> str:
        return _("bound volumes must be in the node's zone")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: the pod has no bound volumes with a zone.")

    def requires(self) -> str:
        return _("zones of volumes")

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
