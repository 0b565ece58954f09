"""Addresses of the decision journal of a cluster."""

from __future__ import annotations

from django.urls import path

from dashboard.lazy_views import Views

journal = Views("dashboard.views.journal")
journal_map = Views("dashboard.views.journal_map")
journal_replay = Views("dashboard.views.journal_replay")
kept_map = Views("dashboard.views.kept_map")

urlpatterns = [
    path("", journal.journal, name="journal"),
    path("decisions.csv", journal.journal_csv, name="journal-csv"),
    path("chart.json", journal.chart, name="journal-chart"),
    path("map/", journal_map.journal_map, name="journal-map"),
    path("map/picture/", journal_map.picture, name="journal-picture"),
    path("replay/", journal_replay.journal_replay, name="journal-replay"),
    path("<int:pk>/", journal.journaled, name="journaled"),
    path("<int:pk>/node/", kept_map.kept_node, name="journaled-node"),
]
