"""The classrooms of those who teach: each their own, until they expire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404
from django.utils import timezone

from dashboard.models import Classroom

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.db.models import QuerySet


def classrooms_of(trainer: User) -> QuerySet[Classroom]:
    """Return the classrooms of a trainer that have not expired, the latest first."""
    return Classroom.objects.filter(trainer=trainer, expires_at__gt=timezone.now())


def classroom_of(trainer: User, pk: int) -> Classroom:
    """Return a classroom of a trainer. Raises Http404, for those of others too."""
    return get_object_or_404(classrooms_of(trainer), pk=pk)
