"""Every address. All but sign-in, the probes and metrics ask for a signed-in user; the middleware sees to that."""

from __future__ import annotations

from django.urls import URLResolver, include, path
from django.urls.resolvers import RoutePattern

import dashboard.nav  # noqa: F401 - registers the live part that stands on every page
from dashboard.lazy_views import Views

health = Views("dashboard.views.health")
metrics = Views("dashboard.views.metrics")
reference = Views("dashboard.api.reference")
unknown = Views("dashboard.api.unknown")

handler400 = "dashboard.failures.bad_request"
handler500 = "dashboard.api.errors.server_error"


class _Operations(URLResolver):
    """The API's operations, whose types take long to make and no page needs: made when one is first asked for."""

    def _populate(self) -> None:
        """Keep them out of what Django gathers to write addresses; it finds them by their namespace."""


urlpatterns = [
    path("", include("dashboard.access.urls")),
    path("", include("dashboard.urls.pages")),
    path("api/v1/docs", reference.reference, name="api-reference"),
    _Operations(RoutePattern("api/v1/"), "dashboard.api.urls", app_name="api-v1", namespace="api-v1"),
    # Everything else below /api/ is an error in JSON.
    path("api/<path:rest>", unknown.unknown),
    path("api/", unknown.unknown),
    path("metrics", metrics.metrics, name="metrics"),
    path("livez", health.livez, name="livez"),
    path("readyz", health.readyz, name="readyz"),
]
