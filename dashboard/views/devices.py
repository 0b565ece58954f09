"""The devices of a cluster: pools, DeviceClasses, and one pool."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from clusters.models import Cluster
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.mirror.state import ClusterDevices, devices_of
from clusters.wording import absent, devices as words
from clusters.wording.lists import listed
from dashboard.filters.devices import PoolFilter
from dashboard.http import PageRequest, render_page
from dashboard.lists.files import csv_file
from dashboard.live.parts import live_part
from dashboard.presenters import devices as presenter
from dashboard.presenters.devices import device_row, shared_attributes
from dashboard.presenters.dump_command import device_command
from dashboard.presenters.shared.page import count_line, unanswered

POOLS_PER_PAGE = 20
DEVICES_PER_PAGE = 50
# So many DeviceClasses are listed; a cluster has a handful.
MOST_CLASSES = 100
MOST_COUNTERS = 40
# What the pages show depends on these.
KINDS = ("ResourceSlice", "ResourceClaim", "DeviceClass", "DeviceTaintRule", "Node")


def unknown(request: PageRequest, cluster: Cluster, error: ChangingTooFastError) -> HttpResponse:
    """Say that the cluster changed again and again."""
    return render(request, "devices/unknown.html", {"cluster": cluster, "problem": unanswered(error)}, status=503)


def found_or_404(cluster: str) -> tuple[Cluster, ClusterDevices]:
    """Return a cluster with its devices. Raises Http404."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    try:
        return mirrored, devices_of(cluster=mirrored)
    except ChangingTooFastError as error:
        raise Http404(unanswered(error)) from None


@live_part("devices.summary", template="devices/_summary.html", pages=["devices"], kinds=KINDS)
def summary_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present the devices of each driver, the DeviceClasses, and what is missing."""
    found = devices_of(cluster=cluster)
    unusual = sum(not state.is_usual for state in found.pools.values())
    lacking = presenter.lacking_kinds(cluster, found)
    is_empty = not (found.pools or found.classes or found.claims)
    if is_empty:
        said = (words.NOTHING_HELD if lacking else words.NOTHING)(kinds=listed(lacking or presenter.KINDS))
    else:
        said = words.LACKING(kinds=listed(lacking)) if lacking else ""
    return {
        "cluster": cluster,
        "is_empty": is_empty,
        "lacking": said,
        "command": device_command() if lacking and not cluster.is_live else "",
        "unusual": words.UNUSUAL_POOLS(number=unusual) if unusual else "",
        "tiles": presenter.tiles(found),
        "drivers": presenter.driver_rows(found.pools.values()),
        "classes": [presenter.class_row(state) for state in found.classes[:MOST_CLASSES]],
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
        "counted": count_line(shown=len(passing), total=total, noun=words.pools, conditions=form.conditions()),
    }


@require_safe
def devices(request: PageRequest, cluster: str) -> HttpResponse:
    """List the pools that the filter lets through, below what all of them have together."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    try:
        parts = [build(mirrored, request.GET) for build in (summary_context, list_context)]
    except ChangingTooFastError as error:
        return unknown(request, mirrored, error)
    context = {name: value for part in parts for name, value in part.items()}
    return render_page(request, "devices/list.html", "devices/_results.html", context)


@require_safe
def devices_csv(request: PageRequest, cluster: str) -> HttpResponse:
    """Return the devices of the pools that the filter lets through as a file."""
    mirrored, found = found_or_404(cluster)
    form = PoolFilter(request.GET, found=found)
    cells = presenter.device_cells(filter(form.passes, found.pools.values()), found)
    return csv_file(f"{mirrored.name}-devices", list(map(str, words.FILE_OF_DEVICES)), cells)


@live_part("devices.pool", template="devices/_pool.html", pages=["device-pool"], kinds=KINDS, parameters=["page"])
def pool_context(cluster: Cluster, query: QueryDict, driver: str, pool: str) -> dict[str, Any]:
    """Present one pool, device by device. Raises Http404."""
    found = devices_of(cluster=cluster)
    key = f"{driver}/{pool}"
    state = found.pools.get(key)
    if state is None:
        raise Http404(absent.NO_DEVICE_POOL(cluster=cluster.name, pool=key))
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
def pool(request: PageRequest, cluster: str, driver: str, pool: str) -> HttpResponse:
    """Show one pool."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    try:
        context = pool_context(mirrored, request.GET, driver, pool)
    except ChangingTooFastError as error:
        return unknown(request, mirrored, error)
    return render_page(request, "devices/pool.html", "devices/_devices.html", context)
