"""Addresses of the player: for users below the lessons, for participants of a classroom at their seats."""

from __future__ import annotations

from django.urls import path

from dashboard.lazy_views import Views
from dashboard.lessons.learners import LESSONS

decision = Views("dashboard.lessons.decision")
experiment_views = Views("dashboard.lessons.experiment_views")
views = Views("dashboard.lessons.views")

_STEP = "<slug:lesson>/<slug:step>/"
_SIDE = f"{_STEP}<slug:side>/"

app_name = LESSONS
urlpatterns = [
    path("_language/", views.language, name="lessons-language"),
    path("<slug:lesson>/", views.lesson, name="lesson"),
    path(_STEP, views.step, name="lesson-step"),
    path(f"{_STEP}experiment/", experiment_views.experiment_page, name="lesson-experiment"),
    path(f"{_SIDE}map/", decision.map_part, name="lesson-decision-map"),
    path(f"{_SIDE}map/lines/", decision.map_lines, name="lesson-decision-map-lines"),
    path(f"{_SIDE}nodes/", decision.node_names, name="lesson-decision-nodes"),
    path(f"{_SIDE}nodes/<str:node>/", decision.node, name="lesson-decision-node"),
    path(f"{_SIDE}why-not/", decision.why_not_node, name="lesson-decision-why-not"),
    path(f"{_SIDE}scores/", decision.scores, name="lesson-decision-scores"),
    path(f"{_SIDE}nodes/<str:node>/scores/<path:plugin>/", decision.cell, name="lesson-decision-cell"),
]
