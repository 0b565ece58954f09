"""How often Berth agreed with the scheduler over the period: whether the other numbers can be believed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count

from clusters.models import Cluster, Decision
from clusters.services.journal.timeline import COUNTED_KINDS, Rate, Tally
from clusters.services.reports import subject as tables

if TYPE_CHECKING:
    from datetime import datetime

    from clusters.services.reports.subject import Row

_WINDOW = "period"
_COUNTS = ("judged", "agreeing", "sampled", "disagrees", "waiting", "unjudged")


def agreement(cluster: Cluster, start: datetime, end: datetime) -> Row:
    """Decisions of the period by how they were judged, in all and by kind."""
    rows = (
        Decision.objects.filter(cluster=cluster, heard_at__gte=start, heard_at__lte=end)
        .order_by()
        .values_list("kind", "verdict", "reason", "basis_state")
        .annotate(number=Count("pk"))
    )
    tallies = [
        Tally(cluster.pk, kind, verdict, reason, state == "nearby", {_WINDOW: number})
        for kind, verdict, reason, state, number in rows
    ]
    whole = _rate(tallies)
    kinds = [(kind, _rate([each for each in tallies if each.kind == kind])) for kind in COUNTED_KINDS]
    found = [
        {"kind": str(kind), **_counts(rate), "share": tables.ratio(rate.agreeing, rate.judged)}
        for kind, rate in kinds
        if rate.judged or rate.waiting or rate.unjudged
    ]
    disagreements = [
        {"reason": reason, "decisions": number}
        for reason, number in sorted(whole.disagreements.items(), key=lambda item: (-item[1], item[0]))
    ]
    columns = [tables.text("kind"), *map(tables.number, _COUNTS), {"key": "share", "kind": "share"}]
    return tables.section(
        "agreement",
        {**_counts(whole), "share": tables.ratio(whole.agreeing, whole.judged)},
        [
            tables.table("agreement", columns, found),
            tables.table("disagreements", [tables.text("reason"), tables.number("decisions")], disagreements),
        ],
    )


def _rate(tallies: list[Tally]) -> Rate:
    rate = Rate()
    for tally in tallies:
        rate.add(tally, tally.numbers[_WINDOW])
    return rate


def _counts(rate: Rate) -> dict[str, int]:
    return {name: getattr(rate, name) for name in _COUNTS}
