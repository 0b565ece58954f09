"""Where each participant is, and when something was last heard of them: what trainers see of who is there."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils import timezone

from dashboard.live import broadcast
from dashboard.models import Classroom, Participant

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Who stays at a step is written down no more often than this.
SEEN_SECONDS: Final = 20.0
# Who was not heard of for so long is not connected.
PRESENT: Final = timedelta(seconds=45)


def at_step(participant: Participant, step: Mapping[str, str]) -> None:
    """Store that a participant looks at a step, as addresses name it."""
    if (participant.lesson, participant.step) == (step["lesson"], step["step"]):
        seen(participant)
        return
    participant.lesson, participant.step, participant.seen_at = step["lesson"], step["step"], timezone.now()
    # Who left in another window, or whose classroom has ended, is nowhere.
    Participant.objects.filter(pk=participant.pk).update(**step, seen_at=participant.seen_at)
    broadcast.tell_trainers(participant.classroom)


def seen(participant: Participant) -> None:
    """Store that a participant is there, unless that was stored a moment ago."""
    now = timezone.now()
    if now - participant.seen_at >= timedelta(seconds=SEEN_SECONDS):
        participant.seen_at = now
        all_seen([participant.pk])


def all_seen(participants: Iterable[int]) -> None:
    """Store of many participants at once, by their keys, that they are there."""
    Participant.objects.filter(pk__in=list(participants)).update(seen_at=timezone.now())


@transaction.atomic
def all_left(moments: Mapping[int, datetime]) -> None:
    """Store of participants, by their keys, when they closed the last page; who was heard of since is there."""
    gone = [
        key
        # In order, as two processes may store the same participants at once.
        for key, moment in sorted(moments.items())
        if Participant.objects.filter(pk=key, seen_at__lte=moment).update(seen_at=moment - PRESENT)
    ]
    for classroom in Classroom.objects.filter(participants__in=gone).distinct():
        broadcast.tell_trainers(classroom)


def all_at_step(classroom: Classroom, participants: Iterable[int]) -> None:
    """Store that the trainer has led participants, by their keys, to the step of the class."""
    behind = Participant.objects.filter(pk__in=list(participants)).exclude(**classroom.place)
    if behind.update(**classroom.place, seen_at=timezone.now()):
        broadcast.tell_trainers(classroom)


def answered(participant: Participant) -> None:
    """Tell the trainers that a participant has answered."""
    broadcast.tell_trainers(participant.classroom)
