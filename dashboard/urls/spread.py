"""Addresses of the pages about topology spreading."""

from __future__ import annotations

from django.urls import path

from dashboard.lazy_views import Views

spread = Views("dashboard.views.spread")

urlpatterns = [
    path("", spread.groups, name="spread"),
    path("groups.csv", spread.groups_csv, name="spread-csv"),
    path("groups/<slug:identity>/", spread.group, name="spread-group"),
    path("groups/<slug:identity>/domains.csv", spread.domains_csv, name="spread-group-csv"),
    path("workloads/", spread.workloads, name="spread-workloads"),
    path("workloads.csv", spread.workloads_csv, name="spread-workloads-csv"),
]
