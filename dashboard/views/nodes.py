"""The nodes of a cluster, as a table, as a picture and as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from django.core.paginator import Page, Paginator
from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from clusters.engine.resources import CPU, MEMORY, PODS
from clusters.models import Cluster, Node, Pod
from clusters.services.mirror.past import nodes_of, pods_of, with_objects
from clusters.services.mirror.state import ClusterUtilisation, utilisation_of
from clusters.wording import counts, nodes as words
from clusters.wording.drains import NO_SUCH_POOL
from clusters.wording.maps import place as place_name
from dashboard.filters.nodes import NodeFilter
from dashboard.http import PageRequest, render_page
from dashboard.lists.columns import COLUMNS_PARAMETER, Sorting, address_of_choice, rows_in_order
from dashboard.live.parts import live_part
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.presenters.lenses import requested_map
from dashboard.presenters.nodes import listing as presenter
from dashboard.presenters.nodes.listing import figures as usable_figures, resources
from dashboard.presenters.shared.page import count_line
from dashboard.tables.nodes import NODES, amounts
from dashboard.views.of_cluster import at_any_moment

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.db.models import QuerySet
    from django.http import HttpResponse, QueryDict


ROWS_PER_PAGE = 50
# Which resource the map shows, and what of it is opened: the list's filter has a zone of its own.
MAP = "map"
_PLACE = ("map-zone", "map-pool")


def holding(cluster: Cluster, names: Sequence[str]) -> Iterable[Pod]:
    """Return the pods whose requests count on these nodes: those of finished pods do not."""
    if cluster.past is not None:
        return with_objects(pods_of(cluster, names))
    pods = Pod.objects.filter(cluster=cluster, node_name__in=names)
    return pods.exclude(phase__in=("Succeeded", "Failed")).order_by("pk")


# The columns that are sorted by what is requested, which the rows of the database do not say: by its share.
_AMOUNTS = {"cpu": CPU, "memory": MEMORY, "pods": PODS}


class _Passing(NamedTuple):
    """The nodes that a filter lets through: rows of the database, or of the past."""

    form: NodeFilter
    nodes: QuerySet[Node] | list[Node]
    total: int

    @property
    def names(self) -> Iterable[str]:
        if isinstance(self.nodes, list):
            return (node.name for node in self.nodes)
        return self.nodes.order_by().values_list("name", flat=True)


def _passing(cluster: Cluster, query: QueryDict, found: ClusterUtilisation) -> _Passing:
    """Return the filter that the address gives, and what it lets through."""
    if cluster.past is not None:
        nodes = nodes_of(cluster)
        form = NodeFilter(query, zones=sorted({node.zone for node in nodes}))
        return _Passing(form, form.apply_to_past(nodes, found.snapshot.nodes.nodes), len(nodes))
    every = Node.objects.filter(cluster=cluster)
    form = NodeFilter(query, zones=list(every.order_by("zone").values_list("zone", flat=True).distinct()))
    return _Passing(form, form.apply(every), every.count())


def _shares(sorting: Sorting, found: ClusterUtilisation) -> dict[str, float] | None:
    """Return by node what the address sorts by, where that is requested amounts; those that have none come last."""
    resource = _AMOUNTS.get(sorting.value.removeprefix("-"))
    if resource is None:
        return None
    amounts, sign = found.amounts[resource], -1 if sorting.value.startswith("-") else 1
    shares = np.where(amounts.allocatable > 0, sign * amounts.shares, np.inf)
    return dict(zip(found.snapshot.nodes.names, shares.tolist(), strict=True))


def _keys_in_order(passing: QuerySet[Node], sorting: Sorting, found: ClusterUtilisation) -> list[int]:
    """Return the keys of nodes as the address sorts them."""
    shares = _shares(sorting, found)
    if shares is None:
        return list(passing.order_by(*sorting.order()).values_list("pk", flat=True))
    usual = passing.order_by("zone", "name").values_list("pk", "name")
    return [key for key, _ in sorted(usual, key=lambda each: shares.get(each[1], np.inf))]


def _past_in_order(passing: list[Node], sorting: Sorting, found: ClusterUtilisation) -> list[Node]:
    """Return nodes of the past as the address sorts them."""
    shares = _shares(sorting, found)
    if shares is not None:
        return sorted(passing, key=lambda node: shares.get(node.name, np.inf))
    return sorting.past(passing)


@live_part(
    "nodes.list",
    template="nodes/_results.html",
    pages=["nodes"],
    kinds=["Node", "Pod"],
    parameters=[*NodeFilter.base_fields, "page", "sort", COLUMNS_PARAMETER, MAP],
)
def list_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Choose and present the nodes that the filter lets through, with what their pods request of them."""
    sorting = NODES.sorting(query)
    found = utilisation_of(cluster=cluster)
    passing = _passing(cluster, query, found)
    page: Page[Any]
    if isinstance(passing.nodes, list):
        page = Paginator(_past_in_order(passing.nodes, sorting, found), ROWS_PER_PAGE).get_page(query.get("page"))
        listed = list(page)
    else:
        page = Paginator(_keys_in_order(passing.nodes, sorting, found), ROWS_PER_PAGE).get_page(query.get("page"))
        listed = rows_in_order(Node.objects.only(*presenter.COLUMNS), list(page))
    return {
        "cluster": cluster,
        "form": passing.form,
        "page": page,
        "nodes": NODES.of((presenter.NodeRow(node, found) for node in listed), sorting, NODES.choice(query)),
        "map_of": query.get(MAP, ""),
        "total": passing.total,
        "counted": count_line(
            shown=page.paginator.count, total=passing.total, noun=counts.NODES, conditions=passing.form.conditions()
        ),
    }


