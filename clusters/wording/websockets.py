"""Why a page's websocket refuses what it is asked for; a request for one live part is refused in the same words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import alternatives

if TYPE_CHECKING:
    from collections.abc import Iterable

NO_OBJECT: Final = gettext_lazy("The message is not a JSON object.")
NO_MESSAGES: Final = gettext_lazy("This websocket takes no messages.")
ADDRESS_TOO_LONG: Final = gettext_lazy("The page's address is too long.")
NO_ADDRESS: Final = gettext_lazy("There is no page at this address.")
FORBIDDEN: Final = gettext_lazy("You are not permitted to see this part of the page.")
NO_CLUSTER: Final = gettext_lazy("The cluster does not exist, or was renamed.")


def no_request(known: Iterable[str]) -> str:
    """Say which fields name a request."""
    return _("The message has none of the fields %(known)s.") % {"known": alternatives(known)}


def bad_field(reason: str) -> str:
    """Say what is wrong with a field, with the reason that the validation gives."""
    return _("The message is not valid: %(reason)s.") % {"reason": reason}


def no_part(part: str) -> str:
    """Say that a page has no live part of that name."""
    return _("The page has no live part %(part)s.") % {"part": part}


def too_many_parts(most: int) -> str:
    """Say how many live parts a page may have."""
    return ngettext("A page has at most %(most)s live part.", "A page has at most %(most)s live parts.", most) % {
        "most": grouped(most)
    }


def not_live(cluster: str) -> str:
    """Say that a cluster is no live one."""
    return _("%(cluster)s is not a live cluster.") % {"cluster": cluster}
