"""The clusters, and the deletion of one."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Case, Count, When
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from clusters.models import PENDING, Cluster, Ingest, Node, Pod, PodDisruptionBudget
from clusters.services.ingest.uploads import remove_cluster
from clusters.services.journal.timeline import WINDOWS, rate_of, tallies
from clusters.services.watching.connections import WatchState, watch_states
from clusters.wording import clusters as words
from dashboard.access import audit
from dashboard.access.rights import viewed, visible
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.presenters import clusters as presenter
from dashboard.presenters.clusters import Counts, LiveStatus, live_status
from dashboard.presenters.journal.timeline import rate_view
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet
    from django.http import HttpResponse

    from dashboard.http import PageRequest

CLUSTERS_PER_PAGE = 50
# Over which agreement is told.
_WINDOW = "24h"


def _number_of(rows: QuerySet[Any], clusters: Sequence[Cluster]) -> dict[int, int]:
    """Count rows by cluster, with one query however many clusters there are."""
    found = rows.filter(cluster__in=clusters).order_by().values_list("cluster").annotate(number=Count("pk"))
    return dict(found)


def _maps(clusters: Sequence[Cluster]) -> dict[int, DrawnMap]:
    """Draw the nodes of each cluster that has any, with one query."""
    state = Case(When(ready=False, then=0), When(ready=None, then=1), When(unschedulable=True, then=2), default=3)
    nodes = Node.objects.filter(cluster__in=clusters).annotate(state=state).order_by("cluster", "zone", "state")
    found = nodes.values_list("cluster", "zone", "state").annotate(number=Count("pk"))
    return {
        pk: DrawnMap(f"nodes-{pk}", presenter.node_map([each[1:] for each in rows]))
        for pk, rows in groupby(found, lambda each: each[0])
    }


def _live(state: WatchState | None) -> LiveStatus | None:
    """Present how a live cluster is doing; None for one that is mirrored from dumps."""
    return live_status(state.lease, state.kinds, now=timezone.now()) if state else None


def _first_runs(clusters: Sequence[Cluster]) -> dict[int, Ingest]:
    """Return the run that reads the first dump of each cluster."""
    runs = Ingest.objects.filter(cluster__in=clusters).order_by("created_at", "pk").only("cluster")
    return {run.cluster_id: run for run in runs if run.cluster_id is not None}


@require_safe
def clusters(request: PageRequest) -> HttpResponse:
    """List every cluster."""
    every = visible(Cluster.objects.order_by("name"), request.user)
    page = Paginator(every, CLUSTERS_PER_PAGE).get_page(request.GET.get("page"))
    listed = list(page)
    pods, waiting = _number_of(Pod.objects.all(), listed), _number_of(Pod.objects.filter(PENDING), listed)
    # By their status alone, as a filter of the budgets' page: whether several select a pod takes the pods to know.
    budgets = PodDisruptionBudget.objects.filter(disruptions_allowed=0, expected_pods__gt=0)
    refusing = _number_of(budgets, listed)
    maps, judged = _maps(listed), tallies(viewed(request.user), now=timezone.now(), windows={_WINDOW: WINDOWS[_WINDOW]})
    states = watch_states(listed)
    first_runs = _first_runs([cluster for cluster in listed if cluster.is_unread])
    rows = [
        presenter.ClusterRow(
            cluster,
            Counts(pods=pods.get(cluster.pk, 0), waiting=waiting.get(cluster.pk, 0)),
            first_runs.get(cluster.pk),
            _live(states.get(cluster.pk)),
            refusing.get(cluster.pk, 0),
            rate_view(rate_of(judged, _WINDOW, cluster_id=cluster.pk), _WINDOW),
            maps.get(cluster.pk),
        )
        for cluster in listed
    ]
    is_any_live = visible(Cluster.objects.filter(source=Cluster.Source.LIVE), request.user).exists()
    rate = rate_view(rate_of(judged, _WINDOW), _WINDOW) if is_any_live else None
    return render(
        request, "clusters/list.html", {"page": page, "rows": rows, "rate": rate, "by_roles": settings.BERTH_ROLES}
    )


@require_http_methods(["GET", "HEAD", "POST"])
@of_cluster
def delete(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Ask once, then delete the cluster and everything mirrored of it."""
    if request.method != "POST":
        return render(request, "clusters/delete.html", {"cluster": cluster})
    remove_cluster(cluster=cluster)
    audit.note(request, audit.Action.DELETED, cluster=cluster.name)
    messages.success(request, words.DELETED(cluster=cluster.name))
    return redirect("clusters")
