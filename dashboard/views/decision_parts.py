"""The parts of a decision that pods, runs, lessons and the sandbox have: the map, nodes, and two of them compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Page, Paginator
from django.db.models import Count
from django.http import Http404, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from clusters.engine import ConfigurationError, UnknownScheduler
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.observed import observations_of
from clusters.wording.decisions import attempt as words
from clusters.wording.maps import place
from dashboard.explained import ExplainedPod, explained, pod_of
from dashboard.http import PageRequest, render_page
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.presenters.decisions.maps import verdict_map
from dashboard.presenters.decisions.nodes import (
    MOST_MATCHES,
    compare as compared,
    default_pair,
    found,
    matches,
    miss,
    named_nodes,
    node_verdict,
    why_not,
)
from dashboard.presenters.decisions.observed import observed_view, tables
from dashboard.presenters.decisions.page import node_lines, search_order, strip
from dashboard.presenters.journal.decision import search
from dashboard.presenters.shared.maps import map_pools
from dashboard.presenters.shared.page import unanswered
from dashboard.views.decision_journal import journaled_decision, latest_decisions
from dashboard.views.of_cluster import at_any_moment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.utils.functional import _StrOrPromise

    from clusters.models import Cluster
    from dashboard.explained import Case


def case_of(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> ExplainedPod:
    """Explain the pod that a part's address names; a pod that cannot be explained has no parts."""
    try:
        return explained(pod_of(cluster, namespace, name), request.GET.get("profile", ""), request.GET)
    except (UnknownScheduler, ConfigurationError, ChangingTooFastError) as error:
        raise Http404(unanswered(error)) from None


def rows_of_page(request: PageRequest, items: Iterable[Any], size: int) -> Page[Any]:
    """Return the page of rows that the address asks for."""
    return Paginator(list(items), size).get_page(request.GET.get("page"))


def answer(
    request: PageRequest, fragment: str, title: _StrOrPromise, case: Case, context: dict[str, Any]
) -> HttpResponse:
    """Answer with the fragment to htmx, and with a page around it to everybody else."""
    return render_page(
        request,
        case.page,
        fragment,
        {"case": case, **case.context, "title": title, "fragment": fragment, **context},
    )


def map_context(case: Case, zone: str | None = None, pool: str = "") -> dict[str, Any]:
    """Return the map and the attempt by whose steps it is played; a cluster without nodes has no map.

    Raises LookupError for a zone or pool that there is not.
    """
    attempt = strip(case.explanation)
    if not case.explanation.node_count:
        return {"strip": attempt, "map": None}
    found = verdict_map(case.explanation, attempt, case.own_node, is_simulated=case.is_simulated, zone=zone, pool=pool)
    shown = [] if zone is None else [("zone", zone), ("pool", pool)]
    drawn = DrawnMap(
        id="map",
        found=found,
        address=case.part_address("map"),
        node_address=_open(case.part_address("why-not"), "node"),
        lines_address=_open(case.part_address("map-lines", shown), "first"),
        is_opened=zone is not None,
    )
    return {"strip": attempt, "map": drawn, "place": "" if zone is None else place(zone=zone, pool=pool)}


def _open(address: str, name: str) -> str:
    """Return an address that lacks the value of its last argument."""
    return f"{address}{'&' if '?' in address else '?'}{name}="


# What is said of so many nodes is asked for at once; the browser's module knows the number.
LINES = 50


