"""A review as a file, in each of its forms; made when asked for, because none takes long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from clusters.models import Report
from clusters.wording.reviews.pages import NO_SUCH_FILE
from dashboard.reports.data_files import csv_zip_of, json_of
from dashboard.reports.html import html_of
from dashboard.reports.markdown import markdown_of
from dashboard.reports.pdf import pdf_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dashboard.http import PageRequest


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
    name = f"capacity-review-{report.cluster.name}-{report.created_at:%Y-%m-%d}-{report.pk}.{chosen.ending}"
    return HttpResponse(
        chosen.make(document),
        content_type=chosen.content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
