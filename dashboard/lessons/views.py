"""The list of lessons, and their steps: asked, answered, judged by the engine, and shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import BadRequest
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clusters.engine.lessons import UnreadableAnswerError, UnsolvableError
from clusters.services.decisions.explain import Fault
from clusters.services.lessons.library import stored_lessons
from clusters.services.lessons.reading import BadLesson
from clusters.wording.lessons.answers import NOTHING_CHOSEN
from clusters.wording.limits import A_MINUTE, ASK_AGAIN
from clusters.wording.problems import both_sentences
from dashboard.access.rights import rights_of
from dashboard.lessons import presence, progress
from dashboard.lessons.experiments import PlayedStep, judged, lesson_of, played_step
from dashboard.lessons.forms import UnreadableFormError, answer_in, draft_in, is_drafted
from dashboard.lessons.languages import choices, remember, texts_of
from dashboard.lessons.learners import learner_of
from dashboard.lessons.led import led_context
from dashboard.lessons.page import DraftAnswer, step_context
from dashboard.lessons.presenters import shelf
from dashboard.lessons.presenters.questions import asked, moved
from dashboard.lessons.shelves import lessons_by_path
from dashboard.limits import windows
from dashboard.limits.windows import JUDGED, RUNS_PER_MINUTE
from dashboard.presenters.what_if import faults

if TYPE_CHECKING:
    from django.http import HttpResponse

    from dashboard.http import PageRequest


@require_safe
def lessons(request: PageRequest) -> HttpResponse:
    """Show all lessons by path, with how far the user is."""
    rows = progress.of_lessons(learner_of(request))
    uploaded = stored_lessons().values_list("name", "title")
    context = {
        "paths": shelf.paths(lessons_by_path(), rows),
        "uploaded": shelf.uploaded(uploaded, rows),
        "languages": choices(),
        "may_teach": rights_of(request.user).teaches,
    }
    return render(request, "lessons/list.html", context)


@require_safe
def lesson(request: PageRequest, lesson: str) -> HttpResponse:
    """Lead to the first step that the user has not done."""
    learner, found = learner_of(request), lesson_of(lesson)
    learner.check(lesson)
    step = shelf.next_step(found, progress.of_lessons(learner, found.name))
    return redirect(learner.address("step", {"lesson": found.name, "step": step}))


@require_POST
def language(request: PageRequest) -> HttpResponse:
    """Remember in which language somebody learns, and lead back."""
    chosen = request.POST.get("language", "")
    if chosen not in dict(settings.LANGUAGES):
        raise BadRequest
    back, home = request.POST.get("next", ""), learner_of(request).home
    is_here = back.startswith(home) and url_has_allowed_host_and_scheme(back, None)
    response = redirect(back if is_here else home)
    remember(response, chosen)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def step(request: PageRequest, lesson: str, step: str) -> HttpResponse:
    """Show a step, and take what the user says about it."""
    learner, played = learner_of(request), played_step(lesson, step)
    learner.check(lesson)
    if (elsewhere := learner.led_to(played.address)) is not None:
        return redirect(elsewhere)
    if learner.participant is not None:
        presence.at_step(learner.participant, played.address)
    if request.method == "POST":
        return _taken(request, played)
    return _page(request, played)


def _page(
    request: PageRequest, played: PlayedStep, draft: DraftAnswer | None = None, status: int = 200
) -> HttpResponse:
    learner = learner_of(request)
    if learner.is_led:
        return render(request, "lessons/step.html", led_context(request, learner, played, draft), status=status)
    context = step_context(request, played, draft)
    return render(request, "lessons/step.html", {**context, "languages": choices()}, status=status)


def _taken(request: PageRequest, played: PlayedStep) -> HttpResponse:
    """Do what the button says that was pressed; what moves things or asks for a hint keeps what was filled in."""
    learner, act = learner_of(request), request.POST.get("act", "")
    names = (played.lesson.name, played.step.name)
    match act.partition(":"):
        # In a led class the trainer shows the answer, to all at once; after that none is taken.
        case ("reveal" | "again", _, _) if learner.is_led:
            pass
        case ("answer", _, _) if learner.is_led and learner.sees_answer(progress.of_step(learner, *names)):
            pass
        case ("reveal", _, _):
            progress.revealed(learner, *names)
        case ("again", _, _):
            progress.begun_again(learner, *names)
        case ("answer", _, _):
            return _answered(request, played)
        case ("hint", _, _):
            progress.hinted(learner, *names, len(texts_of(played.lesson).steps[played.step.name].hints))
            return _page(request, played, _draft(request, played))
        case ("move", _, how):
            drafted = _draft(request, played)
            return _page(request, played, DraftAnswer(moved(drafted.given, how), is_given=True))
        case _other:
            return _page(request, played, _draft(request, played), status=400)
    return redirect(_address(request, played))


def _draft(request: PageRequest, played: PlayedStep) -> DraftAnswer:
    ask = asked(played.step.question, played.situation, None, is_given=False)
    return DraftAnswer(draft_in(request.POST, ask), is_given=is_drafted(request.POST, ask))


def _answered(request: PageRequest, played: PlayedStep) -> HttpResponse:
    """Judge an answer and store it; what is no answer is shown again with what is wrong."""
    counted = windows.add(JUDGED, learner_of(request).share, 1)
    if counted.number > RUNS_PER_MINUTE:
        problem = f"{A_MINUTE(most=RUNS_PER_MINUTE)} {ASK_AGAIN(seconds=counted.seconds_left)}"
        response = _page(request, played, _with_problem(request, played, problem), status=429)
        response["Retry-After"] = str(counted.seconds_left)
        return response
    question, situation = played.step.question, played.situation
    try:
        given = answer_in(request.POST, asked(question, situation, None, is_given=False))
        judgement = judged(question, situation, given)
    except UnreadableFormError as error:
        return _page(request, played, _with_problem(request, played, str(error)), status=400)
    except (UnreadableAnswerError, UnsolvableError) as error:
        problem = both_sentences(error.problem)
        return _page(request, played, _with_problem(request, played, problem), status=400)
    except BadLesson as error:
        drafted = _draft(request, played)
        found = faults([Fault(each.line, each.field, each.problem) for each in error.faults])
        return _page(request, played, DraftAnswer(drafted.given, is_given=True, faults=found), status=400)
    learner = learner_of(request)
    if given == [] and not judgement.is_right and not learner.is_led:
        # Whoever forgot to choose anything has not tried; a led class must not learn from it what is right.
        return _page(request, played, _with_problem(request, played, str(NOTHING_CHOSEN)), status=400)
    names = (played.lesson.name, played.step.name)
    is_taken = progress.answered(learner, *names, given, is_right=judgement.is_right)
    if is_taken and learner.participant is not None:
        presence.answered(learner.participant)
    return redirect(f"{_address(request, played)}#result")


def _with_problem(request: PageRequest, played: PlayedStep, problem: str) -> DraftAnswer:
    drafted = _draft(request, played)
    return DraftAnswer(drafted.given, is_given=drafted.is_given, problem=problem)


def _address(request: PageRequest, played: PlayedStep) -> str:
    return learner_of(request).address("step", played.address)
