"""The two probes that answer strangers."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from dashboard.operations import health


@login_not_required
@require_safe
def livez(request: HttpRequest) -> JsonResponse:
    """Answer 200 as long as this process serves requests."""
    return JsonResponse({"status": "ok"})


@login_not_required
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Answer 200 when every dependency is up, else 503, and say which is not; pages are there without beat, too."""
    dependencies = health.dependencies()
    ready = all(state == "ok" for state in dependencies.values())
    body = {"status": "ok" if ready else "unavailable", "dependencies": dependencies, "beat": health.beat_state()}
    return JsonResponse(body, status=200 if ready else 503)
