"""Why a page's websocket refuses what it is asked for; a request for one live part is refused in the same words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy

from clusters.wording.lists import alternatives
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterable

NO_OBJECT: Final = gettext_lazy("The message is not a JSON object.")
NO_MESSAGES: Final = gettext_lazy("This websocket takes no messages.")
ADDRESS_TOO_LONG: Final = gettext_lazy("The address is too long.")
NO_ADDRESS: Final = gettext_lazy("No page has this address.")
FORBIDDEN: Final = gettext_lazy("You may not see this part.")
NO_CLUSTER: Final = gettext_lazy("The cluster is gone or renamed.")


def no_request(known: Iterable[str]) -> str:
    """Say which fields name a request."""
    return _("The message lacks %(known)s.") % {"known": alternatives(known)}


BAD_FIELD = message("The message is not valid: %(reason)s.")
NO_PART = message("The page has no live part %(part)s.")
TOO_MANY_PARTS = plural("A page has at most %(most)s live part.", "A page has at most %(most)s live parts.", by="most")
NOT_LIVE = message("%(cluster)s is not a live cluster.")
