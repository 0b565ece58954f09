"""The pending pods of a cluster, in the order in which its scheduler would try them."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from clusters.engine import ConfigurationError
from clusters.models import Cluster
from clusters.services.mirror.snapshots import ChangingTooFastError, release_of
from clusters.services.pending.queue import queue_of
from clusters.wording import counts
from dashboard.filters.queue import QueueFilter
from dashboard.http import PageRequest, render_page
from dashboard.live.parts import live_part
from dashboard.presenters import pending as presenter
from dashboard.presenters.pending import gap_lines
from dashboard.presenters.shared.page import count_line, earlier_sentence, unanswered
from dashboard.tables.queue import PODS

PODS_PER_PAGE = 50
# Seconds after which the page tells anew what has come nearer: rests end by whole seconds.
_AGES = 2.0


@live_part("queue.answer", template="pending/_queue_answer.html", pages=["queue"], ages=_AGES)
def answer_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Say in which part of the queue all pending pods are, whatever the filter hides."""
    queue = queue_of(cluster=cluster)
    placed = queue.line_up(queue.as_of or timezone.now())
    return {
        "cluster": cluster,
        "total": len(placed),
        "first": placed[0].queued.pod if placed and placed[0].standing.rank else None,
        "earlier": earlier_sentence(queue.earlier),
        "parts": presenter.part_tiles(placed, reverse("queue", kwargs={"cluster": cluster.name})) if placed else [],
        "as_of": queue.as_of,
        "is_order_known": queue.is_order_known,
    }


@live_part(
    "queue.list",
    template="pending/_queue.html",
    pages=["queue"],
    parameters=[*QueueFilter.base_fields, "page"],
    ages=_AGES,
)
def queue_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Choose and present the pods that the filter lets through, in their order."""
    queue = queue_of(cluster=cluster)
    now, release = queue.as_of or timezone.now(), release_of(cluster)
    placed = queue.line_up(now)
    form = QueueFilter(query, placed=placed)
    found = form.apply(placed)
    page = Paginator(found, PODS_PER_PAGE).get_page(query.get("page"))
    return {
        "cluster": cluster,
        "form": form,
        "page": page,
        "pods": PODS.of(presenter.queue_rows(page, queue.backoff, release, now)),
        "requeues": presenter.plugin_requeues(found, release),
        "now": now,
        "total": len(placed),
        "backoff": queue.backoff,
        "counted": count_line(
            shown=len(found), total=len(placed), noun=counts.pending_pods, conditions=form.conditions()
        ),
    }


@require_safe
def queue(request: PageRequest, cluster: str) -> HttpResponse:
    """List the pending pods as the scheduler's queue has them."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    try:
        context = {**queue_context(mirrored, request.GET), **answer_context(mirrored, request.GET)}
    except (ConfigurationError, ChangingTooFastError) as error:
        status = 503 if isinstance(error, ChangingTooFastError) else 200
        context = {"cluster": mirrored, "problem": unanswered(error)}
        return render(request, "pending/unknown.html", context, status=status)
    context["gaps"] = gap_lines(mirrored)
    return render_page(request, "pending/queue.html", "pending/_queue.html", context)


@require_safe
def queue_csv(request: PageRequest, cluster: str) -> HttpResponse:
    """Return the pods that the filter lets through as a file, in the order of the queue."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    try:
        queue = queue_of(cluster=mirrored)
    except (ConfigurationError, ChangingTooFastError) as error:
        raise Http404(unanswered(error)) from None
    now = queue.as_of or timezone.now()
    placed = queue.line_up(now)
    found = QueueFilter(request.GET, placed=placed).apply(placed)
    rows = presenter.queue_rows(found, queue.backoff, release_of(mirrored), now)
    return PODS.file(f"{mirrored.name}-queue", rows)
