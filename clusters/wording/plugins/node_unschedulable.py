"""How Berth speaks of NodeUnschedulable."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.plugin import ClusterEvent
from clusters.engine.plugins.node_unschedulable import REASON, CordonComparison
from clusters.wording.amounts import grouped
from clusters.wording.evidence.registry import comparison_view
from clusters.wording.evidence.values import yes_no
from clusters.wording.evidence.views import EvidenceView, FactView
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue


class Wording(PluginWording):
    """Words for NodeUnschedulable."""

    def decides(self) -> str:
        return _("rejects unschedulable (cordoned) nodes")

    def requires(self) -> str:
        return _("unschedulable (cordoned) nodes")

    def reason(self, reason: str, nodes: int) -> Reason | None:
        if reason == REASON:
            return Reason(
                phrase=_("unschedulable (cordoned)"),
                counted=ngettext(
                    "%(nodes)s node is unschedulable (cordoned)", "%(nodes)s nodes are unschedulable (cordoned)", nodes
                )
                % {"nodes": grouped(nodes)},
                cause=_("unschedulable (cordoned) nodes"),
            )
        return None

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(_("a node is added or uncordoned"), (ClusterEvent.NODE_ADD, ClusterEvent.NODE_TAINT)),
            Requeue(_("the pod gets a toleration"), (ClusterEvent.POD_TOLERATION,)),
        )

    def lifting_all(self) -> str:
        return _("uncordon the node")


@comparison_view.register(CordonComparison)
def cordon(compared: CordonComparison) -> EvidenceView:
    """Word whether a node is cordoned."""
    return EvidenceView(
        label="spec.unschedulable",
        facts=(
            FactView(_("node is cordoned"), yes_no(compared.unschedulable)),
            FactView(_("pod tolerates it"), yes_no(compared.tolerated)),
        ),
        holds=compared.holds,
        missing="" if compared.holds else _("the node is unschedulable (cordoned)"),
    )
