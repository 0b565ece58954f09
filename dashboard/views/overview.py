"""A cluster's first page: whether anything is wrong, at risk or wasteful; and where everybody begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from clusters.engine import ConfigurationError
from clusters.engine.analysis import Kind
from clusters.models import Cluster, Event, Ingest, KubeObject, Node, PodDisruptionBudget
from clusters.services.disruption import budgets_of
from clusters.services.journal.timeline import WINDOWS, agreement
from clusters.services.mirror.snapshots import (
    READ_AT_ONCE,
    ChangingTooFastError,
    last_moment,
    snapshot_at_revision,
    snapshot_of,
)
from clusters.services.mirror.state import pod_counts, spread_of, utilisation_of
from clusters.services.pending.pods import pending_of
from clusters.services.watching.connections import watch_states
from clusters.services.workloads.failing import FAILING_KINDS, failures_of, troubles_of
from clusters.wording import clusters as clusters_words, overview as words
from clusters.wording.websockets import NOT_LIVE
from dashboard.access.rights import visible
from dashboard.http import PageRequest, wants_fragment
from dashboard.live.parts import live_part
from dashboard.presenters import clusters as presenter, overview as cards
from dashboard.presenters.clusters import Counts, live_status
from dashboard.presenters.journal.timeline import rate_view
from dashboard.presenters.overview import change_card, failing_card, pending_card, summary
from dashboard.presenters.shared.page import unanswered
from dashboard.views.map import is_quickly_judged, map_context
from dashboard.views.of_cluster import at_any_moment

if TYPE_CHECKING:
    from collections.abc import Callable


LATEST_INGESTS = 5
# Seconds after which a rate is counted again, because decisions fall out of its window.
_RATE_AGES = 30.0
# What the summary depends on: spreading, budgets and nodes, and what tells which workloads fail.
_KINDS = (
    "Node",
    "Pod",
    "PodDisruptionBudget",
    "Service",
    "ReplicationController",
    "ReplicaSet",
    "Deployment",
    "StatefulSet",
    *FAILING_KINDS,
)


@require_safe
def home(request: PageRequest) -> HttpResponse:
    """Lead to the only cluster, or else to the list of all."""
    names = list(visible(Cluster.objects.order_by("name"), request.user).values_list("name", flat=True)[:2])
    return redirect("cluster", cluster=names[0]) if len(names) == 1 else redirect("clusters")


# -- the answers ----------------------------------------------------------------------------------------------------


@live_part("overview.failing", template="overview/_cards.html", pages=["cluster"], kinds=_KINDS)
def failing_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present the workloads whose controllers fail."""
    card = failing_card(cluster, failures_of(cluster=cluster))
    return {"cluster": cluster, "cards": [] if card is None else [card]}


@live_part("overview.summary", template="overview/_summary.html", pages=["cluster"], kinds=_KINDS)
def summary_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Sum up what is wrong, at risk and wasteful."""
    try:
        spread, problem = spread_of(cluster=cluster), ""
    except ConfigurationError as error:
        spread, problem = None, unanswered(error)
    found = utilisation_of(cluster=cluster)
    return {
        "cluster": cluster,
        "sorts": summary(
            cluster,
            failures=failures_of(cluster=cluster),
            pending=pod_counts(cluster).pending,
            found=found,
            budgets=budgets_of(cluster=cluster),
            spread=spread,
            troubles=troubles_of(cluster=cluster, snapshot=found.snapshot),
        ),
        "problem": problem,
        "node_count": len(found.snapshot.nodes),
    }


@live_part("overview.pending", template="overview/_cards.html", pages=["cluster"])
def pending_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present the change after which most pending pods would fit, and their causes where the map has none."""
    pending = pending_of(cluster=cluster)
    # What is computed of all pods within the page stands beside the map.
    is_whole = not any(group.cause.kind in (Kind.EVALUATING, Kind.NOT_COMPUTED) for group in pending.groups.values())
    is_told = is_whole and is_quickly_judged(cluster, len(snapshot_of(cluster).nodes))
    shown = ([] if is_told else [pending_card(cluster, pending)]) + [change_card(cluster, pending)]
    return {"cluster": cluster, "cards": list(filter(None, shown)), "evaluating": pending.evaluating}


@live_part("overview.zones", template="overview/_zones.html", pages=["cluster", "zones"], kinds=["Node", "Pod"])
def zones_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present what pods request of each zone."""
    revision, _ = snapshot_at_revision(cluster)
    found = utilisation_of(cluster=cluster)
    return {
        "cluster": cluster,
        "revision": revision,
        "capacity": cards.capacity_sentence(found),
        "zones": cards.zone_rows(cluster, found),
    }


# Seconds: it tells how long ago things were, and has to notice by itself that nothing is heard any more.
@live_part("cluster.status", template="live/_status.html", pages=["cluster"], ages=2.0)
def status_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present how a live cluster is followed. Raises Http404 for one that is not."""
    state = watch_states([cluster]).get(cluster.pk)
    if state is None:
        raise Http404(NOT_LIVE(cluster=cluster.name))
    return {"cluster": cluster, "live": live_status(state.lease, state.kinds, now=timezone.now())}


# -- what is mirrored -----------------------------------------------------------------------------------------------


