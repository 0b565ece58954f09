"""One simulation: how far it is, what came of it, its steps, its pods and files, and what may be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from msgspec.structs import replace

from clusters.documents.problems import in_words
from clusters.documents.words import summary_in_words
from clusters.engine.resources import CPU
from clusters.models import Cluster, RunPod, SimulationRun
from clusters.services.mirror.state import utilisation_in
from clusters.services.reports.making import KeptError, refuse_kept
from clusters.services.runs import starting
from clusters.services.runs.asked import outcome_of_run
from clusters.services.runs.results import known_steps, moment_at, pending_after
from clusters.services.runs.spec import SpecError, read_spec
from clusters.wording import counts, lenses as lens_words
from clusters.wording.drains import NO_SUCH_POOL
from clusters.wording.maps import place as place_name
from clusters.wording.problems import both_sentences
from clusters.wording.runs import progress as list_words, summary as pod_words
from clusters.wording.runs.progress import HAS_STEPS, pending_title
from dashboard.access.rights import may_end
from dashboard.charts.of_pictures import document_of
from dashboard.filters.runs import RunPodsFilter
from dashboard.forms.parameters import Parameters, whole_number
from dashboard.http import PageRequest, render_page, wants_fragment
from dashboard.limits.computing import refuse_too_much
from dashboard.lists.columns import DataColumn, Sorting
from dashboard.lists.files import streamed_csv_file
from dashboard.pictures.specs import TrendSpec
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.presenters.asked import node_moves, outcome_sentences
from dashboard.presenters.lenses import RESOURCES, health_map, requested_map
from dashboard.presenters.nodes.listing import label_of
from dashboard.presenters.overview import capacity_sentence
from dashboard.presenters.runs import listing as words, summary as presenter
from dashboard.presenters.runs.steps import figures, marks, neighbours, queue_rows, step_marks, step_view, zone_rows
from dashboard.presenters.runs.summary import (
    COLUMNS,
    affected_view,
    before_after,
    cells,
    decision_of,
    emptied,
    pod_groups,
    pod_rows,
)
from dashboard.presenters.shared.maps import Scrubber
from dashboard.presenters.shared.page import count_line
from dashboard.views.asking import outcome_view

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.http import QueryDict
    from django.http.response import HttpResponseBase

    from clusters.engine.simulation import Step
    from dashboard.pictures.figure import Figure
    from dashboard.presenters.asked import OutcomeView

PODS_PER_PAGE = 25
_ROWS_AT_ONCE = 2_000
# Objects that a run begins with, up to which a page waits until it was gone through again.
_MOST_AT_ONCE = 20_000
TABLE: tuple[DataColumn[Any], ...] = (
    DataColumn("name", pod_words.POD, ("namespace", "name")),
    DataColumn("outcome", pod_words.OUTCOME, ("outcome",)),
    DataColumn("node", pod_words.NODE, ("node_name",)),
    DataColumn("step", pod_words.STEP, ("step",), is_number=True),
    DataColumn("attempts", pod_words.ATTEMPTS, ("attempts",), is_number=True, starts_descending=True),
    DataColumn("message", pod_words.MESSAGE),
)


# -- what several views begin with -------------------------------------------------------------------------------------


def run_of(pk: int, request: PageRequest | None = None) -> SimulationRun:
    """Return a run with its cluster, which the page's frame then shows. Raises Http404."""
    # All objects of the base are kept in its row.
    rows = SimulationRun.objects.select_related("cluster", "base", "created_by")
    found = get_object_or_404(rows, pk=pk)
    if request is not None and found.cluster is not None:
        request.framed_cluster = found.cluster.name
    return found


def finished_run(pk: int, request: PageRequest | None = None) -> SimulationRun:
    """Return a run whose steps can be looked at. Raises Http404."""
    found = run_of(pk, request)
    if not found.is_finished or not found.steps:
        raise Http404(str(list_words.NO_STEPS_YET))
    return found


# -- the page ----------------------------------------------------------------------------------------------------------


