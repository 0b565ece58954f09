"""The list of simulations: all of them, or those of one cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.paginator import Paginator
from django.db.models import TextField
from django.db.models.functions import Cast, Length
from django.views.decorators.http import require_safe

from clusters.models import Cluster, SimulationRun
from clusters.services.runs.keeping import pods_kept
from clusters.wording.counts import SIMULATIONS
from dashboard.access.rights import visible
from dashboard.filters.runs import RunsFilter
from dashboard.http import PageRequest, render_page
from dashboard.lists.columns import DataColumn, Sorting
from dashboard.presenters.runs.listing import run_row
from dashboard.presenters.shared.page import count_line
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpResponse


ROWS_PER_PAGE = 25
# Characters; longer orders would be read for a line of words each.
_LONGEST_SPEC = 50_000
TABLE: tuple[DataColumn[Any], ...] = (
    DataColumn("title", "Simulation", ("title",)),
    DataColumn("state", "State", ("state",)),
    DataColumn("result", "Result"),
    DataColumn("by", "By", ("created_by__username",)),
    DataColumn("at", "Started", ("created_at",), starts_descending=True),
)


@require_safe
def runs(request: PageRequest) -> HttpResponse:
    """List simulations of all clusters."""
    return _listed(request, None)


@require_safe
@of_cluster
def cluster_runs(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List the simulations of one cluster."""
    return _listed(request, cluster)


def _listed(request: PageRequest, cluster: Cluster | None) -> HttpResponse:
    form = RunsFilter(request.GET, user=request.user, cluster=cluster)
    # The parts of a sweep are told on its page.
    every = visible(SimulationRun.objects.filter(study=None), request.user)
    if cluster is not None:
        every = every.filter(cluster=cluster)
    sorting = Sorting(request.GET, TABLE, usual=("-created_at", "-pk"))
    chosen = form.apply(every).order_by(*sorting.order()).select_related("cluster", "created_by").defer("spec")
    page = Paginator(chosen, ROWS_PER_PAGE).get_page(request.GET.get("page"))
    specs = _specs(page)
    rows = [run_row(run, specs.get(run.pk, {})) for run in page]
    total, held = every.count(), pods_kept(request.user)
    context: dict[str, Any] = {
        "cluster": cluster,
        "clusters": [] if cluster else form.clusters[:20],
        "form": form,
        "page": page,
        "rows": rows,
        "headings": sorting.headings(),
        "sort": sorting.value,
        "total": total,
        "held": held if held * 5 >= settings.BERTH_RUN_PODS_PER_USER * 4 else 0,
        "most": settings.BERTH_RUN_PODS_PER_USER,
        "counted": count_line(shown=page.paginator.count, total=total, noun=SIMULATIONS, conditions=form.conditions()),
    }
    return render_page(request, "runs/list.html", "runs/_results.html", context)


def _specs(runs: Iterable[SimulationRun]) -> dict[int, dict[str, Any]]:
    """Return by run what it was asked, or of a long order, as one with a trace is, the seed."""
    found = SimulationRun.objects.filter(pk__in=[run.pk for run in runs])
    seeds = {pk: {"seed": seed} for pk, seed in found.values_list("pk", "spec__seed")}
    short = found.annotate(length=Length(Cast("spec", TextField()))).filter(length__lte=_LONGEST_SPEC)
    return seeds | dict(short.values_list("pk", "spec"))
