"""Which workloads of a cluster would lose pods by preemption now, and to which pending pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from clusters.engine import ConfigurationError
from clusters.models import Cluster
from clusters.services.mirror.snapshots import ChangingTooFastError, last_moment
from clusters.services.pending.preemptors import preemptors_of
from clusters.wording import counts
from dashboard.filters.preemption import PreemptionFilter
from dashboard.http import PageRequest, render_page
from dashboard.live.parts import live_part
from dashboard.presenters import pending as presenter
from dashboard.presenters.pending import gap_lines
from dashboard.presenters.shared.page import count_line, earlier_sentence, unanswered
from dashboard.tables.preemption import RISKS

if TYPE_CHECKING:
    from django.http import HttpResponse, QueryDict


WORKLOADS_PER_PAGE = 25


@live_part("preemption.answer", template="pending/_preemption_answer.html", pages=["preemption"])
def answer_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Say how many pods preemption would remove, whatever the filter hides."""
    found = preemptors_of(cluster=cluster)
    return {
        "cluster": cluster,
        "counts": found.counts,
        "evaluating": found.evaluating,
        "earlier": earlier_sentence(found.earlier),
        "as_of": last_moment(cluster),
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
            shown=len(matching), total=len(found.risks), noun=counts.workloads, conditions=form.conditions()
        ),
    }


@require_safe
def preemption(request: PageRequest, cluster: str) -> HttpResponse:
    """List the workloads whose pods preemption would remove now."""
    mirrored = get_object_or_404(Cluster, name=cluster)
    try:
        context = {**risks_context(mirrored, request.GET), **answer_context(mirrored, request.GET)}
    except (ConfigurationError, ChangingTooFastError) as error:
        status = 503 if isinstance(error, ChangingTooFastError) else 200
        context = {"cluster": mirrored, "problem": unanswered(error)}
        return render(request, "pending/unknown.html", context, status=status)
    context["gaps"] = gap_lines(mirrored)
    return render_page(request, "pending/preemption.html", "pending/_preemption.html", context)
