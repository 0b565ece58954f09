"""How Berth speaks of TaintToleration."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.traits import ClusterEvent
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue


class Wording(PluginWording):
    """Words for TaintToleration."""

    def decides(self) -> str:
        return _("taints that the pod must tolerate, or that it would rather avoid")

    def requires(self) -> str:
        return _("taints")

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(_("a node is added or its taints change"), (ClusterEvent.NODE_ADD, ClusterEvent.NODE_TAINT)),
            Requeue(_("the pod gets a toleration"), (ClusterEvent.POD_TOLERATION,)),
        )
