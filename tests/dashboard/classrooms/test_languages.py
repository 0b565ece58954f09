"""The pages of participants in their language: nothing on them is left in English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from dashboard.classrooms import leading, seats
from dashboard.models import Classroom
from tests.dashboard.classrooms.rooms import open_room, seated
from tests.dashboard.lessons.learners import posted, solution, step_of_kind
from tests.support.untranslated import readable, untranslated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.contrib.auth.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.unmeasured]

STEP = step_of_kind("nodes")


def every_page(room: Classroom, language: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Join a classroom, be led, go on alone, and leave, with all that can go wrong on the way."""
    client, other = seated(room, "Ada"), Client()
    for each in (client, other):
        each.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    yield other.get("/join/")
    for fields in (
        {},
        {"code": "x", "name": "\x07"},
        {"code": "23456789", "name": "B"},
        {"code": room.code, "name": "ada"},
    ):
        yield other.post("/join/", fields)
    with monkeypatch.context() as patch:
        patch.setattr(seats, "MOST_PARTICIPANTS", 1)
        yield other.post("/join/", {"code": room.code, "name": "B"})
    step = f"/seat/{room.lesson}/{STEP.name}/"
    leading.lead_to(room, room.lesson, STEP.name)
    yield client.get(step)
    client.post(step, posted(STEP, []))
    yield client.get(step)
    leading.reveal(room)
    yield client.get(step)
    yield client.get(f"{step}experiment/")
    leading.set_pace(room, Classroom.Pace.FREE)
    yield client.get("/seat/")
    yield client.get("/join/")
    yield client.get("/seat/_leave/")
    yield client.get("/seat/quotas/")
    client.post(step, posted(STEP, solution(STEP)))
    yield client.get(step)


def test_nothing_on_the_pages_of_participants_is_untranslated(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    room = open_room(user)
    # What is worded once, when its module is loaded, is worded in the installation's language.
    seated(room, "Warm-up").get("/seat/")
    with untranslated("uk") as found:
        for response in every_page(room, "uk", monkeypatch):
            assert response.status_code in (200, 400, 404, 409)
            assert '<html lang="uk"' in response.content.decode()
    assert readable(found.messages) == []
