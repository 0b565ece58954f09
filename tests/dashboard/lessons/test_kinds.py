"""Every kind of question: asked, answered rightly and wrongly, shown, and experimented with, in a trainer's lesson."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from clusters.engine.lessons.situation import build_situation
from dashboard.lessons import experiments
from dashboard.lessons.presenters import questions
from dashboard.lessons.presenters.questions import asked, moved
from dashboard.lessons.shelves import find_lesson
from dashboard.models import LessonProgress
from tests.dashboard.lessons.every_kind import NAME, QUESTIONS, archive
from tests.dashboard.lessons.kept import keep_lesson
from tests.dashboard.lessons.learners import address, posted

if TYPE_CHECKING:
    from django.test import Client

    from clusters.engine.lessons.lesson import LessonStep

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

# Answers that are right, and others that are not, by the names of the steps.
RIGHT: dict[str, Any] = {
    "node": "elm",
    "nodes": ["ash", "oak"],
    "rejections": {"ash": "NodeResourcesFit", "elm": None, "oak": "TaintToleration"},
    "outcome": "preempts",
    "eviction": "refused",
    "pods": ["shop/cart"],
    "order": ["ash", "elm", "oak"],
    "queue": ["shop/huge", "shop/web"],
    "number": "3",
}
WRONG: dict[str, Any] = {
    "node": None,
    "nodes": ["elm"],
    "rejections": {"ash": None, "elm": None, "oak": None},
    "outcome": "gated",
    "eviction": "error",
    "pods": [],
    "order": ["oak", "ash", "elm"],
    "queue": ["shop/web", "shop/huge"],
    "number": "4",
}
TOLERATION = {"key": "dedicated", "value": "reports", "effect": "NoSchedule"}


@pytest.fixture(autouse=True)
def lesson() -> None:
    keep_lesson(NAME, archive)


def step(name: str) -> LessonStep:
    found = find_lesson(NAME)
    assert found
    return next(each for each in found.steps if each.name == name)


def page(client: Client, name: str) -> str:
    response = client.get(address(name, lesson=NAME))
    assert response.status_code == 200
    return response.text


def answer(client: Client, name: str, given: Any) -> str:
    response = client.post(address(name, lesson=NAME), posted(step(name), given))
    assert response.status_code == 302, response.text
    return page(client, name)


def changed_pod(**spec: Any) -> str:
    written = asked(step("manifest").question, build_situation(step("manifest").situation), None, is_given=False).text
    document = yaml.safe_load(written)
    document["spec"].update(spec)
    return str(yaml.safe_dump(document))


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_answer_is_right_and_a_wrong_one_is_not(signed_in_client: Client, name: str) -> None:
    asked_page = page(signed_in_client, name)
    assert "en question" in asked_page
    assert "en: " not in asked_page
    # Nothing at all is wrong there, too, and no try.
    wrong = ["shop/search"] if WRONG[name] == [] else WRONG[name]
    assert "Not yet." in answer(signed_in_client, name, wrong)
    shown = answer(signed_in_client, name, RIGHT[name])
    assert "lesson-result is-right" in shown
    assert "en: " in shown


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_answer_can_be_shown(signed_in_client: Client, name: str) -> None:
    signed_in_client.post(address(name, lesson=NAME), {"act": "reveal"})
    shown = page(signed_in_client, name)
    assert "lesson-result is-shown" in shown
    assert "{answer}" not in shown
    assert "Next step" in shown or "All lessons" in shown


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_situation_can_be_experimented_with(signed_in_client: Client, name: str) -> None:
    experiment = address(name, "experiment/", lesson=NAME)
    assert "Nothing is changed yet." in signed_in_client.get(experiment).text
    response = signed_in_client.post(experiment, {"act": "remove", "object": "Node/ash"})
    assert response.status_code == 302, response.text
    changed = signed_in_client.get(experiment).text
    assert "Node/ash removed" in changed
    assert 'id="node-ash"' not in changed
    # What is judged stays what it was.
    assert 'id="node-ash"' in page(signed_in_client, name)


def test_what_is_not_there_cannot_be_changed(signed_in_client: Client) -> None:
    experiment = address("node", "experiment/", lesson=NAME)
    for form in (
        {"act": "remove", "object": "Node/no-such"},
        {"act": "apply", "object": "x" * 5000, "text": "a: 1"},
        {"act": "apply", "object": "new", "text": "a: 1"},
        {"act": "apply", "object": "new", "text": "x" * 70_000},
        {"act": "apply", "object": "all", "text": "kind: Pod"},
        {"act": "dance"},
    ):
        assert signed_in_client.post(experiment, form).status_code == 400
    assert not LessonProgress.objects.exists()


def test_experiments_are_bounded_undone_and_reset(signed_in_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "MOST_EDITS", 2)
    experiment = address("node", "experiment/", lesson=NAME)
    statuses = [
        signed_in_client.post(experiment, {"act": "remove", "object": f"Node/{node}"}).status_code
        for node in ("ash", "elm", "oak")
    ]
    assert statuses == [302, 302, 400]
    signed_in_client.post(experiment, {"act": "undo"})
    page_now = signed_in_client.get(experiment).text
    assert 'id="node-elm"' in page_now
    assert 'id="node-ash"' not in page_now
    signed_in_client.post(experiment, {"act": "reset"})
    assert "Nothing is changed yet." in signed_in_client.get(experiment).text
    row = LessonProgress.objects.get()
    assert (row.edits, row.experiments, row.tries) == ([], 2, 0)


def test_an_experiment_that_cannot_be_computed_can_be_reset(
    signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = address("node", "experiment/", lesson=NAME)
    signed_in_client.post(experiment, {"act": "remove", "object": "Node/elm"})

    def failing(*_: object) -> str:
        raise OverflowError

    with monkeypatch.context() as patch:
        patch.setattr(questions, "solution_words", failing)
        failed = signed_in_client.get(experiment)
        assert signed_in_client.post(experiment, {"act": "reset"}).status_code == 302

    assert failed.status_code == 200
    assert "The experiment cannot be evaluated." in failed.text
    assert 'value="reset"' in failed.text
    assert "Nothing is changed yet." in signed_in_client.get(experiment).text


def test_the_verdict_of_an_experiment_is_that_of_its_cluster(signed_in_client: Client) -> None:
    experiment = address("node", "experiment/", lesson=NAME)
    assert "lesson-edits" in signed_in_client.get(experiment).text
    assert signed_in_client.get(f"{experiment}why-not/?node=elm").status_code == 404
    signed_in_client.post(experiment, {"act": "remove", "object": "Node/elm"})
    changed = signed_in_client.get(experiment).text
    assert "Unschedulable" in changed
    assert "The answer to the step’s question would now be:" in changed
    assert signed_in_client.get(f"{experiment}why-not/?node=ash").status_code == 200
    assert signed_in_client.get(f"{experiment}why-not/?node=elm").status_code == 200


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("number", "Write a number first."),
        ("manifest", "Write the manifest first."),
        ("outcome", "Choose an answer first."),
    ],
)
def test_who_sends_nothing_is_asked_for_what_the_question_needs(signed_in_client: Client, kind: str, said: str) -> None:
    response = signed_in_client.post(address(kind, lesson=NAME), {"act": "answer", "answer": " "})

    assert (response.status_code, said in response.text) == (400, True)


def test_a_changed_manifest_is_judged_by_its_goals(signed_in_client: Client) -> None:
    asked_page = page(signed_in_client, "manifest")
    assert "The pod passes every filter on oak." in asked_page
    assert "spec.containers" in asked_page
    wrong = answer(signed_in_client, "manifest", changed_pod(containers=[{"name": "main", "image": "small:1"}]))
    assert "spec.containers has to stay as it is." in wrong
    assert "Not met yet: The pod passes every filter on oak." in wrong
    right = answer(signed_in_client, "manifest", changed_pod(tolerations=[TOLERATION]))
    assert "lesson-result is-right" in right
    # The map is that of the changed pod.
    part = signed_in_client.get(address("manifest", "decision/why-not/?node=oak", lesson=NAME))
    assert "untolerated taint dedicated" not in part.text


def test_a_manifest_with_mistakes_is_told_where(signed_in_client: Client) -> None:
    for text in ("kind: Pod\n  spec: {", changed_pod(tolerations="all"), "", "a: 1\n---\nb: 2\n"):
        response = signed_in_client.post(address("manifest", lesson=NAME), {"act": "answer", "answer": text})
        assert response.status_code == 400
        # What was written is still there.
        assert text.strip()[:20].replace("'", "&#x27;") in response.text
    assert not LessonProgress.objects.exists()


def test_an_order_is_made_without_a_script(signed_in_client: Client) -> None:
    form = {"act": "move:in:shop/web"}
    response = signed_in_client.post(address("queue", lesson=NAME), form)
    assert 'name="answer" value="shop/web"' in response.text
    form = {"act": "move:in:shop/huge", "answer": "shop/web"}
    signed_in_client.post(address("queue", lesson=NAME), form)
    response = signed_in_client.post(
        address("queue", lesson=NAME), {"act": "move:up:shop/huge", "answer": ["shop/web", "shop/huge"]}
    )
    places = [response.text.index(f'name="answer" value="shop/{name}"') for name in ("huge", "web")]
    assert places == sorted(places)
    assert not LessonProgress.objects.exists()


@pytest.mark.parametrize(
    ("how", "names"),
    [
        ("up:b", ["b", "a", "c"]),
        ("up:a", ["a", "b", "c"]),
        ("down:b", ["a", "c", "b"]),
        ("down:c", ["a", "b", "c"]),
        ("in:d", ["a", "b", "c", "d"]),
        ("out:b", ["a", "c"]),
        ("sideways:b", ["a", "b", "c"]),
    ],
)
def test_moves(how: str, names: list[str]) -> None:
    assert moved(["a", "b", "c"], how) == names
