"""The nodes of a cluster, and one node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.db.models import Count, F, FloatField, OuterRef, Subquery
from django.db.models.functions import Cast, Coalesce, NullIf
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from clusters.models import Cluster, Node, Pod
from dashboard.filters.nodes import NodeFilter
from dashboard.http import render_page
from dashboard.presenters import nodes as presenter
from dashboard.presenters import pods as pod_presenter
from dashboard.presenters.filters import count_line
from dashboard.presenters.nodes import Requested
from dashboard.sorting import Column, Sorting, rows_in_order
from dashboard.sums import total_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import Aggregate, QuerySet
    from django.db.models.expressions import Expression
    from django.http import HttpResponse

    from dashboard.http import PageRequest

ROWS_PER_PAGE = 50


def _holding(cluster: Cluster, names: Sequence[str]) -> QuerySet[Pod]:
    """Return the pods that hold room on these nodes: a finished pod holds none."""
    return Pod.objects.filter(cluster=cluster, node_name__in=names).exclude(phase__in=("Succeeded", "Failed"))


def _requested(cluster: Cluster, names: Sequence[str]) -> dict[str, Requested]:
    sums = (
        _holding(cluster, names)
        .order_by()
        .values_list("node_name")
        .annotate(cpu=total_of("cpu_milli"), memory=total_of("memory_bytes"), pods=Count("pk"))
    )
    return {name: Requested(int(milli), int(memory), pods) for name, milli, memory, pods in sums}


def _share(requested: Aggregate, allocatable: str) -> Expression:
    """Return how much of an amount of a node its pods ask for; what a node has none of has no share."""
    pods = Pod.objects.filter(cluster=OuterRef("cluster"), node_name=OuterRef("name"))
    sums = pods.exclude(phase__in=("Succeeded", "Failed")).order_by().values("node_name").annotate(sum=requested)
    total = Coalesce(Subquery(sums.values("sum"), output_field=FloatField()), 0.0)
    return total / NullIf(Cast(F(allocatable), FloatField()), 0.0)


TABLE = (
    Column("name", "Node", ("name",)),
    Column("zone", "Zone", ("zone",)),
    Column("type", "Instance type", ("instance_type",)),
    Column("state", "State"),
    Column("cpu", "CPU requested", (_share(total_of("cpu_milli"), "cpu_milli"),), starts_descending=True),
    Column("memory", "Memory requested", (_share(total_of("memory_bytes"), "memory_bytes"),), starts_descending=True),
    Column("pods", "Pods", (_share(Count("pk"), "pods_allocatable"),), starts_descending=True),
)


@require_safe
def nodes(request: PageRequest, cluster: str) -> HttpResponse:
    """List the nodes that the filter lets through, with what their pods ask of them."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    every = Node.objects.filter(cluster=mirrored)
    zones = list(every.order_by("zone").values_list("zone", flat=True).distinct())
    form = NodeFilter(request.GET, zones=zones)
    conditions = form.conditions()
    sorting = Sorting(request.GET, TABLE, usual=("zone", "name"))
    paginator = Paginator(form.apply(every).order_by(*sorting.order()).values_list("pk", flat=True), ROWS_PER_PAGE)
    page = paginator.get_page(request.GET.get("page"))
    listed = rows_in_order(Node.objects.only(*presenter.COLUMNS), list(page))
    total = every.count() if conditions else paginator.count
    requested = _requested(mirrored, [node.name for node in listed])
    context = {
        "cluster": mirrored,
        "form": form,
        "page": page,
        "rows": [presenter.node_row(node, requested.get(node.name, Requested())) for node in listed],
        "headings": sorting.headings(),
        "sort": sorting.value,
        "total": total,
        "counted": count_line(shown=paginator.count, total=total, one="node", many="nodes", conditions=conditions),
    }
    return render_page(request, "nodes/list.html", "nodes/_results.html", context)


@require_safe
def node(request: PageRequest, cluster: str, name: str) -> HttpResponse:
    """Show one node: amounts, taints, conditions, labels, and the pods on it."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    found = get_object_or_404(Node, cluster=mirrored, name=name)
    on_it = Pod.objects.filter(cluster=mirrored, node_name=name).only(*pod_presenter.COLUMNS)
    page = Paginator(on_it.order_by("namespace", "name"), ROWS_PER_PAGE).get_page(request.GET.get("page"))
    requested = _requested(mirrored, [name]).get(name, Requested())
    context = {
        "cluster": mirrored,
        "node": found,
        "row": presenter.node_row(found, requested),
        "facts": [
            (label, value)
            for label, value in (
                ("Zone", found.zone),
                ("Region", found.region),
                ("Instance type", found.instance_type),
                ("Kubelet", found.kubelet_version),
            )
            if value
        ],
        "taints": presenter.taints(found.object),
        "conditions": presenter.conditions(found.object),
        "labels": presenter.labels(found.object),
        "other_allocatable": presenter.other_allocatable(found.object),
        "page": page,
        "rows": [pod_presenter.pod_row(pod) for pod in page],
    }
    return render_page(request, "nodes/detail.html", "nodes/_pods.html", context)
