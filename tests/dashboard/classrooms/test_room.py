"""The trainer's page and the projector: leading, who is where, and that nothing tells the answer before the reveal."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client, override_settings
from django.utils import timezone

from clusters.services.lessons.library import built_in_lessons
from dashboard.classrooms import leading, seats
from dashboard.classrooms.rooms import projector_html, room_html
from dashboard.classrooms.seats import shown
from dashboard.lessons import progress
from dashboard.lessons.learners import Learner
from dashboard.lessons.presence import PRESENT
from dashboard.models import Classroom, Participant
from tests.dashboard.classrooms.rooms import open_room
from tests.dashboard.lessons.every_kind import NAME, QUESTIONS, archive
from tests.dashboard.lessons.kept import keep_lesson
from tests.dashboard.lessons.learners import solution, step_of_kind
from tests.dashboard.lessons.test_kinds import RIGHT, TOLERATION, WRONG, changed_pod

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries


pytestmark = pytest.mark.django_db

STEP = step_of_kind("nodes")
ORIGIN = "http://testserver"


@pytest.fixture
def trainer(user: User) -> User:
    user.user_permissions.add(Permission.objects.get(codename="teach"))
    return user


@pytest.fixture
def room(trainer: User) -> Classroom:
    found = open_room(trainer)
    leading.lead_to(found, found.lesson, STEP.name)
    return found


@pytest.fixture
def client(trainer: User) -> Client:
    found = Client()
    found.force_login(trainer)
    return found


def answered(room: Classroom, name: str, answer: Any, *, is_right: bool = False) -> Participant:
    """Have somebody join and answer the present step."""
    seats.join(room, name)
    participant = room.participants.get(name=name)
    assert progress.answered(Learner(participant=participant), room.lesson, room.step, answer, is_right=is_right)
    Participant.objects.filter(pk=participant.pk).update(lesson=room.lesson, step=room.step)
    return participant


def lead(client: Client, room: Classroom, act: str) -> Classroom:
    assert client.post(f"/classrooms/{room.pk}/lead/", {"act": act})["Location"] == f"/classrooms/{room.pk}/"
    room.refresh_from_db()
    return room


def test_the_trainer_leads_through_all_steps(client: Client, room: Classroom) -> None:
    steps = [(name, step.name) for name in room.lessons for step in built_in_lessons()[name].steps]
    leading.lead_to(room, *steps[0])

    assert "Previous step" not in client.get(f"/classrooms/{room.pk}/").text
    for lesson, step in steps[1:]:
        page = client.get(f"/classrooms/{room.pk}/")
        assert page.context["following"].act == f"step:{lesson}:{step}"
        lead(client, room, page.context["following"].act)
        assert room.place == {"lesson": lesson, "step": step}
    page = client.get(f"/classrooms/{room.pk}/")
    assert page.context["following"] is None
    assert page.context["previous"].act == "step:{}:{}".format(*steps[-2])


def test_the_answer_is_shown_for_the_step_of_the_button_alone(client: Client, room: Classroom) -> None:
    assert not lead(client, room, "reveal:taints:match").is_revealed
    assert lead(client, room, f"reveal:{room.lesson}:{room.step}").is_revealed
    assert not lead(client, room, f"step:{room.lesson}:{room.step}").is_revealed


def test_code_and_link_are_shown_while_others_may_join(client: Client, room: Classroom) -> None:
    page, projected = client.get(f"/classrooms/{room.pk}/").text, client.get(f"/classrooms/{room.pk}/projector/").text
    for text in (page, projected):
        assert shown(room.code) in text
    assert f'href="{ORIGIN}/join/{room.code}/"' in page
    assert '<svg viewBox="0 0 35 35" class="qr">' in page

    leading.set_closed(room, is_closed=True)

    for rest in ("", "projector/"):
        assert shown(room.code) not in client.get(f"/classrooms/{room.pk}/{rest}").text


def test_the_link_has_the_address_that_people_open(client: Client, room: Classroom) -> None:
    assert "Only this machine" not in client.get(f"/classrooms/{room.pk}/").text
    assert "Only this machine reaches this address:" in room_html(room, "http://127.0.0.1:8000")

    with override_settings(BERTH_BASE_URL="https://berth.example.org"):
        page = client.get(f"/classrooms/{room.pk}/").text

    assert f"https://berth.example.org/join/{room.code}/" in page


def test_before_the_reveal_the_answer_is_folded_and_the_projector_has_none(client: Client, room: Classroom) -> None:
    answered(room, "Ada", solution(STEP), is_right=True)
    answered(room, "Grace", ["worker-1"])
    # What the step's explanation says, and nothing before it.
    learnt = "A node must pass every filter"

    open_part, _, folded = client.get(f"/classrooms/{room.pk}/live/").text.partition(
        '<details class="classroom-solution"'
    )
    projected = client.get(f"/classrooms/{room.pk}/projector/live/").text
    assert "1 of 2 answers is right" not in open_part
    assert "1 of 2 answers are right." in folded
    for part in (open_part, projected):
        assert "map-ring-right" not in part
        assert "are right" not in part
        assert "Most frequent wrong answer" not in part
        assert learnt not in part
    assert "2 of 2 participants have answered" in projected

    leading.reveal(room)

    room_part, projected = (client.get(f"/classrooms/{room.pk}/{rest}live/").text for rest in ("", "projector/"))
    for part in (room_part, projected):
        assert "classroom-solution" not in part
        assert "map-ring-right" in part
        assert "1 of 2 answers are right." in part
        assert learnt in part


@pytest.mark.parametrize("name", QUESTIONS)
def test_of_no_question_the_pages_tell_before_the_reveal_what_is_right(room: Classroom, name: str) -> None:
    keep_lesson(NAME, archive)
    Classroom.objects.filter(pk=room.pk).update(lessons=[NAME])
    room.refresh_from_db()
    leading.lead_to(room, NAME, name)
    answers = {**WRONG, "manifest": changed_pod()}, {**RIGHT, "manifest": changed_pod(tolerations=[TOLERATION])}
    for number, given in enumerate(answers):
        answered(room, f"Ada {number}", given[name], is_right=bool(number))
    marks = ("is-right", "map-ring-right")

    page, projected = room_html(room, ORIGIN), projector_html(room, ORIGIN)

    before, _, rest = page.partition('<details class="classroom-solution"')
    after = rest.partition("</details>")[2]
    assert "answer-bars" in before
    assert ("answer-cell" in before) == (name in {"rejections", "order", "queue"})
    assert ('id="heat' in page) == (name in {"node", "nodes", "rejections", "pods"})
    assert [mark for mark in marks for part in (before, after) if mark in part] == []
    assert [mark for mark in (*marks, "answer-bars", "answer-cell", 'id="heat') if mark in projected] == []

    leading.reveal(room)

    for part in (room_html(room, ORIGIN), projector_html(room, ORIGIN)):
        assert "answer-bars" in part
        assert any(mark in part for mark in marks)


def test_the_projector_names_nobody_and_names_are_escaped(room: Classroom) -> None:
    answered(room, "<script>x</script>", ["worker-1"])

    assert "&lt;script&gt;x&lt;/script&gt;" in room_html(room, ORIGIN)
    assert "<script>x" not in room_html(room, ORIGIN)
    assert "script&gt;x" not in projector_html(room, ORIGIN)


def test_the_projector_speaks_the_classrooms_language(client: Client, trainer: User) -> None:
    room = open_room(trainer, language="uk")

    page = client.get(f"/classrooms/{room.pk}/projector/")

    assert '<html lang="uk"' in page.text
    assert built_in_lessons()[room.lesson].texts["uk"].title in page.text
    assert '<html lang="en-gb"' in client.get(f"/classrooms/{room.pk}/").text


def test_who_is_where_and_how_far(client: Client, room: Classroom) -> None:
    answered(room, "Ada", solution(STEP), is_right=True)
    answered(room, "Grace", ["worker-1"])
    away = answered(room, "Alan", [])
    Participant.objects.filter(pk=away.pk).update(seen_at=timezone.now() - PRESENT - timedelta(seconds=1))
    seats.join(room, "Edsger")

    def rows() -> list[tuple[str, bool, int, str]]:
        found = client.get(f"/classrooms/{room.pk}/").context["rows"]
        return [(each.name, each.is_connected, each.tries, each.state) for each in found]

    assert rows() == [
        ("Ada", True, 1, "answered"),
        ("Grace", True, 1, "answered"),
        ("Alan", False, 1, "answered"),
        ("Edsger", True, 0, "not answered"),
    ]
    leading.reveal(room)
    assert [state for *_, state in rows()] == ["right", "not right", "not right", "not answered"]
    page = client.get(f"/classrooms/{room.pk}/").text
    assert "3 of 4 participants connected" in page
    assert "not begun" in page


def test_a_class_whose_lesson_is_gone_can_be_led_on(client: Client, room: Classroom) -> None:
    Classroom.objects.update(lesson="no-such-lesson", lessons=["no-such-lesson", "taints"])

    page = client.get(f"/classrooms/{room.pk}/")

    assert "This step is gone" in page.text
    assert page.context["following"].act == "step:taints:match"
    assert client.get(f"/classrooms/{room.pk}/projector/").status_code == 200


@pytest.mark.parametrize("pace", [Classroom.Pace.LED, Classroom.Pace.FREE])
def test_sixty_participants_cost_as_many_queries_as_one(
    room: Classroom, pace: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    leading.set_pace(room, pace)
    for number in range(60):
        answered(room, f"Ada {number}", [f"worker-{1 + number % 6}"])

    with django_assert_max_num_queries(3):
        room_html(room, ORIGIN)
    with django_assert_max_num_queries(2):
        projector_html(room, ORIGIN)
