"""How Berth speaks of NodeAffinity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.plugins.node_affinity import (
    AddedAffinitySubject,
    RequirementSubject,
    SelectorSubject,
    TermsSubject,
)
from clusters.engine.traits import ClusterEvent
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue
from clusters.wording.selectors import requirement_text

if TYPE_CHECKING:
    from clusters.engine.subjects import Subject


class Wording(PluginWording):
    """Words for NodeAffinity."""

    def decides(self) -> str:
        return _("node selector and node affinity")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: the pod has no node selector and no required node affinity.")

    def nothing_to_score(self) -> str:
        return _("Does not score: the pod has no preferred node affinity.")

    def requires(self) -> str:
        return _("node selectors or node affinity")

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(
                _("a node is added, or its labels change, so that it matches"),
                (ClusterEvent.NODE_ADD, ClusterEvent.NODE_LABEL),
            ),
        )

    def argument(self, field: str) -> str:
        if field != "addedAffinity":
            return ""
        return _("node affinity that every pod of the profile has in addition to its own")

    def lifting_all(self) -> str:
        return _("remove the node selector and the required node affinity")

    def lifting(self, subject: Subject) -> str:
        match subject:
            case SelectorSubject(key, value):
                return _("remove the node selector %(key)s=%(value)s") % {"key": key, "value": value}
            case RequirementSubject(requirement=requirement):
                return _("remove the node affinity %(requirement)s") % {"requirement": requirement_text(requirement)}
            case TermsSubject():
                return _("remove the required node affinity")
            case AddedAffinitySubject():
                return _("remove addedAffinity from the profile")
            case _other:
                return super().lifting(subject)
