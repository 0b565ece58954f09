"""Addresses of the pages about disruption budgets."""

from __future__ import annotations

from django.urls import path

from dashboard.lazy_views import Views

budgets = Views("dashboard.views.budgets")

urlpatterns = [
    path("", budgets.budgets, name="budgets"),
    path("budgets.csv", budgets.budgets_csv, name="budgets-csv"),
    path("blocked-drains/", budgets.drains, name="blocked-drains"),
    path("blocked-drains.csv", budgets.drains_csv, name="blocked-drains-csv"),
    path("<name:namespace>/<path_name:name>/", budgets.budget, name="budget"),
]
