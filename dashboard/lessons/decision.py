"""The parts of a decision in a lesson: nobody sees them before the answer is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from clusters.engine.lessons import Situation, SituationError, UnsolvableError
from clusters.wording.lessons import player as words
from dashboard.lessons import progress
from dashboard.lessons.case import ExplainedLesson
from dashboard.lessons.experiment_views import experimental
from dashboard.lessons.experiments import PlayedStep, explanation_of, played_step, situation_to_show, solution_of
from dashboard.lessons.learners import Learner, learner_of
from dashboard.lessons.page import EXPERIMENT_SIDE, OWN_SIDE, own_shown
from dashboard.views.decision_parts import (
    compare_answer,
    lines_answer,
    map_answer,
    names_answer,
    node_answer,
    why_not_answer,
)
from dashboard.views.decisions import cell_answer, scores_answer

if TYPE_CHECKING:
    from dashboard.http import PageRequest


def _case(request: PageRequest, lesson: str, step: str, side: str) -> ExplainedLesson:
    """Explain the pod in question as the address asks. Raises Http404, also while the step is not answered."""
    learner, played = learner_of(request), played_step(lesson, step)
    learner.check(lesson)
    try:
        situation = _own(learner, played) if side == OWN_SIDE else experimental(learner, played)
    except SituationError:
        raise Http404(words.NO_DECISION) from None
    explanation = explanation_of(situation)
    if side not in (OWN_SIDE, EXPERIMENT_SIDE) or explanation is None:
        raise Http404(words.NO_DECISION)
    return ExplainedLesson(played, explanation, side, learner)


def _own(learner: Learner, played: PlayedStep) -> Situation:
    row = progress.of_step(learner, played.lesson.name, played.step.name)
    if not learner.sees_answer(row):
        raise Http404(words.NOT_YET)
    if not played.step.shows_decision:
        raise Http404(words.NO_DECISION)
    question, situation = played.step.question, played.situation
    try:
        solution = solution_of(question, situation)
    except UnsolvableError:
        raise Http404(words.NO_DECISION) from None
    return situation_to_show(question, situation, row.answer if own_shown(learner, row) else None, solution)


@require_safe
def map_part(request: PageRequest, lesson: str, step: str, side: str) -> HttpResponse:
    """Show the map of all nodes, or of one zone's pool where it is asked for."""
    return map_answer(request, _case(request, lesson, step, side))


@require_safe
def map_lines(request: PageRequest, lesson: str, step: str, side: str) -> HttpResponse:
    """Say of some nodes what is missing there, or how they score."""
    return lines_answer(request, _case(request, lesson, step, side))


@require_safe
def node_names(request: PageRequest, lesson: str, step: str, side: str) -> HttpResponse:
    """Offer names of nodes that contain what somebody has written so far."""
    return names_answer(request, _case(request, lesson, step, side))


@require_safe
def node(request: PageRequest, lesson: str, step: str, side: str, node: str) -> HttpResponse:
    """Show what every filter compared on one node."""
    return node_answer(request, _case(request, lesson, step, side), node)


@require_safe
def why_not_node(request: PageRequest, lesson: str, step: str, side: str) -> HttpResponse:
    """Say why the pod is not scheduled to a node whose name, or a part of it, is asked for."""
    return why_not_answer(request, _case(request, lesson, step, side))


@require_safe
def compare(request: PageRequest, lesson: str, step: str, side: str) -> HttpResponse:
    """Show which plugins make the difference between two nodes."""
    return compare_answer(request, _case(request, lesson, step, side))


@require_safe
def scores(request: PageRequest, lesson: str, step: str, side: str) -> HttpResponse:
    """Show the landscape of the feasible nodes."""
    return scores_answer(request, _case(request, lesson, step, side))


@require_safe
def cell(request: PageRequest, lesson: str, step: str, side: str, node: str, plugin: str) -> HttpResponse:
    """Show the arithmetic behind one plugin's score of one node."""
    return cell_answer(request, _case(request, lesson, step, side), node, plugin)
