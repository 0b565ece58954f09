"""Addresses of the page about a cluster's scheduler configuration, and of its file."""

from __future__ import annotations

from django.urls import path

from dashboard.views import configuration

urlpatterns = [
    path("", configuration.configuration, name="cluster-configuration"),
    path("scheduler.yaml", configuration.download, name="cluster-configuration-file"),
]
