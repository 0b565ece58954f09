"""What every template may use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.functional import SimpleLazyObject

from dashboard.access.rights import EVERY, covers, rights_of
from dashboard.classrooms.frame import seat_frame
from dashboard.failures import way_back
from dashboard.nav import Site, site_of
from dashboard.presenters.time_strip import strip_of
from dashboard.tour import tour_of

if TYPE_CHECKING:
    from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """Offer the page frame and what the user may do; a fragment that mentions neither costs no query."""
    frame = SimpleLazyObject(lambda: _site(request))
    return {
        "site": frame,
        "berth_command": settings.BERTH_COMMAND,
        "time_strip": SimpleLazyObject(lambda: strip_of(request, frame.cluster, frame.recorded)),
        "tour": SimpleLazyObject(lambda: tour_of(request, frame.cluster)),
        "seat": SimpleLazyObject(lambda: seat_frame(request)),
        "way_back": SimpleLazyObject(lambda: way_back(request)),
        "may_change_clusters": SimpleLazyObject(lambda: _may_change(request, frame)),
        "may_write_lessons": SimpleLazyObject(lambda: rights_of(request.user).writes_lessons),
    }


def _may_change(request: HttpRequest, frame: SimpleLazyObject[Site]) -> bool:
    """Whether the user may change the cluster of the frame, or outside of one add some."""
    changes = rights_of(request.user).changes
    # For the cluster's key the whole frame is read, which a fragment has no use for.
    return bool(changes) and covers(changes, EVERY if EVERY in changes else frame.primary_key)


def _site(request: HttpRequest) -> Site:
    # A request that is refused early, for its host say, has come to nobody who knows the user.
    framed, section = (getattr(request, each, "") for each in ("framed_cluster", "framed_section"))
    return site_of(request.resolver_match, framed, section, getattr(request, "user", None))
