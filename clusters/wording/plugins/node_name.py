"""How Berth speaks of NodeName."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.plugin import ClusterEvent
from clusters.engine.plugins.node_name import REASON, NodeNameComparison
from clusters.wording.amounts import grouped
from clusters.wording.evidence.registry import comparison_view
from clusters.wording.evidence.views import EvidenceView, FactView
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue


class Wording(PluginWording):
    """Words for NodeName."""

    def decides(self) -> str:
        return _("keeps a pod to the node that spec.nodeName names")

    def requires(self) -> str:
        return _("the node that spec.nodeName names")

    def reason(self, reason: str, nodes: int) -> Reason | None:
        if reason == REASON:
            return Reason(
                phrase=_("not the node that the pod names"),
                counted=ngettext(
                    "%(nodes)s node is not the one that the pod names",
                    "%(nodes)s nodes are not the one that the pod names",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("node name matches no node"),
            )
        return None

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (Requeue(_("a node is added"), (ClusterEvent.NODE_ADD,)),)

    def lifting_all(self) -> str:
        return _("remove nodeName")


@comparison_view.register(NodeNameComparison)
def requested_name(compared: NodeNameComparison) -> EvidenceView:
    """Word the node that a pod names."""
    return EvidenceView(
        label="spec.nodeName",
        facts=(FactView(_("requested node"), compared.requested), FactView(_("this node"), compared.node)),
        holds=compared.holds,
        missing="" if compared.holds else _("the pod names the node %(node)s") % {"node": compared.requested},
    )
