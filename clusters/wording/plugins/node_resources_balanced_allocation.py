"""How Berth speaks of NodeResourcesBalancedAllocation."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.wording.plugins.plugin_wording import PluginWording


class Wording(PluginWording):
    """Words for NodeResourcesBalancedAllocation."""

    def decides(self) -> str:
        return _("prefers nodes whose resources would be used evenly")

    def nothing_to_score(self) -> str:
        return _("Does not score: the pod requests none of the resources that are balanced.")

    def argument(self, field: str) -> str:
        return _("resources that should be used evenly") if field == "resources" else ""
