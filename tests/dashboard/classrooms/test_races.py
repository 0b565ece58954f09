"""What happens at once: answers and the reveal, two pages of one trainer, and a classroom that ends meanwhile."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from dashboard.access import participants
from dashboard.classrooms import leading, seats
from dashboard.lessons import presence, progress, views
from dashboard.lessons.learners import Learner
from dashboard.models import Classroom, LessonProgress, Participant
from tests.dashboard.classrooms.rooms import open_room, seated
from tests.dashboard.lessons.learners import posted, solution, step_of_kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.contrib.auth.models import User
    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

STEP = step_of_kind("nodes")
HERE = f"/seat/filter-and-score/{STEP.name}/"


@pytest.fixture
def room(user: User) -> Classroom:
    found = open_room(user)
    leading.lead_to(found, found.lesson, STEP.name)
    return found


def meanwhile(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, happens: Callable[[], object]) -> None:
    """Have something happen just before a function runs, once."""
    real = getattr(module, name)

    def called(*arguments: Any, **named: Any) -> Any:
        monkeypatch.setattr(module, name, real)
        happens()
        return real(*arguments, **named)

    monkeypatch.setattr(module, name, called)


def stored() -> list[Any]:
    return list(LessonProgress.objects.filter(tries__gt=0).values_list("answer", flat=True))


@pytest.mark.parametrize("happens", ["reveal", "next"])
def test_no_answer_is_taken_once_the_trainer_went_on(
    room: Classroom, monkeypatch: pytest.MonkeyPatch, happens: str
) -> None:
    client = seated(room)
    client.post(HERE, posted(STEP, ["worker-1"]))
    other = Classroom.objects.get()
    act = (
        (lambda: leading.reveal(other)) if happens == "reveal" else (lambda: leading.lead_to(other, "taints", "match"))
    )
    meanwhile(monkeypatch, views, "judged", act)

    assert client.post(HERE, posted(STEP, solution(STEP)))["Location"].startswith(HERE)
    assert stored() == [["worker-1"]]


@pytest.mark.parametrize("act", ["answer", "reveal", "again", "hint"])
def test_who_is_gone_meanwhile_leaves_nothing_and_is_told(
    room: Classroom, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    leading.set_pace(room, Classroom.Pace.FREE)
    client = seated(room)
    client.get(HERE)
    meanwhile(monkeypatch, presence, "at_step", lambda: leading.remove(room))

    response = client.post(HERE, {**posted(STEP, ["worker-1"]), "act": act})

    assert response.status_code == (200 if act == "hint" else 302)
    assert not LessonProgress.objects.exists()
    assert client.get(HERE)["Location"] == "/join/"
    assert "has ended" in client.get("/join/").text


def test_who_is_gone_is_at_no_step(room: Classroom) -> None:
    seats.join(room, "Ada")
    participant = Participant.objects.get()
    seats.leave(Participant.objects.get())

    presence.at_step(participant, {"lesson": "taints", "step": "match"})
    participant.seen_at -= timedelta(minutes=1)
    presence.seen(participant)
    seats.leave(participant)
    progress.experimented(Learner(participant=participant), "taints", "match", [("", "")])

    assert not Participant.objects.exists()
    assert not LessonProgress.objects.exists()


def test_the_answer_of_another_step_is_not_shown(room: Classroom) -> None:
    one, other = Classroom.objects.get(), Classroom.objects.get()

    leading.lead_to(other, "taints", "match")
    leading.reveal(one)

    room.refresh_from_db()
    assert (room.place, room.is_revealed) == ({"lesson": "taints", "step": "match"}, False)
    assert room.turn == other.turn


def test_what_another_page_removed_stays_so(room: Classroom) -> None:
    other = Classroom.objects.get()
    leading.remove(room)

    leading.lead_to(other, "taints", "match")
    leading.reveal(other)
    leading.set_pace(other, Classroom.Pace.FREE)
    leading.set_closed(other, is_closed=True)
    leading.end_at(other, timezone.now() + timedelta(hours=1))
    leading.remove(other)

    assert not Classroom.objects.exists()


def test_a_classroom_whose_end_is_put_off_is_not_removed(room: Classroom) -> None:
    seats.join(room, "Ada")
    leading.remove_expired(now=room.expires_at - timedelta(seconds=1))
    assert Participant.objects.exists()

    leading.remove_expired(now=room.expires_at)

    assert not Classroom.objects.exists()
    assert not Participant.objects.exists()


@pytest.mark.parametrize("happens", ["closed", "removed", "ended"])
def test_nobody_joins_what_is_closed_meanwhile(
    client: Client, room: Classroom, monkeypatch: pytest.MonkeyPatch, happens: str
) -> None:
    acts = {
        "closed": lambda: leading.set_closed(room, is_closed=True),
        "removed": lambda: leading.remove(room),
        "ended": lambda: leading.end_at(room, timezone.now()),
    }
    meanwhile(monkeypatch, seats, "join", acts[happens])

    response = client.post("/join/", {"code": room.code, "name": "Ada"})

    assert response.status_code == 404
    assert "No classroom has this code." in response.text
    assert not Participant.objects.exists()
    assert participants.COOKIE not in response.cookies


def test_who_presses_the_button_twice_is_in_once(client: Client, room: Classroom) -> None:
    fields = {"code": room.code, "name": "Ada"}

    for name in ("Ada", "ada"):
        assert client.post("/join/", {**fields, "name": name})["Location"] == "/seat/"

    assert [each.name for each in Participant.objects.all()] == ["Ada"]
    # Another browser is somebody else, and so is another name.
    assert type(client)().post("/join/", fields).status_code == 409
    assert client.post("/join/", {**fields, "name": "Grace"})["Location"] == "/seat/"
    assert Participant.objects.count() == 2
