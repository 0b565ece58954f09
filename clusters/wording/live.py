"""What a page with live parts says of its connection, in the words that its script puts in."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

CONNECTED: Final = gettext_lazy("Connected: changes appear by themselves.")
CONNECTING: Final = gettext_lazy("Connecting.")
FAILED: Final = gettext_lazy(
    "A part of this page is not brought up to date at the moment. Reload the page if that lasts."
)


def dump_of(moment: str) -> str:
    """Say of when a dump is, on pages that show the next one when it comes."""
    return _("Dump of %(moment)s. A newer one appears by itself.") % {"moment": moment}


def asking(since: str) -> str:
    """Say since when there is no connection, and that the page polls for changes."""
    return _("Not connected since %(since)s. This page polls for changes every few seconds instead.") % {"since": since}


def away(since: str) -> str:
    """Say since when nothing answers, and that what is shown is of that time."""
    return _("Not connected since %(since)s. What is shown is from then.") % {"since": since}
