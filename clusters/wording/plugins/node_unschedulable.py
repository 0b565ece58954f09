"""How Berth speaks of NodeUnschedulable."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.traits import ClusterEvent
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue


class Wording(PluginWording):
    """Words for NodeUnschedulable."""

    def decides(self) -> str:
        return _("rejects unschedulable (cordoned) nodes")

    def requires(self) -> str:
        return _("unschedulable (cordoned) nodes")

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(_("a node is added or uncordoned"), (ClusterEvent.NODE_ADD, ClusterEvent.NODE_TAINT)),
            Requeue(_("the pod gets a toleration"), (ClusterEvent.POD_TOLERATION,)),
        )

    def lifting_all(self) -> str:
        return _("uncordon the node")