@require_safe
@at_any_moment
def nodes(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List the nodes that the filter lets through."""
    if (chosen := address_of_choice(request, NODES.columns)) is not None:
        return chosen
    return render_page(request, "nodes/list.html", "nodes/_results.html", list_context(cluster, request.GET))


@live_part("nodes.free", template="nodes/_free.html", pages=["free-capacity"], kinds=["Node", "Pod"])
def free_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present what is free of the nodes, and which pods can still use it."""
    return {
        "cluster": cluster,
        "title": words.USABLE_TITLE,
        "figures": usable_figures(utilisation_of(cluster=cluster)),
    }


@require_safe
@at_any_moment
def free_capacity(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Show what is free of the nodes, and which pods can still use it."""
    return render(request, "nodes/free.html", free_context(cluster, request.GET))


@require_safe
@at_any_moment
def node_map(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Colour the nodes that the filter lets through by how much of one resource is requested, or those of one pool."""
    utilisation = utilisation_of(cluster=cluster)
    nodes = utilisation.snapshot.nodes
    through = _passing(cluster, request.GET, utilisation)
    offered = resources(utilisation.snapshot)
    asked = request.GET.get(MAP, "")
    chosen = asked if asked in dict(offered) else offered[0][0]
    listed = None
    if through.form.conditions():
        listed = np.full(len(nodes), False)
        listed[[nodes.index[name] for name in through.names if name in nodes.index]] = True
    zone, pool = (request.GET.get(name) for name in _PLACE)
    try:
        found = requested_map(utilisation, chosen, zone, pool or "", listed)
    except LookupError:
        raise Http404(str(NO_SUCH_POOL)) from None
    kept = request.GET.copy()
    for name in ("page", *_PLACE):
        kept.pop(name, None)
    of_cluster = {"cluster": cluster.name}
    whole = f"{reverse('node-map', kwargs=of_cluster)}?{kept.urlencode()}"
    context = {
        "cluster": cluster,
        "map": DrawnMap(
            "node-map",
            found,
            whole,
            f"{reverse('map-node', kwargs=of_cluster)}?node=",
            place_names=_PLACE,
            is_opened=zone is not None,
        ),
        "map_place": "" if zone is None else place_name(zone=zone, pool=pool or ""),
        "map_whole": whole,
        "choices": [(name, label, _with(kept, MAP, name), name == chosen) for name, label in offered],
    }
    is_part = request.headers.get("HX-Target") == "map-part"
    return render(request, "nodes/_map_part.html" if is_part else "nodes/_map.html", context)


def _with(query: QueryDict, field: str, value: str) -> str:
    changed = query.copy()
    changed[field] = value
    return changed.urlencode()


@require_safe
@at_any_moment
def nodes_csv(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the nodes that the filter lets through as a file, with every amount."""
    found = utilisation_of(cluster=cluster)
    nodes = _passing(cluster, request.GET, found).nodes
    if not isinstance(nodes, list):
        nodes = nodes.only(*presenter.COLUMNS).order_by("zone", "name")
    rows = (presenter.NodeRow(node, found) for node in nodes if node.name in found.snapshot.nodes.index)
    return NODES.file(f"{cluster.name}-nodes", rows, more=amounts(found.snapshot))
