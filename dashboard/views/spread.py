"""How evenly a cluster's pods are spread: the groups, one group, and the workloads by zone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.views.decorators.http import require_safe

from clusters.engine.spreading import HOSTNAME, DomainCount, SpreadGroup, counted_pods
from clusters.services.mirror.past import pods_named
from clusters.services.mirror.snapshots import last_moment
from clusters.services.mirror.state import ClusterSpread, spread_of
from clusters.wording import absent, counts
from clusters.wording.spread import RANKING, domain_name
from dashboard.filters.workloads import SpreadFilter, WorkloadFilter
from dashboard.lists.files import csv_file
from dashboard.live.parts import live_part
from dashboard.presenters import spread as group_presenter
from dashboard.presenters.clusters import spread_gaps
from dashboard.presenters.pods import PodRow, pod_row
from dashboard.presenters.shared.page import count_line, node_links
from dashboard.tables.pods import PODS
from dashboard.views.of_cluster import at_any_moment, in_scope, render_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.models import Cluster
    from dashboard.http import PageRequest


GROUPS_PER_PAGE = 20
WORKLOADS_PER_PAGE = 50
DOMAINS_PER_PAGE = 25
PODS_PER_PAGE = 25

# What the pages show depends on these; a workload is known by its pods' owners alone.
_KINDS = (
    *("Node", "Pod", "Service", "ReplicationController", "ReplicaSet", "StatefulSet"),
    *("PersistentVolume", "StorageClass"),
)
# Seconds after which it is looked again what the source lacks, which is no change of the cluster.
_GAPS_AGE = 15.0


def _group(spread: ClusterSpread, identity: str) -> SpreadGroup:
    if identity not in spread.groups:
        raise Http404(str(absent.NO_GROUP))
    return spread.groups[identity]


@live_part("spread.headline", template="spread/_headline.html", pages=["spread"], kinds=_KINDS)
def headline_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Name the group with the worst skew, and the one with most of its pods in one zone."""
    return {"headline": group_presenter.headline(spread_of(cluster=cluster).groups.values())}


@live_part("spread.alerts", template="spread/_alerts.html", pages=["spread"], kinds=_KINDS, ages=_GAPS_AGE)
def alerts_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Say what the groups are uncertain for, and which constraints cannot be read."""
    unreadable = group_presenter.unreadable_lines(spread_of(cluster=cluster).unreadable)
    return {"cluster": cluster, "gaps": spread_gaps(cluster), "unreadable": unreadable}


@live_part(
    "spread.groups",
    template="spread/_groups.html",
    pages=["spread"],
    kinds=_KINDS,
    parameters=[*SpreadFilter.base_fields, "page"],
)
def groups_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Choose and present the groups that the filter lets through."""
    spread = spread_of(cluster=cluster)
    form = SpreadFilter(query, groups=spread.groups.values())
    found = [(identity, group) for identity, group in spread.groups.items() if form.passes(group)]
    page = Paginator(found, GROUPS_PER_PAGE).get_page(query.get("page"))
    total = len(spread.groups)
    return {
        "cluster": cluster,
        "form": form,
        "page": page,
        "ranking": RANKING,
        "rows": [group_presenter.group_row(identity, group) for identity, group in page],
        "total": total,
        "counted": count_line(shown=len(found), total=total, noun=counts.GROUPS, conditions=form.conditions()),
    }


