"""The pending pods of a cluster, by cause."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from django.core.paginator import Page, Paginator
from django.utils import timezone
from django.views.decorators.http import require_safe

from clusters.services.mirror.snapshots import last_moment, release_of
from clusters.services.pending.pods import (
    CauseGroup,
    ClusterPending,
    WaitingPod,
    attempts_of,
    attempts_of_all,
    pending_of,
)
from clusters.services.workloads.failing import FAILING_KINDS, failures_of
from clusters.wording import counts
from dashboard.filters.pending import PendingFilter
from dashboard.live.parts import live_part
from dashboard.presenters import pending as pending_rows
from dashboard.presenters.pending import CauseFacts, CauseRow, alike_pods, gap_lines, pod_rows
from dashboard.presenters.shared.page import count_line, earlier_sentence
from dashboard.tables import pending as tables
from dashboard.views.of_cluster import at_any_moment, in_scope, of_cluster, render_parts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.http import HttpResponse, QueryDict

    from clusters.models import Cluster
    from dashboard.http import PageRequest


GROUPS_PER_PAGE = 30
PODS_PER_GROUP = 5
# Of a cause that is looked at by itself.
PODS_PER_PAGE = 50
# Seconds after which the times that the page tells are told anew.
_AGES = 5.0


@live_part("pending.answer", template="pending/_answer.html", pages=["pending"], ages=_AGES)
def answer_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Count the pending pods, whatever the filter hides."""
    pending = pending_of(cluster=cluster)
    # Of equal ones the oldest, as in the queue.
    pods = (pod for group in pending.groups.values() for pod in group.pods)
    return {
        "cluster": cluster,
        "urgent": max(pods, key=lambda pod: pod.priority, default=None),
        "total": pending.total,
        "since": next((group.since for group in pending.groups.values()), None),
        "now": pending.as_of or timezone.now(),
        "earlier": earlier_sentence(pending.earlier),
        "as_of": pending.as_of,
        "gaps": gap_lines(cluster),
    }


@live_part(
    "pending.refused",
    template="pending/_refused.html",
    pages=["pending"],
    kinds=FAILING_KINDS,
    ages=_AGES,
)
def refused_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present the workloads whose pods the API server refuses, by cause; of the past that is not known."""
    if cluster.past is not None:
        return {"refused": [], "more_causes": 0}
    causes = pending_rows.refused_causes(failures_of(cluster=cluster))
    return {
        "cluster": cluster,
        "now": last_moment(cluster) or timezone.now(),
        "refused": [
            (cause, tables.REFUSED.of(islice(cause.workloads(), pending_rows.WORKLOADS_PER_CAUSE)))
            for cause in causes[: pending_rows.CAUSES]
        ],
        "more_causes": max(0, len(causes) - pending_rows.CAUSES),
    }


@live_part(
    "pending.groups",
    template="pending/_groups.html",
    pages=["pending"],
    parameters=[*PendingFilter.base_fields, "page"],
    ages=_AGES,
)
def groups_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Choose the causes of the pods that the filter lets through, the one with the oldest pod first."""
    pending = pending_of(cluster=cluster)
    form = PendingFilter(query, pending=pending)
    found = form.apply(pending)
    shown = sum(len(pods) for _, pods in found)
    page = _page(found, form.chosen, query.get("page"))
    now = pending.as_of or timezone.now()
    return {
        "cluster": cluster,
        "form": form,
        "page": page,
        "rows": _rows(cluster, pending, page, found, form.chosen, now),
        "now": now,
        "total": pending.total,
        "counted": count_line(shown=shown, total=pending.total, noun=counts.PENDING_PODS, conditions=form.conditions()),
    }


@require_safe
@at_any_moment
@in_scope
def groups(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List what keeps pods pending."""
    parts = (refused_context, groups_context, answer_context)
    return render_parts(request, cluster, "pending/list.html", "pending/_groups.html", *parts)


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
    now: datetime,
) -> list[CauseRow]:
    listed: list[tuple[CauseGroup, Sequence[Sequence[WaitingPod]], int]]
    if chosen:
        listed = [(group, alike_pods(page), page.paginator.count) for group, _ in found]
    else:
        listed = [(group, alike_pods(pods)[:PODS_PER_GROUP], len(pods)) for group, pods in page]
    shown = [pod for _, rows, _ in listed for alike in rows for pod in alike]
    attempts = attempts_of(cluster=cluster, pods=shown)
    most = max((len(group.pods) for group, _ in found), default=0)
    release = release_of(cluster)
    rows = []
    for group, alike, number in listed:
        cause = CauseFacts(group)
        pods = tables.PODS.of(pod_rows(cause, alike, attempts, pending.backoff, now))
        rows.append(CauseRow(cause, release, number, most, pods, is_alone=bool(chosen)))
    return rows


@require_safe
@at_any_moment
def pods_csv(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the pods that the filter lets through as a file."""
    pending = pending_of(cluster=cluster)
    found = PendingFilter(request.GET, pending=pending).apply(pending)
    attempts = attempts_of_all(cluster=cluster, pods=[pod for _, pods in found for pod in pods])
    now = pending.as_of or timezone.now()
    rows = (
        row
        for group, pods in found
        for row in pod_rows(CauseFacts(group), ([pod] for pod in pods), attempts, pending.backoff, now)
    )
    return tables.PODS.file(f"{cluster.name}-pending", rows)


@require_safe
@of_cluster
def refused_csv(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the workloads whose pods cannot be created as a file."""
    failures = failures_of(cluster=cluster)
    rows = (row for cause in pending_rows.refused_causes(failures) for row in cause.workloads())
    return tables.REFUSED.file(f"{cluster.name}-refused", rows)
