"""Which kept reviews refer to a simulation, so that it cannot go before they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q

from clusters.models import Report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.models import SimulationRun

_NAMED = 3
_AT_ONCE = 20


class KeptError(Exception):
    """A simulation that reviews refer to: the `problem` names them, the `remedy` says how it can go."""

    def __init__(self, reviews: list[Report]) -> None:
        more = len(reviews) - _NAMED
        named = ", ".join(f"“{each.title}” ({each.pk})" for each in reviews[:_NAMED])
        which = f"The review {named} refers" if len(reviews) == 1 else f"The reviews {named} refer"
        if more > 0:
            which = f"The reviews {named} and {more} more refer"
        self.problem = f"{which} to this simulation."
        self.remedy = "It is kept as long as its reviews are; delete those first."
        super().__init__(f"{self.problem} {self.remedy}")


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
