"""Before the answer is shown no address of a seat tells it, and a led class reaches no other step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from clusters.engine.lessons.values import RequestValue
from clusters.engine.objects import key_of
from clusters.services.lessons.library import built_in_lessons
from dashboard.classrooms import leading
from dashboard.lessons import progress
from dashboard.lessons.learners import Learner
from dashboard.models import Classroom, LessonProgress, Participant
from tests.dashboard.classrooms.rooms import LESSONS, open_room, seated
from tests.dashboard.lessons.learners import posted, solution, step_of_kind
from tests.support.routes import routes

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

STEP = step_of_kind("nodes")
HERE = {"lesson": "filter-and-score", "step": STEP.name}
STEPS = [(lesson, step) for lesson in LESSONS for step in built_in_lessons()[lesson].steps]
# What is shown with the answer alone.
TOLD = ('id="verdict"', "would now be:", "lesson-result")


def unchanged(lesson: str, step: str) -> None:
    """Keep a change that changes nothing, as who played at their own pace before may have."""
    progress.experimented(Learner(participant=Participant.objects.get()), lesson, step, [("new", "")])


def seat_addresses(lesson: str, step: str, node: str) -> list[str]:
    """Every address of a seat for one step, on both sides of a decision."""
    return [
        each.address({"lesson": lesson, "step": step, "side": side, "node": node, "plugin": "NodeResourcesFit"})
        for each in routes()
        if each.template.startswith("seat/") and "step" in each.parameters
        for side in ("decision", "experiment")
    ]


@pytest.fixture
def client_at_step(user: User) -> Client:
    room = open_room(user)
    client = seated(room)
    leading.lead_to(room, **HERE)
    for lesson, step in STEPS:
        unchanged(lesson, step.name)
    return client


@pytest.mark.parametrize(("lesson", "step"), [(lesson, step.name) for lesson, step in STEPS])
def test_a_led_class_is_told_nothing_before_the_answer_is_shown(client_at_step: Client, lesson: str, step: str) -> None:
    is_here = {"lesson": lesson, "step": step} == HERE
    node = next(each["metadata"]["name"] for each in STEP.situation.objects if each.get("kind") == "Node")
    for address in seat_addresses(lesson, step, node):
        response = client_at_step.get(address)
        if response.status_code == 302:
            assert not is_here
            assert response["Location"] == f"/seat/{HERE['lesson']}/{HERE['step']}/"
        else:
            is_page = address.count("/") == 4 or address.endswith("/experiment/")
            assert response.status_code == (200 if is_here and is_page else 404), address
            assert [told for told in TOLD if told in response.text] == [], address


def test_a_change_that_changes_nothing_is_taken_at_the_step_of_the_class_alone(client_at_step: Client) -> None:
    LessonProgress.objects.all().delete()
    for lesson, step in STEPS:
        response = client_at_step.post(
            f"/seat/{lesson}/{step.name}/experiment/", {"act": "remove", "object": "Node/no-such"}
        )
        assert response.status_code == (400 if {"lesson": lesson, "step": step.name} == HERE else 302)


# What would tell an answer: a copy of the pod that is refused, and what a node has left with one.
COPIES = [
    ("quotas", "nothing-said", "lab/notebook", "must specify"),
    ("requests", "sum", "shop/frontend", "requested"),
]


@pytest.mark.parametrize(("lesson", "step", "key", "told"), COPIES)
def test_a_led_class_changes_nothing_before_the_answer_is_shown(
    user: User, lesson: str, step: str, key: str, told: str
) -> None:
    room = open_room(user, lessons=(lesson,))
    client = seated(room)
    leading.lead_to(room, lesson=lesson, step=step)
    here = f"/seat/{lesson}/{step}/"
    situation = next(each for each in built_in_lessons()[lesson].steps if each.name == step).situation
    pod = next(each for each in situation.objects if each["kind"] == "Pod" and key_of(each) == key)
    node = next(each["metadata"]["name"] for each in situation.objects if each["kind"] == "Node")
    copy = {**pod, "metadata": {**pod["metadata"], "name": "copy"}, "spec": {**pod["spec"], "nodeName": node}}
    change = {"act": "apply", "object": "new", "text": yaml.safe_dump(copy)}
    before = client.get(f"{here}experiment/")
    assert f"{here}experiment/" not in client.get(here).text

    refused = client.post(f"{here}experiment/", change)

    assert refused.status_code == 400
    assert LessonProgress.objects.filter(lesson=lesson, step=step).exclude(edits=[]).count() == 0
    assert refused.context["facts"].nodes == before.context["facts"].nodes
    assert refused.text.count(told) == before.text.count(told)
    assert "What becomes of the pod is shown with the answer to the step." in refused.text

    leading.reveal(Classroom.objects.get())

    assert f"{here}experiment/" in client.get(here).text
    assert client.post(f"{here}experiment/", change).status_code in (302, 400)


def test_at_their_own_pace_participants_are_told_with_their_answer(user: User) -> None:
    room = open_room(user, pace=Classroom.Pace.FREE)
    client, here = seated(room), f"/seat/{HERE['lesson']}/{HERE['step']}/"
    unchanged(**HERE)
    assert 'id="verdict"' not in client.get(f"{here}experiment/").text
    assert client.get(f"{here}experiment/scores/").status_code == 404

    client.post(here, posted(STEP, solution(STEP)))

    assert 'id="verdict"' in client.get(f"{here}experiment/").text


def test_an_experiment_hides_what_its_question_hides(signed_in_client: Client) -> None:
    asked = [
        (name, step)
        for name, lesson in built_in_lessons().items()
        for step in lesson.steps
        if isinstance(getattr(step.question, "value", None), RequestValue)
    ]
    assert asked
    for name, step in asked:
        here = f"/lessons/{name}/{step.name}/"
        listed = signed_in_client.get(here).context["facts"]
        found = signed_in_client.get(f"{here}experiment/").context["facts"]
        assert [node.pods for node in found.nodes] == [node.pods for node in listed.nodes]
        assert found.pending == listed.pending
