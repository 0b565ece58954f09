"""The map of a cluster: its nodes through one of several lenses, the pods that wait beside them, and one node of it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe
from django_htmx.http import push_url

from clusters.engine import ConfigurationError, UnknownScheduler
from clusters.engine.devices import DeviceState
from clusters.engine.nodes import Amounts
from clusters.engine.resources import CPU, MEMORY, is_extended
from clusters.services.disruption import budgets_of, drains_of
from clusters.services.evaluation import NOTICE
from clusters.services.journal.timeline import activity_of
from clusters.services.mirror.past import node_named
from clusters.services.mirror.snapshots import ChangingTooFastError, snapshot_of
from clusters.services.mirror.state import (
    ClusterUtilisation,
    devices_by_node,
    devices_of,
    pod_counts,
    spread_of,
    utilisation_of,
)
from clusters.services.pending.pods import ClusterPending, pending_of
from clusters.services.usage.history import sizing_of, usage_of
from clusters.wording import (
    amounts,
    drains as drains_words,
    lenses as lens_words,
    nodes as nodes_words,
    overview as overview_words,
)
from clusters.wording.evaluation import counted
from clusters.wording.journal.decisions import UNKNOWN_BEFORE
from clusters.wording.maps import place as place_name
from dashboard.explained import explained, pod_of
from dashboard.filters.nodes import NONE
from dashboard.http import PageRequest, wants_fragment
from dashboard.live.parts import live_part
from dashboard.moments import recorded
from dashboard.pictures.meter import meter
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.presenters import lenses, overview as cards, pending as pending_rows
from dashboard.presenters.devices import device_counts
from dashboard.presenters.drains import page as drains
from dashboard.presenters.nodes.listing import badges, columns_of, label_of, resources
from dashboard.presenters.shared.page import unanswered
from dashboard.presenters.spread import constraint_name
from dashboard.views.asking import LOOKED, asked_of, growing, of_node, with_replicas, zone_losses
from dashboard.views.budgets import KINDS
from dashboard.views.of_cluster import at_any_moment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clusters.engine import Snapshot
    from clusters.models import Cluster
    from dashboard.pictures.verdict_map.spec import VerdictMap
    from dashboard.presenters.overview import Card

    Place = tuple[str | None, str]

REQUESTED, PENDING, DRAIN, SPREAD, STRANDED = "requested", "pending", "drain", "spread", "stranded"
USAGE, DEVICES, CHANGED, HEALTH = "usage", "devices", "changed", "health"
LENSES: Final = (REQUESTED, PENDING, DRAIN, SPREAD, STRANDED, USAGE, DEVICES, CHANGED, HEALTH)
# What is known of the present alone.
_OF_NOW: Final = (USAGE, DEVICES)
_DAY: Final = timedelta(days=1)
# Judging a pending pod takes time for every node. Up to so many pairs it is done within the page, and for every
# change of a live cluster; beyond, once the page stands, and again when somebody asks.
QUICK_PAIRS = 25_000
# So many causes stand beside the map; the list of pending pods has all.
_MOST_CAUSES = 5
# So many constraints can be chosen above it, those with the worst skew; the page of Spread has all.
_MOST_CONSTRAINTS = 40
# Of all devices, as no class can be called.
ALL: Final = "*"


class Look(NamedTuple):
    """What is seen through a lens: a map, if there is one, and what is `chosen` by a parameter of addresses.

    `choices` are pairs of value and word.
    """

    found: VerdictMap | None
    parameter: str = ""
    chosen: str = ""
    choices: Sequence[tuple[str, str]] = ()


@live_part(
    "overview.map",
    template="overview/_map.html",
    pages=["cluster"],
    kinds=(
        *(*KINDS, "DaemonSet", "Namespace", "Service"),
        *("PersistentVolume", "PersistentVolumeClaim", "StorageClass", "CSINode", NOTICE),
    ),
    parameters=LOOKED,
)
def map_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Draw the nodes through the lens that is asked for, with the pods that wait by cause.

    Where changes are asked, draw what they come to instead. Raises LookupError for a zone or a pool that there is not,
    and ConfigurationError and ChangingTooFastError.
    """
    if "change" in query:
        return {"cluster": cluster, "asked": asked_of(cluster, query)}
    lens = query.get("lens", "")
    lens = lens if lens in LENSES else REQUESTED
    place = zone, pool = query.get("zone"), query.get("pool", "")
    waiting = pod_counts(cluster).pending
    use = utilisation_of(cluster=cluster)
    snapshot = use.snapshot
    is_judged = lens == PENDING or is_quickly_judged(waiting, len(snapshot.nodes))
    pending = _pending(cluster, is_needed=lens == PENDING) if is_judged else None
    stuck = (group for group in (pending.groups.values() if pending else ()) if group.is_unschedulable)
    causes = sorted(stuck, key=lambda group: -len(group.pods))
    cause = next((each for each in causes if each.identity == query.get("cause")), causes[0] if causes else None)
    address = f"{reverse('map-node', kwargs={'cluster': cluster.name})}?node="
    look = Look(None)
    if lens == PENDING and cause is not None:
        case = explained(pod_of(cluster, cause.pods[0].namespace, cause.pods[0].name), "")
        found = lenses.pending_map(case.explanation, pending_rows.title(cause), *place)
        look = Look(found, "cause", cause.identity)
        address = case.part_address("why-not") + "?node="
    elif lens != PENDING and (cluster.past is None or lens not in _OF_NOW):
        look = _LOOKS[lens](cluster, query, place)
    answers = _cards(cluster, use)
    if pending:
        answers[PENDING] = cards.pending_card(cluster, pending, beside=_MOST_CAUSES)
    here = {"lens": lens} | ({look.parameter: look.chosen} if look.parameter else {})
    whole = f"{reverse('map', kwargs={'cluster': cluster.name})}?{urlencode(here)}"
    return {
        "cluster": cluster,
        "asked": None,
        "lens": lens,
        "look": look,
        "has_devices": has_devices(snapshot),
        "is_of_now": lens in _OF_NOW,
        "map": None
        if look.found is None or not look.found.names
        else DrawnMap("map", look.found, whole, address, nameless=NONE, is_opened=zone is not None),
        "map_place": "" if zone is None else place_name(zone=zone, pool=pool),
        "map_whole": whole,
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
    }


