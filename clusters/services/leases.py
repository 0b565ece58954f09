"""Leases: each piece of work in the database has one holder, which loses it when its heartbeats stop.

The kinds of work differ in what a lost holder means, and only there:

- Runs, parts of studies and reviews go on: another worker takes them from the silent one, so each holder has a token of
  its own (`lanes.holds`, `lanes.abandoned`).
- An upload is given up, as its file must be sent again: no state is entered twice, and the state is the token
  (`ingest.runs`).
- A watch goes on, and is given back by a watcher that ends: its lease is a row of its own, which says until when it
  holds, and counts its holders (`watching.leases`).
- What a worker evaluates is in Redis, with a time to live instead of a holder: two workers at the same waste time
  and harm nothing (`evaluation.store`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from django.db.models import DateTimeField, ExpressionWrapper, Model, QuerySet, Value
from django.db.models.functions import Now

if TYPE_CHECKING:
    from datetime import timedelta

    from django.db.models.expressions import CombinedExpression

# A row of the database that one holder works on: taken, written with a sign of life each time, lost after silence.
#
# All moments are the database's, as the clocks of holders differ. A holder is whoever the query finds the row for: by
# a token, or by a state that only the holder can have brought about.

M = TypeVar("M", bound=Model)


class LeaseLostError(Exception):
    """Another holder took the work, somebody ended it, or it was deleted: whoever meets this writes nothing more."""


def take(free: QuerySet[M], **values: Any) -> bool:
    """Take a row, if the query finds it free; False where somebody was quicker."""
    return bool(free.update(heartbeat_at=Now(), **values))


def write(held: QuerySet[M], **values: Any) -> None:
    """Change the row that the query finds for its holder, and show life. Raises LeaseLostError where it finds none."""
    if not held.update(heartbeat_at=Now(), **values):
        raise LeaseLostError(held.model._meta.label)


def silent(rows: QuerySet[M], silence: timedelta) -> QuerySet[M]:
    """Return those rows whose holders have shown no life for so long."""
    return rows.filter(heartbeat_at__lt=from_now(-silence))


def from_now(distance: timedelta) -> ExpressionWrapper[CombinedExpression]:
    """Return a moment so far from the present one; a negative distance is in the past."""
    return ExpressionWrapper(Now() + Value(distance), output_field=DateTimeField())
