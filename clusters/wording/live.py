"""What a page with live parts says of its connection, in the words that its script puts in."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message

CONNECTED: Final = gettext_lazy("Connected: changes appear by themselves.")
CONNECTING: Final = gettext_lazy("Connecting.")
FAILED: Final = gettext_lazy("A part of this page is not up to date: reload it.")


DUMP_OF = message("Dump of %(moment)s.")
ASKING = message("Not connected since %(since)s; polling every few seconds.")
AWAY = message("Not connected since %(since)s; this is from then.")