def _chosen(query: QueryDict, choices: Sequence[tuple[str, str]]) -> str:
    """Return the resource that an address asks for, or else the first."""
    asked = query.get("resource", "")
    return asked if asked in dict(choices) else choices[0][0]


def _requested(cluster: Cluster, query: QueryDict, place: Place) -> Look:
    choices = [(name, label_of(name)) for name in lenses.RESOURCES]
    chosen = _chosen(query, choices)
    return Look(lenses.requested_map(utilisation_of(cluster=cluster), chosen, *place), "resource", chosen, choices)


def _drain(cluster: Cluster, query: QueryDict, place: Place) -> Look:
    found = drains_of(cluster=cluster)
    return Look(drains.outlook_map(found, drains.sentence(found.outlooks), *place))


def _spread(cluster: Cluster, query: QueryDict, place: Place) -> Look:
    try:
        spread = spread_of(cluster=cluster)
    except ConfigurationError:
        # What is beside the map says why.
        return Look(None)
    groups = sorted(spread.groups, key=lambda identity: spread.groups[identity].unevenness, reverse=True)
    if not groups:
        return Look(None)
    asked = query.get("constraint", "")
    chosen = asked if asked in spread.groups else groups[0]
    shown = dict.fromkeys([*groups[:_MOST_CONSTRAINTS], chosen])
    found = lenses.spread_map(spread.snapshot, spread.groups[chosen], *place)
    return Look(found, "constraint", chosen, [(each, constraint_name(spread.groups[each])) for each in shown])


def _stranded(cluster: Cluster, query: QueryDict, place: Place) -> Look:
    return Look(lenses.stranded_map(utilisation_of(cluster=cluster), *place))


def _usage(cluster: Cluster, query: QueryDict, place: Place) -> Look:
    usage = usage_of(cluster=cluster)
    if usage is None or not usage.nodes:
        return Look(None)
    choices = [(name, label_of(name)) for name in lenses.MEASURED]
    chosen = _chosen(query, choices)
    return Look(lenses.usage_map(utilisation_of(cluster=cluster), usage, chosen, *place), "resource", chosen, choices)


