"""Pages of lists of which it is known how many rows they have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.utils.functional import cached_property

if TYPE_CHECKING:
    from django.db.models import QuerySet


class CountedPaginator(Paginator):  # type: ignore[type-arg] # Django's class takes none when it runs
    """A paginator that is told how many rows there are, and does not ask the database."""

    def __init__(self, rows: QuerySet[Any, Any], per_page: int, *, count: int) -> None:
        super().__init__(rows, per_page)
        self._count = count

    @cached_property
    def count(self) -> int:
        """Return how many rows there are on all pages."""
        return self._count
