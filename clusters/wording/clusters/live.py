"""How a live cluster is followed; each sentence of `STATUS` ends with a time."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

NO_WATCHER: Final = pgettext_lazy("status of a live cluster", "no watcher")
LISTING: Final = pgettext_lazy("status of a live cluster", "listing")
SILENT: Final = pgettext_lazy("status of a live cluster", "silent")
BEHIND: Final = pgettext_lazy("status of a live cluster", "behind")
LIVE: Final = pgettext_lazy("status of a live cluster", "live")

START_WATCHER: Final = gettext_lazy("Run manage.py watch with the cluster's name, and read what it prints.")
NEVER_WATCHED: Final = gettext_lazy("No watcher has followed this cluster yet.")
WATCHER_SILENT: Final = gettext_lazy("The watcher does not respond. Last heartbeat")
SERVER_SILENT: Final = gettext_lazy("The API server does not respond. Last response")
FOLLOWING: Final = gettext_lazy("Following every kind. Last response")


def listing(complete: int, kinds: int) -> str:
    """Say how many kinds are listed; none are known before the first."""
    if not kinds:
        return _("Listing: no kind is complete yet. Started")
    return ngettext(
        "Listing: %(complete)s of %(kinds)s kind is complete. Started",
        "Listing: %(complete)s of %(kinds)s kinds are complete. Started",
        kinds,
    ) % {"complete": grouped(complete), "kinds": grouped(kinds)}


WITHOUT = plural(
    "Following all kinds but %(kinds)s. Last response", "Following all kinds but %(kinds)s. Last response", by="kinds"
)
LAGGING = message("Following %(milliseconds)s ms behind: the database is slow. Last response")
LAG = message("%(milliseconds)s ms")
KINDS_BEHIND = plural("%(kinds)s kind behind", "%(kinds)s kinds behind", by="kinds")
KINDS_FOLLOWED = plural("%(kinds)s kind up to date", "%(kinds)s kinds up to date", by="kinds")
