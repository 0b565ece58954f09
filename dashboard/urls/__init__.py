"""Every address. All but sign-in, the probes and metrics ask for a signed-in user; the middleware sees to that."""

from __future__ import annotations

from django.urls import include, path

from dashboard.views import health, metrics

handler400 = "dashboard.forms.parameters.bad_request"
handler500 = "dashboard.api.errors.server_error"

urlpatterns = [
    path("", include("dashboard.access.urls")),
    path("", include("dashboard.urls.pages")),
    path("api/", include("dashboard.api.urls")),
    path("metrics", metrics.metrics, name="metrics"),
    path("livez", health.livez, name="livez"),
    path("readyz", health.readyz, name="readyz"),
]
