"""Classrooms for tests, and clients that are in them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.test import Client

from clusters.services.lessons.library import built_in_lessons
from dashboard.access import participants
from dashboard.classrooms import leading, seats
from dashboard.models import Classroom

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LESSONS = ("filter-and-score", "taints")


def open_room(trainer: User, **fields: Any) -> Classroom:
    """Open a classroom with two lessons, led unless told otherwise."""
    known = built_in_lessons()
    chosen = fields.pop("lessons", LESSONS)
    values = {"title": "Tuesday", "language": "en", "pace": Classroom.Pace.LED, "lifetime": timedelta(days=1), **fields}
    return leading.open_classroom(trainer=trainer, lessons=[known[name] for name in chosen], **values)


def seated(classroom: Classroom, name: str = "Ada") -> Client:
    """Return a client that is in a classroom."""
    client = Client()
    client.cookies[participants.COOKIE] = seats.join(classroom, name)
    return client
