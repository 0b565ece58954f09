"""Capacity reviews: those of a cluster with their schedules, one of them, and their removal."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from clusters.models import Cluster, Report, ReportSchedule
from clusters.services.reports import delete_report, delete_schedule
from clusters.wording.reviews import pages as words
from dashboard.access.permissions import may_end
from dashboard.charts.of_pictures import document_of
from dashboard.http import PageRequest, render_page
from dashboard.pictures.specs import TrendSpec
from dashboard.presenters import reviews as presenter
from dashboard.reports.blocks import Chart
from dashboard.reports.html import review_view
from dashboard.reports.layout import blocks_of
from dashboard.views.of_cluster import of_cluster

REVIEWS_PER_PAGE = 25


@require_safe
@of_cluster
def reports(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List the reviews of a cluster and of its runs, the newest first, and when more are made."""
    every = Report.objects.filter(cluster=cluster).defer("packed_document").select_related("created_by", "run")
    page = Paginator(every, REVIEWS_PER_PAGE).get_page(request.GET.get("page"))
    schedules = list(ReportSchedule.objects.filter(cluster=cluster).select_related("cluster", "created_by"))
    context = {
        "cluster": cluster,
        "page": page,
        "rows": [presenter.review_row(report) for report in page],
        "sentence": presenter.list_sentence(page.paginator.count, schedules),
        "schedules": [
            presenter.schedule_row(schedule, may_remove=may_end(request.user, schedule)) for schedule in schedules
        ],
    }
    return render_page(request, "reports/list.html", "reports/_results.html", context)


@require_safe
def report(request: PageRequest, pk: int) -> HttpResponse:
    """Show a review, or how far it is."""
    found = get_object_or_404(Report.objects.select_related("cluster", "run", "created_by"), pk=pk)
    request.framed_cluster = found.cluster.name
    document = found.document
    context = {
        "report": found,
        "row": presenter.review_row(found),
        "failure": presenter.failure(found),
        "is_over": presenter.is_over(found),
        "progress": presenter.progress(found),
        "review": review_view(document) if document else None,
        "may_remove": may_end(request.user, found),
        "forms": presenter.FORMS,
    }
    return render(request, "reports/report.html", context)


@require_safe
def progress(request: PageRequest, pk: int) -> HttpResponse:
    """Answer with the progress fragment, for a page that stands already and has no websocket."""
    found = get_object_or_404(Report.objects.defer("packed_document"), pk=pk)
    if presenter.is_over(found):
        return HttpResponse(headers={"HX-Refresh": "true"})
    return render(request, "reports/_progress.html", {"progress": presenter.progress(found)})


@require_safe
def report_chart(request: PageRequest, pk: int, anchor: str) -> HttpResponse:
    """Return one of a review's trends as a chart to explore."""
    document = get_object_or_404(Report, pk=pk).document
    blocks = blocks_of(document) if document else ()
    spec = next((block.spec for block in blocks if isinstance(block, Chart) and block.anchor == anchor), None)
    if not isinstance(spec, TrendSpec):
        raise Http404(str(words.NO_SUCH_TREND))
    return HttpResponse(document_of(spec, anchor), content_type="application/json")


@require_http_methods(["GET", "HEAD", "POST"])
def report_delete(request: PageRequest, pk: int) -> HttpResponse:
    """Ask once, then delete a review."""
    found = get_object_or_404(Report.objects.defer("packed_document").select_related("cluster"), pk=pk)
    request.framed_cluster = found.cluster.name
    if not may_end(request.user, found):
        raise PermissionDenied
    if request.method != "POST":
        return render(request, "reports/delete.html", {"report": found})
    delete_report(found)
    messages.success(request, words.DELETED(title=found.title))
    return redirect("reports", cluster=found.cluster.name)


@require_http_methods(["GET", "HEAD", "POST"])
def schedule_delete(request: PageRequest, cluster: str, pk: int) -> HttpResponse:
    """Ask once, then make no more reviews by a schedule; those that were made stay."""
    schedule = get_object_or_404(ReportSchedule.objects.select_related("cluster"), cluster__name=cluster, pk=pk)
    if not may_end(request.user, schedule):
        raise PermissionDenied
    if request.method != "POST":
        return render(request, "reports/delete_schedule.html", {"schedule": schedule, "cluster": schedule.cluster})
    delete_schedule(schedule)
    messages.success(request, words.NOT_WRITTEN_AGAIN(title=schedule.title))
    return redirect("reports", cluster=cluster)
