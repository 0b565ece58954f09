"""How much one user may have in the queue, so that nobody else waits for it without end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.models import Report, SimulationRun, StudyPart
from clusters.problems.orders import TooMuchQueued
from clusters.services.runs.spec import SpecError

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MOST_WAITING: Final = 100


def refuse_too_much(user: User) -> None:
    """Raise SpecError for a user of whom the workers have enough to do already."""
    run, part, review = SimulationRun.State, StudyPart.State, Report.State
    runs = SimulationRun.objects.filter(created_by=user, state__in=(run.QUEUED, run.RUNNING))
    parts = StudyPart.objects.filter(study__created_by=user, state__in=(part.QUEUED, part.RUNNING))
    reviews = Report.objects.filter(created_by=user, state__in=(review.QUEUED, review.RUNNING))
    waiting = runs.count() + parts.count() + reviews.count()
    if waiting >= MOST_WAITING:
        raise SpecError("", TooMuchQueued(waiting, MOST_WAITING))
