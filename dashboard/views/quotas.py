"""The ResourceQuotas of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from clusters.engine.quotas import QuotaLedger, fullest_first
from clusters.models import Cluster
from clusters.services.mirror.snapshots import ChangingTooFastError, snapshot_of
from clusters.services.mirror.state import quotas_of, users_of_quotas
from clusters.wording import quotas as words
from dashboard.http import PageRequest, render_page
from dashboard.lists.files import csv_file
from dashboard.live.parts import live_part
from dashboard.presenters import quotas as presenter
from dashboard.presenters.shared.page import unanswered

if TYPE_CHECKING:
    from django.http import HttpResponse, QueryDict


# What the page shows depends on these.
KINDS = ("ResourceQuota", "Pod", "PersistentVolumeClaim")
QUOTAS_PER_PAGE = 20


@live_part("quotas.list", template="quotas/_results.html", pages=["quotas"], kinds=KINDS, parameters=["page"])
def quotas_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present the quotas, the fullest first."""
    quotas = fullest_first(QuotaLedger(quotas_of(cluster=cluster, snapshot=snapshot_of(cluster))))
    page = Paginator(quotas, QUOTAS_PER_PAGE).get_page(query.get("page"))
    shown = list(page)
    users = users_of_quotas(cluster=cluster, quotas=shown)
    return {
        "cluster": cluster,
        "page": page,
        "rows": list(map(presenter.quota_view, shown, users)),
        "total": len(quotas),
        "counted": words.QUOTAS(number=len(quotas)),
        "are_unread": any(gap["kind"] == "ResourceQuota" for gap in cluster.gaps),
    }


@require_safe
def quotas(request: PageRequest, cluster: str) -> HttpResponse:
    """List the quotas with what is used of each."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    try:
        context = quotas_context(mirrored, request.GET)
    except ChangingTooFastError as error:
        context = {"cluster": mirrored, "problem": unanswered(error)}
        return render(request, "quotas/unknown.html", context, status=503)
    return render_page(request, "quotas/list.html", "quotas/_results.html", context)


@require_safe
def quotas_csv(request: PageRequest, cluster: str) -> HttpResponse:
    """Return every resource of every quota as a file."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    try:
        found = fullest_first(QuotaLedger(quotas_of(cluster=mirrored, snapshot=snapshot_of(mirrored))))
    except ChangingTooFastError as error:
        context = {"cluster": mirrored, "problem": unanswered(error)}
        return render(request, "quotas/unknown.html", context, status=503)
    return csv_file(f"{mirrored.name}-quotas", list(map(str, words.COLUMNS)), presenter.cells(found))
