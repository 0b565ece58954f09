"""How Berth speaks of PrioritySort."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.wording.plugins.plugin_wording import PluginWording


class Wording(PluginWording):
    """Words for PrioritySort."""

    def decides(self) -> str:
        return _("sorts the queue, higher priority first")
