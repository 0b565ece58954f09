"""The ResourceQuotas of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.views.decorators.http import require_safe

from clusters.engine.quotas import QuotaLedger, fullest_first
from clusters.services.mirror.snapshots import snapshot_of
from clusters.services.mirror.state import quotas_of, users_of_quotas
from clusters.wording import refusals as words
from dashboard.filters.workloads import QuotaFilter
from dashboard.lists.files import csv_file
from dashboard.live.parts import live_part
from dashboard.presenters import quotas as presenter
from dashboard.presenters.shared.page import count_line
from dashboard.views.of_cluster import at_any_moment, in_scope, render_parts

if TYPE_CHECKING:
    from django.http import HttpResponse, QueryDict

    from clusters.models import Cluster
    from dashboard.http import PageRequest


# What the page shows depends on these.
KINDS = ("ResourceQuota", "Pod", "PersistentVolumeClaim")
QUOTAS_PER_PAGE = 20


@live_part(
    "quotas.list",
    template="quotas/_results.html",
    pages=["quotas"],
    kinds=KINDS,
    parameters=[*QuotaFilter.base_fields, "page"],
)
def quotas_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present the quotas that the filter lets through, the fullest first."""
    snapshot = snapshot_of(cluster)
    quotas = fullest_first(QuotaLedger(quotas_of(cluster=cluster, snapshot=snapshot)))
    resources = {(each.namespace, each.name): each.hard for each in QuotaLedger(snapshot.objects("ResourceQuota"))}
    form = QuotaFilter(query, quotas=quotas)
    passing = [*filter(form.passes, quotas)]
    page = Paginator(passing, QUOTAS_PER_PAGE).get_page(query.get("page"))
    shown = list(page)
    users = users_of_quotas(cluster=cluster, quotas=shown)
    return {
        "cluster": cluster,
        "form": form,
        "page": page,
        "rows": [
            presenter.quota_view(quota, found, resources[quota.namespace, quota.name])
            for quota, found in zip(shown, users, strict=True)
        ],
        "total": len(quotas),
        "counted": count_line(shown=len(passing), total=len(quotas), noun=_counted, conditions=form.conditions()),
        "are_unread": any(gap["kind"] == "ResourceQuota" for gap in cluster.gaps),
    }


def _counted(quotas: int) -> str:
    return words.QUOTAS(number=quotas)


@require_safe
@at_any_moment
@in_scope
def quotas(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List the quotas with what is used of each."""
    return render_parts(request, cluster, "quotas/list.html", "quotas/_results.html", quotas_context)


@require_safe
@at_any_moment
def quotas_csv(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return every resource of every quota as a file."""
    found = fullest_first(QuotaLedger(quotas_of(cluster=cluster, snapshot=snapshot_of(cluster))))
    return csv_file(f"{cluster.name}-quotas", presenter.FILE_COLUMNS, presenter.cells(found))
