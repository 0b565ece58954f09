"""Addresses of the pages about nodes."""

from __future__ import annotations

from django.urls import path

from dashboard.lazy_views import Views

node = Views("dashboard.views.node")
node_kubelet = Views("dashboard.views.node_kubelet")
nodes = Views("dashboard.views.nodes")

urlpatterns = [
    path("", nodes.nodes, name="nodes"),
    # Without a slash at the end, no node can have such an address.
    path("nodes.csv", nodes.nodes_csv, name="nodes-csv"),
    path("heat-map", nodes.heat_map, name="node-map"),
    path("free-capacity", nodes.free_capacity, name="free-capacity"),
    path("<name:name>/", node.node, name="node"),
    path("<name:name>/pending/", node.pending, name="node-pending"),
    path("<name:name>/drain/", node.drain, name="node-drain"),
    path("<name:name>/faults/", node.faults, name="node-faults"),
    path("<name:name>/usage/", node.usage, name="node-usage"),
    path("<name:name>/oom/", node.oom, name="node-oom"),
    path("<name:name>/shutdown/", node_kubelet.shutdown, name="node-shutdown"),
    path("<name:name>/pressure/", node_kubelet.pressure, name="node-pressure"),
]