def has_devices(snapshot: Snapshot) -> bool:
    """Whether any node has a device, by a ResourceSlice or as an extended resource."""
    return bool(snapshot.objects("ResourceSlice") or _extended(snapshot))


def _extended(snapshot: Snapshot) -> list[str]:
    """Return the extended resources that some node has."""
    return sorted(filter(is_extended, (name for name, _ in resources(snapshot))))


def _devices(cluster: Cluster, query: QueryDict, place: Place) -> Look:
    found = devices_of(cluster=cluster)
    classes = {each.name: each for each in found.classes}
    extended = _extended(found.snapshot)
    choices = [(ALL, str(lens_words.ALL_DEVICES))] if found.pools else []
    choices += [(name, name) for name in (*(classes if found.pools else ()), *extended)]
    if not choices:
        return Look(None)
    chosen = _chosen(query, choices)
    if chosen in extended:
        amount = Amounts(*columns_of(found.snapshot, chosen))
        free, total = int(amount.left.sum()), int(amount.allocatable.sum())
    else:
        amount = devices_by_node(found, classes.get(chosen))
        counted = device_counts(found.pools.values()) if chosen == ALL else classes[chosen].counts
        free, total = counted[DeviceState.FREE], counted.total()
    sentence = lens_words.FREE(resource=dict(choices)[chosen], free=free, total=total)
    return Look(lenses.devices_map(found.snapshot, sentence, amount, *place), "resource", chosen, choices)


def _changed(cluster: Cluster, query: QueryDict, place: Place) -> Look:
    known = recorded(cluster)
    if known is None:
        return Look(None)
    start = max(known.since, known.until - _DAY)
    late = UNKNOWN_BEFORE(since=f"{timezone.localtime(start):%Y-%m-%d %H:%M}") if start == known.since else ""
    found = activity_of(cluster=cluster, start=start, end=known.until)
    return Look(lenses.changed_map(snapshot_of(cluster), found, late, *place))


def _health(cluster: Cluster, query: QueryDict, place: Place) -> Look:
    return Look(lenses.health_map(utilisation_of(cluster=cluster), *place))


_LOOKS: Final[Mapping[str, Callable[[Cluster, QueryDict, Place], Look]]] = {
    REQUESTED: _requested,
    DRAIN: _drain,
    SPREAD: _spread,
    STRANDED: _stranded,
    USAGE: _usage,
    DEVICES: _devices,
    CHANGED: _changed,
    HEALTH: _health,
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


def is_quickly_judged(waiting: int, nodes: int) -> bool:
    """Whether a page can wait until so many pending pods are judged on so many nodes."""
    return waiting * nodes <= QUICK_PAIRS


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
    query = with_replicas(request.GET)
    page = f"{reverse('cluster', kwargs={'cluster': cluster.name})}?{query.urlencode()}"
    if not wants_fragment(request):
        return redirect(page)
    try:
        context = map_context(cluster, query)
    except LookupError:
        raise Http404(str(drains_words.NO_SUCH_POOL)) from None
    except (ConfigurationError, UnknownScheduler, ChangingTooFastError) as error:
        return render(request, "live/_absent.html", {"problem": unanswered(error)})
    if request.headers.get("HX-Target") == "map-part":
        if context["asked"]:
            return render(request, "overview/_outcome_part.html", {"outcome": context["asked"].outcome})
        return render(request, "overview/_map_part.html", context)
    return push_url(render(request, "overview/_map_card.html", context | {"is_followed": cluster.is_live}), page)


@require_safe
@at_any_moment
def map_node(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Say of one node of the map how it is, or what changes do to it, and offer what can be asked about it."""
    name = request.GET.get("node", "")
    node = node_named(cluster, name)
    asked = None if cluster.past else of_node(cluster, request.GET, name)
    if node is None and (asked is None or not asked.moves.sentences):
        raise Http404(nodes_words.MISSING(cluster=cluster.name, node=name))
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
            "asked": asked,
        },
    )
