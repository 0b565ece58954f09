"""Addresses of the drain planner."""

from __future__ import annotations

from django.urls import path

from dashboard.views import drain

urlpatterns = [
    path("", drain.drain, name="drain"),
    path("nodes.csv", drain.nodes_csv, name="drain-nodes-csv"),
    path("plan.csv", drain.plan_csv, name="drain-plan-csv"),
]
