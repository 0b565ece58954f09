"""What the pods of a cluster request, beside what they use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from clusters.engine import ConfigurationError
from clusters.models import Cluster
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.usage.history import reading_of
from clusters.services.usage.sizings import sizing_of
from clusters.wording import counts
from clusters.wording.usage.file import USAGE
from clusters.wording.usage.page import rule
from dashboard.filters.usage import UsageFilter
from dashboard.http import render_page
from dashboard.lists.files import csv_file
from dashboard.live.parts import live_part
from dashboard.presenters.shared.failures import unanswered
from dashboard.presenters.shared.filters import count_line
from dashboard.presenters.usage.cluster import reading_view, usage_figures, usage_glance
from dashboard.presenters.usage.workloads import cells, workload_sizing_view
from dashboard.views.workloads import KINDS

if TYPE_CHECKING:
    from typing import Any

    from django.http import HttpResponse, QueryDict

    from dashboard.http import PageRequest

WORKLOADS_PER_PAGE = 20


@live_part(
    "usage.list",
    template="usage/_results.html",
    pages=["usage"],
    kinds=KINDS,
    parameters=[*UsageFilter.base_fields, "page"],
)
def list_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present the workloads that the filter lets through, those first whose requests are off by most."""
    found = sizing_of(cluster=cluster)
    if found is None:
        return {"cluster": cluster, "found": None}
    form = UsageFilter(query, found=found)
    passing = form.apply()
    page = Paginator(passing, WORKLOADS_PER_PAGE).get_page(query.get("page"))
    total = len(found.workloads)
    return {
        "cluster": cluster,
        "found": found,
        "form": form,
        "page": page,
        "rows": [workload_sizing_view(each) for each in page],
        "total": total,
        "counted": count_line(shown=len(passing), total=total, noun=counts.workloads, conditions=form.conditions()),
    }


@live_part("usage.glance", template="usage/_glance.html", pages=["usage"], kinds=KINDS)
def glance_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Sum up what is requested, used, and would be freed."""
    found = sizing_of(cluster=cluster)
    return {
        "cluster": cluster,
        "reading": reading_view(cluster, reading_of(cluster)),
        "glance": None if found is None else usage_glance(found),
        "figures": () if found is None else usage_figures(found),
        "rule": rule(),
    }


@require_safe
def usage(request: PageRequest, cluster: str) -> HttpResponse:
    """Compare requests with usage."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    try:
        context = {**list_context(mirrored, request.GET), **glance_context(mirrored, request.GET)}
    except (ConfigurationError, ChangingTooFastError) as error:
        status = 503 if isinstance(error, ChangingTooFastError) else 200
        context = {"cluster": mirrored, "problem": unanswered(error)}
        return render(request, "usage/unknown.html", context, status=status)
    return render_page(request, "usage/page.html", "usage/_results.html", context)


@require_safe
def usage_csv(request: PageRequest, cluster: str) -> HttpResponse:
    """Return the workloads that the filter lets through as a file, a row for each container and resource."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    try:
        found = sizing_of(cluster=mirrored)
    except (ConfigurationError, ChangingTooFastError) as error:
        raise Http404(unanswered(error)) from None
    passing = [] if found is None else UsageFilter(request.GET, found=found).apply()
    return csv_file(f"{mirrored.name}-usage", list(map(str, USAGE)), cells(passing))
