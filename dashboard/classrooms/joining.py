"""The address by which participants join a classroom, and the picture that leads there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from clusters.wording.lessons import teaching as words
from dashboard import env
from dashboard.classrooms.codes import shown

if TYPE_CHECKING:
    from dashboard.models import Classroom


@dataclass(frozen=True, slots=True)
class JoinLink:
    """How one joins: the code, where it is typed in, the link with the code in it, and a QR code of that link.

    ``warning`` says that nobody else reaches the address, where that is so.
    """

    code: str
    place: str
    address: str
    picture: SafeString
    warning: str


def join_link(classroom: Classroom, origin: str) -> JoinLink:
    """Return how one joins, at the address that people open, or else that of the trainer's own page."""
    base = settings.BERTH_BASE_URL or origin
    address = f"{base}{reverse('join-with-code', kwargs={'code': classroom.code})}"
    parts = urlsplit(base)
    return JoinLink(
        code=shown(classroom.code),
        place=f"{parts.netloc}{reverse('join')}",
        address=address,
        picture=_picture(address),
        warning=str(words.ONLY_THIS_MACHINE) if env.is_loopback(parts.hostname or "") else "",
    )


@lru_cache(maxsize=64)
def _picture(address: str) -> SafeString:
    # Drawn by segno of numbers alone.
    return mark_safe(segno.make_qr(address, error="m").svg_inline(omitsize=True, svgclass="qr", border=3))  # noqa: S308
