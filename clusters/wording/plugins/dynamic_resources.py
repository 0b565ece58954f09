"""How Berth speaks of DynamicResources."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.traits import ClusterEvent
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue


class Wording(PluginWording):
    """Words for DynamicResources."""

    def decides(self) -> str:
        return _("devices that the pod claims")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: the pod has no resource claims.")

    def not_computed_in_pre_enqueue(self) -> str:
        return _("Not computed: it looks at the pod's resource claims.")

    def requires(self) -> str:
        return _("devices")

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(
                _("a resource claim is added or changes"),
                (
                    ClusterEvent.RESOURCE_CLAIM_ADD,
                    ClusterEvent.RESOURCE_CLAIM_UPDATE,
                    ClusterEvent.POD_GENERATED_RESOURCE_CLAIM,
                ),
            ),
            Requeue(
                _("a device class or a driver's devices are added or change"),
                (
                    ClusterEvent.DEVICE_CLASS_ADD,
                    ClusterEvent.DEVICE_CLASS_UPDATE,
                    ClusterEvent.RESOURCE_SLICE_ADD,
                    ClusterEvent.RESOURCE_SLICE_UPDATE,
                ),
            ),
            Requeue(
                _("a node is added, or its labels or allocatable resources change"),
                (ClusterEvent.NODE_ADD, ClusterEvent.NODE_LABEL, ClusterEvent.NODE_ALLOCATABLE),
            ),
        )

    def argument(self, field: str) -> str:
        return _("how long finding devices on one node may take") if field == "filterTimeout" else ""
