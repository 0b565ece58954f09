"""The map of a cluster: its nodes through one of several lenses, the pods that wait beside them, and one node of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe
from django_htmx.http import push_url, retarget

from clusters.engine import ConfigurationError, UnknownScheduler
from clusters.engine.resources import CPU, MEMORY
from clusters.services.disruption import budgets_of, drains_of
from clusters.services.evaluation import NOTICE
from clusters.services.mirror.past import node_named
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.mirror.state import ClusterUtilisation, pod_counts, spread_of, utilisation_of
from clusters.services.pending.pods import ClusterPending, pending_of
from clusters.services.usage.history import sizing_of
from clusters.wording import absent, amounts, drains as drains_words, overview as overview_words
from clusters.wording.evaluation import counted
from clusters.wording.maps import place as place_name
from dashboard.explained import explained, pod_of
from dashboard.http import PageRequest, wants_fragment
from dashboard.live.parts import live_part
from dashboard.pictures.meter import meter
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.presenters import lenses, overview as cards, pending as pending_rows
from dashboard.presenters.drains.page import DrainNodeRow, node_row
from dashboard.presenters.nodes.listing import badges, columns_of, label_of
from dashboard.presenters.shared.page import unanswered
from dashboard.views.asking import LOOKED, asked_of, growing, of_node, replicas_form, with_replicas, zone_losses
from dashboard.views.budgets import KINDS
from dashboard.views.lenses import (
    DRAIN,
    HEALTH,
    LENSES,
    LOOKS,
    OF_NOW,
    PENDING,
    REQUESTED,
    SPREAD,
    STRANDED,
    USAGE,
    Look,
    has_devices,
)
from dashboard.views.of_cluster import at_any_moment

if TYPE_CHECKING:
    from clusters.models import Cluster
    from dashboard.presenters.overview import Card

# Judging pending pods takes time for every node, once for those that are alike. Up to so many pairs, some 0.3 seconds,
# it is done within the page, and for every change of a live cluster; beyond, once the page stands, and again when
# somebody asks.
QUICK_PAIRS = 40_000
# So many causes stand beside the map; the list of pending pods has all.
_MOST_CAUSES = 5


@live_part(
    "overview.map",
    template="overview/_map.html",
    pages=["cluster"],
    kinds=(
        *(*KINDS, "DaemonSet", "Namespace", "Service"),
        *("PersistentVolume", "PersistentVolumeClaim", "StorageClass", "CSINode", NOTICE),
    ),
    parameters=(*LOOKED, "zone", "pool"),
)
def map_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Draw the nodes through the lens that is asked for, with the pods that wait by cause.

    Where changes are asked, draw what they come to instead. Raises Http404 for a zone or a pool that there is not, and
    ConfigurationError and ChangingTooFastError.
    """
    try:
        return {"cluster": cluster, "asked": asked_of(cluster, query)} if "change" in query else _looked(cluster, query)
    except LookupError:
        raise Http404(str(drains_words.NO_SUCH_POOL)) from None


