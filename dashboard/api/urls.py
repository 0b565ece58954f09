"""Addresses of the API; everything else below /api/ is an error in JSON."""

from __future__ import annotations

from django.urls import path

from dashboard.api import clusters, decisions, explanations, unknown

urlpatterns = [
    path("v1/clusters/", clusters.clusters, name="api-clusters"),
    path(
        "v1/clusters/<slug:cluster>/pods/<name:namespace>/<name:name>/explanation",
        explanations.explanation,
        name="api-explanation",
    ),
    path("v1/clusters/<slug:cluster>/decisions/", decisions.decisions, name="api-decisions"),
    path("v1/clusters/<slug:cluster>/decisions/<int:pk>", decisions.decision, name="api-decision"),
    path("v1/agreement", decisions.agreement, name="api-agreement"),
    path("<path:rest>", unknown.unknown),
    path("", unknown.unknown),
]
