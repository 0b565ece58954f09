"""Moments that follow from those which objects tell."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.timezone import localtime


def later(at: str, seconds: int) -> datetime | None:
    """Return the moment so many seconds after an RFC 3339 time, in the time zone of pages; None beyond the year 9999.

    Added before it is converted: clocks that are put forward or back meanwhile change nothing about seconds.
    """
    try:
        return localtime(datetime.fromisoformat(at) + timedelta(seconds=seconds))
    except OverflowError:
        return None
