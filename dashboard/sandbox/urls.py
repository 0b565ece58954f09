"""Addresses of the sandbox, under /lessons/sandbox/."""

from __future__ import annotations

from django.urls import path

from dashboard.lazy_views import Views

decision = Views("dashboard.sandbox.decision")
shared_views = Views("dashboard.sandbox.shared_views")
views = Views("dashboard.sandbox.views")

_POD = "pods/<str:namespace>/<str:name>/"

urlpatterns = [
    path("", views.sandbox_page, name="sandbox"),
    path("node/", views.node_panel, name="sandbox-node"),
    path("file/", views.download, name="sandbox-file"),
    path("shared/<str:token>/", shared_views.shared_sandbox, name="sandbox-shared"),
    path(f"{_POD}map/", decision.map_part, name="sandbox-decision-map"),
    path(f"{_POD}map/lines/", decision.map_lines, name="sandbox-decision-map-lines"),
    path(f"{_POD}nodes/", decision.node_names, name="sandbox-decision-nodes"),
    path(f"{_POD}nodes/<str:node>/", decision.node, name="sandbox-decision-node"),
    path(f"{_POD}why-not/", decision.why_not_node, name="sandbox-decision-why-not"),
    path(f"{_POD}scores/", decision.scores, name="sandbox-decision-scores"),
    path(f"{_POD}nodes/<str:node>/scores/<path:plugin>/", decision.cell, name="sandbox-decision-cell"),
]
