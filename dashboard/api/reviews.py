"""Capacity reviews: ordered, and read in any of their forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.urls import reverse
from ninja import Body  # noqa: TC002 - read when operations are declared

from clusters.engine.problems import NoSuchName
from clusters.models import Cluster, Report, SimulationRun
from clusters.services.reports import OrderError, create_report, delete_report, read_order
from clusters.services.reports.making import about
from clusters.wording.absent import THERE_IS_NO
from clusters.wording.access.sign_in import MAY_NOT_ORDER
from clusters.wording.lists import alternatives
from clusters.wording.reviews import pages as words
from dashboard.access.rights import may_end, may_order, visible
from dashboard.api.answering import refuse_too_much
from dashboard.api.documents.mirror import Error
from dashboard.api.documents.runs import Review
from dashboard.api.site import ERRORS, api
from dashboard.http import (
    ApiError,
    PageRequest,
    answer,
)
from dashboard.presenters.reviews import failure
from dashboard.views.reports import FORMS, report_file

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

_KINDS = [form.content_type.partition(";")[0] for form in FORMS.values()]
_CONTENT = {
    kind: {"schema": {} if kind.endswith("json") else {"type": "string", "format": "binary"}} for kind in _KINDS
}


@api.post(
    "/reports/",
    response={201: Review, **ERRORS, 413: Error},
    tags=["reports"],
    operation_id="create_report",
)
def create(request: PageRequest, order: Body[dict[str, Any]]) -> HttpResponse:
    """Order a review of a cluster or of a run, as docs/capacity-reviews.md describes the order; a worker writes it."""
    refuse_too_much(request)
    read = read_order(order)
    if read.run is None and not visible(Cluster.objects.filter(name=read.cluster), request.user).exists():
        raise OrderError("cluster", NoSuchName(str(read.cluster)))
    if read.run is not None and not visible(SimulationRun.objects.filter(pk=read.run), request.user).exists():
        raise OrderError("run", NoSuchName(str(read.run)))
    cluster, _ = about(read)
    if not may_order(request.user, cluster.pk):
        raise PermissionDenied(MAY_NOT_ORDER)
    return answer(_document(create_report(order=order, user=request.user)), 201)


@api.get("/reports/{int:pk}", response={200: Review, **ERRORS}, tags=["reports"], operation_id="read_report")
def read(request: PageRequest, pk: int) -> HttpResponse:
    """Say whether a review is written, and where its files are."""
    return answer(_document(_report(pk)))


@api.get(
    "/reports/{int:pk}/{slug:form}",
    response={200: Any, **ERRORS, 409: Error},
    tags=["reports"],
    operation_id="read_report_file",
    openapi_extra={"responses": {200: {"content": _CONTENT}}},
)
def read_file(request: PageRequest, pk: int, form: str) -> HttpResponseBase:
    """Return a finished review as a file: html, pdf, markdown, csv (zipped tables) or json."""
    report = _report(pk)
    if form not in FORMS:
        raise ApiError(
            404, what=words.NO_FORM(form=form), where="form", remedy=words.ONE_OF_FORMS(forms=alternatives(FORMS))
        )
    if report.state != Report.State.DONE:
        raise ApiError(
            409,
            what=str(words.PROGRESS[report.state]),
            where="report",
            remedy=str(words.ASK_WHEN_DONE),
        )
    return report_file(request, pk=pk, form=form)


@api.delete("/reports/{int:pk}", response={204: None, **ERRORS}, tags=["reports"], operation_id="delete_report")
def delete(request: PageRequest, pk: int) -> HttpResponse:
    """Remove a review and the simulations that were made for it."""
    report = _report(pk)
    if not may_end(request.user, report):
        raise PermissionDenied
    delete_report(report)
    return HttpResponse(status=204)


def _report(pk: int) -> Report:
    found = Report.objects.select_related("cluster").filter(pk=pk).first()
    if found is None:
        raise ApiError(
            404,
            what=THERE_IS_NO(object_kind="review", name=str(pk)),
            where="report",
            remedy=str(words.NUMBER_OF_ORDER),
        )
    return found


def _document(report: Report) -> dict[str, Any]:
    done = report.state == Report.State.DONE
    return {
        "id": report.pk,
        "title": report.title,
        "cluster": report.cluster.name,
        "run": report.run_id,
        "state": report.state,
        "error": failure(report),
        "createdAt": report.created_at.isoformat(),
        "finishedAt": report.finished_at.isoformat() if report.finished_at else None,
        "formats": {form: f"/api/v1/reports/{report.pk}/{form}" for form in FORMS} if done else {},
        "page": reverse("report", kwargs={"pk": report.pk}),
    }
