"""The pending pods of a cluster, by cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from clusters.engine import ConfigurationError
from clusters.models import Cluster
from clusters.services.mirror.snapshots import ChangingTooFastError, last_moment, release_of
from clusters.services.pending.pods import attempts_of, attempts_of_all, pending_of
from clusters.services.workloads.failing import FAILING_KINDS, failures_of
from clusters.wording import counts
from clusters.wording.pending import file
from clusters.wording.pending.refused import REFUSED
from dashboard.filters.pending import PendingFilter
from dashboard.http import render_page
from dashboard.lists.files import csv_file
from dashboard.live.parts import live_part
from dashboard.presenters.pending import causes, refused, tables
from dashboard.presenters.pending.page import CauseView, folded, gap_lines, group_view
from dashboard.presenters.shared.evaluations import earlier_sentence
from dashboard.presenters.shared.failures import unanswered
from dashboard.presenters.shared.filters import count_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from django.core.paginator import Page
    from django.http import HttpResponse, QueryDict

    from clusters.services.pending.pods import CauseGroup, ClusterPending, WaitingPod
    from dashboard.http import PageRequest

GROUPS_PER_PAGE = 30
PODS_PER_GROUP = 5
# Of a cause that is looked at by itself.
PODS_PER_PAGE = 50
# Seconds after which the times that the page tells are told anew.
_AGES = 5.0


@live_part("pending.answer", template="pending/_answer.html", pages=["pending"], ages=_AGES)
def answer_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Say how many pods are pending for which causes, whatever the filter hides."""
    pending = pending_of(cluster=cluster)
    return {
        "cluster": cluster,
        "sentence": causes.sentence(pending, pending.as_of or timezone.now()) if pending.total else "",
        "earlier": earlier_sentence(pending.earlier),
        "as_of": pending.as_of,
    }


@live_part(
    "pending.refused",
    template="pending/_refused.html",
    pages=["pending"],
    kinds=FAILING_KINDS,
    ages=_AGES,
)
def refused_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present the workloads whose pods the API server refuses, by cause."""
    failures = failures_of(cluster=cluster)
    groups, more = refused.group_views(failures, last_moment(cluster) or timezone.now())
    return {
        "cluster": cluster,
        "groups": groups,
        "more_causes": more,
        "refused_sentence": refused.sentence(failures),
    }


@live_part(
    "pending.groups",
    template="pending/_groups.html",
    pages=["pending"],
    parameters=[*PendingFilter.base_fields, "page"],
    ages=_AGES,
)
def groups_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Choose and present the causes of the pods that the filter lets through, the one with the oldest pod first."""
    pending = pending_of(cluster=cluster)
    form = PendingFilter(query, pending=pending)
    found = form.apply(pending)
    shown = sum(len(pods) for _, pods in found)
    page = _page(found, form.chosen, query.get("page"))
    return {
        "cluster": cluster,
        "form": form,
        "page": page,
        "rows": _rows(cluster, pending, page, found, form.chosen),
        "total": pending.total,
        "counted": count_line(shown=shown, total=pending.total, noun=counts.pending_pods, conditions=form.conditions()),
    }


@require_safe
def groups(request: PageRequest, cluster: str) -> HttpResponse:
    """List what keeps pods pending."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    try:
        context = {
            **groups_context(mirrored, request.GET),
            **answer_context(mirrored, request.GET),
            **refused_context(mirrored, request.GET),
        }
    except (ConfigurationError, ChangingTooFastError) as error:
        status = 503 if isinstance(error, ChangingTooFastError) else 200
        context = {"cluster": mirrored, "problem": unanswered(error)}
        return render(request, "pending/unknown.html", context, status=status)
    context["gaps"] = gap_lines(mirrored)
    return render_page(request, "pending/list.html", "pending/_groups.html", context)


def _page(found: list[tuple[CauseGroup, list[WaitingPod]]], chosen: str, number: str | None) -> Page[Any]:
    """Return a page of causes, or of the pods of the one that is asked for."""
    if chosen:
        return Paginator([pod for _, pods in found for pod in pods], PODS_PER_PAGE).get_page(number)
    return Paginator(found, GROUPS_PER_PAGE).get_page(number)


def _rows(
    cluster: Cluster,
    pending: ClusterPending,
    page: Page[Any],
    found: list[tuple[CauseGroup, list[WaitingPod]]],
    chosen: str,
) -> list[CauseView]:
    now, release = pending.as_of or timezone.now(), release_of(cluster)
    listed: list[tuple[CauseGroup, Sequence[Sequence[WaitingPod]], int]]
    if chosen:
        listed = [(group, folded(page), page.paginator.count) for group, _ in found]
    else:
        listed = [(group, folded(pods)[:PODS_PER_GROUP], len(pods)) for group, pods in page]
    shown = [pod for _, rows, _ in listed for alike in rows for pod in alike]
    attempts = attempts_of(cluster=cluster, pods=shown)
    most = max((len(group.pods) for group, _ in found), default=0)
    return [
        group_view(
            group,
            pods,
            found=number,
            most=most,
            is_whole=bool(chosen),
            attempts=attempts,
            backoff=pending.backoff,
            release=release,
            now=now,
        )
        for group, pods, number in listed
    ]


@require_safe
def pods_csv(request: PageRequest, cluster: str) -> HttpResponse:
    """Return the pods that the filter lets through as a file."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    try:
        pending = pending_of(cluster=mirrored)
    except (ConfigurationError, ChangingTooFastError) as error:
        raise Http404(unanswered(error)) from None
    found = PendingFilter(request.GET, pending=pending).apply(pending)
    attempts = attempts_of_all(cluster=mirrored, pods=[pod for _, pods in found for pod in pods])
    cells = tables.pod_cells(found, attempts, pending.backoff, pending.as_of or timezone.now())
    return csv_file(f"{mirrored.name}-pending", list(map(str, file.PENDING)), cells)


@require_safe
def refused_csv(request: PageRequest, cluster: str) -> HttpResponse:
    """Return the workloads whose pods cannot be created as a file."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    try:
        failures = failures_of(cluster=mirrored)
    except ChangingTooFastError as error:
        raise Http404(unanswered(error)) from None
    return csv_file(f"{mirrored.name}-refused", list(map(str, REFUSED)), refused.cells(failures))
