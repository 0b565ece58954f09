"""Which step of the demo's tour a page is, and whether the tour is offered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.services.ingest.demo import DEMO_CLUSTER

if TYPE_CHECKING:
    from django.http import HttpRequest

# The parameter of an address that tells the step, and the cookie of somebody who has seen enough.
TOUR: Final = "tour"
TOUR_IS_OVER: Final = "berth_tour_is_over"
STEPS: Final = range(1, 6)


class Tour(NamedTuple):
    """The step that a page is, 0 where it offers the first; ``next``: 0 after the last."""

    step: int
    next: int


def tour_of(request: HttpRequest, cluster: str) -> Tour | None:
    """Return the step that an address asks for; None where the page is not the demo's, or nothing is to be offered."""
    if cluster != DEMO_CLUSTER:
        return None
    step = request.GET.get(TOUR, "")
    if step.isdecimal() and int(step) in STEPS:
        return Tour(int(step), int(step) + 1 if int(step) + 1 in STEPS else 0)
    match = request.resolver_match
    is_home = match is not None and match.url_name == "cluster" and not request.GET
    return Tour(0, 1) if is_home and TOUR_IS_OVER not in request.COOKIES else None
