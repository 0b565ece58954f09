"""The devices of a cluster: pools, DeviceClasses and ResourceClaims, and one of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.views.decorators.http import require_safe

from clusters.engine.devices import ResourceClaimPhase, claim_outlook
from clusters.services.mirror.state import device_evictions, devices_of, pods_claiming
from clusters.wording import absent, counts, devices as words, lists
from clusters.wording.lists import listed
from dashboard.filters.nodes import PoolFilter, ResourceClaimFilter
from dashboard.lists.files import csv_file
from dashboard.live.parts import live_part
from dashboard.presenters import devices as presenter
from dashboard.presenters.devices import device_row, evictions_view, shared_attributes
from dashboard.presenters.dump_command import device_command
from dashboard.presenters.shared.page import count_line
from dashboard.views.of_cluster import in_scope, of_cluster, render_parts

if TYPE_CHECKING:
    from clusters.models import Cluster
    from dashboard.http import PageRequest

POOLS_PER_PAGE = 20
DEVICES_PER_PAGE = 50
# So many DeviceClasses are listed; a cluster has a handful.
MOST_CLASSES = 100
MOST_COUNTERS = 40
# What the pages show depends on these.
KINDS = ("ResourceSlice", "ResourceClaim", "DeviceClass", "DeviceTaintRule", "Node")


@live_part("devices.summary", template="devices/_summary.html", pages=["devices"], kinds=KINDS)
def summary_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present the devices of each driver, the DeviceClasses, and what is missing."""
    found = devices_of(cluster=cluster)
    unusual = sum(not state.is_usual for state in found.pools.values())
    lacking = presenter.lacking_kinds(cluster, found)
    is_empty = not (found.pools or found.classes or found.claims)
    said = words.NONE_OF(kinds=listed(lacking or presenter.KINDS)) if lacking or is_empty else ""
    if lacking:
        said = f"{said} {words.WRITE_DUMP if is_empty else words.MAY_LACK}"
    return {
        "cluster": cluster,
        "is_empty": is_empty,
        "lacking": said,
        "command": device_command() if lacking and not cluster.is_live else "",
        "unusual": words.UNUSUAL_POOLS(number=unusual) if unusual else "",
        "tiles": presenter.tiles(found),
        "drivers": presenter.driver_rows(found.pools.values()),
        "classes": [(state, words.counts(state.counts)) for state in found.classes[:MOST_CLASSES]],
        "more_classes": max(0, len(found.classes) - MOST_CLASSES),
    }


@live_part(
    "devices.list",
    template="devices/_results.html",
    pages=["devices"],
    kinds=KINDS,
    parameters=[*PoolFilter.base_fields, "page"],
)
def list_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Choose and present the pools that the filter lets through, those that are not usual first."""
    found = devices_of(cluster=cluster)
    form = PoolFilter(query, found=found)
    passing = sorted(filter(form.passes, found.pools.values()), key=lambda state: state.is_usual)
    page = Paginator(passing, POOLS_PER_PAGE).get_page(query.get("page"))
    total = len(found.pools)
    return {
        "cluster": cluster,
        "form": form,
        "page": page,
        "rows": [presenter.pool_row(state, found.snapshot) for state in page],
        "legend": presenter.legend(),
        "total": total,
        "counted": count_line(shown=len(passing), total=total, noun=counts.POOLS, conditions=form.conditions()),
    }


@require_safe
@of_cluster
def devices(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List the pools that the filter lets through, below what all of them have together."""
    return render_parts(request, cluster, "devices/list.html", "devices/_results.html", summary_context, list_context)


@require_safe
@of_cluster
def devices_csv(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the devices of the pools that the filter lets through as a file."""
    found = devices_of(cluster=cluster)
    form = PoolFilter(request.GET, found=found)
    cells = presenter.device_cells(filter(form.passes, found.pools.values()), found)
    return csv_file(f"{cluster.name}-devices", presenter.DEVICE_COLUMNS, cells)


@live_part("devices.pool", template="devices/_pool.html", pages=["device-pool"], kinds=KINDS, parameters=["page"])
def pool_context(cluster: Cluster, query: QueryDict, driver: str, pool: str) -> dict[str, Any]:
    """Present one pool, device by device. Raises Http404."""
    found = devices_of(cluster=cluster)
    key = f"{driver}/{pool}"
    state = found.pools.get(key)
    if state is None:
        raise Http404(absent.HAS_NO(cluster=cluster.name, object_kind="device pool", name=key))
    page = Paginator(state.devices, DEVICES_PER_PAGE).get_page(query.get("page"))
    shared = shared_attributes(state.devices)
    return {
        "cluster": cluster,
        "pool": presenter.pool_row(state, found.snapshot, most_counters=MOST_COUNTERS),
        "legend": presenter.legend(),
        "page": page,
        "shared": shared,
        "rows": [device_row(each, found.claims, shared) for each in page],
    }


@require_safe
@of_cluster
def pool(request: PageRequest, cluster: Cluster, driver: str, pool: str) -> HttpResponse:
    """Show one pool."""
    place = {"driver": driver, "pool": pool}
    return render_parts(request, cluster, "devices/pool.html", "devices/_devices.html", pool_context, **place)


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
            shown=len(passing), total=total, noun=words.RESOURCE_CLAIMS, conditions=form.conditions()
        ),
    }


@require_safe
@of_cluster
@in_scope
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
    return csv_file(f"{cluster.name}-resource-claims", presenter.CLAIM_COLUMNS, cells)


@live_part("claims.detail", template="devices/_claim.html", pages=["resource-claim"], kinds=(*KINDS, "Pod"))
def claim_context(cluster: Cluster, query: QueryDict, namespace: str, name: str) -> dict[str, Any]:
    """Present one claim: its requests and devices, its pods, and what keeps it from being allocated. Raises Http404."""
    found = devices_of(cluster=cluster)
    claim = found.claims.get(f"{namespace}/{name}")
    if claim is None:
        raise Http404(absent.HAS_NO(cluster=cluster.name, object_kind="ResourceClaim", name=f"{namespace}/{name}"))
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
        "more_pods": lists.and_more(hidden),
        "evictions": evictions_view(device_evictions(found, pods)),
    }


@require_safe
@of_cluster
def claim(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Show one claim."""
    place = {"namespace": namespace, "name": name}
    return render_parts(request, cluster, "devices/claim.html", "devices/_claim.html", claim_context, **place)
