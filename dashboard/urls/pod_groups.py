"""Addresses of the pages about groups of pods that are scheduled together."""

from __future__ import annotations

from django.urls import path

from dashboard.lazy_views import Views

pod_groups = Views("dashboard.views.pod_groups")

urlpatterns = [
    path("", pod_groups.pod_groups, name="pod-groups"),
    path("pod-groups.csv", pod_groups.pod_groups_csv, name="pod-groups-csv"),
    # In 1.35 a group is named by its Workload, its name and a replica key.
    path("<name:namespace>/<path:name>/", pod_groups.pod_group, name="pod-group"),
]
