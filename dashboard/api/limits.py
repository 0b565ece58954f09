"""How much one user may have in the queue, so that nobody else waits for it without end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.models import Report, SimulationRun, StudyPart
from dashboard.api.errors import ApiError

if TYPE_CHECKING:
    from dashboard.http import PageRequest

MOST_WAITING: Final = 100


def refuse_too_much(request: PageRequest) -> None:
    """Raise ApiError for a user of whom the workers have enough to do already."""
    run, part, review = SimulationRun.State, StudyPart.State, Report.State
    runs = SimulationRun.objects.filter(created_by=request.user, state__in=(run.QUEUED, run.RUNNING))
    parts = StudyPart.objects.filter(study__created_by=request.user, state__in=(part.QUEUED, part.RUNNING))
    reviews = Report.objects.filter(created_by=request.user, state__in=(review.QUEUED, review.RUNNING))
    waiting = runs.count() + parts.count() + reviews.count()
    if waiting >= MOST_WAITING:
        raise ApiError(
            429,
            what=f"{waiting} of your simulations, parts of studies and reviews are not finished.",
            where="Authorization",
            remedy=f"Wait until there are fewer than {MOST_WAITING}, or cancel some.",
        )
