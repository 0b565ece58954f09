"""The clusters, one cluster, and its deletion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from clusters.models import Cluster, Event, Ingest, KubeObject, Node, Pod, PodDisruptionBudget
from clusters.services.journal.agreement import WINDOWS, agreement
from clusters.services.status import WatchState, watch_states
from clusters.services.uploads import remove_cluster
from dashboard.charts.zones import zones
from dashboard.live.parts import live_part
from dashboard.permissions import changes_clusters
from dashboard.presenters import clusters as presenter
from dashboard.presenters.agreement import RateView, rate_view
from dashboard.presenters.clusters import Counts
from dashboard.presenters.live import LiveStatus, live_status
from dashboard.sums import total_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from django.db.models import Model
    from django.http import HttpResponse, QueryDict

    from dashboard.http import PageRequest

CLUSTERS_PER_PAGE = 50
LATEST_INGESTS = 5
# Seconds after which a rate is counted again, because decisions fall out of its window.
_RATE_AGES = 30.0


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
    """Return the latest run of each cluster of which no dump has been taken yet."""
    runs = Ingest.objects.filter(cluster__in=clusters).order_by("created_at", "pk").only("cluster", "state")
    return {run.cluster_id: run for run in runs}


@require_safe
def clusters(request: PageRequest) -> HttpResponse:
    """List every cluster."""
    page = Paginator(Cluster.objects.order_by("name"), CLUSTERS_PER_PAGE).get_page(request.GET.get("page"))
    listed = list(page)
    counts = _row_counts(listed)
    states = watch_states(listed)
    first_runs = _first_runs([cluster for cluster in listed if cluster.is_unread])
    rows = [
        presenter.cluster_row(
            cluster, counts[cluster.pk], first_run=first_runs.get(cluster.pk), live=_live(states.get(cluster.pk))
        )
        for cluster in listed
    ]
    return render(request, "clusters/list.html", {"page": page, "rows": rows, "rate": _overall_rate()})


def _overall_rate() -> RateView | None:
    """Present how often Berth agreed with the schedulers in a day; None where no cluster is followed live."""
    if not Cluster.objects.filter(source=Cluster.Source.LIVE).exists():
        return None
    return rate_view(agreement(None, now=timezone.now(), since=WINDOWS["24h"]), "24h")


@live_part("journal.rate", template="agreement/_rate.html", pages=["cluster"], kinds=["Decision"], ages=_RATE_AGES)
def rate_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present how often Berth agreed with a live cluster's scheduler in a day."""
    rate = agreement([cluster.pk], now=timezone.now(), since=WINDOWS["24h"])
    return {"rate": rate_view(rate, "24h")}


def _counts(cluster: Cluster) -> Counts:
    """Count everything that is mirrored of a cluster."""
    pods = Pod.objects.filter(cluster=cluster).aggregate(
        all=Count("pk"), waiting=Count("pk", filter=Q(is_pending=True))
    )
    return Counts(
        nodes=Node.objects.filter(cluster=cluster).count(),
        pods=pods["all"],
        waiting=pods["waiting"],
        budgets=PodDisruptionBudget.objects.filter(cluster=cluster).count(),
        events=Event.objects.filter(cluster=cluster).count(),
        others=KubeObject.objects.filter(cluster=cluster).count(),
    )


@live_part(
    "cluster.counts",
    template="clusters/_counts.html",
    pages=["cluster"],
    kinds=["Node", "Pod", "PodDisruptionBudget"],
)
def counts_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present how much of a cluster is mirrored."""
    counts = _counts(cluster)
    return {"tiles": presenter.tiles(cluster, counts), "also_mirrored": presenter.also_mirrored(counts)}


@live_part("cluster.capacity", template="clusters/_capacity.html", pages=["cluster"], kinds=["Node", "Pod"])
def capacity_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present what pods request of each zone's CPUs."""
    allocatable = list(Node.objects.filter(cluster=cluster).order_by().values_list("name", "zone", "cpu_milli"))
    sums = (
        Pod.objects.filter(cluster=cluster)
        .exclude(node_name="")
        .exclude(phase__in=("Succeeded", "Failed"))
        .order_by()
        .values_list("node_name")
        .annotate(requested=total_of("cpu_milli"))
    )
    requested = {node: int(milli) for node, milli in sums}
    return {"figure": zones(presenter.zone_capacities(allocatable, requested))}


@live_part("cluster.gaps", template="clusters/_gaps.html", pages=["cluster"], ages=_RATE_AGES)
def gaps_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present what the source of a cluster does not tell."""
    lacks = "What may not be read" if cluster.is_live else "What this dump lacks"
    return {"cluster": cluster, "gaps": presenter.gaps(cluster), "lacks": lacks}


@require_safe
def cluster(request: PageRequest, cluster: str) -> HttpResponse:
    """Show one cluster: counts, capacity, what its dump lacks."""
    found = get_object_or_404(Cluster, name=cluster)
    latest = list(Ingest.objects.filter(cluster=found)[:LATEST_INGESTS])
    capacity = capacity_context(found, request.GET)
    context = {
        **counts_context(found, request.GET),
        **capacity,
        **gaps_context(found, request.GET),
        "live": _live(watch_states([found]).get(found.pk)),
        **(rate_context(found, request.GET) if found.is_live else {}),
        # The picture is drawn once; what stands beside it moves on.
        "of_when": "When this page was opened" if found.is_live and capacity["figure"].rows else "",
        "ingests": latest,
        "sent_files": "Latest logs" if found.is_live else "Latest dumps",
        "running": next((ingest for ingest in latest if not ingest.is_finished), None),
        "failed": latest[0] if found.is_unread and latest and latest[0].state == Ingest.State.FAILED else None,
    }
    return render(request, "clusters/detail.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@changes_clusters
def delete(request: PageRequest, cluster: str) -> HttpResponse:
    """Ask once, then delete the cluster and everything mirrored of it."""
    found = get_object_or_404(Cluster, name=cluster)
    if request.method != "POST":
        return render(request, "clusters/delete.html", {"cluster": found})
    remove_cluster(cluster=found)
    messages.success(request, f"{cluster} is deleted.")
    return redirect("clusters")
