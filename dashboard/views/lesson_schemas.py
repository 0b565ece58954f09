"""What the files of a lesson may hold, for editors that complete and check YAML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from clusters.documents.lessons import lesson_schema, schema_names

if TYPE_CHECKING:
    from dashboard.http import PageRequest


@require_safe
def lesson_file_schema(_request: PageRequest, name: str) -> HttpResponse:
    """Answer with the JSON schema of `lesson.yaml` or of a file of texts."""
    if name not in schema_names():
        raise Http404
    return JsonResponse(lesson_schema(name), content_type="application/schema+json", json_dumps_params={"indent": 2})
