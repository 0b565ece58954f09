"""Which kept reviews refer to a simulation, so that it cannot go before they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q

from clusters.models import Report
from clusters.problems.orders import SimulationReviewed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.models import SimulationRun

_NAMED = 3
_AT_ONCE = 20


class KeptError(Exception):
    """A simulation that reviews refer to."""

    def __init__(self, reviews: list[Report]) -> None:
        named = tuple(f"“{each.title}” ({each.pk})" for each in reviews[:_NAMED])
        self.problem = SimulationReviewed(named, max(0, len(reviews) - _NAMED))
        super().__init__(self.problem)


def refuse_kept(run: SimulationRun) -> None:
    """Raise KeptError for a simulation that a review is about, or that one of its recommendations links to."""
    reviews = Report.objects.exclude(state=Report.State.FAILED).filter(Q(run=run) | Q(cluster_id=run.cluster_id))
    found = [
        report
        for report in reviews.order_by("pk").iterator(_AT_ONCE)
        if report.run_id == run.pk or ((document := report.document) is not None and run.pk in runs_of(document))
    ]
    if found:
        raise KeptError(found)


def runs_of(document: Mapping[str, Any]) -> list[int]:
    """Return the simulations that a review's recommendations link to, by primary key."""
    found = [section for section in document["sections"] if section["key"] == "recommendations"]
    return [made[key] for section in found for made in section["facts"]["made"] for key in ("run", "base_run")]
