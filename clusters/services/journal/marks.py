"""What happened when: decisions by kind and changes of nodes, counted in short stretches of a stretch of time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, Min

from clusters.models import NodeChange
from clusters.services.journal.timeline import Minute

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet

    from clusters.models import Cluster, Decision

# So many stretches at most, and so many changes of nodes.
_MOST, MOST_CHANGES = 100, 200
_STEPS = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=15),
    timedelta(hours=1),
    timedelta(hours=3),
    timedelta(days=1),
    timedelta(days=7),
)


class Mark(NamedTuple):
    """Decisions of one kind that were heard of within a step from `start` on; `first` is the key of the first."""

    start: datetime
    kind: str
    number: int
    first: int


class Marks(NamedTuple):
    """What happened between two moments, oldest first, counted in steps."""

    start: datetime
    end: datetime
    step: timedelta
    marks: list[Mark]
    changes: list[NodeChange]


def marks_of(
    decisions: QuerySet[Decision],
    *,
    cluster: Cluster,
    nodes: Collection[str] | None,
    start: datetime,
    end: datetime,
) -> Marks:
    """Count decisions from `start` to before `end` with one query, and read what became of nodes; None: of all."""
    step = next((each for each in _STEPS if (end - start) / each <= _MOST), _STEPS[-1])
    rows = (
        decisions.filter(heard_at__gte=start, heard_at__lt=end)
        .order_by()
        .annotate(minute=Minute("heard_at"))
        .values_list("minute", "kind")
        .annotate(number=Count("*"), first=Min("pk"))
    )
    found: dict[tuple[datetime, str], tuple[int, int]] = {}
    for minute, kind, number, first in rows:
        moment = _beginning(datetime.fromisoformat(minute).replace(tzinfo=UTC), step)
        count, earliest = found.get((moment, kind), (0, first))
        found[moment, kind] = count + number, min(first, earliest)
    changes = NodeChange.objects.filter(cluster=cluster, heard_at__gte=start, heard_at__lt=end)
    if nodes is not None:
        changes = changes.filter(node_name__in=nodes)
    return Marks(
        start,
        end,
        step,
        [Mark(moment, kind, *counted) for (moment, kind), counted in sorted(found.items())],
        list(changes.order_by("heard_at", "pk")[:MOST_CHANGES]),
    )


def _beginning(moment: datetime, step: timedelta) -> datetime:
    seconds = int(step.total_seconds())
    return datetime.fromtimestamp(int(moment.timestamp()) // seconds * seconds, UTC)
