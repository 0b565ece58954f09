"""A decision made into a lesson: what will be taken, and its confirmation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from clusters.adapters.bad_input import BadInput
from clusters.models import Cluster, Decision
from clusters.services.decisions.explain import PodNotFound
from clusters.services.journal.timeline import COUNTED_KINDS
from clusters.services.lessons.reading import BadLesson
from clusters.services.lessons.storing import store_made_lesson
from clusters.services.runs.results import known_steps
from clusters.services.runs.spec import SpecError
from clusters.services.taken_lessons import (
    NotTakenError,
    TakenState,
    lesson_of,
    state_of_decision,
    state_of_pod,
    state_of_step,
)
from clusters.wording import absent
from clusters.wording.problems import both_sentences, input_sentence
from clusters.wording.runs.progress import HAS_STEPS, NO_ATTEMPT
from dashboard.lessons.languages import choices
from dashboard.lessons.presenters.shelf import fault_sentences
from dashboard.lessons.presenters.situation import taken_view
from dashboard.views.of_cluster import of_cluster
from dashboard.views.run import finished_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from dashboard.http import PageRequest

# Lessons are called so, with a number: a name of the cluster's would tell whose it is.
_STEM: Final = "situation"


@require_http_methods(["GET", "HEAD", "POST"])
@of_cluster
def of_pod(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Make a lesson of the decision about a pod, as the cluster is now."""

    def state() -> TakenState:
        try:
            return state_of_pod(cluster=cluster, namespace=namespace, name=name)
        except PodNotFound:
            raise Http404(absent.HAS_NO(cluster=cluster.name, object_kind="pod", name=f"{namespace}/{name}")) from None

    back = reverse("decision", kwargs={"cluster": cluster.name, "namespace": namespace, "name": name})
    return _taken(request, state, f"{namespace}/{name}", back)


@require_http_methods(["GET", "HEAD", "POST"])
def of_step(request: PageRequest, pk: int, number: int) -> HttpResponse:
    """Make a lesson of an attempt of a simulation."""
    run = finished_run(pk, request)
    steps = known_steps(run)
    if number >= len(steps):
        raise Http404(HAS_STEPS(steps=len(steps)))
    if not steps[number].is_decision:
        raise Http404(NO_ATTEMPT(number=number + 1))

    def state() -> TakenState:
        try:
            return state_of_step(run=run, number=number)
        except SpecError as error:
            raise Http404(both_sentences(error.problem)) from None

    back = reverse("run-decision", kwargs={"pk": pk, "number": number})
    return _taken(request, state, steps[number].pod, back)


@require_http_methods(["GET", "HEAD", "POST"])
def of_decision(request: PageRequest, cluster: str, pk: int) -> HttpResponse:
    """Make a lesson of a decision of the journal, in what the journal knows of its moment."""
    decision = get_object_or_404(Decision, cluster__name=cluster, pk=pk, kind__in=COUNTED_KINDS)
    back = reverse("journaled", kwargs={"cluster": cluster, "pk": pk})
    pod = f"{decision.namespace}/{decision.name}"
    return _taken(request, lambda: state_of_decision(decision=decision), pod, back)


def _taken(request: PageRequest, state: Callable[[], TakenState], pod: str, back: str) -> HttpResponse:
    """Show what will be taken; once it is confirmed, store the lesson and lead to it."""
    context: dict[str, object] = {"pod": pod, "back": back, "languages": choices()}
    problems: list[str] = []
    try:
        made = lesson_of(state())
        if request.method == "POST":
            user = request.user.get_username()
            stored = store_made_lesson(files=made.files, stem=_STEM, uploaded_by=user)
            return redirect("player:lesson", lesson=stored.name)
        context["taken"] = taken_view(made)
    except NotTakenError as error:
        problems = [both_sentences(error.problem)]
    except BadLesson as error:
        problems = fault_sentences(error.faults)
    except BadInput as error:
        problems = [input_sentence(error.problem, **error.place)]
    status = 409 if request.method == "POST" else 200
    return render(request, "lessons/take.html", {**context, "problems": problems}, status=status)
