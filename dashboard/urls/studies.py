"""Addresses of studies, under /studies/."""

from __future__ import annotations

from django.urls import path

from dashboard.lazy_views import Views

studies = Views("dashboard.views.studies")

urlpatterns = [
    path("", studies.studies, name="studies"),
    path("<int:pk>/", studies.study, name="study"),
    path("<int:pk>/progress/", studies.progress, name="study-progress"),
    path("<int:pk>/delete/", studies.delete, name="study-delete"),
    path("<int:pk>/study.csv", studies.study_csv, name="study-csv"),
]
