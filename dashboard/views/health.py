"""What machines ask for: the two probes that answer strangers, and the metrics."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from clusters.wording.access.sign_in import METRICS_REFUSED
from dashboard.operations import health
from dashboard.operations.metrics import metrics as written


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


@login_not_required
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics; 401 with what to do for everybody who may not have them."""
    if not _may_read(request):
        return HttpResponse(
            f"{METRICS_REFUSED}\n",
            status=401,
            content_type="text/plain; charset=utf-8",
            headers={"WWW-Authenticate": "Bearer"},
        )
    return HttpResponse(written(), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _may_read(request: HttpRequest) -> bool:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    expected = settings.BERTH_METRICS_TOKEN
    # An unset token equals none that anybody sends, the empty one included.
    if expected and scheme.lower() == "bearer" and constant_time_compare(token.strip(), expected):
        return True
    return request.user.is_authenticated and request.user.is_staff
