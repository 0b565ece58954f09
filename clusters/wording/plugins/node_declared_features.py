"""How Berth speaks of NodeDeclaredFeatures."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.plugin import ClusterEvent
from clusters.engine.plugins.node_declared_features import REASON, FeatureComparison
from clusters.wording.amounts import grouped
from clusters.wording.evidence.registry import comparison_view
from clusters.wording.evidence.values import yes_no
from clusters.wording.evidence.views import EvidenceView, FactView
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue


class Wording(PluginWording):
    """Words for NodeDeclaredFeatures."""

    def decides(self) -> str:
        return _("whether the node's kubelet declares the features that the pod needs")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: the pod needs no feature that kubelets declare.")

    def requires(self) -> str:
        return _("features of the kubelet")

    def reason(self, reason: str, nodes: int) -> Reason | None:
        if reason == REASON:
            return Reason(
                phrase=_("the kubelet lacks a feature that the pod needs"),
                counted=ngettext(
                    "%(nodes)s node lacks a feature that the pod needs",
                    "%(nodes)s nodes lack a feature that the pod needs",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("features of kubelets"),
            )
        return None

    def requeued_when(self) -> tuple[Requeue, ...]:
        events = (ClusterEvent.NODE_ADD, ClusterEvent.NODE_DECLARED_FEATURE)
        return (
            Requeue(_("a node is added or declares other features"), events),
            Requeue(_("the pod needs other features"), (ClusterEvent.POD_UPDATE,)),
        )

    def lifting_all(self) -> str:
        return _("use kubelets that declare the features")


@comparison_view.register(FeatureComparison)
def declared_feature(compared: FeatureComparison) -> EvidenceView:
    """Word a feature that the pod needs and whether the node declares it."""
    return EvidenceView(
        label=compared.feature,
        facts=(FactView(_("declared"), yes_no(compared.declared)),),
        holds=compared.holds,
        missing="" if compared.holds else _("the kubelet does not declare %(feature)s") % {"feature": compared.feature},
    )
