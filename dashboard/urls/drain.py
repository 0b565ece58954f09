"""Addresses of the drain planner."""

from __future__ import annotations

from django.urls import path

from dashboard.lazy_views import Views

drain = Views("dashboard.views.drain")
drain_map = Views("dashboard.views.drain_map")

urlpatterns = [
    path("", drain.drain, name="drain"),
    path("nodes.csv", drain.nodes_csv, name="drain-nodes-csv"),
    path("plan.csv", drain.plan_csv, name="drain-plan-csv"),
    path("progress/", drain.progress, name="drain-progress"),
    path("map/", drain_map.map_part, name="drain-map"),
    path("map/batch/", drain_map.map_batch, name="drain-map-batch"),
    path("map/lines/", drain_map.map_lines, name="drain-map-lines"),
    path("map/node/", drain_map.map_node, name="drain-map-node"),
]
