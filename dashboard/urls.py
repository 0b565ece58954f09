"""Every address. All but sign-in and the two probes ask for a signed-in user; the middleware sees to that."""

from __future__ import annotations

from django.urls import include, path, register_converter

from dashboard.converters import NameConverter
from dashboard.views import health

# Before the includes, which use it.
register_converter(NameConverter, "name")

urlpatterns = [
    path("", include("dashboard.access.urls")),
    path("", include("dashboard.urls_pages")),
    path("api/", include("dashboard.api.urls")),
    path("livez", health.livez, name="livez"),
    path("readyz", health.readyz, name="readyz"),
]
