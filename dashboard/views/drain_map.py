"""The map of a plan of a drain: all nodes, or those of one zone and pool, and what is said of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse, JsonResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_safe

from clusters.engine import ConfigurationError, Snapshot
from clusters.services.disruption import DrainChoice, PlannedDrain, TooManyError, drains_of, plan_of
from clusters.services.evaluation import Progress, WorkersAwayError
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.wording import drains as words
from clusters.wording.maps import place
from dashboard.filters.drain import DrainForm
from dashboard.forms.parameters import Parameters, whole_number
from dashboard.http import PageRequest, render_page
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.presenters.drains.page import batch_pods, drained_nodes, node_moves, plan_lines, plan_map
from dashboard.presenters.shared.maps import map_pools
from dashboard.presenters.shared.page import unanswered
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from clusters.engine.disruption import Plan
    from clusters.models import Cluster

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
@of_cluster
def map_part(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Show the map of a plan, or of one zone's pool where it is asked for."""
    snapshot, planned, plan = _found(request, cluster)
    try:
        context = map_context(cluster, snapshot, plan, planned.revision, request.GET)
    except LookupError:
        raise Http404(str(words.NO_SUCH_POOL)) from None
    return _part(request, "drain/_map.html", cluster, planned, plan, context)


@require_safe
@of_cluster
def map_lines(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Say of some nodes what the plan does to them, in the order of the map of which they are."""
    snapshot, _, plan = _found(request, cluster)
    try:
        _, rows = map_pools(snapshot.nodes.nodes, request.GET.get(_ZONE), request.GET.get(_POOL, ""))
    except LookupError:
        raise Http404(str(words.NO_SUCH_POOL)) from None
    first = PlanParameters.read(request.GET)["first"] or 0
    names = [snapshot.nodes.names[row] for row in rows[max(0, first) :][:_LINES].tolist()]
    return JsonResponse({"lines": plan_lines(plan, names)})


@require_safe
@of_cluster
def map_node(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Show what the plan does to one node, pod by pod."""
    snapshot, planned, plan = _found(request, cluster)
    name = request.GET.get("of", "")
    if name not in snapshot.nodes.index:
        raise Http404(str(words.NO_SUCH_NODE))
    return _part(request, "drain/_map_node.html", cluster, planned, plan, {"moves": node_moves(plan, name)})


@require_safe
@of_cluster
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
        "title": words.TITLE(nodes=len(plan.nodes)),
        "plan_url": f"{_address('drain', cluster)}?{_of_plan(request.GET, planned.revision).urlencode()}",
        "fragment": fragment,
    }
    return render_page(request, "drain/part.html", fragment, shown)