@require_safe
def run(request: PageRequest, pk: int) -> HttpResponse:
    """Show one simulation, or the page of its pods that htmx asks for."""
    found = run_of(pk, request)
    context: dict[str, Any] = {"run": found, "cluster": found.cluster, "progress": words.progress(found)}
    if found.state == SimulationRun.State.DONE and found.summary:
        context |= _pods(request, found)
        if wants_fragment(request) and request.htmx.target == "pods":
            return _vary(render(request, "runs/_pods.html", context))
        context |= _results(pk, found.summary, found.cluster)
        context["is_later"] = is_later = is_large(found) and "now" not in request.GET
        context["outcome"] = None if is_later else _outcome(request, found)
        context["affected"] = affected_view(found.summary, pk, found.cluster)
    context |= {
        "changes": words.changes(found),
        "provenance": words.provenance(found),
        "may_end": may_end(request.user, found),
        "next_seed": int(found.spec.get("seed", 0)) + 1,
    }
    return _vary(render(request, "runs/run.html", context))


def _vary(response: HttpResponse) -> HttpResponse:
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response


def _results(pk: int, summary: dict[str, Any], cluster: Cluster | None) -> dict[str, Any]:
    said, details = outcome_sentences(summary)
    return {
        "said": said,
        "details": details,
        "mark": presenter.mark(summary),
        "tiles": presenter.tiles(summary),
        "pending_groups": presenter.pending_by_cause(summary),
        "pending": pending_after(summary["origins"]),
        "more_causes": presenter.more_causes(summary),
        "pod_groups": pod_groups(summary, cluster),
        "refusals": presenter.refusals(summary),
        "uncertain": presenter.uncertain(summary),
        "figures": _figures(pk, summary),
        "before_after": before_after(summary),
        "zones": presenter.parts(summary, "zones"),
        "pools": presenter.parts(summary, "pools"),
        "folded_pools": presenter.folded_pools(summary),
        "fragmentation": presenter.fragmentation(summary),
        "stranded": presenter.stranded(summary),
        "budgets": presenter.budgets(summary),
        "notes": presenter.notes(summary),
    }


def is_large(run: SimulationRun) -> bool:
    """Whether a page does not wait until a run was gone through again."""
    return run.base is not None and run.base.object_count > _MOST_AT_ONCE


def _outcome(request: PageRequest, run: SimulationRun) -> OutcomeView | None:
    """Present the map of what a run came to; None where there are no nodes, or what it begins with cannot be read.

    Raises Http404 for a zone or a pool that there is not.
    """
    node = f"{reverse('run-node', kwargs={'pk': run.pk})}?node="
    try:
        nodes, found = outcome_of_run(run)
        if not len(nodes) and not found.added:
            return None
        view = outcome_view(nodes, found, request.GET, reverse("run-map", kwargs={"pk": run.pk}), node)
    except SpecError:
        return None
    except LookupError:
        raise Http404(str(NO_SUCH_POOL)) from None
    view.emptied = emptied(found.ends["before"], found.ends["after"])
    return view


@require_safe
def outcome_map(request: PageRequest, pk: int) -> HttpResponse:
    """Return the map of a run that is done with its numbers, or one zone or pool of it."""
    found = run_of(pk)
    page = reverse("run", kwargs={"pk": pk})
    if not wants_fragment(request) or found.state != SimulationRun.State.DONE:
        return redirect(f"{page}?{request.GET.urlencode()}")
    is_part = request.htmx.target == "map-part"
    template = "overview/_outcome_part.html" if is_part else "runs/_outcome.html"
    said, _ = outcome_sentences(found.summary or {})
    return _vary(render(request, template, {"outcome": _outcome(request, found), "said": said}))


def _figures(pk: int, summary: dict[str, Any]) -> list[Figure]:
    return figures(summary, lambda name: reverse("run-chart", kwargs={"pk": pk, "name": name}))


@require_safe
def chart(request: PageRequest, pk: int, name: str) -> HttpResponse:
    """Return one of the figures of a simulation that is done as a chart to explore."""
    found = run_of(pk, request)
    spec = next((each.spec for each in _figures(pk, found.summary or {}) if each.id == name), None)
    if not isinstance(spec, TrendSpec):
        raise Http404(str(list_words.NO_SUCH_FIGURE))
    return HttpResponse(document_of(spec, name), content_type="application/json")


def _pods(request: PageRequest, found: SimulationRun) -> dict[str, Any]:
    form = RunPodsFilter(request.GET)
    every = RunPod.objects.filter(run=found)
    sorting = Sorting(request.GET, TABLE, usual=("step", "pk"))
    matching = form.apply(every).defer("packed_explanation").order_by(*sorting.order())
    page = Paginator(matching, PODS_PER_PAGE).get_page(request.GET.get("page"))
    total = every.count()
    return {
        "form": form,
        "page": page,
        "rows": pod_rows(list(page), found.cluster),
        "headings": sorting.headings(),
        "sort": sorting.value,
        "total": total,
        "counted": count_line(shown=page.paginator.count, total=total, noun=counts.PODS, conditions=form.conditions()),
    }


