"""How Berth speaks of ImageLocality."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.wording.plugins.plugin_wording import PluginWording


class Wording(PluginWording):
    """Words for ImageLocality."""

    def decides(self) -> str:
        return _("prefers nodes that have the pod's images")
