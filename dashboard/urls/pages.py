"""Addresses of the pages that browse what is mirrored."""

from __future__ import annotations

from django.urls import include, path

from dashboard.lazy_views import Views

agreement = Views("dashboard.views.agreement")
clusters = Views("dashboard.views.clusters")
glossary = Views("dashboard.views.glossary")
headroom = Views("dashboard.views.headroom")
lesson_schemas = Views("dashboard.views.lesson_schemas")
live = Views("dashboard.views.live")
overview = Views("dashboard.views.overview")
pods = Views("dashboard.views.pods")
quotas = Views("dashboard.views.quotas")
run_new = Views("dashboard.views.run_new")
runs = Views("dashboard.views.runs")
search = Views("dashboard.views.search")
upgrade = Views("dashboard.views.upgrade")
uploads = Views("dashboard.views.uploads")
usage = Views("dashboard.views.usage")

urlpatterns = [
    path("", overview.home, name="home"),
    path("upload/", uploads.upload, name="upload"),
    path("follow/", live.follow, name="follow"),
    path("live/<str:part>/", live.part, name="live-part"),
    path("", include("dashboard.urls.reports")),
    path("help/", glossary.glossary, name="help"),
    path("agreement/", agreement.agreement, name="agreement"),
    path("lessons/sandbox/", include("dashboard.sandbox.urls")),
    path("lessons/", include("dashboard.lessons.urls")),
    path("", include("dashboard.classrooms.urls")),
    path("clusters/", clusters.clusters, name="clusters"),
    path("clusters/<slug:cluster>/", overview.overview, name="cluster"),
    path("clusters/<slug:cluster>/picture/", overview.picture, name="cluster-picture"),
    path("clusters/<slug:cluster>/pending-cards/", overview.pending_cards, name="cluster-pending-cards"),
    path("clusters/<slug:cluster>/upload/", uploads.upload_newer, name="cluster-upload"),
    path("clusters/<slug:cluster>/ingests/<int:pk>/", uploads.ingest, name="ingest"),
    path("clusters/<slug:cluster>/ingests/<int:pk>/cancel/", uploads.cancel, name="ingest-cancel"),
    path("clusters/<slug:cluster>/ingests/<int:pk>/progress/", uploads.progress, name="ingest-progress"),
    path("clusters/<slug:cluster>/configuration/", include("dashboard.urls.configuration")),
    path("clusters/<slug:cluster>/rename/", live.rename, name="cluster-rename"),
    path("clusters/<slug:cluster>/delete/", clusters.delete, name="cluster-delete"),
    path("clusters/<slug:cluster>/search/", search.search, name="search"),
    path("clusters/<slug:cluster>/pods/", pods.pods, name="pods"),
    path("clusters/<slug:cluster>/pods.csv", pods.pods_csv, name="pods-csv"),
    path("clusters/<slug:cluster>/pods/<name:namespace>/<name:name>/", include("dashboard.urls.decisions")),
    path("clusters/<slug:cluster>/pending/", include("dashboard.urls.pending")),
    path("clusters/<slug:cluster>/workloads/", include("dashboard.urls.workloads")),
    path("clusters/<slug:cluster>/pod-groups/", include("dashboard.urls.pod_groups")),
    path("clusters/<slug:cluster>/nodes/", include("dashboard.urls.nodes")),
    path("clusters/<slug:cluster>/devices/", include("dashboard.urls.devices")),
    path("clusters/<slug:cluster>/journal/", include("dashboard.urls.journal")),
    path("clusters/<slug:cluster>/drain/", include("dashboard.urls.drain")),
    path("clusters/<slug:cluster>/simulations/", runs.cluster_runs, name="cluster-runs"),
    path("clusters/<slug:cluster>/simulations/new", run_new.run_new, name="run-new"),
    path("clusters/<slug:cluster>/upgrade/", upgrade.upgrade, name="upgrade"),
    path("clusters/<slug:cluster>/headroom/", headroom.headroom, name="headroom"),
    path("simulations/", include("dashboard.urls.runs")),
    path("studies/", include("dashboard.urls.studies")),
    path("clusters/<slug:cluster>/spread/", include("dashboard.urls.spread")),
    path("clusters/<slug:cluster>/budgets/", include("dashboard.urls.budgets")),
    path("clusters/<slug:cluster>/quotas/", quotas.quotas, name="quotas"),
    path("clusters/<slug:cluster>/quotas.csv", quotas.quotas_csv, name="quotas-csv"),
    path("clusters/<slug:cluster>/usage/", usage.usage, name="usage"),
    path("clusters/<slug:cluster>/usage/simulate/", usage.simulate, name="usage-simulate"),
    path("clusters/<slug:cluster>/usage/usage.csv", usage.usage_csv, name="usage-csv"),
    path("lessons/schemas/<slug:name>.json", lesson_schemas.lesson_file_schema, name="lesson-schema"),
]
