"""The pending pods of a cluster in the order in which its scheduler tries them, and the pods that they may preempt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from clusters.services.mirror.snapshots import last_moment, release_of
from clusters.services.pending.queue import preemptors_of, queue_of
from clusters.wording import counts
from dashboard.filters.pending import PreemptionFilter, QueueFilter
from dashboard.live.parts import live_part
from dashboard.presenters import pending as presenter
from dashboard.presenters.pending import gap_lines
from dashboard.presenters.shared.page import count_line, earlier_sentence
from dashboard.tables.pending import RISKS
from dashboard.tables.queue import PODS
from dashboard.views.of_cluster import in_scope, of_cluster, render_parts

if TYPE_CHECKING:
    from django.http import HttpResponse, QueryDict

    from clusters.models import Cluster
    from dashboard.http import PageRequest


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
        "gaps": gap_lines(cluster),
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
            shown=len(found), total=len(placed), noun=counts.PENDING_PODS, conditions=form.conditions()
        ),
    }


@live_part("decision.queue", template="decision/_queue.html", pages=["decision"], ages=_AGES)
def pod_context(cluster: Cluster, query: QueryDict, namespace: str, name: str) -> dict[str, Any]:
    """Present where one pod stands; no row of one that is not pending."""
    queue = queue_of(cluster=cluster)
    now = queue.as_of or timezone.now()
    own = [each for each in queue.line_up(now) if each.queued.pod.key == f"{namespace}/{name}"]
    rows = presenter.queue_rows(own, queue.backoff, release_of(cluster), now)
    return {"cluster": cluster, "row": next(iter(rows), None), "now": now}


@require_safe
@of_cluster
@in_scope
def queue(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List the pending pods as the scheduler's queue has them."""
    return render_parts(request, cluster, "pending/queue.html", "pending/_queue.html", queue_context, answer_context)


@require_safe
@of_cluster
def queue_csv(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the pods that the filter lets through as a file, in the order of the queue."""
    queue = queue_of(cluster=cluster)
    now = queue.as_of or timezone.now()
    placed = queue.line_up(now)
    found = QueueFilter(request.GET, placed=placed).apply(placed)
    rows = presenter.queue_rows(found, queue.backoff, release_of(cluster), now)
    return PODS.file(f"{cluster.name}-queue", rows)


WORKLOADS_PER_PAGE = 25


@live_part("preemption.answer", template="pending/_preemption_answer.html", pages=["preemption"])
def losses_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Say how many pods preemption would remove, whatever the filter hides."""
    found = preemptors_of(cluster=cluster)
    return {
        "cluster": cluster,
        "counts": found.counts,
        "evaluating": found.evaluating,
        "earlier": earlier_sentence(found.earlier),
        "as_of": last_moment(cluster),
        "gaps": gap_lines(cluster),
    }


@live_part(
    "preemption.list",
    template="pending/_preemption.html",
    pages=["preemption"],
    parameters=[*PreemptionFilter.base_fields, "page"],
)
def risks_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Choose and present the workloads that would lose pods, those that would lose the most first."""
    found = preemptors_of(cluster=cluster)
    form = PreemptionFilter(query, risks=found.risks)
    matching = form.apply(found.risks)
    page = Paginator(matching, WORKLOADS_PER_PAGE).get_page(query.get("page"))
    return {
        "cluster": cluster,
        "form": form,
        "page": page,
        "risks": RISKS.of(presenter.RiskRow(risk, is_whole=not found.evaluating) for risk in page),
        "others": presenter.others(found),
        "total": len(found.risks),
        "counted": count_line(
            shown=len(matching), total=len(found.risks), noun=counts.WORKLOADS, conditions=form.conditions()
        ),
    }


@require_safe
@of_cluster
@in_scope
def preemption(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List the workloads whose pods preemption would remove now."""
    parts = (risks_context, losses_context)
    return render_parts(request, cluster, "pending/preemption.html", "pending/_preemption.html", *parts)
