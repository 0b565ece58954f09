"""The clusters, and the deletion of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Model, Q
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from clusters.models import Cluster, Ingest, Node, Pod
from clusters.services.ingest.uploads import remove_cluster
from clusters.services.journal.timeline import WINDOWS, agreement
from clusters.services.watching.connections import WatchState, watch_states
from clusters.wording import clusters as words
from dashboard.access.permissions import changes_clusters
from dashboard.presenters import clusters as presenter
from dashboard.presenters.clusters import Counts, LiveStatus, live_status
from dashboard.presenters.journal.timeline import rate_view
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpResponse

    from dashboard.http import PageRequest

CLUSTERS_PER_PAGE = 50


def _number_of(model: type[Model], clusters: Sequence[Cluster]) -> dict[int, int]:
    rows = (
        model._default_manager.filter(cluster__in=clusters)
        .order_by()
        .values_list("cluster")
        .annotate(number=Count("pk"))
    )
    return dict(rows)


def _row_counts(clusters: Sequence[Cluster]) -> dict[int, Counts]:
    """Count what the list shows, with two queries however many clusters there are."""
    nodes = _number_of(Node, clusters)
    pods = (
        Pod.objects.filter(cluster__in=clusters)
        .order_by()
        .values_list("cluster")
        .annotate(number=Count("pk"), waiting=Count("pk", filter=Q(is_pending=True)))
    )
    pod_numbers = {cluster: (number, waiting) for cluster, number, waiting in pods}
    return {
        cluster.pk: Counts(
            nodes=nodes.get(cluster.pk, 0),
            pods=pod_numbers.get(cluster.pk, (0, 0))[0],
            waiting=pod_numbers.get(cluster.pk, (0, 0))[1],
        )
        for cluster in clusters
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
    page = Paginator(Cluster.objects.order_by("name"), CLUSTERS_PER_PAGE).get_page(request.GET.get("page"))
    listed = list(page)
    counts = _row_counts(listed)
    states = watch_states(listed)
    first_runs = _first_runs([cluster for cluster in listed if cluster.is_unread])
    rows = [
        presenter.ClusterRow(cluster, counts[cluster.pk], first_runs.get(cluster.pk), _live(states.get(cluster.pk)))
        for cluster in listed
    ]
    return render(request, "clusters/list.html", {"page": page, "rows": rows, "rate": _overall_rate()})


def _overall_rate() -> dict[str, Any] | None:
    """Present how often Berth agreed with the schedulers in a day; None where no cluster is followed live."""
    if not Cluster.objects.filter(source=Cluster.Source.LIVE).exists():
        return None
    return rate_view(agreement(None, now=timezone.now(), since=WINDOWS["24h"]), "24h")


@require_http_methods(["GET", "HEAD", "POST"])
@changes_clusters
@of_cluster
def delete(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Ask once, then delete the cluster and everything mirrored of it."""
    if request.method != "POST":
        return render(request, "clusters/delete.html", {"cluster": cluster})
    remove_cluster(cluster=cluster)
    messages.success(request, words.DELETED(cluster=cluster.name))
    return redirect("clusters")
