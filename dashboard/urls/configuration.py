"""Addresses of the page about a cluster's scheduler configuration, and of its file."""

from __future__ import annotations

from django.urls import path

from dashboard.lazy_views import Views

configuration = Views("dashboard.views.configuration")
other_configuration = Views("dashboard.views.other_configuration")

urlpatterns = [
    path("", configuration.configuration, name="cluster-configuration"),
    path("what-if/", other_configuration.other_configuration, name="other-configuration"),
    path("scheduler.yaml", configuration.download, name="cluster-configuration-file"),
]
