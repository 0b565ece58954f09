"""What the strip of time shows of a cluster's journal, and what changed between its two handles."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from clusters.engine.simulation import PodEnding
from clusters.models import Decision, NodeChange
from clusters.services.journal.between import moved_between
from clusters.services.journal.timeline import MOST_CHANGES, marks_of
from clusters.services.mirror.past import as_it_was
from clusters.services.mirror.snapshots import last_moment
from clusters.services.mirror.state import existing_nodes
from dashboard.http import PageRequest, render_page
from dashboard.moments import AT, FROM, SPAN, as_written, asked_moment, recorded
from dashboard.pictures.verdict_map.pair import DrawnPair
from dashboard.pictures.verdict_map.spec import NodeAddresses
from dashboard.presenters.journal.timeline import ended, node_change
from dashboard.presenters.runs.compare import SideAddresses, moves_view
from dashboard.presenters.time_strip import marks_context, window_of
from dashboard.views.of_cluster import at_any_moment, of_cluster

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpResponse

    from clusters.engine.simulation import MovedPod, MovedPods
    from clusters.models import Cluster

ROWS_PER_PAGE: Final = 50


@require_safe
@of_cluster
def marks(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Draw what was recorded in a stretch of time."""
    until = last_moment(cluster) or timezone.now()
    start, end = (asked_moment(request.GET, name, until) for name in ("since", "until"))
    if start is None or end is None or start >= end:
        raise Http404
    decisions = Decision.objects.filter(cluster=cluster)
    told = marks_of(decisions, cluster=cluster, nodes=None, start=start, end=end)
    return render(request, "past/_marks.html", marks_context(told))


@require_safe
@at_any_moment
def changes(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Show which pods and nodes came, went or changed between two moments, as arrows and as a list."""
    known = recorded(cluster)
    end = None if known is None else last_moment(cluster) or known.until
    if known is None or end is None:
        return render(request, "past/unknown.html", {"cluster": cluster, "known": known}, status=404)
    start = asked_moment(request.GET, FROM, end) or window_of(request.GET, known, [end]).start
    start = max(known.since, min(start, end))
    moved = moved_between(as_it_was(cluster, start), cluster)
    page = Paginator(moved.pods, ROWS_PER_PAGE).get_page(request.GET.get("page"))
    nodes = NodeChange.objects.filter(cluster=cluster, heard_at__gt=start, heard_at__lte=end)
    kept = [(name, request.GET[name]) for name in (FROM, AT, SPAN) if name in request.GET]
    moves = moves_view(moved, _titles(start, end), request.GET.get("workload", ""), _addresses(cluster, moved))
    context: dict[str, Any] = {
        "cluster": cluster,
        "start": start,
        "end": end,
        "page": page,
        "rows": [(each.pod, ended(each.left, each.left_end), ended(each.right, each.right_end)) for each in page],
        "nodes": [(each.heard_at, node_change(each)) for each in nodes.order_by("heard_at", "pk")[:MOST_CHANGES]],
        "moves": moves,
        "counted": Counter(_change(each) for each in moved.pods),
        "pair": None if moves is None else DrawnPair("moves-map", moves.pair),
        "kept": kept,
        "address": f"{request.path}?{urlencode(kept)}",
        "stretch": urlencode({"since": as_written(start), "until": as_written(end)}),
    }
    return render_page(request, "past/changes.html", "past/_changed_pods.html", context)


def _change(pod: MovedPod) -> str:
    """Tell whether a pod is there since, is gone, or is on another node or on none."""
    if pod.left_end is PodEnding.ABSENT:
        return "arrived"
    return "left" if pod.right_end is PodEnding.ABSENT else "elsewhere"


def _titles(start: datetime, end: datetime) -> tuple[str, str]:
    first, last = (timezone.localtime(each).strftime("%Y-%m-%d %H:%M:%S") for each in (start, end))
    return first, last


def _addresses(cluster: Cluster, moved: MovedPods) -> tuple[SideAddresses, SideAddresses]:
    """Return where the maps lead: to nodes that the cluster still has, and to the list of pods."""
    names = {node.name for node in moved.nodes}
    begin = reverse("nodes", kwargs={"cluster": cluster.name})
    leads = NodeAddresses(begin, "/", frozenset(names - set(existing_nodes(cluster, names))))
    side = SideAddresses(leads, "#changed-pods", "#changed-pods")
    return side, side
