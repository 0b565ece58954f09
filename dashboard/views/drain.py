"""The drain planner: which nodes can be drained now, and the plan for those that somebody chose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from clusters.adapters.shared_redis import AwayError
from clusters.engine import ConfigurationError, Snapshot
from clusters.models import Cluster
from clusters.services.disruption import (
    QUESTION,
    ClusterDrains,
    DrainableNode,
    DrainChoice,
    PlannedDrain,
    TooManyError,
    drains_of,
    plan_of,
)
from clusters.services.evaluation import Progress, WorkersAwayError, progress_of
from clusters.services.mirror.snapshots import ChangingTooFastError, is_same_state
from clusters.wording import columns, counts, drains as words
from clusters.wording.lists import first_of
from clusters.wording.maps import place
from clusters.wording.problems import problem_sentence, remedy_sentence
from dashboard.filters.nodes import NONE, DrainableFilter, DrainForm
from dashboard.forms.parameters import Parameters, whole_number
from dashboard.http import PageRequest, render_page, wants_fragment
from dashboard.lists.columns import DataColumn, Sorting
from dashboard.lists.files import csv_file
from dashboard.live.parts import live_part
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.presenters.clusters import budget_gaps
from dashboard.presenters.drains import page as presenter, plan as plans
from dashboard.presenters.drains.page import batch_pods, drained_nodes, node_moves, outlook_map, plan_lines, plan_map
from dashboard.presenters.drains.plan import course, headline, workload_tiles, workloads_view
from dashboard.presenters.shared.maps import map_pools
from dashboard.presenters.shared.page import count_line, unanswered
from dashboard.views.budgets import KINDS
from dashboard.views.of_cluster import at_any_moment, of_cluster

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusters.engine.disruption import Plan

# What budgets depend on, and whether pods fit on other nodes.
_KINDS = (*KINDS, "DaemonSet", "Namespace", "PersistentVolume", "PersistentVolumeClaim", "StorageClass", "CSINode")
NODES_PER_PAGE = 50
ROWS_PER_PAGE = 50
BLOCKED_PER_PAGE = 25
# So many names fit into an address that every browser and proxy takes.
MOST_NAMED = 100
_TABS = ("batches", "kept", "answers")
_ORDER = ("now", "allowed", "waits", "force", "room", "lasting")
TABLE: tuple[DataColumn[Any], ...] = (
    DataColumn("node", columns.NODE, ("name",)),
    DataColumn("zone", columns.ZONE, ("zone",)),
    DataColumn("pool", words.POOL, ("pool",)),
    DataColumn("kubelet", words.KUBELET, ("version",)),
    DataColumn("type", columns.INSTANCE_TYPE, ("instance_type",)),
    DataColumn("evict", words.PODS_TO_EVICT, ("evicted",), is_number=True),
    DataColumn("state", words.DRAIN_NOW, ("outlook",)),
    DataColumn("way", words.BLOCKED_BY),
)
_SORTS: dict[str, Callable[[DrainableNode], Any]] = {
    "node": lambda node: node.name,
    "zone": lambda node: node.zone,
    "pool": lambda node: node.pool,
    "kubelet": lambda node: node.version,
    "type": lambda node: node.instance_type,
    "evict": lambda node: node.drain.evicted,
    "state": lambda node: _ORDER.index(node.outlook),
}


# -- nodes -----------------------------------------------------------------------------------------------


@live_part("drain.glance", template="drain/_glance.html", pages=["drain"], kinds=_KINDS)
def glance_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Say how many nodes can be drained now."""
    found = drains_of(cluster=cluster)
    return {
        "cluster": cluster,
        "total": len(found.nodes),
        "sentence": presenter.sentence(found.nodes.values()),
        "map": _outlook_map(cluster, found) if found.nodes else None,
        "note": presenter.note(found),
        "shares": presenter.shares(found.outlooks),
        "culprits": presenter.culprits(found.nodes.values()),
    }


