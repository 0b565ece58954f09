"""The player of lessons: the list, a step before its answer, wrong and right answers, and what is shown then."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth import get_user_model

from clusters.engine.lessons.situation import build_situation
from clusters.services.lessons.library import built_in_lessons
from dashboard.lessons import progress
from dashboard.lessons.learners import Learner
from dashboard.limits.windows import RUNS_PER_MINUTE
from dashboard.models import LessonProgress
from tests.dashboard.lessons.learners import LESSON, address, posted, solution, step_of_kind

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

STEPS = built_in_lessons()[LESSON].steps
FIRST = STEPS[0]


def map_data(page: str) -> dict[str, Any]:
    found = re.search(r'data-verdict-map>\s*<script type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_list_has_every_lesson_and_how_far_one_is(signed_in_client: Client, user: User) -> None:
    page = signed_in_client.get("/lessons/").text
    for lesson in built_in_lessons().values():
        assert lesson.texts["en"].title in page
    assert f"0 of {len(STEPS)} steps done" in page
    assert re.search(r'href="/lessons/" aria-current="page"', page)

    progress.revealed(Learner(user), LESSON, FIRST.name)
    assert f"1 of {len(STEPS)} steps done" in signed_in_client.get("/lessons/").text


def test_a_lesson_leads_to_the_first_step_that_is_not_done(signed_in_client: Client, user: User) -> None:
    assert signed_in_client.get(f"/lessons/{LESSON}/").headers["Location"] == address(FIRST.name)
    progress.revealed(Learner(user), LESSON, FIRST.name)
    assert signed_in_client.get(f"/lessons/{LESSON}/").headers["Location"] == address(STEPS[1].name)


@pytest.mark.parametrize("path", ["/lessons/no-such/", "/lessons/no-such/step/", f"/lessons/{LESSON}/no-such/"])
def test_what_there_is_not_is_not_found(signed_in_client: Client, path: str) -> None:
    assert signed_in_client.get(path).status_code == 404


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_step_gives_nothing_away_before_its_answer(signed_in_client: Client, step: Any) -> None:
    page = signed_in_client.get(address(step.name)).text
    data = map_data(page)
    situation = build_situation(step.situation)

    # The map tells nodes apart by their taints alone, and plays nothing.
    assert data["steps"] == []
    assert data["node"] == data["linesAt"] == ""
    explanation = situation.explanation
    reasons = {reason for each in explanation.cycle.rejections for reason in each.status.texts}
    assert not [reason for reason in reasons if reason in page]
    for total in explanation.cycle.totals.tolist():
        assert f"{total} points" not in page
    # What a learner reasons with is there.
    for node in situation.node_names:
        assert f'id="node-{node}"' in page
    assert f"Pod/{step.situation.pod}" in page
    for hidden in ("decision/why-not/?node=x", "decision/map/", "decision/scores/", "decision/nodes/"):
        assert signed_in_client.get(address(step.name, hidden)).status_code == 404


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_the_right_answer_is_right_and_everything_is_shown(signed_in_client: Client, user: User, step: Any) -> None:
    response = signed_in_client.post(address(step.name), posted(step, solution(step)))
    assert response.headers["Location"] == f"{address(step.name)}#result"

    page = signed_in_client.get(address(step.name)).text
    assert "lesson-result is-right" in page
    assert "{answer}" not in page
    # Where a later step asks about the decision, it is not shown yet.
    assert bool(map_data(page)["steps"]) is step.shows_decision
    row = LessonProgress.objects.get(user=user)
    assert (row.tries, row.is_right, row.answer) == (1, True, solution(step))
    situation = build_situation(step.situation)
    for node in situation.node_names:
        part = signed_in_client.get(address(step.name, f"decision/why-not/?node={node}"))
        assert part.status_code == (200 if step.shows_decision else 404)
        assert not step.shows_decision or node in part.text
    following = STEPS[STEPS.index(step) + 1 :][:1]
    assert f'href="{address(following[0].name)}">Next step' in page if following else "All lessons" in page


def test_an_answer_that_is_right_is_not_compared(signed_in_client: Client) -> None:
    step = step_of_kind("rejections")
    right = solution(step)
    signed_in_client.post(address(step.name), posted(step, right))
    assert "Your answer, compared" not in signed_in_client.get(address(step.name)).text

    signed_in_client.post(address(step.name), {"act": "again"})
    signed_in_client.post(address(step.name), posted(step, dict.fromkeys(right)))
    signed_in_client.post(address(step.name), {"act": "reveal"})
    assert "Your answer, compared" in signed_in_client.get(address(step.name)).text


def test_what_is_asked_of_a_pod_is_not_said_beside_it(signed_in_client: Client) -> None:
    step = step_of_kind("number", "requests")
    asking, pod = address(step.name, lesson="requests"), '<li><code>shop/frontend</code> <span class="muted small">'
    assert f"{pod}</span>" in signed_in_client.get(asking).text
    signed_in_client.post(asking, {"act": "reveal"})
    assert f"{pod}CPU {solution(step)}" in signed_in_client.get(asking).text


def test_a_wrong_answer_gets_the_hint_of_the_lesson_and_may_be_mended(signed_in_client: Client) -> None:
    step = step_of_kind("nodes")
    situation = build_situation(step.situation)
    right = solution(step)
    wrong = [node for node in situation.node_names if node not in right]
    own = built_in_lessons()[LESSON].texts["en"].steps[step.name].mistakes
    signed_in_client.post(address(step.name), posted(step, [*right, *wrong]))

    page = signed_in_client.get(address(step.name)).text
    assert "Not yet." in page
    keys = {key for each in step.question.judge(situation, [*right, *wrong]).mistakes for key in each.keys[:1]}
    for key in keys & own.keys():
        assert own[key].split("`")[0].split("'")[0].strip() in page
    # What was chosen is still chosen.
    assert page.count(" checked") == len(right) + len(wrong)
    signed_in_client.post(address(step.name), posted(step, right))
    assert "is-right" in signed_in_client.get(address(step.name)).text


@pytest.mark.parametrize("kind", ["nodes", "rejections"])
def test_nothing_chosen_is_said_and_is_no_try(signed_in_client: Client, kind: str) -> None:
    response = signed_in_client.post(address(step_of_kind(kind).name), {"act": "answer"})
    assert (response.status_code, "Choose an answer first." in response.text) == (400, True)
    # The page is shown where that is said.
    assert 'formaction="#result"' in response.text
    assert response.text.count('id="result"') == 1
    assert not LessonProgress.objects.filter(tries__gt=0).exists()


def test_an_answer_that_is_too_long_is_not_kept(signed_in_client: Client) -> None:
    step = step_of_kind("nodes")
    response = signed_in_client.post(address(step.name), {"act": "answer", "answer": ["x" * 30_000]})
    assert response.status_code == 400
    assert "The answer is too long." in response.text
    assert signed_in_client.post(address(step.name), {"act": "dance"}).status_code == 400
    assert not LessonProgress.objects.exists()


def test_hints_come_one_after_another_and_keep_what_was_filled_in(signed_in_client: Client) -> None:
    step = step_of_kind("node")
    hints = built_in_lessons()[LESSON].texts["en"].steps[step.name].hints
    node = build_situation(step.situation).node_names[0]
    for number in range(1, len(hints) + 2):
        page = signed_in_client.post(address(step.name), {"act": "hint", "answer": node}).text
        shown = min(number, len(hints))
        assert (page.count('class="lesson-hint"'), page.count('id="hint"')) == (shown, 1)
        assert ("Another hint" in page) == (shown < len(hints))
        assert f'value="{node}" checked' in page


def test_who_gives_up_is_shown_the_answer_and_may_begin_again(signed_in_client: Client) -> None:
    step = step_of_kind("node")
    signed_in_client.post(address(step.name), {"act": "reveal"})
    page = signed_in_client.get(address(step.name)).text
    assert "lesson-result is-shown" in page
    assert "Right, and not in your answer" in page

    signed_in_client.post(address(step.name), {"act": "again"})
    page = signed_in_client.get(address(step.name)).text
    assert "Check the answer" in page
    assert "lesson-result" not in page


def test_the_prediction_is_marked_on_the_map(signed_in_client: Client) -> None:
    step = step_of_kind("nodes")
    right = solution(step)
    wrong = next(node for node in build_situation(step.situation).node_names if node not in right)
    signed_in_client.post(address(step.name), posted(step, [right[0], wrong]))
    signed_in_client.post(address(step.name), {"act": "reveal"})

    page = signed_in_client.get(address(step.name)).text
    drawn = page.split('<div class="wide">')[1].split("</svg>")[0]
    rings = {kind: drawn.count(f"map-ring-{kind}") for kind in ("right", "wrong", "missed")}
    assert rings == {"right": 1, "wrong": 1, "missed": len(right) - 1}
    # In words each kind stands once.
    assert page.count("In your answer, and wrong") == 1


def test_answers_of_a_minute_are_limited(signed_in_client: Client) -> None:
    step = step_of_kind("node")
    node = build_situation(step.situation).node_names[0]
    statuses = [
        signed_in_client.post(address(step.name), {"act": "answer", "answer": node}).status_code
        for _ in range(RUNS_PER_MINUTE + 1)
    ]
    assert statuses == [302] * RUNS_PER_MINUTE + [429]


def test_progress_is_each_users_own_and_bounded(
    user: User, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = get_user_model().objects.create_user("other")
    progress.revealed(Learner(other), LESSON, FIRST.name)
    assert "Check the answer" in signed_in_client.get(address(FIRST.name)).text

    monkeypatch.setattr(progress, "MOST_STEPS", 3)
    for number in range(5):
        progress.revealed(Learner(user), LESSON, f"step-{number}")
    kept = set(LessonProgress.objects.filter(user=user).values_list("step", flat=True))
    assert kept == {"step-2", "step-3", "step-4"}
    assert LessonProgress.objects.filter(user=other).count() == 1
