"""The page of a step's free experiment: objects edited, and the decision on the cluster that they make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from clusters.engine.lessons import Situation, SituationError, UnsolvableError
from clusters.engine.scheduling import Failure
from clusters.services.computing import OverTimeError
from clusters.services.decisions.explain import MOST_BYTES, Fault, attempted
from clusters.services.lessons.reading import BadLesson
from clusters.wording.amounts import size
from clusters.wording.decisions.verdict import pending_sentence
from clusters.wording.lessons import player as words
from clusters.wording.limits import A_MINUTE, ASK_AGAIN
from clusters.wording.problems import both_sentences
from dashboard.lessons import progress
from dashboard.lessons.case import ExplainedLesson, sentence_as_html
from dashboard.lessons.experiments import (
    NEW,
    WHOLE,
    Edit,
    PlayedStep,
    edits_of,
    experiment,
    explanation_of,
    has_room,
    is_known,
    played_step,
)
from dashboard.lessons.languages import choices, texts_of
from dashboard.lessons.learners import Learner, learner_of
from dashboard.lessons.page import EXPERIMENT_SIDE, neutral_map
from dashboard.lessons.presenters import questions
from dashboard.lessons.presenters.situation import (
    cluster_facts,
    manifest_groups,
    object_names,
    object_texts,
    pod_asked_about,
    whole_text,
)
from dashboard.limits import windows
from dashboard.limits.windows import JUDGED, RUNS_PER_MINUTE
from dashboard.presenters.decisions.page import judged
from dashboard.presenters.shared import page
from dashboard.presenters.what_if import faults
from dashboard.views.decision_parts import map_context

if TYPE_CHECKING:
    from dashboard.http import PageRequest
    from dashboard.models import LessonProgress

# What is asked for in place of an object's name.
_ALL: Final = "all"


@require_http_methods(["GET", "HEAD", "POST"])
def experiment_page(request: PageRequest, lesson: str, step: str) -> HttpResponse:
    """Show the experiment, or take one more change."""
    learner, played = learner_of(request), played_step(lesson, step)
    learner.check(lesson)
    if (elsewhere := learner.led_to(played.address)) is not None:
        return redirect(elsewhere)
    if request.method == "POST":
        return _taken(request, played)
    return _page(request, played, request.GET.get("object", ""))


def _row(request: PageRequest, played: PlayedStep) -> LessonProgress:
    return progress.of_step(learner_of(request), played.lesson.name, played.step.name)


def _store(request: PageRequest, played: PlayedStep, edits: list[Edit]) -> None:
    stored = [(edit.name, edit.text) for edit in edits]
    progress.experimented(learner_of(request), played.lesson.name, played.step.name, stored)


def _taken(request: PageRequest, played: PlayedStep) -> HttpResponse:
    act, name = request.POST.get("act", ""), request.POST.get("object", "")
    if not learner_of(request).may_experiment(_row(request, played)):
        return _page(request, played, status=400)
    edits = edits_of(_row(request, played).edits)
    match act:
        case "undo":
            _store(request, played, edits[:-1])
        case "reset":
            _store(request, played, [])
        case "apply" | "remove":
            text = request.POST.get("text", "").replace("\r\n", "\n") if act == "apply" else ""
            return _applied(request, played, edits, name, text)
        case _other:
            return _page(request, played, name, status=400)
    return redirect(_address(request, played, name))


def _applied(request: PageRequest, played: PlayedStep, edits: list[Edit], name: str, text: str) -> HttpResponse:
    """Try one more change, and keep it where it can be."""
    counted = windows.add(JUDGED, learner_of(request).share, 1)
    if counted.number > RUNS_PER_MINUTE:
        problem = f"{A_MINUTE(most=RUNS_PER_MINUTE)} {ASK_AGAIN(seconds=counted.seconds_left)}"
        response = _page(request, played, name, {"text": text, "problem": problem}, status=429)
        response["Retry-After"] = str(counted.seconds_left)
        return response
    edit = Edit(WHOLE if name == _ALL else name, text)
    if not is_known(played.step.situation, edits, edit):
        return _page(request, played, name, {"text": text, "problem": str(words.NO_OBJECT)}, status=400)
    if not has_room(edits, edit):
        return _page(request, played, name, {"text": text, "problem": str(words.NO_ROOM)}, status=400)
    try:
        experiment(played.step.situation, [*edits, edit])
    except BadLesson as error:
        found = faults([Fault(each.line, each.field, each.problem) for each in error.faults])
        return _page(request, played, name, {"text": text, "faults": found}, status=400)
    _store(request, played, [*edits, edit])
    return redirect(_address(request, played, name if text.strip() else ""))


def _address(request: PageRequest, played: PlayedStep, name: str) -> str:
    address = learner_of(request).address("experiment", played.address)
    return f"{address}?{urlencode({'object': name})}" if name else address


def _page(
    request: PageRequest, played: PlayedStep, name: str = "", refused: dict[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    texts = texts_of(played.lesson)
    learner = learner_of(request)
    row = _row(request, played)
    may_change = learner.may_experiment(row)
    edits = edits_of(row.edits) if may_change else []
    context: dict[str, Any] = {
        "may_change": may_change,
        "played": played,
        "learner": learner,
        "languages": choices(),
        "lesson_title": texts.title,
        "texts": texts.steps[played.step.name],
        "edits": [words.edited(edit.name, is_removed=not edit.text.strip()) for edit in edits],
        "limit": size(MOST_BYTES),
    }
    try:
        situation = experiment(played.step.situation, edits)
    except BadLesson as error:
        # The lesson is another one since the change was made, or is wrong itself.
        context |= {"broken": both_sentences(error.faults[0].problem), **(refused or {})}
        return render(request, "lessons/experiment.html", context, status=status)
    try:
        found = attempted(
            "An experiment", lambda: _result(learner, played, situation, is_shown=learner.sees_experiment(row))
        )
    except OverTimeError as error:
        context["broken"] = both_sentences(error.problem)
    else:
        context |= {"broken": page.not_computed_sentence(found.reference)} if isinstance(found, Failure) else found
    if "broken" in context:
        # What was changed can be taken back all the same.
        return render(request, "lessons/experiment.html", context, status=status)
    unsaid = "" if learner.sees_answer(row) else pod_asked_about(played.step.question, situation)
    context |= {"facts": cluster_facts(situation, unsaid=unsaid), "manifests": manifest_groups(situation)}
    context["objects"] = object_names(context["manifests"])
    context |= _editor(situation, name) | (refused or {})
    return render(request, "lessons/experiment.html", context, status=status)


def _editor(situation: Situation, name: str) -> dict[str, Any]:
    """Return which object is edited, the pod in question where none is asked for, and its text."""
    found = {each.name: each.text for each in object_texts(situation)}
    name = name or next(iter(found), NEW)
    if name == _ALL:
        return {"object": _ALL, "text": whole_text(situation), "is_whole": True}
    return {"object": name if name in found else NEW, "text": found.get(name, ""), "is_new": name not in found}


def _result(learner: Learner, played: PlayedStep, situation: Situation, *, is_shown: bool) -> dict[str, Any]:
    """Return what becomes of the pod; nothing of that as long as it would be the answer."""
    if not is_shown:
        return {"map": neutral_map(situation)}
    context: dict[str, Any] = {"is_judged": True}
    question = played.step.question
    try:
        if question.kind != "manifest":
            said = questions.solution_words(question, situation, question.solution(situation))
            context["answer"] = sentence_as_html(said)
    except UnsolvableError as error:
        context["unanswered"] = both_sentences(error.problem)
    explanation = explanation_of(situation)
    if explanation is None:
        return {**context, "map": neutral_map(situation)}
    kind, word = judged(explanation)
    case = ExplainedLesson(played, explanation, EXPERIMENT_SIDE, learner)
    return {
        **context,
        "kind": kind,
        "word": word,
        "sentence": pending_sentence(explanation),
        "case": case,
        **map_context(case),
    }


def experimental(learner: Learner, played: PlayedStep) -> Situation:
    """Return the situation of a learner's experiment. Raises Http404 where there is none."""
    row = progress.of_step(learner, played.lesson.name, played.step.name)
    if not learner.sees_experiment(row):
        raise Http404(words.NO_EXPERIMENT)
    try:
        return experiment(played.step.situation, edits_of(row.edits))
    except (BadLesson, SituationError):
        raise Http404(words.NO_EXPERIMENT) from None
