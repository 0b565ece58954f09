"""How Berth speaks of VolumeBinding."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.subjects import ClaimSubject, Subject
from clusters.engine.traits import ClusterEvent
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue


class Wording(PluginWording):
    """Words for VolumeBinding."""

    def decides(self) -> str:
        return _("claims must have, or get, a volume that the node can reach")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: the pod has no claims.")

    def nothing_to_score(self) -> str:
        return _("Does not score: scoring by storage capacity is off in Kubernetes' defaults.")

    def requires(self) -> str:
        return _("volumes that nodes cannot reach")

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(_("a claim is added or changes"), (ClusterEvent.CLAIM_ADD, ClusterEvent.CLAIM_UPDATE)),
            Requeue(_("a volume is added or changes"), (ClusterEvent.VOLUME_ADD, ClusterEvent.VOLUME_UPDATE)),
            Requeue(
                _("a storage class is added or changes"),
                (ClusterEvent.STORAGE_CLASS_ADD, ClusterEvent.STORAGE_CLASS_UPDATE),
            ),
            Requeue(_("a node is added or its labels change"), (ClusterEvent.NODE_ADD, ClusterEvent.NODE_LABEL)),
            Requeue(
                _("a driver or its capacity changes"),
                (
                    ClusterEvent.CSI_NODE_ADD,
                    ClusterEvent.CSI_NODE_UPDATE,
                    ClusterEvent.CSI_DRIVER_UPDATE,
                    ClusterEvent.STORAGE_CAPACITY_ADD,
                    ClusterEvent.STORAGE_CAPACITY_UPDATE,
                ),
            ),
        )

    def argument(self, field: str) -> str:
        return _("how long binding the volumes of a pod may take") if field == "bindTimeoutSeconds" else ""

    def lifting_all(self) -> str:
        return _("provide a volume for every claim that the node reaches")

    def lifting(self, subject: Subject) -> str:
        match subject:
            case ClaimSubject(claim):
                return _("provide a volume for the claim %(claim)s that the node reaches") % {"claim": claim}
            case _other:
                return super().lifting(subject)
