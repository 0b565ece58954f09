"""Addresses of lessons, under /lessons/: the list, and the player for users."""

from __future__ import annotations

from django.urls import include, path

from dashboard.lazy_views import Views

taking_views = Views("dashboard.lessons.taking_views")
upload_views = Views("dashboard.lessons.upload_views")
views = Views("dashboard.lessons.views")

urlpatterns = [
    path("", views.lessons, name="lessons"),
    path("_take/pod/<slug:cluster>/<name:namespace>/<name:name>/", taking_views.of_pod, name="lesson-of-pod"),
    path("_take/step/<int:pk>/<int:number>/", taking_views.of_step, name="lesson-of-step"),
    path("_take/decision/<slug:cluster>/<int:pk>/", taking_views.of_decision, name="lesson-of-decision"),
    path("upload/", upload_views.upload, name="lessons-upload"),
    path("upload/<slug:lesson>/download/", upload_views.download, name="lesson-download"),
    path("upload/<slug:lesson>/remove/", upload_views.remove, name="lesson-remove"),
    path("", include("dashboard.lessons.player")),
]
