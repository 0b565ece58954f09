"""The time zone of the reader, which the browser tells by a cookie (static/js/page.js)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

_COOKIE: Final = "berth-zone"


@lru_cache(maxsize=1)
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


@lru_cache(maxsize=64)
def zone_named(name: str) -> ZoneInfo:
    """Return a reader's time zone, as another object than the installation's, even where both are the same."""
    return ZoneInfo.no_cache(name)


def is_readers_zone() -> bool:
    """Whether times are told in the reader's zone, and not in the installation's because that is not known."""
    return timezone.get_current_timezone() is not timezone.get_default_timezone()


def zone_of(cookies: Mapping[str, str]) -> str:
    """Return the name of the zone that a browser told; empty where it told none that there is."""
    told = cookies.get(_COOKIE, "")
    return told if told in _zones() else ""


class ReaderZoneMiddleware(MiddlewareMixin):
    """Has pages tell times, and read them, in the zone of the reader; until that is known in BERTH_TIME_ZONE."""

    def process_request(self, request: HttpRequest) -> None:
        if zone := zone_of(request.COOKIES):
            timezone.activate(zone_named(zone))

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        timezone.deactivate()
        return response
