"""Tells the open pages of a classroom that something changed there. Who missed it asks again when they connect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction

from dashboard.live.broadcast import publish

if TYPE_CHECKING:
    from dashboard.models import Classroom

# The trainer went on, or showed an answer: for everybody.
TURNED: Final = "classroom.turned"
# Somebody joined, left, answered or went to another step: for the trainer's pages.
HAPPENED: Final = "classroom.happened"


def everybody(classroom: int) -> str:
    """Return the channel layer's group of all pages of a classroom."""
    return f"classroom.{classroom}"


def trainers(classroom: int) -> str:
    """Return the channel layer's group of the trainer's pages of a classroom."""
    return f"classroom.{classroom}.trainer"


def tell_turn(classroom: Classroom) -> None:
    """Tell all pages, once it is stored, that the classroom has another turn."""
    pk, turn = classroom.pk, classroom.turn
    transaction.on_commit(lambda: publish(everybody(pk), {"type": TURNED, "classroom": pk, "turn": turn}))


def tell_trainers(classroom: Classroom) -> None:
    """Tell the trainer's pages, once it is stored, that a participant did something."""
    pk = classroom.pk
    transaction.on_commit(lambda: publish(trainers(pk), {"type": HAPPENED}))
