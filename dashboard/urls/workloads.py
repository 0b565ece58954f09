"""Addresses of the pages about workloads."""

from __future__ import annotations

from django.urls import path

from dashboard.lazy_views import Views

workload = Views("dashboard.views.workload")
workloads = Views("dashboard.views.workloads")

urlpatterns = [
    path("", workloads.workloads, name="workloads"),
    path("workloads.csv", workloads.workloads_csv, name="workloads-csv"),
    path("<slug:kind>/<name:namespace>/<name:name>/", workload.workload, name="workload"),
]
