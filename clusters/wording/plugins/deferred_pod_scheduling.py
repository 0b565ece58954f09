"""How Berth speaks of DeferredPodScheduling."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.plugin import ClusterEvent
from clusters.engine.plugins.deferred_pod_scheduling import DISABLED, ELSEWHERE, ResizeComparison
from clusters.wording.amounts import grouped
from clusters.wording.evidence.registry import comparison_view
from clusters.wording.evidence.values import yes_no
from clusters.wording.evidence.views import EvidenceView, FactView
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue


class Wording(PluginWording):
    """Words for DeferredPodScheduling."""

    def decides(self) -> str:
        return _("whether pods may be preempted for a pod whose resize is deferred on its node")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: the pod does not run with a resize that is deferred.")

    def requires(self) -> str:
        return _("preemption for resized pods")

    def reason(self, reason: str, nodes: int) -> Reason | None:
        match reason:
            case str() if reason == DISABLED:
                return Reason(
                    phrase=_("no preemption for resized pods"),
                    counted=ngettext(
                        "%(nodes)s node does not preempt pods for resized ones",
                        "%(nodes)s nodes do not preempt pods for resized ones",
                        nodes,
                    )
                    % {"nodes": grouped(nodes)},
                    cause=_("preemption for resized pods is off"),
                )
            case str() if reason == ELSEWHERE:
                return Reason(
                    phrase=_("not the node that the pod runs on"),
                    counted=ngettext(
                        "%(nodes)s node is not the one that the pod runs on",
                        "%(nodes)s nodes are not the one that the pod runs on",
                        nodes,
                    )
                    % {"nodes": grouped(nodes)},
                    cause=_("pod runs on another node"),
                )
            case _other:
                return None

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(_("its node allows preemption for resized pods"), (ClusterEvent.NODE_PREEMPTION_POLICY,)),
            Requeue(_("its node is added"), (ClusterEvent.NODE_ADD,)),
        )

    def lifting_all(self) -> str:
        return _("allow preemption for resized pods on the node")


@comparison_view.register(ResizeComparison)
def resize_preemption(compared: ResizeComparison) -> EvidenceView:
    """Word whether a node makes room for a pod that is resized on it."""
    if compared.pod_node != compared.node:
        missing = _("the pod runs on %(node)s") % {"node": compared.pod_node}
    else:
        missing = "" if compared.holds else _("the node does not preempt pods for resized ones")
    return EvidenceView(
        label="spec.podPreemptionPolicy",
        facts=(
            FactView(_("node of the pod"), compared.pod_node),
            FactView(_("this node"), compared.node),
            FactView(_("preempts for resized pods"), yes_no(compared.allows_preemption)),
        ),
        holds=compared.holds,
        missing=missing,
    )
