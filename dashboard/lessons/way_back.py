"""Where pages of lessons and classrooms that cannot be shown lead back to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from django.urls import reverse

from clusters.wording.lessons import refused as words
from dashboard.access.permissions import may_teach
from dashboard.lessons.learners import SEAT

if TYPE_CHECKING:
    from django.http import HttpRequest

_LESSONS: Final = "/lessons/"
_CLASSROOMS: Final = "/classrooms/"
_JOINING: Final = ("/join/", f"/{SEAT}/")


class WayBack(NamedTuple):
    """What may have become of a page that is not there, and the page from which to start again."""

    missing: str
    address: str
    label: str


def way_back(request: HttpRequest) -> WayBack | None:
    """Return the way back from an address of lessons or classrooms; None for any other."""
    path = request.path
    if path.startswith(_JOINING):
        return WayBack(str(words.NO_PLACE), reverse("join"), str(words.TO_JOINING))
    # A request that is refused early has come to nobody who knows the user.
    user = getattr(request, "user", None)
    if path.startswith(_CLASSROOMS) and user is not None and may_teach(user):
        return WayBack(str(words.NO_CLASSROOM), reverse("classrooms"), str(words.TO_CLASSROOMS))
    if path.startswith((_LESSONS, _CLASSROOMS)):
        return WayBack(str(words.NO_LESSON), reverse("lessons"), str(words.TO_LESSONS))
    return None
