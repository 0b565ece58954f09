"""Decisions over time: how many of each verdict in each minute, hour or day."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count
from django.db.models.functions import TruncDay, TruncHour, TruncMinute
from django.utils import timezone

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from clusters.models import Decision

_MINUTES_UP_TO, _HOURS_UP_TO, _LONGEST = timedelta(hours=2), timedelta(days=4), timedelta(days=400)


class Stretch(NamedTuple):
    """How many decisions of each verdict were heard of from `start` on, for one step of the timeline."""

    start: datetime
    numbers: Mapping[str, int]


class Timeline(NamedTuple):
    """Stretches without gaps, oldest first; `unit` is minute, hour or day."""

    unit: str
    stretches: list[Stretch]

    @property
    def total(self) -> int:
        return sum(sum(stretch.numbers.values()) for stretch in self.stretches)


def timeline(decisions: QuerySet[Decision], start: datetime, end: datetime) -> Timeline:
    """Count decisions from `start` to before `end`, at most the last 400 days of that, with one query."""
    start = max(start, end - _LONGEST)
    unit, begins, first = _unit(start, end)
    rows = (
        decisions.filter(heard_at__gte=start, heard_at__lt=end)
        .order_by()
        .annotate(stretch=begins("heard_at"))
        .values_list("stretch", "verdict")
        .annotate(number=Count("*"))
    )
    found: dict[datetime, dict[str, int]] = {}
    for stretch, verdict, number in rows:
        # Within one zone, Python takes the two hours that a clock shows twice for one.
        found.setdefault(stretch.astimezone(UTC), {})[verdict] = number
    stretches = []
    while first.astimezone(UTC) < end:
        stretches.append(Stretch(first, found.get(first.astimezone(UTC), {})))
        first = _next(first, unit)
    return Timeline(unit, stretches)


def _unit(start: datetime, end: datetime) -> tuple[str, type[TruncMinute | TruncHour | TruncDay], datetime]:
    """Return the step that suits the length, how the database finds its beginning, and where the first one begins."""
    local = timezone.localtime(start)
    if end - start <= _MINUTES_UP_TO:
        return "minute", TruncMinute, local.replace(second=0, microsecond=0)
    if end - start <= _HOURS_UP_TO:
        return "hour", TruncHour, local.replace(minute=0, second=0, microsecond=0)
    return "day", TruncDay, local.replace(hour=0, minute=0, second=0, microsecond=0)


def _next(moment: datetime, unit: str) -> datetime:
    """Return the beginning of the next step; days are those of the calendar, which need not have 24 hours."""
    if unit == "day":
        return moment + timedelta(days=1)
    return timezone.localtime(moment.astimezone(UTC) + timedelta(**{f"{unit}s": 1}))
