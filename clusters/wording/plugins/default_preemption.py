"""How Berth speaks of DefaultPreemption."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.plugin import ClusterEvent
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue


class Wording(PluginWording):
    """Words for DefaultPreemption."""

    def decides(self) -> str:
        return _("makes room by removing pods of lower priority")

    def not_computed_in_pre_enqueue(self) -> str:
        return _(
            "Not computed: it keeps the pod out of the queue while the scheduler is still removing pods for it, which "
            "only the scheduler knows."
        )

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (Requeue(_("a pod is deleted"), (ClusterEvent.POD_DELETE,)),)

    def argument(self, field: str) -> str:
        match field:
            case "minCandidateNodesPercentage":
                return _("nodes that preemption tries at least, in percent of all")
            case "minCandidateNodesAbsolute":
                return _("nodes that preemption tries at least")
            case _other:
                return ""
