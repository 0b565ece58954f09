"""The ResourceClaims of a cluster, and one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.views.decorators.http import require_safe

from clusters.engine.devices import ResourceClaimPhase, claim_outlook
from clusters.services.mirror.state import device_evictions, devices_of, pods_claiming
from clusters.wording import absent, devices as devices_words
from dashboard.filters.devices import ResourceClaimFilter
from dashboard.lists.files import csv_file
from dashboard.live.parts import live_part
from dashboard.presenters import devices as presenter
from dashboard.presenters.devices import evictions_view
from dashboard.presenters.shared.page import count_line
from dashboard.views.devices import KINDS
from dashboard.views.of_cluster import of_cluster, render_parts

if TYPE_CHECKING:
    from clusters.models import Cluster
    from dashboard.http import PageRequest

CLAIMS_PER_PAGE = 50
# So many pods of a claim are listed.
MOST_PODS = 100


@live_part(
    "claims.list",
    template="devices/_claims.html",
    pages=["resource-claims"],
    kinds=KINDS,
    parameters=[*ResourceClaimFilter.base_fields, "page"],
)
def claims_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Choose and present the claims that the filter lets through, pending ones first."""
    found = devices_of(cluster=cluster)
    form = ResourceClaimFilter(query, found=found)
    passing = [claim for claim in found.claims.values() if form.passes(claim)]
    passing.sort(key=lambda claim: claim.phase is not ResourceClaimPhase.PENDING)
    page = Paginator(passing, CLAIMS_PER_PAGE).get_page(query.get("page"))
    total = len(found.claims)
    return {
        "cluster": cluster,
        "form": form,
        "page": page,
        "rows": [presenter.claim_row(claim, found) for claim in page],
        "total": total,
        "counted": count_line(
            shown=len(passing), total=total, noun=devices_words.RESOURCE_CLAIMS, conditions=form.conditions()
        ),
    }


@require_safe
@of_cluster
def claims(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List the claims that the filter lets through."""
    return render_parts(request, cluster, "devices/claims.html", "devices/_claims.html", claims_context)


@require_safe
@of_cluster
def claims_csv(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the claims that the filter lets through as a file."""
    found = devices_of(cluster=cluster)
    form = ResourceClaimFilter(request.GET, found=found)
    cells = presenter.claim_cells(filter(form.passes, found.claims.values()))
    return csv_file(f"{cluster.name}-resource-claims", devices_words.CLAIMS, cells)


@live_part("claims.detail", template="devices/_claim.html", pages=["resource-claim"], kinds=(*KINDS, "Pod"))
def claim_context(cluster: Cluster, query: QueryDict, namespace: str, name: str) -> dict[str, Any]:
    """Present one claim: its requests and devices, its pods, and what keeps it from being allocated. Raises Http404."""
    found = devices_of(cluster=cluster)
    claim = found.claims.get(f"{namespace}/{name}")
    if claim is None:
        raise Http404(absent.NO_RESOURCE_CLAIM(cluster=cluster.name, claim=f"{namespace}/{name}"))
    outlook = None
    if claim.phase is ResourceClaimPhase.PENDING:
        outlook = claim_outlook(found.snapshot, claim, found.pools.values())
    pods = pods_claiming(cluster=cluster, claim=claim)
    rows = presenter.pod_rows(claim, pods)
    hidden = len(rows) - MOST_PODS
    return {
        "cluster": cluster,
        "row": presenter.claim_row(claim, found),
        "answer": presenter.claim_answer(claim, outlook),
        "requests": list(presenter.request_views(claim, outlook, found)),
        "facts": presenter.claim_facts(claim),
        "pods": rows[:MOST_PODS],
        "more_pods": devices_words.MORE(number=hidden) if hidden > 0 else "",
        "evictions": evictions_view(device_evictions(found, pods)),
    }


@require_safe
@of_cluster
def claim(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Show one claim."""
    place = {"namespace": namespace, "name": name}
    return render_parts(request, cluster, "devices/claim.html", "devices/_claim.html", claim_context, **place)