@require_safe
def progress(request: PageRequest, pk: int) -> HttpResponse:
    """Answer with how far a run is; when it is over, have the whole page loaded."""
    found = run_of(pk)
    if found.is_finished:
        return HttpResponse(headers={"HX-Refresh": "true"})
    return render(request, "runs/_progress.html", {"progress": words.progress(found)})


# -- what leads elsewhere ----------------------------------------------------------------------------------------------


@require_safe
def node(request: PageRequest, pk: int, name: str = "") -> HttpResponse:
    """Say on the map what happens to a node; elsewhere lead from it to the pods of the run that were placed there."""
    name = name or request.GET.get("node", "")
    if wants_fragment(request):
        run = run_of(pk)
        try:
            _, found = outcome_of_run(run)
        except SpecError as error:
            raise Http404(both_sentences(error.problem, line=error.line)) from None
        return render(request, "runs/_node.html", {"run": run, "name": name, "moves": node_moves(found.moves, name)})
    query = f"?{urlencode({'node': name})}" if name else ""
    return redirect(f"{reverse('run', kwargs={'pk': pk})}{query}#pods")


@require_safe
def pod(request: PageRequest, pk: int, namespace: str = "", name: str = "") -> HttpResponse:
    """Lead from a pod of the picture to its decision, or to where it lies from the beginning."""
    found = run_of(pk)
    if not name:
        # What the picture's addresses begin with.
        return redirect(f"{reverse('run', kwargs={'pk': pk})}#pods")
    ended = RunPod.objects.filter(run=found, namespace=namespace, name=name).only("step", "outcome", "message").first()
    if ended is not None and (number := decision_of(ended)) is not None:
        return redirect("run-decision", pk=pk, number=number)
    if found.cluster is not None and ended is None:
        return redirect("decision", cluster=found.cluster.name, namespace=namespace, name=name)
    return redirect(f"{reverse('run', kwargs={'pk': pk})}?{urlencode({'q': f'{namespace}/{name}'})}#pods")


# -- files -------------------------------------------------------------------------------------------------------------


@require_safe
def pods_csv(request: PageRequest, pk: int) -> HttpResponseBase:
    """Return the pods that the filter lets through as a file."""
    found = run_of(pk)
    matching = RunPodsFilter(request.GET).apply(RunPod.objects.filter(run=found)).defer("packed_explanation")
    ordered = matching.order_by("step", "pk")
    chunks = (map(cells, ordered[start : start + _ROWS_AT_ONCE]) for start in range(0, ordered.count(), _ROWS_AT_ONCE))
    return streamed_csv_file(request, f"simulation-{pk}-pods", COLUMNS, chunks)


@require_safe
def run_json(request: PageRequest, pk: int) -> HttpResponse:
    """Return what was asked and the summary as a file."""
    found = run_of(pk)
    document = {
        "id": found.pk,
        "title": found.title,
        "cluster": found.cluster.name if found.cluster else None,
        "revision": found.base.revision if found.base else None,
        "state": found.state,
        "spec": found.spec,
        "summary": summary_in_words(found.summary) if found.summary else None,
        "error": in_words(found.error) if found.error else None,
        "createdAt": found.created_at.isoformat(),
    }
    headers = {"Content-Disposition": f'attachment; filename="simulation-{pk}.json"'}
    return JsonResponse(document, headers=headers, json_dumps_params={"indent": 1})


# -- what may be done with it ------------------------------------------------------------------------------------------


def _ending(request: PageRequest, pk: int) -> SimulationRun:
    found = run_of(pk, request)
    if not may_end(request.user, found):
        raise PermissionDenied
    return found


@require_POST
def cancel(request: PageRequest, pk: int) -> HttpResponse:
    """Stop a run."""
    starting.cancel(_ending(request, pk))
    return redirect("run", pk=pk)


@require_POST
def go_on(request: PageRequest, pk: int) -> HttpResponse:
    """Let a run that failed or was cancelled go on from its last step."""
    starting.resume(_ending(request, pk))
    return redirect("run", pk=pk)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: PageRequest, pk: int) -> HttpResponse:
    """Ask once, then delete a run."""
    found = _ending(request, pk)
    try:
        refuse_kept(found)
    except KeptError as error:
        messages.error(request, both_sentences(error.problem))
        return redirect("run", pk=pk)
    if request.method != "POST":
        return render(request, "runs/delete.html", {"run": found, "cluster": found.cluster})
    title, cluster = found.title, found.cluster
    starting.delete(found)
    messages.success(request, list_words.DELETED(title=title))
    return redirect("cluster-runs", cluster=cluster.name) if cluster else redirect("runs")