@live_part("journal.rate", template="agreement/_rate.html", pages=["cluster"], kinds=["Decision"], ages=_RATE_AGES)
def rate_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present how often Berth agreed with a live cluster's scheduler in a day."""
    rate = agreement([cluster.pk], now=timezone.now(), since=WINDOWS["24h"])
    return {"rate": rate_view(rate, "24h")}


@live_part(
    "cluster.counts",
    template="clusters/_counts.html",
    pages=["cluster"],
    kinds=["Node", "Pod", "PodDisruptionBudget"],
)
def counts_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present how much of a cluster is mirrored, and tell whether a page can wait for what is pending."""
    pods = pod_counts(cluster)
    counts = Counts(
        nodes=Node.objects.filter(cluster=cluster).count(),
        pods=pods.pods,
        waiting=pods.pending,
        budgets=PodDisruptionBudget.objects.filter(cluster=cluster).count(),
        events=Event.objects.filter(cluster=cluster).count(),
        others=KubeObject.objects.filter(cluster=cluster).count(),
    )
    return {
        "tiles": presenter.tiles(cluster, counts),
        "also_mirrored": presenter.also_mirrored(counts),
        "is_quick": is_quickly_judged(cluster, counts.nodes),
        # Spreading and budgets are computed for each revision: of so many the answers are not followed by themselves.
        "is_large": counts.pods > READ_AT_ONCE,
    }


@live_part("cluster.gaps", template="clusters/_gaps.html", pages=["cluster"], ages=_RATE_AGES)
def gaps_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present what the source of a cluster does not tell."""
    lacks = words.NOT_READABLE if cluster.is_live else words.NOT_DUMPED
    return {"cluster": cluster, "gaps": presenter.gaps(cluster), "lacks": lacks}


# -- the pages ------------------------------------------------------------------------------------------------------


def _answers(cluster: Cluster, query: QueryDict, *, is_quick: bool) -> tuple[dict[str, Any], int]:
    """Build the parts that are computed, and the status of a page that has them; a problem is told in their place."""
    built: dict[str, Any] = {}
    parts: dict[str, Callable[[Cluster, QueryDict], dict[str, Any]]] = {"area": zones_context}
    if cluster.past is None:
        # Which controllers fail is known of the present alone.
        parts |= {"failing": failing_context, "summary": summary_context}
    try:
        built |= {name: build(cluster, query) for name, build in parts.items()}
        built["drawn"] = map_context(cluster, query)
        if is_quick:
            built["pending"] = pending_context(cluster, query)
    except ConfigurationError as error:
        return {**built, "problem": unanswered(error)}, 200
    except ChangingTooFastError as error:
        return {**built, "problem": unanswered(error)}, 503
    return built, 200


@require_safe
@at_any_moment
def overview(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Show one cluster: what is wrong, at risk or wasteful, its map, and what is mirrored of it."""
    if cluster.past is not None:
        is_quick = is_quickly_judged(cluster, len(cluster.past.snapshot.nodes))
        answers, status = _answers(cluster, request.GET, is_quick=is_quick)
        context = {**answers, "cluster": cluster, "is_quick": is_quick, "is_followed": True}
        return render(request, "overview/page.html", context, status=status)
    latest = list(Ingest.objects.filter(cluster=cluster)[:LATEST_INGESTS])
    state = watch_states([cluster]).get(cluster.pk)
    counts = counts_context(cluster, request.GET)
    asked = wants_fragment(request) or "now" in request.GET
    is_reading = counts["is_large"] and not asked and cluster.is_live
    if is_reading:
        # Its parts wait for the cluster to be read; the page does not.
        snapshot_at_revision(cluster)
    answers, status = ({}, 200) if is_reading else _answers(cluster, request.GET, is_quick=counts["is_quick"])
    context = {
        **answers,
        **counts,
        "as_of": last_moment(cluster),
        "is_reading": is_reading,
        "is_followed": not (cluster.is_live and counts["is_large"]),
        **gaps_context(cluster, request.GET),
        "live": live_status(state.lease, state.kinds, now=timezone.now()) if state else None,
        **(rate_context(cluster, request.GET) if cluster.is_live else {}),
        "ingests": [(ingest, clusters_words.STATES[ingest.state]) for ingest in latest],
        "sent_files": words.LATEST_LOGS if cluster.is_live else words.LATEST_DUMPS,
        "running": next((ingest for ingest in latest if not ingest.is_finished), None),
    }
    # Of what stands already, htmx takes the answers out of the whole page.
    return render(request, "overview/page.html", context, status=status)


@require_safe
@at_any_moment
def pending_cards(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the cards about pending pods, for a page that was sent already; without scripts it is their own page."""
    if not wants_fragment(request):
        return redirect("pending", cluster=cluster.name)
    try:
        context = pending_context(cluster, request.GET)
    except (ConfigurationError, ChangingTooFastError) as error:
        return render(request, "live/_absent.html", {"problem": unanswered(error)})
    return render(request, "overview/_pending.html", {**context, "cluster": cluster})


@require_safe
@at_any_moment
def zones(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Show what pods request of each zone, and what asks for its loss."""
    return render(request, "overview/zones.html", {"area": zones_context(cluster, request.GET), "cluster": cluster})
