"""Lessons in the learner's language: which one that is, and that nothing on their pages is left in English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.db import connection

from clusters.engine.lessons.asking import UnsolvableError
from clusters.engine.lessons.situation import build_situation
from clusters.services.lessons.library import built_in_lessons
from dashboard.lessons.experiments import situation_to_show, solution_of
from dashboard.lessons.shelves import find_lesson
from tests.dashboard.lessons.every_kind import NAME, archive
from tests.dashboard.lessons.kept import keep_lesson
from tests.dashboard.lessons.learners import LESSON, address
from tests.support.untranslated import readable, untranslated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

    from clusters.engine.lessons.lesson import Lesson, LessonStep

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

FIRST = built_in_lessons()[LESSON].steps[0]


def asked_for(client: Client, path: str, accepted: str) -> Any:
    return client.get(path, headers={"Accept-Language": accepted})


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("id", "id"),
        ("uk-UA,uk;q=0.9,en;q=0.8", "uk"),
        ("fr,uk;q=0.5", "uk"),
        ("en-US", "en-gb"),
        ("fr", "en-gb"),
        ("", "en-gb"),
    ],
)
def test_the_browsers_first_language_counts(signed_in_client: Client, accepted: str, language: str) -> None:
    response = asked_for(signed_in_client, address(FIRST.name), accepted)
    assert response.headers["Content-Language"] == language
    assert f'<html lang="{language}"' in response.text
    assert built_in_lessons()[LESSON].texts[language[:2]].steps[FIRST.name].title in response.text
    assert "Accept-Language" in response.headers["Vary"]


def test_a_choice_is_remembered_and_counts_more(signed_in_client: Client) -> None:
    here = address(FIRST.name)
    response = signed_in_client.post("/lessons/_language/", {"language": "uk", "next": here})
    assert response.headers["Location"] == here
    cookie = response.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert (cookie.value, bool(cookie["httponly"]), cookie["samesite"]) == ("uk", True, "Lax")
    assert '<html lang="uk"' in asked_for(signed_in_client, here, "id").text

    assert signed_in_client.post("/lessons/_language/", {"language": "tlh"}).status_code == 400
    for elsewhere in ("https://example.com/lessons/", "//example.com/", "/clusters/", ""):
        response = signed_in_client.post("/lessons/_language/", {"language": "id", "next": elsewhere})
        assert response.headers["Location"] == "/lessons/"


def test_all_other_pages_stay_english(signed_in_client: Client) -> None:
    signed_in_client.post("/lessons/_language/", {"language": "uk"})
    for path in ("/clusters/", "/simulations/", "/clusters/no-such/"):
        page = asked_for(signed_in_client, path, "uk").text
        assert '<html lang="en-gb"' in page
        assert "Clusters" in page


def decision_parts(client: Client, lesson: Lesson, step: LessonStep, accepted: str) -> Iterator[Any]:
    """Ask for everything that a shown step opens to."""
    built = build_situation(step.situation)
    # Of a changed object the decision is shown that the change brings.
    situation = situation_to_show(step.question, built, None, solution_of(step.question, built))
    try:
        explanation = situation.explanation
    except UnsolvableError:
        return
    for node in situation.node_names:
        yield asked_for(client, address(step.name, f"decision/why-not/?node={node}", lesson.name), accepted)
    if explanation.scores:
        node = explanation.best[0]
        for plugin in explanation.scores:
            part = f"decision/nodes/{node}/scores/{plugin.plugin}/"
            yield asked_for(client, address(step.name, part, lesson.name), accepted)


def every_page(client: Client, lesson: Lesson, accepted: str) -> Iterator[Any]:
    """Play a lesson with wrong answers, and look at all of it."""
    headers = {"Accept-Language": accepted}
    for step in lesson.steps:
        here = address(step.name, lesson=lesson.name)
        yield client.get(here, headers=headers)
        yield client.post(here, {"act": "answer"}, headers=headers)
        yield client.post(here, {"act": "hint"}, headers=headers)
        yield client.get(here, headers=headers)
        client.post(here, {"act": "reveal"}, headers=headers)
        yield client.get(here, headers=headers)
        if step.shows_decision:
            yield from decision_parts(client, lesson, step, accepted)
        experiment = address(step.name, "experiment/", lesson=lesson.name)
        yield client.get(experiment, headers=headers)
        node = build_situation(step.situation).node_names[0]
        yield client.post(experiment, {"act": "apply", "object": "new", "text": "a: 1"}, headers=headers)
        client.post(experiment, {"act": "remove", "object": f"Node/{node}"}, headers=headers)
        yield client.get(experiment, headers=headers)
    yield client.get("/lessons/", headers=headers)


# All catalogues translate the same messages; and what is translated does not depend on the database.
# What they say of plugins and manifests is looked for in the catalogue by tests/test_catalogues.py: some lessons do.
LESSONS = [NAME, *sorted(built_in_lessons())[::4]] if connection.vendor == "sqlite" else [LESSON, NAME]


@pytest.mark.long
@pytest.mark.unmeasured
@pytest.mark.parametrize("name", LESSONS)
def test_nothing_on_the_pages_of_lessons_is_untranslated(signed_in_client: Client, name: str) -> None:
    keep_lesson(NAME, archive)
    lesson = find_lesson(name)
    assert lesson
    with untranslated("uk") as found:
        for response in every_page(signed_in_client, lesson, "uk"):
            assert response.status_code in (200, 400, 302), response.request["PATH_INFO"]
    assert readable(found.messages) == []


@pytest.mark.parametrize(
    ("accepted", "answer"), [("en", "1.25Gi"), ("uk", "1,25Gi"), ("id", "1,25Gi"), ("uk", "1.25Gi")]
)
def test_numbers_are_read_as_the_language_writes_them(signed_in_client: Client, accepted: str, answer: str) -> None:
    here = address("percent", lesson="node-reservations")

    signed_in_client.post(here, {"act": "answer", "answer": answer}, headers={"Accept-Language": accepted})

    assert "lesson-result is-right" in asked_for(signed_in_client, here, accepted).text
