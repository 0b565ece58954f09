"""How Berth speaks of SchedulingGates."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.plugin import ClusterEvent
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue


class Wording(PluginWording):
    """Words for SchedulingGates."""

    def decides(self) -> str:
        return _("keeps pods with scheduling gates out of the queue")

    def requires(self) -> str:
        return _("scheduling gates")

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (Requeue(_("the last gate is removed"), (ClusterEvent.POD_GATES_ELIMINATED,)),)
