"""Addresses of simulations, under /simulations/."""

from __future__ import annotations

from django.urls import path

from dashboard.lazy_views import Views

run = Views("dashboard.views.run")
run_compare = Views("dashboard.views.run_compare")
run_decision = Views("dashboard.views.run_decision")
run_state = Views("dashboard.views.run_step")
runs = Views("dashboard.views.runs")
studies = Views("dashboard.views.studies")

urlpatterns = [
    path("", runs.runs, name="runs"),
    path("compare/", run_compare.compare, name="runs-compare"),
    path("compare/moves/", run_compare.compare_moves, name="runs-compare-moves"),
    path("compare.csv", run_compare.compare_csv, name="runs-compare-csv"),
    path("compare.json", run_compare.compare_json, name="runs-compare-json"),
    path("<int:pk>/", run.run, name="run"),
    path("<int:pk>/progress/", run.progress, name="run-progress"),
    path("<int:pk>/cancel/", run.cancel, name="run-cancel"),
    path("<int:pk>/delete/", run.delete, name="run-delete"),
    path("<int:pk>/again/", run.again, name="run-again"),
    path("<int:pk>/go-on/", run.go_on, name="run-go-on"),
    path("<int:pk>/sweep/", studies.sweep_new, name="sweep-new"),
    path("<int:pk>/nodes/", run.node, name="run-node"),
    path("<int:pk>/nodes/<name:name>/", run.node, name="run-node-of"),
    path("<int:pk>/pods/", run.pod, name="run-pod"),
    path("<int:pk>/pods/<name:namespace>/<name:name>/", run.pod, name="run-pod-of"),
    path("<int:pk>/pods.csv", run.pods_csv, name="run-pods-csv"),
    path("<int:pk>/charts/<slug:name>.json", run.chart, name="run-chart"),
    path("<int:pk>/run.json", run.run_json, name="run-json"),
    path("<int:pk>/steps/", run_state.step_asked, name="run-step"),
    path("<int:pk>/steps/<int:number>/", run_state.state, name="run-state"),
    path("<int:pk>/steps/<int:number>/picture/", run_state.picture, name="run-picture"),
    path("<int:pk>/decisions/<int:number>/", run_decision.decision, name="run-decision"),
    path("<int:pk>/decisions/<int:number>/map/", run_decision.map_part, name="run-decision-map"),
    path("<int:pk>/decisions/<int:number>/map/lines/", run_decision.map_lines, name="run-decision-map-lines"),
    path("<int:pk>/decisions/<int:number>/nodes/", run_decision.node_names, name="run-decision-nodes"),
    path("<int:pk>/decisions/<int:number>/nodes/<str:node>/", run_decision.node, name="run-decision-node"),
    path("<int:pk>/decisions/<int:number>/why-not/", run_decision.why_not_node, name="run-decision-why-not"),
    path("<int:pk>/decisions/<int:number>/scores/", run_decision.scores, name="run-decision-scores"),
    path(
        "<int:pk>/decisions/<int:number>/nodes/<str:node>/scores/<path:plugin>/",
        run_decision.cell,
        name="run-decision-cell",
    ),
]