@require_safe
@at_any_moment
@in_scope
def groups(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List the groups that the filter lets through, those with most of their pods in one zone first."""
    parts = (groups_context, headline_context, alerts_context)
    return render_parts(request, cluster, "spread/list.html", "spread/_groups.html", *parts)


@require_safe
@at_any_moment
def groups_csv(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the groups that the filter lets through as a file."""
    spread = spread_of(cluster=cluster)
    form = SpreadFilter(request.GET, groups=spread.groups.values())
    found = filter(form.passes, spread.groups.values())
    return csv_file(f"{cluster.name}-spread", group_presenter.GROUP_COLUMNS, group_presenter.group_cells(found))


@live_part(
    "spread.detail",
    template="spread/_detail.html",
    pages=["spread-group"],
    kinds=_KINDS,
    parameters=["domain", "domains", "page"],
)
def group_context(cluster: Cluster, query: QueryDict, identity: str) -> dict[str, Any]:
    """Present one group: its constraint, every domain, and the pods that it counts. Raises Http404."""
    spread = spread_of(cluster=cluster)
    found = _group(spread, identity)
    chosen = query.get("domain")
    domains = Paginator(found.domains(), DOMAINS_PER_PAGE).get_page(query.get("domains"))
    pods = Paginator(counted_pods(spread.snapshot, found, chosen), PODS_PER_PAGE).get_page(query.get("page"))
    return {
        "cluster": cluster,
        "as_of": last_moment(cluster),
        "group": found,
        "row": group_presenter.group_row(identity, found, with_numbers=group_presenter.is_of_bins(found)),
        "facts": group_presenter.facts(found),
        "remarks": group_presenter.remarks(found),
        "noun": domain_name(found.constraint.topology_key),
        "scale": group_presenter.scale(found),
        "domain_page": domains,
        "domains": group_presenter.domain_views(found, domains, _node_pages(cluster, found, domains)),
        "chosen": chosen,
        "page": pods,
        "pods": PODS.of(_pod_rows(cluster, found.namespace, list(pods))),
    }


@require_safe
@at_any_moment
def group(request: PageRequest, cluster: Cluster, identity: str) -> HttpResponse:
    """Show one group."""
    place = {"identity": identity}
    return render_parts(request, cluster, "spread/detail.html", "spread/_pods.html", group_context, **place)


def _node_pages(cluster: Cluster, group: SpreadGroup, domains: Iterable[DomainCount]) -> Mapping[str, str]:
    """Return the pages of domains that are nodes."""
    is_by_node = group.constraint.topology_key == HOSTNAME
    return node_links(cluster, [domain.value for domain in domains]) if is_by_node else {}


def _pod_rows(cluster: Cluster, namespace: str, keys: Sequence[str]) -> list[PodRow]:
    names = [key.removeprefix(f"{namespace}/") for key in keys]
    return [pod_row(pod) for pod in pods_named(cluster, namespace, names)]


@require_safe
@at_any_moment
def domains_csv(request: PageRequest, cluster: Cluster, identity: str) -> HttpResponse:
    """Return every domain of a group as a file."""
    found = _group(spread_of(cluster=cluster), identity)
    return csv_file(
        f"{cluster.name}-spread-{identity}", group_presenter.DOMAIN_COLUMNS, group_presenter.domain_cells(found)
    )


@live_part(
    "spread.workloads",
    template="spread/_workloads.html",
    pages=["spread-workloads"],
    kinds=_KINDS,
    parameters=[*WorkloadFilter.base_fields, "page"],
)
def workloads_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Choose and present the workloads that the filter lets through."""
    matrix = spread_of(cluster=cluster).matrix
    form = WorkloadFilter(query, workloads=matrix.workloads)
    found = [row for row, workload in enumerate(matrix.workloads) if form.passes(workload)]
    page = Paginator(found, WORKLOADS_PER_PAGE).get_page(query.get("page"))
    total = len(matrix.workloads)
    return {
        "cluster": cluster,
        "form": form,
        "page": page,
        "zones": group_presenter.matrix_zones(matrix)[1],
        "rows": group_presenter.matrix_rows(matrix, list(page)),
        "total": total,
        "counted": count_line(shown=len(found), total=total, noun=counts.WORKLOADS, conditions=form.conditions()),
    }


@require_safe
@at_any_moment
@in_scope
def workloads(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Show how many pods of each workload run in each zone."""
    return render_parts(request, cluster, "spread/workloads.html", "spread/_workloads.html", workloads_context)


@require_safe
@at_any_moment
def workloads_csv(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the matrix of the workloads that the filter lets through as a file."""
    matrix = spread_of(cluster=cluster).matrix
    form = WorkloadFilter(request.GET, workloads=matrix.workloads)
    found = [row for row, workload in enumerate(matrix.workloads) if form.passes(workload)]
    return csv_file(
        f"{cluster.name}-workloads-by-zone",
        group_presenter.matrix_columns(matrix),
        group_presenter.matrix_cells(matrix, found),
    )
