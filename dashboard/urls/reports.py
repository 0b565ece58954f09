"""Addresses of capacity reviews; those of a cluster's list are below the cluster."""

from __future__ import annotations

from django.urls import path

from dashboard.lazy_views import Views

report_files = Views("dashboard.views.report_files")
report_new = Views("dashboard.views.report_new")
reports = Views("dashboard.views.reports")

urlpatterns = [
    path("clusters/<slug:cluster>/reviews/", reports.reports, name="reports"),
    path("clusters/<slug:cluster>/reviews/new", report_new.report_new, name="report-new"),
    path("clusters/<slug:cluster>/reviews/schedules/<int:pk>/delete/", reports.schedule_delete, name="schedule-delete"),
    path("reviews/<int:pk>/", reports.report, name="report"),
    path("reviews/<int:pk>/progress/", reports.progress, name="report-progress"),
    path("reviews/<int:pk>/delete/", reports.report_delete, name="report-delete"),
    path("reviews/<int:pk>/charts/<slug:anchor>.json", reports.report_chart, name="report-chart"),
    path("reviews/<int:pk>/<str:form>", report_files.report_file, name="report-file"),
]
