"""Addresses of the pages about workloads."""

from __future__ import annotations

from django.urls import path

from dashboard.views import workload, workloads

urlpatterns = [
    path("", workloads.workloads, name="workloads"),
    path("workloads.csv", workloads.workloads_csv, name="workloads-csv"),
    path("<slug:kind>/<name:namespace>/<name:name>/", workload.workload, name="workload"),
]
