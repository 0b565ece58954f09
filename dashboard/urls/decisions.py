"""Addresses of the decision on one pod and of its parts; each part is a page of its own where no scripts run."""

from __future__ import annotations

from django.urls import path

from dashboard.lazy_views import Views

decision_map = Views("dashboard.views.decision_map")
decision_nodes = Views("dashboard.views.decision_nodes")
decisions = Views("dashboard.views.decisions")
removal = Views("dashboard.views.removal")
what_if = Views("dashboard.views.what_if")

urlpatterns = [
    path("", decisions.decision, name="decision"),
    path("map/", decision_map.map_part, name="decision-map"),
    path("map/lines/", decision_map.map_lines, name="decision-map-lines"),
    path("groups/", decisions.groups, name="decision-groups"),
    path("groups/<int:number>/", decisions.group, name="decision-group"),
    path("nodes/", decision_nodes.node_names, name="decision-nodes"),
    path("nodes/<str:node>/", decision_nodes.node, name="decision-node"),
    path("why-not/", decision_nodes.why_not_node, name="decision-why-not"),
    path("search-order/", decision_nodes.search_order_part, name="decision-search-order"),
    path("compare/", decision_nodes.compare, name="decision-compare"),
    path("nodes/<str:node>/scores/<path:plugin>/", decisions.cell, name="decision-cell"),
    path("what-if/", what_if.what_if_page, name="what-if"),
    path("scores/", decisions.scores, name="decision-scores"),
    path("relaxations/<str:kind>/<int:number>/", decisions.relaxation, name="decision-relaxation"),
    path("observed/<int:observation>/<str:show>/", decisions.observed, name="decision-observed"),
    path("preemption/", decisions.preemption, name="decision-preemption"),
    path("removal/", removal.removal, name="pod-removal"),
]