class SeedParameters(Parameters):
    """What draws among equals."""

    seed = whole_number()


@require_POST
def again(request: PageRequest, pk: int) -> HttpResponse:
    """Run the same again with another seed, on the cluster as it is now."""
    found = run_of(pk, request)
    spec = {**found.spec, "seed": SeedParameters.read(request.POST)["seed"] or 0}
    try:
        refuse_too_much(request.user)
        made = starting.create_run(cluster=found.cluster, spec=read_spec(spec), title=found.title, user=request.user)
    except SpecError as error:
        messages.error(request, both_sentences(error.problem, line=error.line))
        return redirect("run", pk=pk)
    return redirect("run", pk=made.pk)


class StepParameters(Parameters):
    """A step, as people count."""

    step = whole_number()


# So many pending pods are listed.
WAITING_SHOWN = 20
# What the map shows but for resources.
STATE = "state"


@require_safe
def step_asked(request: PageRequest, pk: int) -> HttpResponse:
    """Lead to the step that the slider, or somebody's number, asks for; people count from 1."""
    run = finished_run(pk)
    asked = StepParameters.read(request.GET)["step"] or 1
    kept = [(name, request.GET.get(name, "")) for name in _KEPT if name in request.GET]
    return redirect(_step_address(pk, min(asked, max(1, run.steps)) - 1, kept))


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
    shades = {**{name: label_of(name) for name in RESOURCES}, STATE: lens_words.STATE}
    asked = request.GET.get("shade", "")
    chosen = asked if asked in shades else CPU
    place = request.GET.get("zone"), request.GET.get("pool", "")
    context = {
        "run": run,
        "number": number,
        "last": len(steps),
        "step": step_view(steps[number]),
        "scrubber": _scrubber(pk, steps, number, request.GET),
        "capacity": capacity_sentence(found),
        "zones": zone_rows(found),
        "waiting": queue_rows(moment.waiting, WAITING_SHOWN),
        "pending_title": pending_title(len(moment.waiting)),
        "waiting_more": max(0, len(moment.waiting) - WAITING_SHOWN),
        "shades": shades.items(),
        "shade": chosen,
        "map_place": "" if place[0] is None else place_name(zone=place[0], pool=place[1]),
        "map_whole": f"?{urlencode({'shade': chosen})}",
    }
    if len(moment.snapshot.nodes):
        try:
            drawn = health_map(found, *place) if chosen == STATE else requested_map(found, chosen, *place)
        except LookupError:
            raise Http404(str(NO_SUCH_POOL)) from None
        whole = f"{reverse('run-state', kwargs={'pk': pk, 'number': number})}{context['map_whole']}"
        drawn = replace(drawn, marks=step_marks(steps[number], drawn.names))
        node = f"{reverse('run-node', kwargs={'pk': pk})}?node="
        context["map"] = DrawnMap("step-map", drawn, whole, node, is_opened=place[0] is not None)
    return render_page(request, "runs/state.html", "runs/_step.html", context)


# What every step of a run keeps of the address: what is shown on the map, and of which nodes.
_KEPT = ("shade", "zone", "pool")


def _scrubber(pk: int, steps: Sequence[Step], number: int, query: QueryDict) -> Scrubber:
    """Return the slider at a step; people count from 1."""
    kept = tuple((name, query.get(name, "")) for name in _KEPT if name in query)

    def address(of: int | None) -> str:
        return "" if of is None else _step_address(pk, of, kept)

    before, following = neighbours(steps, number)
    return Scrubber(
        action=reverse("run-step", kwargs={"pk": pk}),
        field="step",
        least=1,
        most=len(steps),
        value=number + 1,
        first=address(0),
        before=address(before),
        previous=address(number - 1 if number else None),
        next=address(number + 1 if number + 1 < len(steps) else None),
        following=address(following),
        marks=tuple(marks(steps)),
        kept=kept,
    )


def _step_address(pk: int, number: int, kept: Iterable[tuple[str, str]]) -> str:
    query = urlencode(list(kept))
    return f"{reverse('run-state', kwargs={'pk': pk, 'number': number})}{'?' if query else ''}{query}"
