"""How Berth speaks of TaintToleration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.plugins.taint_toleration import TaintSubject
from clusters.engine.relaxing.relaxations import CORDON_TAINT
from clusters.engine.traits import ClusterEvent
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue

if TYPE_CHECKING:
    from clusters.engine.subjects import Subject


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

    def lifting_all(self) -> str:
        return _("tolerate every taint")

    def lifting(self, subject: Subject) -> str:
        match subject:
            case TaintSubject(taint) if taint.key == CORDON_TAINT:
                return _("uncordon the node")
            case TaintSubject(taint):
                return _("tolerate %(taint)s") % {"taint": taint}
            case _other:
                return super().lifting(subject)
