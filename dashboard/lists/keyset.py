"""Pages of long lists; those of one that grows at its beginning are given by a neighbour row, and do not shift."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.utils.functional import cached_property
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.models import Decision


_CURSOR = re.compile(r"([0-9]{1,17})-([0-9]{1,18})")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CHUNK = 1_000


class Cursor(Struct, frozen=True):
    """The place of one decision in the list, which is ordered by when it was heard of, newest first."""

    heard_at: datetime
    pk: int

    @classmethod
    def of(cls, decision: Decision) -> Cursor:
        """Return the place of a decision."""
        return cls(decision.heard_at, decision.pk)

    @classmethod
    def read(cls, text: str) -> Cursor | None:
        """Return the place that an address names; None for a text that names none."""
        match = _CURSOR.fullmatch(text)
        if match is None:
            return None
        try:
            return cls(_EPOCH + timedelta(microseconds=int(match[1])), int(match[2]))
        except OverflowError:
            return None

    def __str__(self) -> str:
        return f"{(self.heard_at - _EPOCH) // timedelta(microseconds=1)}-{self.pk}"

    @property
    def older(self) -> Q:
        """What comes after it in the list."""
        return Q(heard_at__lte=self.heard_at) & (Q(heard_at__lt=self.heard_at) | Q(pk__lt=self.pk))

    @property
    def newer(self) -> Q:
        """What comes before it in the list."""
        return Q(heard_at__gte=self.heard_at) & (Q(heard_at__gt=self.heard_at) | Q(pk__gt=self.pk))


class KeysetPage(Struct, frozen=True):
    """Some decisions, newest first; `older` and `newer` are cursors for the pages beside it, empty where none is."""

    rows: list[Decision]
    older: str
    newer: str


def page_of(decisions: QuerySet[Decision], asked: Mapping[str, str], size: int) -> KeysetPage:
    """Return the page that an address asks for by `older` or `newer`, with one query; the newest without them."""
    newer, older = (Cursor.read(asked.get(name, "")) for name in ("newer", "older"))
    if newer is not None:
        rows = list(decisions.filter(newer.newer).order_by("heard_at", "pk")[: size + 1])
        has_newer, rows = len(rows) > size, rows[:size][::-1]
        return KeysetPage(rows, _cursor(rows[-1:]) or str(newer), _cursor(rows[:1]) if has_newer else "")
    found = decisions.filter(older.older) if older is not None else decisions
    rows = list(found.order_by("-heard_at", "-pk")[: size + 1])
    has_older, rows = len(rows) > size, rows[:size]
    return KeysetPage(rows, _cursor(rows[-1:]) if has_older else "", _cursor(rows[:1]) if older is not None else "")


def _cursor(rows: list[Decision]) -> str:
    return str(Cursor.of(rows[0])) if rows else ""


def chunks(decisions: QuerySet[Decision]) -> Iterator[list[Decision]]:
    """Yield all of them, newest first, some at a time; none of the queries stays open between two."""
    older = ""
    while True:
        page = page_of(decisions, {"older": older}, _CHUNK)
        if page.rows:
            yield page.rows
        if not page.older:
            return
        older = page.older


class CountedPaginator(Paginator):  # type: ignore[type-arg] # Django's class takes none when it runs
    """A paginator that is told how many rows there are, and does not ask the database."""

    def __init__(self, rows: QuerySet[Any, Any], per_page: int, *, count: int) -> None:
        super().__init__(rows, per_page)
        self._count = count

    @cached_property
    def count(self) -> int:
        """Return how many rows there are on all pages."""
        return self._count
