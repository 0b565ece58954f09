"""What came of a classroom: the file of all answers, and the summary."""

from __future__ import annotations

import csv
import re
from codecs import BOM_UTF8
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from dashboard.classrooms import leading, seats
from dashboard.lessons import progress
from dashboard.lessons.learners import Learner
from tests.dashboard.classrooms.rooms import open_room
from tests.dashboard.lessons.every_kind import NAME, QUESTIONS, archive
from tests.dashboard.lessons.kept import keep_lesson
from tests.dashboard.lessons.test_kinds import RIGHT, WRONG, changed_pod

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

    from dashboard.models import Classroom

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def room(user: User) -> Classroom:
    user.user_permissions.add(Permission.objects.get(codename="teach"))
    keep_lesson(NAME, archive)
    return open_room(user, lessons=("taints",))


@pytest.fixture
def client(user: User) -> Client:
    found = Client()
    found.force_login(user)
    return found


def joined(room: Classroom, name: str, answers: dict[str, Any], *, is_right: bool) -> Learner:
    """Have somebody join who answered some steps of the lesson with every kind of question."""
    room.lessons = [NAME]
    room.save()
    seats.join(room, name)
    learner = Learner(participant=room.participants.get(name=name))
    for step, answer in answers.items():
        leading.lead_to(room, NAME, step)
        assert progress.answered(learner, NAME, step, answer, is_right=is_right)
    return learner


def table(client: Client, room: Classroom) -> list[dict[str, str]]:
    response = client.get(f"/classrooms/{room.pk}/results.csv")
    assert response["Content-Disposition"] == f'attachment; filename="classroom-{room.pk}.csv"'
    assert response.content.startswith(BOM_UTF8), "spreadsheets know its encoding by that"
    return list(csv.DictReader(StringIO(response.content.decode("utf-8-sig"))))


def answered(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    return [row for row in rows if row["Tries"]]


def test_every_answer_is_a_row_in_words(client: Client, room: Classroom) -> None:
    learner = joined(room, "Ada", {**RIGHT, "manifest": changed_pod()}, is_right=True)
    progress.hinted(learner, NAME, "node", 1)
    progress.revealed(learner, NAME, "manifest")

    rows = table(client, room)

    assert list(rows[0]) == ["Name", "Lesson", "Step", "Answer", "Tries", "Right", "Hints", "Answer shown", "Time"]
    assert [row["Step"].partition(".")[0] for row in rows] == [str(number + 1) for number in range(len(QUESTIONS))]
    assert [row["Answer"] for row in rows] == [
        "elm",
        "ash and oak",
        "ash: NodeResourcesFit, elm: Fits, oak: TaintToleration",
        "Other pods are removed for it (preemption)",
        "Refused by a budget (429)",
        "shop/cart",
        "1. ash, 2. elm, 3. oak",
        "1. shop/huge, 2. shop/web",
        "3 CPU",
        "0 of 1 goals met",
    ]
    assert (rows[0]["Right"], rows[0]["Hints"], rows[0]["Answer shown"]) == ("yes", "1", "no")
    assert rows[-1]["Answer shown"] == "yes"


def test_names_and_answers_are_no_formulas(client: Client, room: Classroom) -> None:
    joined(room, '=HYPERLINK("http://evil.example")', {"node": "elm"}, is_right=True)
    joined(room, "@cmd", {}, is_right=False)

    rows = table(client, room)

    assert list(dict.fromkeys(row["Name"] for row in rows)) == ['\'=HYPERLINK("http://evil.example")', "'@cmd"]
    # Every step has a row, of who answered none, too.
    assert len(rows) == 2 * len(QUESTIONS)
    assert {row["Answer"] for row in rows if row["Name"] == "'@cmd"} == {""}


def test_an_answer_to_a_former_lesson_is_left_out(client: Client, room: Classroom) -> None:
    joined(room, "Ada", {"node": "gone", "outcome": ["elm"]}, is_right=False)

    assert [row["Answer"] for row in answered(table(client, room))] == ["", ""]
    assert "1 answer to an earlier lesson is not counted" in client.get(f"/classrooms/{room.pk}/summary/").text


def test_the_summary_has_steps_and_participants(client: Client, room: Classroom) -> None:
    joined(room, "<b>Ada</b>", RIGHT, is_right=True)
    joined(room, "Grace", {"node": WRONG["node"]}, is_right=False)

    page = client.get(f"/classrooms/{room.pk}/summary/")

    assert len(page.context["steps"]) == len(RIGHT)
    first = page.context["steps"][0]
    assert first.right == "1 of 2 answers are right."
    assert first.mistake.answer == "No node"
    assert [(row.name, row.done, row.right) for row in page.context["rows"]] == [
        ("<b>Ada</b>", f"{len(RIGHT)} of {len(QUESTIONS)}", len(RIGHT)),
        ("Grace", f"1 of {len(QUESTIONS)}", 0),
    ]
    assert "&lt;b&gt;Ada&lt;/b&gt;" in page.text
    assert "<b>Ada" not in page.text
    # What is said to learners is told as such.
    told = re.findall(
        r"Participants with this answer are told:</p>\s*<blockquote[^>]*>(.*?)</blockquote>", page.text, re.DOTALL
    )
    assert len(told) == 1
    assert "There is a node for this pod." in told[0]


def test_results_of_sixty_cost_as_many_queries_as_those_of_one(
    client: Client, room: Classroom, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(60):
        joined(room, f"Ada {number}", {"node": "elm", "outcome": "gated"}, is_right=False)

    for rest in ("summary/", "results.csv"):
        with django_assert_max_num_queries(10):
            client.get(f"/classrooms/{room.pk}/{rest}")
