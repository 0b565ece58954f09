"""How Berth speaks of NodeAffinity."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.traits import ClusterEvent
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue


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
