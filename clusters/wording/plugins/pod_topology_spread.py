"""How Berth speaks of PodTopologySpread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.plugins.pod_topology_spread import SpreadSubject
from clusters.engine.traits import ClusterEvent
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue
from clusters.wording.selectors import selector_text

if TYPE_CHECKING:
    from clusters.engine.subjects import Subject


class Wording(PluginWording):
    """Words for PodTopologySpread."""

    def decides(self) -> str:
        return _("spread over topology domains")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: the pod has no spread constraint with DoNotSchedule.")

    def nothing_to_score(self) -> str:
        return _(
            "Does not score: there is no spread constraint with ScheduleAnyway, neither its own nor a default one."
        )

    def requires(self) -> str:
        return _("spread constraints")

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(
                _("a pod of the same group is added, is deleted or changes its labels"),
                (ClusterEvent.POD_ADD, ClusterEvent.POD_DELETE, ClusterEvent.POD_LABEL),
            ),
            Requeue(
                _("a node is added, is deleted, or changes its labels or taints"),
                (ClusterEvent.NODE_ADD, ClusterEvent.NODE_DELETE, ClusterEvent.NODE_LABEL, ClusterEvent.NODE_TAINT),
            ),
            Requeue(_("the pod gets a toleration"), (ClusterEvent.POD_TOLERATION,)),
        )

    def argument(self, field: str) -> str:
        match field:
            case "defaultingType":
                return _("where constraints of pods without their own come from")
            case "defaultConstraints":
                return _("constraints of pods without their own")
            case _other:
                return ""

    def argument_value(self, field: str, value: str) -> str:
        match field, value:
            case "defaultingType", "System":
                return _("System: maxSkew 3 over hostnames and 5 over zones, ScheduleAnyway")
            case "defaultingType", "List":
                return _("List: defaultConstraints")
            case _other:
                return value

    def lifting_all(self) -> str:
        return _("remove all spread constraints")

    def lifting(self, subject: Subject) -> str:
        match subject:
            case SpreadSubject(spread):
                return _("remove the spread constraint %(key)s with maxSkew %(skew)s for %(pods)s") % {
                    "key": spread.topology_key,
                    "skew": spread.max_skew,
                    "pods": selector_text(spread.selector),
                }
            case _other:
                return super().lifting(subject)
