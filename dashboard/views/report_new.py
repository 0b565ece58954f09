"""Ordering a capacity review, once or every week."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.db import transaction
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from clusters.services.reports import create_report, create_schedule
from clusters.services.reports.order import OrderError
from clusters.services.runs.spec import SpecError
from clusters.wording.problems import both_sentences
from clusters.wording.reviews.pages import AGAIN_EVERY_WEEK
from dashboard.forms.parameters import Parameters, whole_number
from dashboard.forms.reviews import ReviewForm, run_chosen
from dashboard.limits.queued_work import refuse_too_much
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clusters.models import Cluster, Report
    from dashboard.http import PageRequest


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
