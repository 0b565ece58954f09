"""The arithmetic of a number stands with its answer, in the learner's language, and nowhere before."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Permission

from clusters.services.lessons.library import built_in_lessons
from dashboard.classrooms import leading
from tests.dashboard.classrooms.rooms import open_room, seated
from tests.dashboard.lessons.learners import address, posted, solution

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

    from clusters.engine.lessons.lesson import LessonStep

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

NUMBERS = [
    (name, step)
    for name, lesson in built_in_lessons().items()
    for step in lesson.steps
    if step.question.kind == "number"
]


def working(page: str) -> str:
    """What a page says of the arithmetic, as text; nothing where it has none."""
    found = re.search(r'<details class="lesson-working".*?</details>', page, re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", found[0])).split()) if found else ""


@pytest.mark.parametrize(("name", "step"), NUMBERS, ids=[f"{name}/{step.name}" for name, step in NUMBERS])
def test_the_arithmetic_comes_with_the_answer(signed_in_client: Client, name: str, step: LessonStep) -> None:
    here = address(step.name, lesson=name)
    signed_in_client.post(here, {"act": "answer", "answer": "123456"})
    assert working(signed_in_client.get(here).text) == ""

    signed_in_client.post(here, posted(step, solution(step)))

    assert working(signed_in_client.get(here).text).startswith("Arithmetic ")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Arithmetic 10Gi capacity of node-1 − 1536Mi systemReserved − 500Mi evictionHard = 8204Mi"),
        ("id", "Perhitungan 10Gi kapasitas node-1 − 1536Mi systemReserved − 500Mi evictionHard = 8204Mi"),
        ("uk", "Розрахунок 10Gi потужність node-1 − 1536Mi systemReserved − 500Mi evictionHard = 8204Mi"),
    ],
)
def test_it_has_the_numbers_of_the_cluster(signed_in_client: Client, language: str, said: str) -> None:
    here = address("kept-back", lesson="node-reservations")
    signed_in_client.post(here, {"act": "reveal"})

    assert working(signed_in_client.get(here, headers={"Accept-Language": language}).text) == said


def test_a_class_sees_it_with_the_answer(user: User, signed_in_client: Client) -> None:
    user.user_permissions.add(Permission.objects.get(codename="teach"))
    room = open_room(user, lessons=("budgets",))
    seat, projector = seated(room), f"/classrooms/{room.pk}/projector/"
    pages = [(seat, "/seat/budgets/one-less/"), (signed_in_client, projector)]
    leading.lead_to(room, lesson="budgets", step="one-less")
    for client, page in pages:
        assert working(client.get(page).text) == ""

    leading.reveal(room)

    for client, page in pages:
        assert working(client.get(page).text) == "Arithmetic 5 healthy pods − 4 healthy pods required = 1 pod"
