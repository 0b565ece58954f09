"""What a page with live parts says of its connection: all of it, as only the page's script knows which is true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.template.defaultfilters import date
from django.utils.timezone import localtime

from clusters.wording import live as words

if TYPE_CHECKING:
    from datetime import datetime

# The script puts a time here.
_SINCE = "{since}"


@dataclass(frozen=True, slots=True)
class ConnectionView:
    """A sentence for each state; ``asking`` and ``away`` hold `{since}` where the time belongs."""

    connected: str
    connecting: str
    failed: str
    asking: str
    away: str


def connection(dumped_at: datetime | None) -> ConnectionView:
    """Return what is said on pages of a live cluster, or of one whose dump was read at that time."""
    dump = words.DUMP_OF(moment=date(localtime(dumped_at), "j M Y, H:i")) if dumped_at else ""
    return ConnectionView(
        connected=dump or str(words.CONNECTED),
        connecting=str(words.CONNECTING),
        failed=str(words.FAILED),
        asking=words.ASKING(since=_SINCE),
        away=words.AWAY(since=_SINCE),
    )
