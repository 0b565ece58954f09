"""How Berth speaks of InterPodAffinity."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.subjects import AffinitySubject, AntiAffinitySubject, ExistingAntiAffinitySubject, Subject
from clusters.engine.traits import ClusterEvent
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue
from clusters.wording.selectors import selector_text


class Wording(PluginWording):
    """Words for InterPodAffinity."""

    def decides(self) -> str:
        return _("affinity and anti-affinity to other pods")

    def nothing_to_filter(self) -> str:
        return _(
            "Nothing to check: the pod has no required pod affinity or anti-affinity, and no existing pod has "
            "anti-affinity to it."
        )

    def nothing_to_score(self) -> str:
        return _("Does not score: neither the pod nor an existing pod prefers or avoids the other.")

    def requires(self) -> str:
        return _("pod affinity or anti-affinity")

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(
                _("a pod that its terms select is added, is deleted or changes its labels"),
                (ClusterEvent.POD_ADD, ClusterEvent.POD_DELETE, ClusterEvent.POD_LABEL),
            ),
            Requeue(_("a node is added or its labels change"), (ClusterEvent.NODE_ADD, ClusterEvent.NODE_LABEL)),
        )

    def argument(self, field: str) -> str:
        match field:
            case "hardPodAffinityWeight":
                return _("points for meeting an existing pod's required affinity, 0 to 100")
            case "ignorePreferredTermsOfExistingPods":
                return _("whether preferences of existing pods are ignored")
            case _other:
                return ""

    def lifting_all(self) -> str:
        return _("remove all required affinity and anti-affinity between pods")

    def lifting(self, subject: Subject) -> str:
        match subject:
            case AffinitySubject(term):
                return _("remove the pod affinity to %(pods)s per %(key)s") % {
                    "pods": selector_text(term.selector),
                    "key": term.topology_key,
                }
            case AntiAffinitySubject(term):
                return _("remove the pod anti-affinity to %(pods)s per %(key)s") % {
                    "pods": selector_text(term.selector),
                    "key": term.topology_key,
                }
            case ExistingAntiAffinitySubject(term):
                return _("remove the anti-affinity of existing pods to %(pods)s per %(key)s") % {
                    "pods": selector_text(term.selector),
                    "key": term.topology_key,
                }
            case _other:
                return super().lifting(subject)
