"""Participants: how they join, what they reach, and that they reach nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from dashboard.access import participants
from dashboard.classrooms import leading, seats
from dashboard.classrooms.seats import new_code, shown
from dashboard.models import Classroom, LessonProgress, Participant
from tests.dashboard.classrooms.rooms import open_room, seated
from tests.dashboard.lessons.learners import posted, solution, step_of_kind
from tests.dashboard.test_gate import CLOSED

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

pytestmark = pytest.mark.django_db

STEP = step_of_kind("nodes")


@pytest.fixture
def room(user: User) -> Classroom:
    return open_room(user)


@pytest.mark.parametrize("method", ["get", "post"])
def test_participant_is_a_stranger_everywhere_else(room: Classroom, method: str) -> None:
    client = seated(room)

    for route in CLOSED:
        if route.startswith("seat/"):
            continue
        response = getattr(client, method)(f"/{route}")
        if response.status_code == 302:
            assert response["Location"].startswith("/sign-in/?next="), route
        else:
            # What programs ask, and addresses that only take what this is not.
            assert response.status_code in ({401} if route.startswith("api/") else {401, 405}), route


@pytest.mark.parametrize("path", ["/seat/", "/seat/filter-and-score/", "/seat/_leave/", "/seat/filter-and-score/x/"])
def test_seat_is_for_participants_alone(signed_in_client: Client, client: Client, path: str) -> None:
    for each in (signed_in_client, client):
        response = each.get(path)

        assert response.status_code == 302
        assert response["Location"] == "/join/"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("עדה לאבלייס", "עדה לאבלייס"),
        ("\U0001f469\u200d\U0001f4bb Ada", "\U0001f469\u200d\U0001f4bb Ada"),
        ("علی\u200cرضا", "علی\u200cرضا"),
        ("Jose\u0301", "José"),
        ("\u0958" * 40, "\u0958" * 40),
        ("W" * 40, "W" * 40),
    ],
)
def test_names_of_every_writing_are_kept(client: Client, room: Classroom, written: str, kept: str) -> None:
    assert client.post("/join/", {"code": room.code, "name": written}).status_code == 302
    assert Participant.objects.get().name == kept
    assert f"<bdi>{kept}</bdi>" in client.get("/seat/", follow=True).text


def test_code_and_name_give_a_seat(client: Client, room: Classroom) -> None:
    response = client.post("/join/", {"code": shown(room.code).lower(), "name": "  Ada \t Lovelace "})

    assert response["Location"] == "/seat/"
    cookie = response.cookies[participants.COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert [each.name for each in room.participants.all()] == ["Ada Lovelace"]
    assert cookie.value not in str(Participant.objects.values())
    assert client.get("/seat/")["Location"] == f"/seat/{room.lesson}/{room.step}/"


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"code": "nonsense!", "name": "Ada"}, 400, "eight letters and digits"),
        ({"code": "2345-6789", "name": "Ada"}, 404, "No classroom has this code"),
        ({"name": ""}, 400, "required"),
        ({"name": "a\x07b"}, 400, "cannot be shown"),
        ({"name": "Ada\u202e"}, 400, "cannot be shown"),
        ({"name": "\u200d\u200c"}, 400, "cannot be shown"),
        ({"name": "x" * 41}, 400, "at most 40 characters"),
        ({"name": "GRACE"}, 409, "has this name"),
    ],
)
def test_who_cannot_join_is_told_why(
    client: Client, room: Classroom, fields: dict[str, str], status: int, said: str
) -> None:
    seats.join(room, "Grace")

    response = client.post("/join/", {"code": room.code, "name": "Ada", **fields})

    assert response.status_code == status
    assert said in response.text
    assert room.participants.count() == 1


def test_code_that_is_over_is_like_one_that_never_was(client: Client, user: User, room: Classroom) -> None:
    closed, expired = open_room(user), open_room(user)
    leading.set_closed(closed, is_closed=True)
    Classroom.objects.filter(pk=expired.pk).update(expires_at=timezone.now())

    answers = {
        client.post("/join/", {"code": code, "name": "Ada"}).text.replace(shown(code), "").replace(code, "")
        for code in (closed.code, expired.code, "23456789")
    }

    texts = {text.partition("form-problem")[2] for text in answers}
    assert len(texts) == 1
    assert Participant.objects.count() == 0


def test_full_classroom_takes_nobody_else(client: Client, room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "MOST_PARTICIPANTS", 1)
    seats.join(room, "Grace")

    assert "The classroom is full" in client.post("/join/", {"code": room.code, "name": "Ada"}).text


def test_codes_cannot_be_tried_without_end(client: Client, room: Classroom) -> None:
    answers = [client.post("/join/", {"code": new_code(), "name": "Ada"}).status_code for _ in range(121)]

    assert answers[:120] == [404] * 120
    assert answers[120] == 429
    assert client.post("/join/", {"code": room.code, "name": "Ada"}).status_code == 429
    assert client.get("/join/").status_code == 200


def test_who_joins_is_not_counted_among_those_who_guess(client: Client, user: User, room: Classroom) -> None:
    other = open_room(user)
    joined = [
        client.post("/join/", {"code": each.code, "name": f"Participant {number}"}).status_code
        for number in range(75)
        for each in (room, other)
    ]

    assert joined == [302] * 150


def test_who_leaves_takes_all_answers_along(room: Classroom) -> None:
    leading.set_pace(room, Classroom.Pace.FREE)
    client = seated(room)
    client.post(f"/seat/{room.lesson}/{STEP.name}/", posted(STEP, solution(STEP)))
    assert LessonProgress.objects.count() == 1

    response = client.post("/seat/_leave/")

    assert response["Location"] == "/join/"
    assert not response.cookies[participants.COOKIE].value
    assert not LessonProgress.objects.exists()
    assert client.get("/seat/")["Location"] == "/join/"


def test_only_the_classrooms_lessons_are_played(room: Classroom) -> None:
    leading.set_pace(room, Classroom.Pace.FREE)
    client = seated(room)

    page = client.get("/seat/").text
    assert 'href="/seat/taints/"' in page
    assert "/lessons/" not in page
    assert client.get("/seat/quotas/").status_code == 404
    for rest in ("", "experiment/", "decision/scores/"):
        assert client.get(f"/seat/quotas/limit/{rest}").status_code == 404


def test_everybody_has_their_own_progress(room: Classroom, signed_in_client: Client) -> None:
    leading.set_pace(room, Classroom.Pace.FREE)
    one, other = seated(room, "Ada"), seated(room, "Grace")
    path = f"/seat/{room.lesson}/{STEP.name}/"

    one.post(path, posted(STEP, solution(STEP)))

    assert "lesson-result is-right" in one.get(path).text
    assert "lesson-result" not in other.get(path).text
    assert "lesson-result" not in signed_in_client.get(f"/lessons/{room.lesson}/{STEP.name}/").text


def test_led_class_is_where_the_trainer_is(room: Classroom) -> None:
    client = seated(room)
    leading.lead_to(room, room.lesson, STEP.name)
    path = f"/seat/{room.lesson}/{STEP.name}/"

    assert client.get("/seat/taints/match/")["Location"] == path
    client.post(path, posted(STEP, []))
    page = client.get(path).text
    assert "Your answer is taken." in page
    assert "<summary>Words of this step: " in page
    assert "Not yet." not in page
    assert "Your answer is taken." in client.post(path, {"act": "hint"}).text
    for act in ("reveal", "again"):
        client.post(path, {"act": act})
    assert LessonProgress.objects.get().tries == 1
    assert client.get(f"{path}decision/scores/").status_code == 404

    leading.reveal(room)

    page = client.get(path).text
    assert "Not right." in page
    assert "What your answer leaves out" in page
    assert "map-ring-missed" in page
    client.post(path, posted(STEP, solution(STEP)))
    assert LessonProgress.objects.get().tries == 1