@require_safe
@at_any_moment
def map_part(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Show the map of all nodes, or of one zone's pool where it is asked for."""
    return map_answer(request, case_of(request, cluster, namespace, name))


def map_answer(request: PageRequest, case: Case) -> HttpResponse:
    """Answer with the map of a decision."""
    try:
        context = map_context(case, request.GET.get("zone"), request.GET.get("pool", ""))
    except LookupError:
        raise Http404(str(words.NO_PART)) from None
    if context["map"] is None:
        raise Http404(str(words.NO_PART))
    return answer(request, "decision/_map.html", words.MAP, case, context)


@require_safe
@at_any_moment
def map_lines(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Say of some nodes what is missing there, or how they score, in the order of the map of which they are."""
    return lines_answer(request, case_of(request, cluster, namespace, name))


def lines_answer(request: PageRequest, case: Case) -> HttpResponse:
    """Answer with what is said of some nodes."""
    try:
        _, rows = map_pools(case.explanation.snapshot.nodes, request.GET.get("zone"), request.GET.get("pool", ""))
        first = int(request.GET.get("first", "0"))
    except (LookupError, ValueError):
        raise Http404(str(words.NO_PART)) from None
    stretch = rows[max(0, first) :][:LINES].tolist()
    return JsonResponse({"lines": [line.brief for line in node_lines(case.explanation, stretch)]})


# The names of the fields that ask for a node: one node, or two to be compared.
_ASKING = ("node", "a", "b")


@require_safe
@at_any_moment
def node_names(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Offer names of nodes that contain what somebody has written so far."""
    return names_answer(request, case_of(request, cluster, namespace, name))


def names_answer(request: PageRequest, case: Case) -> HttpResponse:
    """Answer with names of nodes."""
    asked = next((text for field in _ASKING if (text := request.GET.get(field, "").strip())), "")
    every = matches(case.explanation, asked)
    context = {"names": every[:MOST_MATCHES], "has_more": len(every) > MOST_MATCHES}
    return answer(request, "decision/_names.html", words.NODES, case, context)


@require_safe
@at_any_moment
def node(request: PageRequest, cluster: Cluster, namespace: str, name: str, node: str) -> HttpResponse:
    """Show what every filter compared on one node."""
    return node_answer(request, case_of(request, cluster, namespace, name), node)


def node_answer(request: PageRequest, case: Case, node: str) -> HttpResponse:
    """Answer with everything about one node."""
    view = node_verdict(case.explanation, case.row(node))
    return answer(request, "decision/_node.html", words.NODE_TITLE(node=node), case, {"node": view})


# -- why not -----------------------------------------------------------------------------------------------------------


@require_safe
@at_any_moment
def why_not_node(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Say why the pod is not on a node whose name, or a part of it, is asked for."""
    return why_not_answer(request, case_of(request, cluster, namespace, name))


def why_not_answer(request: PageRequest, case: Case) -> HttpResponse:
    """Answer with why the pod is not on a node."""
    asked = request.GET.get("node", "").strip()
    context: dict[str, Any] = {"asked": asked}
    if asked:
        named = context["named"] = named_nodes(case.explanation, case.whole, asked)
        if len(named.names) == 1 and not named.is_near:
            context["why"] = why_not(case.explanation, case.row(named.names[0]), case.own_node)
    return answer(request, "decision/_why_not.html", words.WHY_NOT, case, context)


# -- comparing ---------------------------------------------------------------------------------------------------------


def comparison_context(case: Case, first: str = "", second: str = "") -> dict[str, Any]:
    """Return the comparison of two nodes; of the two that matter most where none is asked for.

    A name that is none of a node's, nor a part of exactly one, comes back with those that are like it.
    """
    pair = default_pair(case.explanation, case.own_node)
    names = case.explanation.snapshot.nodes.names
    asked = [first or (names[pair[0]] if pair else ""), second or (names[pair[1]] if pair else "")]
    misses = []
    for side, text in enumerate(asked):
        known = found(case.explanation, text) if text else []
        if len(known) == 1:
            asked[side] = known[0]
        elif text:
            misses.append(miss(case.explanation, text, "ab"[side], asked[1 - side]))
    context: dict[str, Any] = {"first": asked[0], "second": asked[1], "misses": misses, "comparison": None}
    if all(asked) and not misses:
        context["comparison"] = compared(case.explanation, case.row(asked[0]), case.row(asked[1]))
    return context


@require_safe
@at_any_moment
def compare(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Show which plugins make the difference between two nodes."""
    return compare_answer(request, case_of(request, cluster, namespace, name))


def compare_answer(request: PageRequest, case: Case) -> HttpResponse:
    """Answer with two nodes compared."""
    context = comparison_context(case, *(request.GET.get(field, "").strip() for field in ("a", "b")))
    return answer(request, "decision/_compare.html", words.COMPARISON, case, context)


# -- the search --------------------------------------------------------------------------------------------------------


@require_safe
@at_any_moment
def search_order_part(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Show in which order nodes are searched, and with what chance each is looked at and taken."""
    case = case_of(request, cluster, namespace, name)
    found = search_order(case.explanation)
    if found is None:
        raise Http404(str(words.NO_PART))
    # Of a pod that has a node, the search that found it as well.
    journaled = journaled_decision(case.pod, latest_decisions(case.cluster, namespace, name, case.pod.uid))
    own = search(journaled) if journaled is not None and case.pod.node_name else ""
    context = {"search_order": found, "own_search": own}
    return answer(request, "decision/_search_order.html", words.TITLE, case, context)


NODES_PER_PAGE = 25
# A pod that was tried for weeks has more than a page can look through.
MOST_ATTEMPTS = 1_000
DIFFERING, ALL = "differing", "all"


def observed_context(
    request: PageRequest, case: ExplainedPod, pk: int | None = None, show: str = DIFFERING
) -> dict[str, Any]:
    """Return what the part shows: the attempt of that key, or else the latest. Nothing where none was recorded.

    Raises Http404 for an attempt that the pod does not have.
    """
    if show not in {DIFFERING, ALL}:
        raise Http404(str(words.NO_PART))
    every = observations_of(case.pod)
    attempts = list(every[:MOST_ATTEMPTS])
    if pk is None and not attempts:
        return {"observed": None}
    chosen = next((each for each in attempts if pk in (None, each.pk)), None)
    if chosen is None:
        raise Http404(str(words.NO_PART))
    recorded = dict(every.order_by().values_list("source").annotate(Count("pk")))
    view = observed_view(attempts, chosen, case.explanation, recorded=recorded)
    page = Paginator(view.nodes if show == ALL else view.differing, NODES_PER_PAGE).get_page(
        # On the decision's own page the number belongs to another part.
        request.GET.get("page") if pk is not None else 1
    )
    return {
        "observed": view,
        "observation": chosen,
        "observed_show": show,
        "observed_whole": view.whole if show == ALL else view.whole_in_short,
        "observed_page": page,
        "observed_tables": tables(list(page), case.explanation),
    }
