"""Titles of the overview that depend on the source of the cluster, and the shades of its picture."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

NOT_READABLE: Final = gettext_lazy("What Berth may not read")
NOT_DUMPED: Final = gettext_lazy("Missing from this dump")
LATEST_LOGS: Final = gettext_lazy("Latest logs")
LATEST_DUMPS: Final = gettext_lazy("Latest dumps")
# By what the picture is shaded by.
SHADES: Final = {
    "cpu": pgettext_lazy("shade of the picture", "CPU"),
    "memory": pgettext_lazy("shade of the picture", "Memory"),
    "pods": pgettext_lazy("shade of the picture", "Pods"),
    "state": pgettext_lazy("shade of the picture", "State"),
}