def _outlook_map(cluster: Cluster, found: ClusterDrains) -> DrawnMap:
    """Draw every node by its outlook; a node opens the plan of its drain, and a bar that of its pool's."""
    address = reverse("drain", kwargs={"cluster": cluster.name})
    drawn = outlook_map(found)
    return DrawnMap("drain-map", drawn, address=address, node_address=f"{address}?node=", nameless=NONE)


@live_part(
    "drain.nodes",
    template="drain/_nodes.html",
    pages=["drain"],
    kinds=_KINDS,
    parameters=[*DrainableFilter.base_fields, "sort", "page"],
)
def nodes_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Choose and present the nodes that the filter lets through, those that can be drained first."""
    found = drains_of(cluster=cluster)
    form = DrainableFilter(query)
    sorting = Sorting(query, TABLE, usual=("outlook", "name"))
    passing = _sorted(form.apply(found.nodes.values()), sorting.value)
    page = Paginator(passing, NODES_PER_PAGE).get_page(query.get("page"))
    total = len(found.nodes)
    every = [node.name for node in passing] if 1 < len(passing) <= MOST_NAMED else []
    return {
        "cluster": cluster,
        "form": form,
        "page": page,
        "every": urlencode({"node": every}, doseq=True),
        "plan_every": words.PLAN_ALL(nodes=len(every)),
        "rows": [presenter.node_row(node) for node in page],
        "headings": sorting.headings(),
        "sort": sorting.value,
        "total": total,
        "counted": count_line(shown=len(passing), total=total, noun=counts.NODES, conditions=form.conditions()),
    }


def _sorted(nodes: list[DrainableNode], sort: str) -> list[DrainableNode]:
    """Sort nodes, which come in order of name, by a column; by what can be drained now where none is asked for."""
    return sorted(nodes, key=_SORTS[sort.removeprefix("-") or "state"], reverse=sort.startswith("-"))


@require_safe
@at_any_moment
def drain(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Show which nodes can be drained now or, where some are chosen, the plan for these."""
    try:
        found = drains_of(cluster=cluster)
        choice = DrainForm(request.GET, found=found, nodes=request.GET.getlist("node"))
        if choice.is_choice:
            return _planned(request, cluster, found, choice)
        parts = [build(cluster, request.GET) for build in (nodes_context, glance_context)]
    except ChangingTooFastError as error:
        return _problem(request, cluster, str(words.CHANGES_TOO_FAST), unanswered(error), status=503)
    context = {"choice": choice, "gaps": budget_gaps(cluster), "is_empty_choice": "chosen" in request.GET}
    context |= {name: value for part in parts for name, value in part.items()}
    return render_page(request, "drain/nodes.html", "drain/_nodes.html", context)


