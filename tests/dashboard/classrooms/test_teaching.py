"""Those who teach: which pages are theirs, how a classroom is opened, changed and removed."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone

from clusters.services.lessons.library import learning_paths
from dashboard.access import participants
from dashboard.access.links import make_link
from dashboard.access.rights import rights_of
from dashboard.classrooms import leading, seats
from dashboard.models import Classroom, Participant
from tests.dashboard.classrooms.rooms import open_room
from tests.dashboard.lessons.every_kind import NAME, archive
from tests.dashboard.lessons.kept import keep_lesson

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

OF_ONE = ("", "live/", "lead/", "projector/", "projector/live/", "summary/", "results.csv", "change/", "remove/")
BY_POST = {"lead/", "change/"}
FORM = {"act": "open", "title": "Tuesday", "language": "uk", "pace": "led", "hours": "8", "answer": ["taints"]}


@pytest.fixture
def trainer(user: User) -> User:
    user.user_permissions.add(Permission.objects.get(codename="teach"))
    return user


@pytest.fixture
def room(trainer: User) -> Classroom:
    return open_room(trainer)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def asked(client: Client, rest: str, pk: int) -> int:
    method = client.post if rest in BY_POST else client.get
    return int(method(f"/classrooms/{pk}/{rest}").status_code)


def test_who_may_not_teach_is_refused_everywhere(room: Classroom) -> None:
    client = signed_in(User.objects.create_user("learner"))

    assert {asked(client, rest, room.pk) for rest in OF_ONE} == {403}
    assert {client.get(f"/classrooms/{rest}").status_code for rest in ("", "new/")} == {403}
    assert client.post("/classrooms/new/", FORM).status_code == 403
    for path in ("/lessons/", "/clusters/"):
        assert "/classrooms/" not in client.get(path).text


def test_classrooms_of_others_are_not_there(room: Classroom) -> None:
    client = signed_in(User.objects.create_user("other", is_staff=True))

    assert {asked(client, rest, room.pk) for rest in OF_ONE} == {404}
    assert "Tuesday" not in client.get("/classrooms/").text
    client.post(f"/classrooms/{room.pk}/remove/")
    assert Classroom.objects.filter(pk=room.pk).exists()


def test_an_expired_classroom_is_not_there(room: Classroom, trainer: User) -> None:
    Classroom.objects.update(expires_at=timezone.now())
    client = signed_in(trainer)

    assert {asked(client, rest, room.pk) for rest in OF_ONE} == {404}
    assert "No classroom yet" in client.get("/classrooms/").text


def test_teach_this_opens_in_one_more_click(trainer: User) -> None:
    client = signed_in(trainer)
    path = learning_paths()[0]

    page = client.get(f"/classrooms/new/?path={path.name}")
    form, ask = page.context["form"], page.context["ask"]
    chosen = [each.value for each in ask.ordered]
    response = client.post("/classrooms/new/", {**form.initial, "act": "open", "answer": chosen})

    opened = Classroom.objects.get()
    assert response["Location"] == f"/classrooms/{opened.pk}/"
    assert opened.lessons == list(path.lessons)
    assert (opened.title, opened.pace) == ("For beginners", "led")
    assert abs(opened.expires_at - timezone.now() - timedelta(hours=24)) < timedelta(minutes=1)


def test_lessons_of_all_sources_are_put_in_order(trainer: User) -> None:
    keep_lesson(NAME, archive)
    client, chosen = signed_in(trainer), ["taints"]
    for act in (f"move:in:{NAME}", "move:in:quotas", f"move:up:{NAME}", "move:out:taints", "move:in:no-such-lesson"):
        page = client.post("/classrooms/new/", {**FORM, "title": "Kept", "act": act, "answer": chosen})
        chosen = [each.value for each in page.context["ask"].ordered]
        assert 'value="Kept"' in page.text

    assert chosen == [NAME, "quotas"]
    client.post("/classrooms/new/", {**FORM, "answer": chosen})
    opened = Classroom.objects.get()
    assert (opened.lessons, opened.lesson, opened.step) == ([NAME, "quotas"], NAME, "node")
    assert (opened.title, opened.language) == ("Tuesday", "uk")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"answer": []}, "Add at least one lesson."),
        ({"answer": ["no-such-lesson"]}, "Add at least one lesson."),
        ({"title": " "}, "Give the classroom a title"),
        ({"title": "x" * 101}, "at most 100 characters"),
        ({"language": "tlh"}, "Select a valid choice"),
        ({"pace": "fast"}, "Select a valid choice"),
        ({"hours": "0"}, "Write a whole number from 1 to 336 hours."),
        ({"hours": "337"}, "Write a whole number from 1 to 336 hours."),
        ({"hours": "soon"}, "Write a whole number from 1 to 336 hours."),
    ],
)
def test_what_is_wrong_with_a_new_classroom_is_said(trainer: User, fields: dict[str, object], said: str) -> None:
    response = signed_in(trainer).post("/classrooms/new/", {**FORM, **fields})

    assert response.status_code == 400
    assert said in response.text
    assert not Classroom.objects.exists()


def test_too_many_classrooms_are_refused(trainer: User, room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leading, "MOST_CLASSROOMS", 1)

    response = signed_in(trainer).post("/classrooms/new/", FORM)

    assert response.status_code == 409
    assert "Remove one first." in response.text


def test_unknown_acts_are_refused(trainer: User, room: Classroom) -> None:
    client = signed_in(trainer)

    assert client.post("/classrooms/new/", {**FORM, "act": "sing"}).status_code == 400
    for act in ("", "sing", "pace:fast"):
        assert client.post(f"/classrooms/{room.pk}/change/", {"act": act}).status_code == 400
    for act in ("", "sing", "step:taints:no-such-step", "step:quotas:limit"):
        assert client.post(f"/classrooms/{room.pk}/lead/", {"act": act}).status_code == 400


def test_a_classroom_is_changed(trainer: User, room: Classroom) -> None:
    client, path = signed_in(trainer), f"/classrooms/{room.pk}/"
    for act, field, value in (
        ("pace:free", "pace", "free"),
        ("pace:led", "pace", "led"),
        ("close", "is_closed", True),
        ("reopen", "is_closed", False),
    ):
        assert client.post(f"{path}change/", {"act": act})["Location"] == path
        room.refresh_from_db()
        assert getattr(room, field) == value


def test_the_end_can_be_put_off_but_not_for_ever(trainer: User, room: Classroom) -> None:
    client, path = signed_in(trainer), f"/classrooms/{room.pk}/change/"

    client.post(path, {"act": "keep", "hours": "48"})
    room.refresh_from_db()
    assert abs(room.expires_at - timezone.now() - timedelta(hours=48)) < timedelta(minutes=1)

    Classroom.objects.update(opened_at=timezone.now() - timedelta(hours=330))
    client.post(path, {"act": "keep", "hours": "48"})
    room.refresh_from_db()
    assert room.expires_at == room.latest_end

    page = client.post(path, {"act": "keep", "hours": "many"}, follow=True).text
    assert "Write a whole number from 1 to 336 hours." in page


def test_a_token_lasts_as_long_as_the_end_can_be_put_off(client: Client, room: Classroom) -> None:
    cookie = client.post("/join/", {"code": room.code, "name": "Ada"}).cookies[participants.COOKIE]
    assert abs(cookie["max-age"] - 336 * 3600) < 60


def test_a_classroom_is_removed_when_it_is_confirmed(trainer: User, room: Classroom) -> None:
    client, path = signed_in(trainer), f"/classrooms/{room.pk}/remove/"
    seats.join(room, "Ada")

    assert "(1 participant)" in client.get(path).text
    assert Classroom.objects.exists()

    assert "“Tuesday” is removed" in client.post(path, follow=True).text
    assert not Classroom.objects.exists()
    assert not Participant.objects.exists()


def test_the_list_costs_the_same_for_one_and_for_many(
    trainer: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(5):
        seats.join(open_room(trainer), f"Ada {number}")
    client = signed_in(trainer)

    with django_assert_max_num_queries(6):
        client.get("/classrooms/")


def test_a_link_lets_somebody_teach() -> None:
    make_link(username="grace", base_url="http://x", create=True)
    assert not rights_of(User.objects.get(username="grace")).teaches

    make_link(username="grace", base_url="http://x", create=False, teach=True)
    make_link(username="operator", base_url="http://x", create=True)

    assert rights_of(User.objects.get(username="grace")).teaches
    assert rights_of(User.objects.get(username="operator")).teaches
