"""Two simulations side by side, as a page and as files."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from clusters.models import RunPod, SimulationRun
from clusters.services.runs.comparing import compare_runs, pods_moved, with_reasons
from clusters.services.runs.spec import SpecError
from clusters.services.studies.asking import labelled_runs
from clusters.wording.problems import both_sentences
from clusters.wording.reviews.pages import A_RUN
from clusters.wording.runs.changes import configuration_name
from clusters.wording.runs.comparing import cost_sentence
from dashboard.access.rights import visible
from dashboard.forms.parameters import Parameters, whole_number
from dashboard.http import PageRequest, wants_fragment
from dashboard.lists.files import csv_file
from dashboard.pictures.verdict_map.pair import DrawnPair
from dashboard.pictures.verdict_map.spec import NodeAddresses
from dashboard.presenters.runs import compare as presenter
from dashboard.presenters.runs.compare import (
    COLUMNS,
    SideAddresses,
    cells,
    moves_view,
    placement_rows,
    summary_sentence,
)
from dashboard.views.run import is_large

ROWS_PER_PAGE = 50
# So many runs are offered to choose from.
_OFFERED = 100


class RunsParameters(Parameters):
    """The two runs that are compared."""

    left = whole_number()
    right = whole_number()


def _asked(request: PageRequest) -> tuple[SimulationRun | None, SimulationRun | None]:
    """Return the two runs that the address names, where they are done."""
    given = RunsParameters.read(request.GET)
    numbers = [given["left"], given["right"]]
    rows = visible(SimulationRun.objects.select_related("cluster", "base", "study", "created_by"), request.user)
    found = rows.in_bulk([each for each in numbers if each is not None])
    runs = [found.get(each) for each in numbers]
    done = [run if run is not None and run.state == SimulationRun.State.DONE and run.summary else None for run in runs]
    return done[0], done[1]


@require_safe
def compare(request: PageRequest) -> HttpResponse:
    """Compare two runs, or ask which."""
    ticked = request.GET.getlist("run")
    if ticked:
        query = urlencode(dict(zip(("left", "right"), ticked, strict=False)))
        return redirect(f"{reverse('runs-compare')}?{query}")
    left, right = _asked(request)
    framed = left or right
    if framed is not None and framed.cluster is not None:
        request.framed_cluster = framed.cluster.name
    context: dict[str, Any] = {"left": left, "right": right, "choices": _choices(request, framed)}
    if left is None or right is None:
        return render(request, "runs/compare.html", context)
    names = _names(left, right)
    context |= {"names": names, "verdict": presenter.verdict_sentence(left, right, names)}
    if wants_fragment(request) and request.htmx.target == "compared":
        return _vary(render(request, "runs/_compared.html", context | _placements(request, left, right)))
    # Later pages find what the first one computed.
    is_waited_for = "page" in request.GET or not (is_large(left) or is_large(right))
    context |= {
        "sides": [presenter.side(left), presenter.side(right)],
        "differences": presenter.spec_differences(left, right),
        "numbers": presenter.numbers(left, right),
    }
    if is_waited_for:
        context |= _placements(request, left, right)
    return _vary(render(request, "runs/compare.html", context))


def _names(left: SimulationRun, right: SimulationRun) -> tuple[str, str]:
    """Name two runs by what tells them apart: their configurations, their titles, or their numbers beside those."""
    if left.study is not None and left.study == right.study:
        variants = {run: configuration_name(variant) for variant, run in labelled_runs(left.study)}
        return variants[left], variants[right]
    if left.title != right.title:
        return left.title, right.title
    return A_RUN(run=str(left.pk), title=left.title), A_RUN(run=str(right.pk), title=right.title)


def _vary(response: HttpResponse) -> HttpResponse:
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response


def _choices(request: PageRequest, framed: SimulationRun | None) -> list[SimulationRun]:
    """Return runs to choose from, those of the same cluster first."""
    done = SimulationRun.objects.filter(state=SimulationRun.State.DONE, is_of_review=False).select_related("cluster")
    latest = list(visible(done, request.user).only("title", "created_at", "cluster__name")[:_OFFERED])
    if framed is not None and all(run.pk != framed.pk for run in latest):
        latest.append(framed)
    if framed is not None:
        latest.sort(key=lambda run: run.cluster_id != framed.cluster_id)
    return latest


def _placements(request: PageRequest, left: SimulationRun, right: SimulationRun) -> dict[str, Any]:
    try:
        found = compare_runs(left, right)
    except SpecError as error:
        return {"problem": both_sentences(error.problem)}
    moves = _moves(request, left, right)
    page = Paginator(found["placements"], ROWS_PER_PAGE).get_page(request.GET.get("page"))
    return {
        "placements": summary_sentence(found),
        "page": page,
        "rows": placement_rows(with_reasons(left, right, page)),
        "disruption": cost_sentence(found["cost"]),
        **moves,
    }


def _moves(request: PageRequest, left: SimulationRun, right: SimulationRun) -> dict[str, Any]:
    """Return the two maps, and the workloads whose arrows may stay alone."""
    titles = _names(left, right)
    addresses = _addresses(left), _addresses(right)
    found = moves_view(pods_moved(left, right), titles, request.GET.get("workload", ""), addresses)
    return {"moves": found, "pair": None if found is None else DrawnPair("moves-map", found.pair)}


def _addresses(run: SimulationRun) -> SideAddresses:
    """Return where the map of a run leads: to its pods on a node, and to those without one."""
    address = reverse("run", kwargs={"pk": run.pk})
    pending = urlencode({"outcome": RunPod.Outcome.UNSCHEDULABLE})
    return SideAddresses(NodeAddresses(f"{address}?node=", "#pods"), f"{address}?{pending}#pods", f"{address}#pods")


@require_safe
def compare_moves(request: PageRequest) -> HttpResponse:
    """Show the maps of a comparison alone, as when somebody chooses a workload."""
    left, right = _asked(request)
    if left is None or right is None:
        return redirect("runs-compare")
    try:
        context = _moves(request, left, right)
    except SpecError as error:
        context = {"problem": both_sentences(error.problem)}
    return render(request, "runs/_moves.html", context | {"left": left, "right": right})


@require_safe
def compare_csv(request: PageRequest) -> HttpResponse:
    """Return the placements that differ as a file."""
    left, right = _asked(request)
    if left is None or right is None:
        return redirect("runs-compare")
    found = compare_runs(left, right)
    return csv_file(f"simulations-{left.pk}-{right.pk}", COLUMNS, (cells(each) for each in found["placements"]))


@require_safe
def compare_json(request: PageRequest) -> HttpResponse:
    """Return the whole comparison as a file."""
    left, right = _asked(request)
    if left is None or right is None:
        return redirect("runs-compare")
    headers = {"Content-Disposition": f'attachment; filename="simulations-{left.pk}-{right.pk}.json"'}
    return JsonResponse(compare_runs(left, right), headers=headers, json_dumps_params={"indent": 1})