@require_safe
@at_any_moment
def nodes_csv(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the nodes that the filter lets through as a file."""
    found = drains_of(cluster=cluster)
    form = DrainableFilter(request.GET)
    passing = form.apply(found.nodes.values())
    return csv_file(f"{cluster.name}-drains", presenter.FILE_COLUMNS, presenter.node_cells(passing))


# -- plan ------------------------------------------------------------------------------------------------


def _planned(request: PageRequest, cluster: Cluster, found: ClusterDrains, form: DrainForm) -> HttpResponse:
    choice = form.choice()
    chosen = choice.chosen(found)
    names, gone = [node.name for node in chosen], [name for name in form.nodes if name not in found.nodes]
    context = {
        "cluster": cluster,
        "choice": form,
        "gone": gone,
        "unknown": form.unknown,
        "title": words.TITLE(nodes=first_of(names)),
        "chosen": names,
        "gaps": budget_gaps(cluster),
        "choices": _facts(form),
    }
    if not chosen:
        return render(request, "drain/nothing.html", context)
    try:
        answer = asked_plan(cluster, choice, request.GET)
    except (TooManyError, WorkersAwayError) as error:
        problem, remedy = problem_sentence(error.problem), remedy_sentence(error.problem)
        return _problem(request, cluster, problem, remedy, status=503 if isinstance(error, WorkersAwayError) else 200)
    except ConfigurationError as error:
        return _problem(request, cluster, str(words.PLAN_WITHOUT_CONFIGURATION), unanswered(error), status=200)
    if isinstance(answer, Progress):
        if "again" in request.GET:
            # Loaded anew, as when the plan is there, this address would ask for one more.
            wanted = request.GET.copy()
            del wanted["again"]
            return redirect(f"{request.path}?{wanted.urlencode()}")
        if wants_fragment(request):
            return HttpResponse(headers={"HX-Refresh": "true"})
        plan = QUESTION.key(cluster, choice.text).rpartition(":")[2]
        return render(request, "drain/plan.html", {**context, **plans.progress_view(answer), "followed": plan})
    context |= _plan_context(cluster, answer, choice, request.GET)
    context |= map_context(cluster, found.snapshot, answer.plan, answer.revision, request.GET)
    return render_page(request, "drain/plan.html", "drain/_plan.html", context)


def state_of(cluster: Cluster, planned: PlannedDrain) -> dict[str, Any]:
    """Return of which revision a plan is, and whether the cluster has changed since."""
    present = Cluster.objects.values_list("revision", flat=True).get(pk=cluster.pk)
    is_old = not is_same_state(cluster, planned.revision, present)
    return {"revision": planned.revision if is_old else present, "is_old": is_old}


def _plan_context(cluster: Cluster, planned: PlannedDrain, choice: DrainChoice, query: QueryDict) -> dict[str, Any]:
    """Present a plan: the sentence, the picture, and the tab that is asked for."""
    plan = planned.plan
    tab = query.get("show", "")
    if tab not in _TABS:
        tab = "batches" if plan.batches else "kept"
    number = min(max(1, PlanParameters.read(query)["batch"] or 1), max(1, len(plan.batches)))
    context: dict[str, Any] = {
        **state_of(cluster, planned),
        "headline": headline(plan, planned.workloads),
        "tiles": workload_tiles(planned.workloads, plan),
        "workloads": workloads_view(planned.workloads, cluster),
        "course": course(plan),
        "counts_alone": words.COUNTS_ALONE,
        "batches": plans.batch_rows(plan, number),
        "batch_count": len(plan.batches),
        "current": number,
        "blocked_tab": words.BLOCKED_TAB(nodes=len(plan.blocked)),
        "asked_count": len(plan.asked),
        "answers": plans.answer_counts(plan),
        "tab": tab,
        "assumptions": words.assumptions(uncordon=choice.options.uncordon),
    }
    if tab == "batches" and plan.batches:
        return context | _batch_context(plan, number, query)
    if tab == "answers":
        return context | _answers_context(plan, query)
    blocked = Paginator(plan.blocked, BLOCKED_PER_PAGE).get_page(query.get("page"))
    rows = [plans.blocked_row(each) for each in blocked]
    return context | {"tab": "kept", "page": blocked, "rows": rows, "obstacles": plans.obstacles(plan)}


def _batch_context(plan: Plan, number: int, query: QueryDict) -> dict[str, Any]:
    evictions = plan.batches[number - 1].evictions
    page = Paginator(evictions, ROWS_PER_PAGE).get_page(query.get("page"))
    rows = [plans.eviction_row(place, each) for place, each in enumerate(page, page.start_index())]
    return {"batch": plans.batch_view(plan, number), "page": page, "rows": rows}


def _answers_context(plan: Plan, query: QueryDict) -> dict[str, Any]:
    answer = query.get("answer", "")
    asked = [each for each in plan.asked if answer in ("", plans.answer_of(each))]
    page = Paginator(asked, ROWS_PER_PAGE).get_page(query.get("page"))
    return {"answer": answer, "page": page, "rows": [plans.asked_row(each) for each in page]}


def _facts(form: DrainForm) -> list[tuple[str, str]]:
    """Return what nodes were chosen by, as label and value."""
    given = form.given()
    return [(str(form.fields[name].label), value) for name, value in given.items() if name in form.groups]


@require_safe
@of_cluster
def progress(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Answer with how far a plan is; when nobody makes it any more, have the whole page loaded."""
    try:
        found = progress_of(f"{cluster.pk}:{request.GET.get('plan', '')}")
    except AwayError:
        said = problem_sentence(WorkersAwayError.problem)
        return HttpResponse(said, status=503, content_type="text/plain; charset=utf-8")
    if found is None:
        return HttpResponse(headers={"HX-Refresh": "true"})
    return render(request, "drain/_progress.html", plans.progress_view(found))


@require_safe
@at_any_moment
def plan_csv(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return a plan as a file: evictions in order, then what keeps the other nodes."""
    found = drains_of(cluster=cluster)
    choice = DrainForm(request.GET, found=found, nodes=request.GET.getlist("node")).choice()
    answer = asked_plan(cluster, choice, request.GET)
    if isinstance(answer, Progress):
        raise Http404(str(words.NOT_YET))
    return csv_file(f"{cluster.name}-drain-plan", plans.FILE_COLUMNS, plans.plan_cells(answer.plan))


def _problem(request: PageRequest, cluster: Cluster, problem: str, remedy: str, *, status: int) -> HttpResponse:
    response = render_page(
        request, "drain/problem.html", "drain/_problem.html", {"cluster": cluster, "problem": problem, "remedy": remedy}
    )
    # htmx puts only what succeeded into the page.
    response.status_code = 200 if wants_fragment(request) else status
    return response


# As in the map of a decision, so many are asked for at once.
_LINES = 50
# What a choice of nodes calls zone and pool is what is drained, not what is shown.
_ZONE, _POOL = "in_zone", "in_pool"
_NOT_OF_THE_PLAN = ("page", "show", "batch", "answer", "again", _ZONE, _POOL, "first", "of")


class PlanParameters(Parameters):
    """The revision that a plan is asked for of, the one that is to be made again, and what of it is shown."""

    as_of = whole_number()
    again = whole_number()
    batch = whole_number()
    first = whole_number()


def asked_plan(cluster: Cluster, choice: DrainChoice, query: QueryDict) -> PlannedDrain | Progress:
    """Return the plan that an address asks for, or how far it is; raises what `plan_of` does."""
    given = PlanParameters.read(query)
    return plan_of(cluster=cluster, choice=choice, as_of=given["as_of"], again=given["again"])


def map_context(cluster: Cluster, snapshot: Snapshot, plan: Plan, revision: int, query: QueryDict) -> dict[str, Any]:
    """Return the map of a plan, all of it or the part that is asked for. Raises LookupError for one there is not."""
    zone, pool = query.get(_ZONE), query.get(_POOL, "")
    of_plan = _of_plan(query, revision)
    whole = of_plan.urlencode()
    if zone is not None:
        of_plan[_ZONE], of_plan[_POOL] = zone, pool
    drawn = DrawnMap(
        id="map",
        found=plan_map(snapshot, plan, zone, pool),
        address=f"{_address('drain-map', cluster)}?{whole}",
        node_address=f"{_address('drain-map-node', cluster)}?{whole}&of=",
        lines_address=f"{_address('drain-map-lines', cluster)}?{of_plan.urlencode()}&first=",
        step_address=f"{_address('drain-map-batch', cluster)}?{whole}&batch=",
        place_names=(_ZONE, _POOL),
        is_opened=zone is not None,
    )
    return {
        "map": drawn,
        "drained": drained_nodes(plan),
        # One node is what somebody asks about, so what the plan does to it need not be opened.
        "moves": node_moves(plan, plan.nodes[0]) if len(plan.nodes) == 1 and zone is None else None,
        "map_place": "" if zone is None else place(zone=zone, pool=pool),
        "map_whole": f"{_address('drain-map', cluster)}?{whole}",
    }


def _of_plan(query: QueryDict, revision: int) -> QueryDict:
    """Return what of an address names the plan."""
    of_plan = query.copy()
    for name in _NOT_OF_THE_PLAN:
        of_plan.pop(name, None)
    of_plan["as_of"] = str(revision)
    return of_plan


def _address(name: str, cluster: Cluster) -> str:
    return reverse(name, kwargs={"cluster": cluster.name})


def _found(request: PageRequest, cluster: Cluster) -> tuple[Snapshot, PlannedDrain, Plan]:
    """Return the plan that an address is about; 404 where there is none yet, or none can be made."""
    try:
        found = drains_of(cluster=cluster)
        choice = DrainForm(request.GET, found=found, nodes=request.GET.getlist("node")).choice()
        planned = asked_plan(cluster, choice, request.GET)
    except (ChangingTooFastError, TooManyError, WorkersAwayError, ConfigurationError) as error:
        raise Http404(unanswered(error)) from None
    if isinstance(planned, Progress):
        raise Http404(str(words.NOT_YET))
    return found.snapshot, planned, planned.plan


@require_safe
@at_any_moment
def map_part(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Show the map of a plan, or of one zone's pool where it is asked for."""
    snapshot, planned, plan = _found(request, cluster)
    try:
        context = map_context(cluster, snapshot, plan, planned.revision, request.GET)
    except LookupError:
        raise Http404(str(words.NO_SUCH_POOL)) from None
    return _part(request, "drain/_map.html", cluster, planned, plan, context)


@require_safe
@at_any_moment
def map_lines(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Say of some nodes what the plan does to them, in the order of the map of which they are."""
    snapshot, _, plan = _found(request, cluster)
    try:
        _, rows = map_pools(snapshot.nodes, request.GET.get(_ZONE), request.GET.get(_POOL, ""))
    except LookupError:
        raise Http404(str(words.NO_SUCH_POOL)) from None
    first = PlanParameters.read(request.GET)["first"] or 0
    names = [snapshot.nodes.names[row] for row in rows[max(0, first) :][:_LINES].tolist()]
    return JsonResponse({"lines": plan_lines(plan, names)})


@require_safe
@at_any_moment
def map_node(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Show what the plan does to one node, pod by pod."""
    snapshot, planned, plan = _found(request, cluster)
    name = request.GET.get("of", "")
    if name not in snapshot.nodes.index:
        raise Http404(str(words.NO_SUCH_NODE))
    return _part(request, "drain/_map_node.html", cluster, planned, plan, {"moves": node_moves(plan, name)})


@require_safe
@at_any_moment
def map_batch(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Show the pods that one batch of the plan evicts."""
    _, planned, plan = _found(request, cluster)
    number = PlanParameters.read(request.GET)["batch"] or 0
    if not 1 <= number <= len(plan.batches):
        raise Http404(words.NO_SUCH_BATCH(number=len(plan.batches)))
    listed = f"{_address('drain', cluster)}?{_of_plan(request.GET, planned.revision).urlencode()}"
    context = {"pods": batch_pods(plan, number), "listed": f"{listed}&show=batches&batch={number}"}
    return _part(request, "drain/_map_batch.html", cluster, planned, plan, context)


def _part(
    request: PageRequest, fragment: str, cluster: Cluster, planned: PlannedDrain, plan: Plan, context: dict[str, Any]
) -> HttpResponse:
    """Answer with a part of a plan, or with a page that has nothing else."""
    shown = context | {
        "cluster": cluster,
        "title": words.TITLE(nodes=first_of(plan.nodes)),
        "plan_url": f"{_address('drain', cluster)}?{_of_plan(request.GET, planned.revision).urlencode()}",
        "fragment": fragment,
    }
    return render_page(request, "drain/part.html", fragment, shown)
