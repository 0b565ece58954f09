"""How Berth speaks of GangScheduling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.plugin import ClusterEvent
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue

if TYPE_CHECKING:
    from collections.abc import Sequence


class Wording(PluginWording):
    """Words for GangScheduling."""

    def decides(self) -> str:
        return _("keeps pods of a group out of the queue until those that the group needs exist")

    def cause(self, reasons: Sequence[str]) -> str:
        return _("groups of pods that are not scheduled")

    def requires(self) -> str:
        return _("groups of pods")

    def not_computed_in_pre_enqueue(self) -> str:
        return _("Not computed for a group in a CompositePodGroup that is not held, or whose gate is not set.")

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(_("another pod of the group is created"), (ClusterEvent.POD_ADD,)),
            Requeue(_("the Workload is created"), (ClusterEvent.WORKLOAD_ADD,)),
            Requeue(_("the PodGroup is created"), (ClusterEvent.POD_GROUP_ADD,)),
            Requeue(_("the PodGroup needs fewer pods"), (ClusterEvent.POD_GROUP_UPDATE,)),
            Requeue(_("a CompositePodGroup of the group is created"), (ClusterEvent.COMPOSITE_POD_GROUP_ADD,)),
        )
