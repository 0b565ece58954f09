"""Decisions over time: how many of each verdict in each minute, hour or day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import CharField, Count, Func
from django.utils import timezone

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models import QuerySet
    from django.db.models.sql.compiler import SQLCompiler

    from clusters.models import Decision

_MINUTES_UP_TO, _HOURS_UP_TO, _LONGEST = timedelta(hours=2), timedelta(days=4), timedelta(days=400)


class Minute(Func):
    """A moment's minute in UTC as text; what Django offers has SQLite ask Python about each row."""

    output_field = CharField()

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> tuple[str, tuple[str | int, ...]]:
        sql, parameters = self.as_sql(compiler, connection, template="SUBSTR(%(expressions)s, 1, 16)", **context)
        return sql, tuple(parameters)

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> tuple[str, tuple[str | int, ...]]:
        template = "TO_CHAR(%(expressions)s AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')"
        sql, parameters = self.as_sql(compiler, connection, template=template, **context)
        return sql, tuple(parameters)


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
    unit = _unit(end - start)
    first = _beginning(start, unit)
    rows = (
        decisions.filter(heard_at__gte=start, heard_at__lt=end)
        .order_by()
        .annotate(minute=Minute("heard_at"))
        .values_list("minute", "verdict")
        .annotate(number=Count("*"))
    )
    found: dict[datetime, dict[str, int]] = {}
    for minute, verdict, number in rows:
        # Within one zone, Python takes the two hours that a clock shows twice for one.
        stretch = _beginning(datetime.fromisoformat(minute).replace(tzinfo=UTC), unit).astimezone(UTC)
        numbers = found.setdefault(stretch, {})
        numbers[verdict] = numbers.get(verdict, 0) + number
    stretches = []
    while first.astimezone(UTC) < end:
        stretches.append(Stretch(first, found.get(first.astimezone(UTC), {})))
        first = _next(first, unit)
    return Timeline(unit, stretches)


def _unit(length: timedelta) -> str:
    """Return the step that suits the length."""
    if length <= _MINUTES_UP_TO:
        return "minute"
    return "hour" if length <= _HOURS_UP_TO else "day"


def _beginning(moment: datetime, unit: str) -> datetime:
    """Return when the minute, hour or day began that a clock showed at the moment."""
    local = timezone.localtime(moment).replace(second=0, microsecond=0)
    if unit == "minute":
        return local
    return local.replace(minute=0) if unit == "hour" else local.replace(minute=0, hour=0, fold=0)


def _next(moment: datetime, unit: str) -> datetime:
    """Return the beginning of the next step; days are those of the calendar, which need not have 24 hours."""
    if unit == "day":
        return moment + timedelta(days=1)
    return timezone.localtime(moment.astimezone(UTC) + timedelta(**{f"{unit}s": 1}))
