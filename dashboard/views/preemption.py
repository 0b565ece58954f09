"""Which workloads of a cluster would lose pods by preemption now, and to which pending pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.views.decorators.http import require_safe

from clusters.services.mirror.snapshots import last_moment
from clusters.services.pending.queue import preemptors_of
from clusters.wording import counts
from dashboard.filters.pending import PreemptionFilter
from dashboard.live.parts import live_part
from dashboard.presenters import pending as presenter
from dashboard.presenters.pending import gap_lines
from dashboard.presenters.shared.page import count_line, earlier_sentence
from dashboard.tables.pending import RISKS
from dashboard.views.of_cluster import of_cluster, render_parts

if TYPE_CHECKING:
    from django.http import HttpResponse, QueryDict

    from clusters.models import Cluster
    from dashboard.http import PageRequest


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
            shown=len(matching), total=len(found.risks), noun=counts.workloads, conditions=form.conditions()
        ),
    }


@require_safe
@of_cluster
def preemption(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List the workloads whose pods preemption would remove now."""
    parts = (risks_context, answer_context)
    return render_parts(request, cluster, "pending/preemption.html", "pending/_preemption.html", *parts)
