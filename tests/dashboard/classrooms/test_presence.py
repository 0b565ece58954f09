"""What is stored of where participants are, and of what the trainer's pages are told."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from dashboard.classrooms import seats
from dashboard.lessons import presence
from dashboard.live import broadcast
from dashboard.models import Classroom, Participant
from tests.dashboard.classrooms.rooms import open_room, seated
from tests.dashboard.lessons.learners import posted, solution, step_of_kind

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

pytestmark = pytest.mark.django_db

STEP = step_of_kind("nodes")


@pytest.fixture
def room(user: User) -> Classroom:
    return open_room(user, pace=Classroom.Pace.FREE)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the groups to which messages are sent."""
    groups: list[str] = []

    def note(group: str, message: dict[str, Any]) -> None:
        groups.append(group)

    monkeypatch.setattr(broadcast, "publish", note)
    return groups


def test_each_step_that_somebody_looks_at_is_stored_and_told(
    room: Classroom, told: list[str], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    trainers = broadcast.trainers(room.pk)
    with django_capture_on_commit_callbacks(execute=True):
        client = seated(room)
    assert told == [trainers]

    for path in (f"/seat/{room.lesson}/{STEP.name}/", "/seat/taints/match/", "/seat/taints/match/"):
        with django_capture_on_commit_callbacks(execute=True):
            client.get(path)
    assert told == [trainers] * 3
    found = Participant.objects.get()
    assert (found.lesson, found.step) == ("taints", "match")

    with django_capture_on_commit_callbacks(execute=True):
        client.post(f"/seat/{room.lesson}/{STEP.name}/", posted(STEP, solution(STEP)))
    # Another step, and its answer.
    assert told == [trainers] * 5
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/seat/_leave/")
    assert told == [trainers] * 6


def test_a_step_that_there_is_not_is_not_stored(room: Classroom) -> None:
    client = seated(room)

    assert client.get("/seat/taints/no-such-step/").status_code == 404
    assert client.get("/seat/quotas/no-such-step/").status_code == 404

    assert Participant.objects.get().step == ""


def test_who_stays_is_written_down_now_and_then(
    room: Classroom, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    seated(room)
    participant = Participant.objects.select_related("classroom").get()

    with django_assert_num_queries(0):
        presence.seen(participant)
    long_ago = timezone.now() - timedelta(seconds=presence.SEEN_SECONDS)
    Participant.objects.update(seen_at=long_ago)
    participant.refresh_from_db()
    with django_assert_num_queries(1):
        presence.seen(participant)
        presence.seen(participant)

    assert Participant.objects.get().seen_at > long_ago


def test_who_closed_the_last_page_is_not_connected_unless_heard_of_since(
    room: Classroom, told: list[str], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    seats.join(room, "Ada")
    seats.join(room, "Grace")
    ada, grace = Participant.objects.order_by("pk")
    moment = timezone.now()
    presence.all_seen([grace.pk])

    with django_capture_on_commit_callbacks(execute=True):
        presence.all_left({ada.pk: moment, grace.pk: moment})
        # Who has left the classroom besides is gone.
        presence.all_left({0: moment})

    assert told == [broadcast.trainers(room.pk)]
    for participant, is_connected in ((ada, False), (grace, True)):
        participant.refresh_from_db()
        assert (timezone.now() - participant.seen_at < presence.PRESENT) is is_connected
