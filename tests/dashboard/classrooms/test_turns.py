"""What participants are shown of each turn of a led class: one rendering for all, and in it what each answered."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import translation

from clusters.engine.lessons.situation import build_situation
from clusters.services.lessons.library import built_in_lessons
from dashboard.classrooms import leading
from dashboard.classrooms.turns import Reader, coming, messages, prepare
from dashboard.lessons import class_steps
from dashboard.lessons.shelves import find_lesson
from dashboard.models import Classroom, Participant
from tests.dashboard.classrooms.rooms import open_room, seated
from tests.dashboard.lessons.every_kind import NAME, archive
from tests.dashboard.lessons.kept import keep_lesson
from tests.dashboard.lessons.learners import posted, solution, step_of_kind

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from pytest_django import DjangoAssertNumQueries

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

STEP = step_of_kind("nodes")
RIGHT = solution(STEP)


@pytest.fixture
def room(user: User) -> Classroom:
    return open_room(user)


def told(room: Classroom, *names: str, language: str = "en-gb", has_step: bool = True) -> list[dict[str, Any]]:
    """Return what these participants are sent of the present turn."""
    room.refresh_from_db()
    keys = dict(room.participants.values_list("name", "pk"))
    return [json.loads(text) for text in messages(room, [Reader(keys[name], language, has_step) for name in names])]


def plain(html: str) -> str:
    """Return HTML without the token of its forms and without what lies between tags."""
    return re.sub(r"\s+", " ", re.sub(r'<input type="hidden" name="csrfmiddlewaretoken"[^>]*>', "", html)).strip()


def step_on(page: str) -> str:
    """Return the step of a page, as it stands there."""
    inside = page.partition('<div class="stack" id="class-step"')[2].partition(">")[2]
    return inside.partition("</main>")[0].rstrip().removesuffix("</div>").rstrip().removesuffix("</div>")


def test_what_is_sent_is_what_the_page_shows_for_every_kind_of_question(user: User) -> None:
    keep_lesson(NAME, archive)
    lesson = find_lesson(NAME)
    assert lesson
    room = open_room(user)
    Classroom.objects.update(lessons=[lesson.name])
    client = seated(room, "Ada")
    for step in lesson.steps:
        leading.lead_to(room, lesson.name, step.name)
        path = f"/seat/{lesson.name}/{step.name}/"
        for answer in (None, solution(step) if step.question.kind != "manifest" else None):
            if answer is not None:
                client.post(path, posted(step, answer))
            for is_revealed in (False, True):
                Classroom.objects.update(is_revealed=is_revealed)
                (message,) = told(room, "Ada")
                assert plain(message["html"]) == plain(step_on(client.get(path).text)), (step.name, is_revealed)
                assert message["shows"] == f"{lesson.name}/{step.name}/{is_revealed:d}"
                assert message["address"] == path
            Classroom.objects.update(is_revealed=False)


def test_each_is_sent_their_own_answer_and_nobody_elses(room: Classroom) -> None:
    ada, grace = seated(room, "Ada <b>L</b>"), seated(room, "Grace")
    seated(room, "Nobody")
    leading.lead_to(room, room.lesson, STEP.name)
    path = f"/seat/{room.lesson}/{STEP.name}/"
    wrong = [name for name in build_situation(STEP.situation).node_names if name not in RIGHT][:1]
    ada.post(path, posted(STEP, RIGHT))
    grace.post(path, posted(STEP, wrong))

    names = ("Ada <b>L</b>", "Grace", "Nobody")
    before = [message["html"] for message in told(room, *names)]
    leading.reveal(room)
    after = [message["html"] for message in told(room, *names)]

    assert [html.count(" checked") for html in before] == [len(RIGHT), 1, 0]
    assert [html.count("Your answer is taken.") for html in before] == [1, 1, 0]
    assert ["is-right" in html for html in after] == [True, False, False]
    # In both drawings, and once in words.
    assert [html.count("map-ring-right") for html in after] == [2 * len(RIGHT) + 1, 0, 0]
    assert [html.count("map-ring-wrong") for html in after] == [0, 3, 0]
    assert [html.count("map-ring-missed") for html in after] == [0, 2 * len(RIGHT) + 1, 2 * len(RIGHT) + 1]
    for html in (*before, *after):
        assert "csrf" not in html
        assert "<!--own" not in html
        assert not any(name in html for name in ("Ada", "Grace", "Nobody", "<b>"))
    assert not any(text in html for html in before for text in ("lesson-reveal", "data-map-controls"))


def test_a_class_is_rendered_once_and_costs_one_query(
    room: Classroom, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    rendered: list[str] = []
    original = class_steps._rendered

    def counted(*arguments: Any) -> Any:
        rendered.append(translation.get_language() or "")
        return original(*arguments)

    monkeypatch.setattr(class_steps, "_rendered", counted)
    for number in range(12):
        seated(room, f"P{number}")
    leading.lead_to(room, "taints", "wide")
    keys = list(room.participants.values_list("pk", flat=True))
    readers = [Reader(pk, ("en-gb", "id", "uk")[number % 3], has_step=True) for number, pk in enumerate(keys)]

    with django_assert_num_queries(1):
        sent = [json.loads(text) for text in messages(room, readers)]

    assert sorted(rendered) == ["en-gb", "id", "uk"]
    assert len({message["html"] for message in sent}) == 3
    assert len({message["said"] for message in sent}) == 3


def test_what_comes_next_is_rendered_ahead(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    seated(room, "Ada")
    lesson = built_in_lessons()[room.lesson]
    last = lesson.steps[-1].name

    ahead = [(each.step, each.is_revealed) for each in coming(room)]
    for each in coming(room):
        prepare(each, "uk")
    monkeypatch.setattr(class_steps, "_rendered", None)
    leading.reveal(room)
    (shown,) = told(room, "Ada", language="uk")
    leading.lead_to(room, room.lesson, lesson.steps[1].name)
    (following,) = told(room, "Ada", language="uk")

    assert ahead == [(lesson.steps[0].name, True), (lesson.steps[1].name, False)]
    assert "lesson-reveal" in shown["html"]
    assert "lesson-reveal" not in following["html"]
    leading.lead_to(room, room.lesson, last)
    assert [(each.step, each.is_revealed) for each in coming(room)] == [(last, True)]
    leading.set_pace(room, Classroom.Pace.FREE)
    assert coming(room) == []


def test_a_page_without_the_step_is_told_where_the_class_is(room: Classroom) -> None:
    seated(room, "Ada")

    (led,) = told(room, "Ada", has_step=False)
    leading.set_pace(room, Classroom.Pace.FREE)
    (free,) = told(room, "Ada")

    assert led["address"] == f"/seat/{room.lesson}/{room.step}/"
    assert "html" not in led
    assert free == {"turn": 1, "address": "", "said": "Everybody goes on at their own pace now."}


def test_without_a_websocket_the_same_is_asked_for(room: Classroom) -> None:
    client = seated(room, "Ada")

    assert client.get("/seat/_turn/?turn=0&step=on").status_code == 204
    leading.lead_to(room, "taints", "wide")

    assert client.get("/seat/_turn/?turn=0&step=on").json() == told(room, "Ada")[0]
    assert Participant.objects.get().step == "wide"
    assert client.get("/seat/_turn/?turn=x").status_code == 400
    assert "html" not in client.get("/seat/_turn/?turn=0").json()
