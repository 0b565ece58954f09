"""The map of a pod's decision: all nodes, or those of one zone and pool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from clusters.wording.decisions import attempt as words
from clusters.wording.maps import place
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.presenters.decisions.maps import verdict_map
from dashboard.presenters.decisions.page import node_lines, strip
from dashboard.presenters.shared.maps import map_pools
from dashboard.views.decision_parts import answer, case_of

if TYPE_CHECKING:
    from dashboard.explained import Case
    from dashboard.http import PageRequest


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
def map_part(request: PageRequest, cluster: str, namespace: str, name: str) -> HttpResponse:
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
def map_lines(request: PageRequest, cluster: str, namespace: str, name: str) -> HttpResponse:
    """Say of some nodes what is missing there, or how they score, in the order of the map of which they are."""
    return lines_answer(request, case_of(request, cluster, namespace, name))


def lines_answer(request: PageRequest, case: Case) -> HttpResponse:
    """Answer with what is said of some nodes."""
    try:
        nodes = case.explanation.snapshot.nodes.nodes
        _, rows = map_pools(nodes, request.GET.get("zone"), request.GET.get("pool", ""))
        first = int(request.GET.get("first", "0"))
    except (LookupError, ValueError):
        raise Http404(str(words.NO_PART)) from None
    stretch = rows[max(0, first) :][:LINES].tolist()
    return JsonResponse({"lines": [line.brief for line in node_lines(case.explanation, stretch)]})
