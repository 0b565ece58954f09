"""The frame of participants' pages: it is theirs on every page below their seat, also where something is refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.test import Client

from dashboard.access import participants
from dashboard.classrooms import leading, seats
from dashboard.classrooms.seats import shown
from dashboard.models import Classroom
from tests.dashboard.classrooms.rooms import open_room, seated

if TYPE_CHECKING:
    from django.contrib.auth.models import User

pytestmark = pytest.mark.django_db

# What only users have: their navigation, palette and search, how they sign in and out, and the scripts of these.
FOR_USERS = ("data-palette", "/sign-out/", "/sign-in/", "/clusters/", "/account/", "/help/", 'href="/"')
FOR_USERS_SCRIPTS = ("palette", "help", "rows", "times", "copy", "search", "live")


@pytest.fixture
def room(user: User) -> Classroom:
    return open_room(user, title="<b>Tuesday</b>", pace=Classroom.Pace.FREE)


def is_framed(page: str) -> bool:
    """Tell whether a page has the frame of participants and leads nowhere else."""
    scripts = re.findall(r"js/([a-z-]+)(?:\.[0-9a-f]+)?\.js", page)
    return (
        "seat-header" in page
        and "&lt;b&gt;Tuesday&lt;/b&gt;" in page
        and "&lt;i&gt;Ada&lt;/i&gt;" in page
        and 'href="/seat/' in page
        and "<b>" not in page
        and not any(each in page for each in FOR_USERS)
        and not set(scripts).intersection(FOR_USERS_SCRIPTS)
    )


def test_every_page_of_a_seat_has_the_frame_of_participants(room: Classroom, signed_in_client: Client) -> None:
    step = f"/seat/{room.lesson}/{room.step}/"
    # Who is signed in as well gets the same page.
    signed_in_client.cookies[participants.COOKIE] = seats.join(room, "<i>Ada</i>")

    for path, status in {
        "/seat/": 200,
        step: 200,
        f"{step}experiment/": 200,
        "/seat/_leave/": 200,
        "/seat/quotas/": 404,
        f"{step}decision/scores/": 404,
        "/seat/no/such/address/at/all/": 404,
    }.items():
        response = signed_in_client.get(path)
        assert response.status_code == status, path
        assert is_framed(response.text), path


def test_what_is_refused_keeps_the_frame(room: Classroom, settings: pytest.FixtureRequest) -> None:
    client = seated(room, "<i>Ada</i>")
    strict = Client(enforce_csrf_checks=True)
    strict.cookies[participants.COOKIE] = client.cookies[participants.COOKIE].value

    forged = strict.post(f"/seat/{room.lesson}/{room.step}/", {"act": "hint"})
    settings.BERTH_COMPUTING_SECONDS = -1  # type: ignore[attr-defined]
    slower = client.get("/seat/")

    assert (forged.status_code, slower.status_code) == (403, 429)
    assert is_framed(forged.text)
    assert is_framed(slower.text)


def test_a_failure_leads_back_to_the_seat(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the shelf is broken")

    client = seated(room)
    client.raise_request_exception = False
    monkeypatch.setattr("dashboard.classrooms.seat_views.progress.of_lessons", fail)

    response = client.get("/seat/")

    assert response.status_code == 500
    assert 'href="/seat/"' in response.text
    assert 'href="/"' not in response.text


def test_a_classroom_speaks_its_own_language_to_who_has_not_chosen_one(user: User) -> None:
    room = open_room(user, language="id")
    new, chosen, asking, other = Client(), Client(), Client(), Client()
    chosen.cookies[settings.LANGUAGE_COOKIE_NAME] = "uk"

    for client, name in ((new, "Ada"), (chosen, "Grace")):
        client.post("/join/", {"code": room.code, "name": name})

    # A browser that asks for a language keeps it; one that asks for another hears the class.
    for client, name, asked in ((asking, "Ida", "uk-UA,uk;q=0.9"), (other, "Lin", "fr")):
        client.post("/join/", {"code": room.code, "name": name}, headers={"Accept-Language": asked})

    assert new.cookies[settings.LANGUAGE_COOKIE_NAME].value == "id"
    assert settings.LANGUAGE_COOKIE_NAME not in asking.cookies
    assert other.cookies[settings.LANGUAGE_COOKIE_NAME].value == "id"
    assert chosen.cookies[settings.LANGUAGE_COOKIE_NAME].value == "uk"


def test_who_has_a_seat_is_told_so_where_one_joins(room: Classroom) -> None:
    client = seated(room, "<i>Ada</i>")

    free = client.get(f"/join/{shown(room.code)}/").text
    step = f"/seat/{room.lesson}/{room.step}/"
    client.get(step)
    back = client.get("/join/").text
    leading.set_pace(room, Classroom.Pace.LED)
    leading.lead_to(room, "taints", "match")
    led = client.get("/join/").text

    for page, address in ((free, "/seat/"), (back, step), (led, "/seat/taints/match/")):
        assert "&lt;i&gt;Ada&lt;/i&gt;" in page
        assert f'href="{address}"' in page
        assert 'href="/seat/_leave/"' in page


def test_a_tab_that_is_opened_again_is_where_it_was(room: Classroom) -> None:
    client = seated(room)
    opened = {"Sec-Fetch-Site": "none"}

    assert client.get("/seat/", headers=opened).status_code == 200
    client.get("/seat/taints/match/")
    assert client.get("/seat/", headers=opened)["Location"] == "/seat/taints/match/"
    # Who comes from a page of Berth wants to see the lessons, and is offered the same.
    page = client.get("/seat/", headers={"Sec-Fetch-Site": "same-origin"})
    assert page.status_code == 200
    assert 'href="/seat/taints/match/"' in page.text


def test_who_chooses_a_language_before_joining_keeps_it_and_what_is_filled_in(user: User) -> None:
    room, client = open_room(user, language="id"), Client()
    # Before any choice the page speaks the browser's.
    assert '<html lang="uk"' in client.get("/join/", headers={"Accept-Language": "uk"}).text

    page = client.post("/join/", {"code": room.code, "name": "Ada & <i>", "language": "uk"})

    assert (page.status_code, '<html lang="uk"' in page.text) == (200, True)
    assert f'value="{room.code}"' in page.text
    assert 'value="Ada &amp; &lt;i&gt;"' in page.text
    assert "form-problem" not in page.text
    assert not room.participants.exists()
    assert client.post("/join/", {"language": "tlh"}).status_code == 400
    client.post("/join/", {"code": room.code, "name": "Ada"})
    assert '<html lang="uk"' in client.get("/seat/", follow=True).text
