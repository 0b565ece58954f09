"""What the pods of a cluster request, beside what they use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from clusters.services.runs.spec import SpecError, read_spec
from clusters.services.studies.asking import create_removable
from clusters.services.usage.history import reading_of, right_sized, sizing_of
from clusters.services.workloads.failing import killed_pods_of
from clusters.wording import counts, usage as words
from clusters.wording.problems import both_sentences
from clusters.wording.runs import summary as titles
from dashboard.filters.workloads import UsageFilter
from dashboard.limits.computing import refuse_too_much
from dashboard.lists.files import csv_file
from dashboard.live.parts import live_part
from dashboard.presenters.shared.page import count_line
from dashboard.presenters.usage import (
    FILE_COLUMNS,
    cells,
    reading_view,
    usage_figures,
    usage_glance,
    workload_sizing_view,
)
from dashboard.views.of_cluster import in_scope, of_cluster, render_parts
from dashboard.views.workloads import KINDS

if TYPE_CHECKING:
    from django.http import HttpResponse, QueryDict

    from clusters.models import Cluster
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
    total, killed = len(found.workloads), killed_pods_of(cluster=cluster)
    return {
        "cluster": cluster,
        "found": found,
        "form": form,
        "page": page,
        "rows": [workload_sizing_view(each, killed=killed[each.workload]) for each in page],
        "total": total,
        "counted": count_line(shown=len(passing), total=total, noun=counts.WORKLOADS, conditions=form.conditions()),
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
        "rule": words.rule(),
    }


@require_safe
@of_cluster
@in_scope
def usage(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Compare requests with usage."""
    return render_parts(request, cluster, "usage/page.html", "usage/_results.html", list_context, glance_context)


@require_POST
@of_cluster
def simulate(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Ask which nodes could go once every workload has its recommended requests."""
    try:
        found = sizing_of(cluster=cluster)
        workloads = [] if found is None else right_sized(found)
        if not workloads:
            messages.info(request, str(words.NOTHING_TO_SIMULATE))
            return redirect("usage", cluster=cluster.name)
        refuse_too_much(request.user)
        changes = [{"change": "set-requests", "workloads": workloads}]
        spec = read_spec({"version": 1, "base": {"kind": "cluster"}, "changes": changes})
        title = str(titles.RIGHT_SIZED_NODES)
        study = create_removable(cluster=cluster, spec=spec, title=title, user=request.user)
    except SpecError as error:
        messages.error(request, both_sentences(error.problem))
        return redirect("usage", cluster=cluster.name)
    return redirect("study", pk=study.pk)


@require_safe
@of_cluster
def usage_csv(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the workloads that the filter lets through as a file, a row for each container and resource."""
    found = sizing_of(cluster=cluster)
    passing = [] if found is None else UsageFilter(request.GET, found=found).apply()
    return csv_file(f"{cluster.name}-usage", FILE_COLUMNS, cells(passing))
