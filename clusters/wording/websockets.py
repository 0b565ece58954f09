"""Live pages in words: what their connections and requests are told."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message, plural

# -- What a page with live parts says of its connection, in the words that its script puts in -------------------------


CONNECTED: Final = gettext_lazy("Connected: changes appear by themselves.")
CONNECTING: Final = gettext_lazy("Connecting.")
FAILED: Final = gettext_lazy("A part of this page is not up to date: reload it.")


DUMP_OF = message("Dump read %(moment)s.")
ASKING = message("Not connected since %(since)s; polling every few seconds.")
AWAY = message("Not connected since %(since)s; this is from then.")


# -- Why a page's websocket refuses what it is asked for --------------------------------------------------------------


NO_OBJECT: Final = gettext_lazy("The message is not a JSON object.")
NO_MESSAGES: Final = gettext_lazy("This websocket takes no messages.")
ADDRESS_TOO_LONG: Final = gettext_lazy("The address is too long.")
NO_ADDRESS: Final = gettext_lazy("No page has this address.")
FORBIDDEN: Final = gettext_lazy("You may not see this part.")
NO_CLUSTER: Final = gettext_lazy("The cluster is gone or renamed.")


NO_REQUEST = message("The message lacks %(known)s.")


BAD_FIELD = message("The message is not valid: %(reason)s.")
NO_PART = message("The page has no live part %(part)s.")
TOO_MANY_PARTS = plural("A page has at most %(most)s live part.", "A page has at most %(most)s live parts.", by="most")
NOT_LIVE = message("%(cluster)s is not a live cluster.")