def _looked(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    lens = query.get("lens", "")
    lens = lens if lens in LENSES else REQUESTED
    place = zone, pool = query.get("zone"), query.get("pool", "")
    opened = [] if zone is None else [("zone", zone), ("pool", pool)]
    waiting = pod_counts(cluster).pending
    use = utilisation_of(cluster=cluster)
    snapshot = use.snapshot
    is_judged = lens == PENDING or is_quickly_judged(cluster, len(snapshot.nodes))
    pending = _pending(cluster, is_needed=lens == PENDING) if is_judged else None
    stuck = (group for group in (pending.groups.values() if pending else ()) if group.is_unschedulable)
    causes = sorted(stuck, key=lambda group: -len(group.pods))
    cause = next((each for each in causes if each.identity == query.get("cause")), causes[0] if causes else None)
    look, address = Look(None), ""
    if lens == PENDING and cause is not None:
        case = explained(pod_of(cluster, cause.example.namespace, cause.example.name), "")
        found = lenses.pending_map(case.explanation, cause, *place)
        look = Look(found, "cause", cause.identity)
        address = case.part_address("why-not") + "?node="
    elif lens != PENDING and (cluster.past is None or lens != USAGE):
        look = LOOKS[lens](cluster, query, place)
    answers = _cards(cluster, use)
    if pending:
        answers[PENDING] = cards.pending_card(cluster, pending, beside=_MOST_CAUSES)
    here = {"lens": lens} | ({look.parameter: look.chosen} if look.parameter else {})
    whole, node = (
        f"{reverse(name, kwargs={'cluster': cluster.name})}?{urlencode(here)}" for name in ("map", "map-node")
    )
    return {
        "cluster": cluster,
        "asked": None,
        "lens": lens,
        "look": look,
        "has_devices": has_devices(snapshot),
        "is_of_now": lens in OF_NOW,
        "map": None
        if look.found is None or not look.found.names
        else DrawnMap("map", look.found, whole, address or f"{node}&node=", is_opened=zone is not None),
        "map_place": "" if zone is None else place_name(zone=zone, pool=pool),
        "map_whole": whole,
        "opened": opened,
        "and_opened": f"&{urlencode(opened)}" if opened else "",
        "causes": [
            (each, counted(len(each.pods), is_whole=each.is_whole), pending_rows.name(each), pending_rows.way(each))
            for each in causes[:_MOST_CAUSES]
        ],
        "more_causes": max(0, len(causes) - _MOST_CAUSES),
        "cause": cause,
        "waiting": waiting,
        "evaluating": pending.evaluating if pending else 0,
        "cards": answers,
        "card": answers.get(lens),
        "zones": () if cluster.past else zone_losses(cluster, query),
        "workloads": () if cluster.past else growing(cluster),
        "more": None if cluster.past else replicas_form(cluster, query),
    }


def _cards(cluster: Cluster, found: ClusterUtilisation) -> dict[str, Card]:
    """Answer by lens how many nodes, constraints and workloads are not as they should be, and which.

    Raises ChangingTooFastError.
    """
    answers = {
        DRAIN: cards.drains_card(cluster, budgets_of(cluster=cluster)),
        SPREAD: _spread_card(cluster, found),
        STRANDED: cards.waste_card(cluster, found),
        HEALTH: cards.nodes_card(cluster, found),
    }
    # What is used of the past is not told.
    return answers if cluster.past else {**answers, USAGE: _usage_card(cluster)}


def _usage_card(cluster: Cluster) -> Card:
    try:
        return cards.usage_card(cluster, sizing_of(cluster=cluster))
    except ConfigurationError as error:
        return cards.unknown_card(cluster, "usage", unanswered(error))


def _spread_card(cluster: Cluster, found: ClusterUtilisation) -> Card:
    if not len(found.snapshot.nodes):
        return cards.unknown_card(cluster, "spread", str(overview_words.NO_NODES))
    try:
        return cards.spread_card(cluster, spread_of(cluster=cluster))
    except ConfigurationError as error:
        return cards.unknown_card(cluster, "spread", unanswered(error))


def is_quickly_judged(cluster: Cluster, nodes: int) -> bool:
    """Whether a page can wait until the pending pods of a cluster are judged on all of so many nodes."""
    return pod_counts(cluster).alike * nodes <= QUICK_PAIRS


def _pending(cluster: Cluster, *, is_needed: bool) -> ClusterPending | None:
    """Return why pods are pending; None where the configuration cannot be read and it is not needed."""
    try:
        return pending_of(cluster=cluster)
    except ConfigurationError:
        if is_needed:
            raise
        return None


@require_safe
@at_any_moment
def lens_map(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the map through a lens, one pool of it, or what changes come to.

    Without scripts it is on the cluster's page.
    """
    query = with_replicas(cluster, request.GET)
    page = f"{reverse('cluster', kwargs={'cluster': cluster.name})}?{query.urlencode()}"
    if not wants_fragment(request):
        return redirect(page)
    try:
        context = map_context(cluster, query)
    except (ConfigurationError, UnknownScheduler, ChangingTooFastError) as error:
        return render(request, "live/_absent.html", {"problem": unanswered(error)})
    if context["asked"] and request.headers.get("HX-Target") == "map-part":
        return render(request, "overview/_outcome_part.html", {"outcome": context["asked"].outcome, "cluster": cluster})
    response = render(request, "overview/_map_card.html", context | {"is_followed": cluster.is_live})
    # Where a pool opens, the lenses above lead to it from then on.
    return retarget(push_url(response, page), "#map-card")


@require_safe
@at_any_moment
def map_node(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Say of one node of the map how it is, or what changes do to it, and offer what can be asked about it."""
    name = request.GET.get("node", "")
    node = node_named(cluster, name)
    asked = None if cluster.past else of_node(cluster, request.GET, name)
    if node is None and (asked is None or not asked.moves.sentences):
        raise Http404(absent.HAS_NO(cluster=cluster.name, object_kind="node", name=name))
    if not wants_fragment(request):
        return redirect("node", cluster=cluster.name, name=name)
    found = utilisation_of(cluster=cluster)
    row = found.snapshot.nodes.index.get(name)
    writes = {CPU: amounts.cpu, MEMORY: amounts.size}
    meters = []
    for resource in lenses.RESOURCES if row is not None else ():
        requested, allocatable = (int(column[row]) for column in columns_of(found.snapshot, resource))
        label = label_of(resource)
        meters.append((label, meter(label, requested, allocatable, writes.get(resource, amounts.grouped))))
    return render(
        request,
        "overview/_map_node.html",
        {
            "cluster": cluster,
            "name": name,
            "node": node,
            "badges": () if node is None else badges(node),
            "meters": meters,
            "stranded": "" if row is None else "".join(lenses.stranded_on(found, np.array([row]))),
            "asked": asked,
            "drain": _drain_of(cluster, request.GET, name),
        },
    )


def _drain_of(cluster: Cluster, query: QueryDict, name: str) -> DrainNodeRow | None:
    """Present what a drain of a node meets, where the map is looked at through that lens and nothing is asked."""
    if query.get("lens") != DRAIN or "change" in query:
        return None
    found = drains_of(cluster=cluster).nodes.get(name)
    return None if found is None else node_row(found)
