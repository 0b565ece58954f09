"""The timeline of a cluster, a workload or a pod, which pages show as one picture."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

from clusters.models import Cluster, Decision, Node
from clusters.services.journal.timeline import marks_of
from clusters.services.mirror.snapshots import last_moment
from dashboard.filters.journal import TimeSpan
from dashboard.moments import as_written
from dashboard.presenters.journal.timeline import Addresses, timeline_view

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from django.db.models import QuerySet

    from dashboard.http import PageRequest

USUAL = timedelta(hours=24)
_SHORTEST, _LONGEST = timedelta(minutes=30), timedelta(days=400)
# SQLite may be built to take no more than 999 values in one statement.
_MOST_NODES = 400
# Of a page's address, what is about pages of its list goes when its stretch of time does.
_DROPPED = ("since", "until", "older", "newer", "page")


def timeline_context(
    request: PageRequest,
    cluster: Cluster,
    decisions: QuerySet[Decision],
    *,
    narrowing: Mapping[str, str],
    nodes: Collection[str] | None = None,
    is_whole: bool = False,
) -> dict[str, Any]:
    """Present what happened in the stretch of time that is asked for, or in the last day.

    ``narrowing``: the filters of the journal under which it shows the same decisions. ``nodes``: of which changes are
    told, beside those that the decisions name; None: of all. ``is_whole``: where no time is asked for, from the first
    decision on.
    """
    since, until = TimeSpan(request.GET).span()
    end = until or last_moment(cluster) or timezone.now()
    start = since or end - USUAL
    if since is None and is_whole:
        first = decisions.order_by("heard_at").values_list("heard_at", flat=True).first()
        start = end - _SHORTEST if first is None else min(_floored(first), end - _SHORTEST)
    if start >= end:
        start = end - USUAL
    start = max(start, end - _LONGEST)
    if nodes is not None:
        within = decisions.filter(heard_at__gte=start, heard_at__lt=end).exclude(node_name="").order_by()
        named = within.values_list("node_name", flat=True).distinct()[:_MOST_NODES]
        nodes = {*islice(nodes, _MOST_NODES), *named}
    found = marks_of(decisions, cluster=cluster, nodes=nodes, start=start, end=end)
    if not found.marks and not found.changes and since is None and not cluster.is_live:
        return {"happened": None}
    kept = request.GET.copy()
    for name in _DROPPED:
        kept.pop(name, None)
    names = {each.node_name for each in found.changes}
    here = set(Node.objects.filter(cluster=cluster, name__in=names).values_list("name", flat=True))
    journal = reverse("journal", kwargs={"cluster": cluster.name})

    def zoomed(begin: datetime, finish: datetime) -> str:
        return f"{request.path}?{_query(kept, {'since': as_written(begin), 'until': as_written(finish)})}#happened"

    def listed(kind: str, begin: datetime, finish: datetime) -> str:
        span = {"kind": kind, "since": as_written(begin), "until": as_written(finish)}
        return f"{journal}?{_query(QueryDict(), {**narrowing, **span})}"

    addresses = Addresses(
        decision=lambda pk: reverse("journaled", kwargs={"cluster": cluster.name, "pk": pk}),
        decisions=listed,
        node=lambda name: reverse("node", kwargs={"cluster": cluster.name, "name": name}) if name in here else "",
        zoomed=zoomed,
    )
    return {
        "happened": timeline_view(found, addresses),
        # Nobody watches a cluster that comes from a dump.
        "happened_simulated": not cluster.is_live,
        "happened_usual": f"{request.path}?{kept.urlencode()}#happened" if since or until else "",
    }


def _floored(moment: datetime) -> datetime:
    return moment.replace(minute=moment.minute // 10 * 10, second=0, microsecond=0)


def _query(kept: QueryDict, more: Mapping[str, str]) -> str:
    query = kept.copy()
    for name, value in more.items():
        query[name] = value
    return query.urlencode()
