"""The pods of a cluster, those that wait for a node first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from clusters.models import Cluster, Pod
from dashboard.filters.pods import PodFilter
from dashboard.http import render_page
from dashboard.presenters.filters import count_line
from dashboard.presenters.pods import COLUMNS, pod_row
from dashboard.sorting import Column, Sorting, rows_in_order

if TYPE_CHECKING:
    from django.http import HttpResponse

    from dashboard.http import PageRequest

ROWS_PER_PAGE = 50

# What is sorted by stands in the index `pod_list`, so that no order reads the wide rows of all pods.
TABLE = (
    Column("name", "Pod", ("namespace", "name")),
    Column("state", "State"),
    Column("node", "Node"),
    Column("cpu", "CPU request", ("cpu_milli",), is_number=True, starts_descending=True),
    Column("memory", "Memory request", ("memory_bytes",), is_number=True, starts_descending=True),
    Column("priority", "Priority", ("priority",), is_number=True, starts_descending=True),
    # By when they were created: the youngest are those that were created last.
    Column("created", "Age", ("created_at",)),
    Column("message", "Scheduler's message"),
)


@require_safe
def pods(request: PageRequest, cluster: str) -> HttpResponse:
    """List the pods that the filter lets through."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    every = Pod.objects.filter(cluster=mirrored)
    namespaces = list(every.order_by("namespace").values_list("namespace", flat=True).distinct())
    form = PodFilter(request.GET, namespaces=namespaces)
    matching = form.apply(every)
    conditions = form.conditions()
    sorting = Sorting(request.GET, TABLE, usual=("-is_pending", "namespace", "name"))
    paginator = Paginator(matching.order_by(*sorting.order()).values_list("pk", flat=True), ROWS_PER_PAGE)
    page = paginator.get_page(request.GET.get("page"))
    total = every.count() if conditions else paginator.count
    context = {
        "cluster": mirrored,
        "form": form,
        "page": page,
        "rows": [pod_row(pod) for pod in rows_in_order(Pod.objects.only(*COLUMNS), list(page))],
        "headings": sorting.headings(),
        "sort": sorting.value,
        "total": total,
        "counted": count_line(shown=paginator.count, total=total, one="pod", many="pods", conditions=conditions),
    }
    return render_page(request, "pods/list.html", "pods/_results.html", context)
