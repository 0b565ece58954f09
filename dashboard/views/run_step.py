"""The cluster of a simulation at any of its steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from clusters.services.mirror.state import utilisation_in
from clusters.services.runs.results import known_steps, moment_at
from clusters.services.runs.spec import SpecError
from clusters.wording.overview import SHADES
from clusters.wording.problems import both_sentences
from clusters.wording.runs.progress import HAS_STEPS, pending_title
from dashboard.forms.parameters import Parameters, whole_number
from dashboard.http import PageRequest, render_page
from dashboard.pictures import cluster as cluster_picture
from dashboard.presenters.overview import capacity_sentence
from dashboard.presenters.runs.steps import highlight, marks, neighbours, queue_rows, step_view, zone_rows
from dashboard.presenters.shared.maps import Scrubber
from dashboard.views.run import finished_run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.simulation import Step


class StepParameters(Parameters):
    """A step, as people count."""

    step = whole_number()


# So many pending pods are listed.
WAITING_SHOWN = 20


@require_safe
def step_asked(request: PageRequest, pk: int) -> HttpResponse:
    """Lead to the step that the slider, or somebody's number, asks for; people count from 1."""
    run = finished_run(pk)
    asked = StepParameters.read(request.GET)["step"] or 1
    return redirect("run-state", pk=pk, number=min(asked, max(1, run.steps)) - 1)


@require_safe
def state(request: PageRequest, pk: int, number: int) -> HttpResponse:
    """Show the cluster after a step: what happened, what is requested by zone, and the pending pods."""
    run = finished_run(pk, request)
    steps = known_steps(run)
    if number >= len(steps):
        raise Http404(HAS_STEPS(steps=len(steps)))
    try:
        moment = moment_at(run, number + 1)
    except SpecError as error:
        raise Http404(both_sentences(error.problem)) from None
    found = utilisation_in(moment.snapshot)
    context = {
        "run": run,
        "number": number,
        "last": len(steps),
        "step": step_view(steps[number]),
        "scrubber": _scrubber(pk, steps, number),
        "capacity": capacity_sentence(found),
        "zones": zone_rows(found),
        "waiting": queue_rows(moment.waiting, WAITING_SHOWN, number),
        "pending_title": pending_title(len(moment.waiting)),
        "waiting_more": max(0, len(moment.waiting) - WAITING_SHOWN),
        "shades": SHADES.items(),
        "shade": next(iter(SHADES)),
        "is_empty": not len(moment.snapshot.nodes),
    }
    return render_page(request, "runs/state.html", "runs/_step.html", context)


def _scrubber(pk: int, steps: Sequence[Step], number: int) -> Scrubber:
    """Return the slider at a step; people count from 1."""

    def address(of: int | None) -> str:
        return "" if of is None else reverse("run-state", kwargs={"pk": pk, "number": of})

    before, following = neighbours(steps, number)
    return Scrubber(
        action=reverse("run-step", kwargs={"pk": pk}),
        field="step",
        least=1,
        most=len(steps),
        value=number + 1,
        picture=reverse("run-picture", kwargs={"pk": pk, "number": number}),
        revision=number,
        first=address(0),
        before=address(before),
        previous=address(number - 1 if number else None),
        next=address(number + 1 if number + 1 < len(steps) else None),
        following=address(following),
        marks=tuple(marks(steps)),
    )


@require_safe
def picture(request: PageRequest, pk: int, number: int) -> HttpResponse:
    """Return what the picture of the cluster after a step is drawn from."""
    run = finished_run(pk)
    steps = known_steps(run)
    if number >= len(steps):
        raise Http404(HAS_STEPS(steps=len(steps)))
    found = utilisation_in(moment_at(run, number + 1).snapshot)
    content = cluster_picture.picture_of(found, number, highlight(steps[number]))
    return HttpResponse(content, content_type="application/json", headers={"Cache-Control": "private, max-age=300"})
