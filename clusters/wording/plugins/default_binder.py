"""How Berth speaks of DefaultBinder."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.wording.plugins.plugin_wording import PluginWording


class Wording(PluginWording):
    """Words for DefaultBinder."""

    def decides(self) -> str:
        return _("binds the pod to its node")
