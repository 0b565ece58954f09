"""Capacity reviews: those of a cluster, ordering one, one as a page and as files, and their removal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from clusters.models import Cluster, Report, ReportSchedule
from clusters.services.reports import create_report, create_schedule, delete_report, delete_schedule
from clusters.services.reports.order import OrderError
from clusters.services.runs.spec import SpecError
from clusters.wording.problems import both_sentences
from clusters.wording.reviews import pages as words
from clusters.wording.reviews.pages import AGAIN_EVERY_WEEK, NO_SUCH_FILE
from clusters.wording.runs import progress as progress_words
from dashboard.access import audit
from dashboard.access.rights import may_end
from dashboard.charts.of_pictures import document_of
from dashboard.forms.parameters import Parameters, whole_number
from dashboard.forms.reviews import ReviewForm, run_chosen
from dashboard.http import PageRequest, render_page
from dashboard.limits.computing import refuse_too_much
from dashboard.pictures.specs import TrendSpec
from dashboard.presenters import reviews as presenter
from dashboard.reports.blocks import Chart
from dashboard.reports.data_files import csv_zip_of, json_of
from dashboard.reports.html import html_of, review_view
from dashboard.reports.layout import blocks_of
from dashboard.reports.markdown import markdown_of
from dashboard.reports.pdf import pdf_of
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusters.models import Cluster
    from dashboard.http import PageRequest

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
    messages.success(request, progress_words.DELETED(title=found.title))
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


class AboutParameters(Parameters):
    """The run that a review is about, where it is not about the cluster."""

    run = whole_number()


@require_http_methods(["GET", "HEAD", "POST"])
@of_cluster
def report_new(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Order a review of the cluster or of one of its finished runs; ?run= chooses one."""
    data = request.POST if request.method == "POST" else None
    chosen = run_chosen(request.POST.get("about", ""))
    form = ReviewForm(cluster, data, run=AboutParameters.read(request.GET)["run"] if chosen is None else chosen)
    if data is not None and form.is_valid() and (report := _ordered(request, cluster, form)):
        return redirect("report", pk=report.pk)
    return render(request, "reports/new.html", {"cluster": cluster, "form": form}, status=400 if form.errors else 200)


def _ordered(request: PageRequest, cluster: Cluster, form: ReviewForm) -> Report | None:
    """Order the review of a valid form; without one, the form says why."""
    order = form.order()
    try:
        refuse_too_much(request.user)
        with transaction.atomic():
            report = create_report(order=order, user=request.user)
            if form.is_weekly:
                create_schedule(
                    cluster=cluster,
                    order=order,
                    weekday=form.cleaned_data["weekday"],
                    hour=form.cleaned_data["hour"],
                    keep_days=form.cleaned_data["keep_days"],
                    user=request.user,
                )
    except OrderError as error:
        form.add_order_error(error)
        return None
    except SpecError as error:
        form.add_error(None, both_sentences(error.problem, line=error.line))
        return None
    if form.is_weekly:
        messages.success(request, AGAIN_EVERY_WEEK(title=report.title))
    return report


class FileForm(NamedTuple):
    """How a form of a review is made, its content type, and how its file ends."""

    make: Callable[[Mapping[str, Any]], str | bytes]
    content_type: str
    ending: str


FORMS = {
    "html": FileForm(html_of, "text/html; charset=utf-8", "html"),
    "pdf": FileForm(pdf_of, "application/pdf", "pdf"),
    "markdown": FileForm(markdown_of, "text/markdown; charset=utf-8", "md"),
    "csv": FileForm(csv_zip_of, "application/zip", "zip"),
    "json": FileForm(json_of, "application/json", "json"),
}


@require_safe
def report_file(request: PageRequest, pk: int, form: str) -> HttpResponse:
    """Return a finished review as a download."""
    chosen = FORMS.get(form)
    report = get_object_or_404(Report.objects.select_related("cluster"), pk=pk)
    document = report.document
    if chosen is None or document is None:
        raise Http404(str(NO_SUCH_FILE))
    audit.note(request, audit.Action.REVIEW_EXPORTED, cluster=report.cluster.name, subject=f"{report.title} ({form})")
    name = f"capacity-review-{report.cluster.name}-{report.created_at:%Y-%m-%d}-{report.pk}.{chosen.ending}"
    return HttpResponse(
        chosen.make(document),
        content_type=chosen.content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
