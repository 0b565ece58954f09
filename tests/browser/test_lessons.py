"""Lessons in a real browser: played in each language, by mouse on the map, by keyboard alone, and without a script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from clusters.services.lessons.library import built_in_lessons
from tests.browser.looks import flaws_in_every_look, flaws_of_pages, wear
from tests.browser.test_verdict_map import middle_of
from tests.dashboard.lessons.every_kind import NAME, archive
from tests.dashboard.lessons.kept import keep_lesson
from tests.dashboard.lessons.learners import LESSON, address, solution, step_of_kind

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from clusters.engine.lessons.lesson import LessonStep

pytestmark = [pytest.mark.browser, pytest.mark.long]

LANGUAGE, LANGUAGE_NAME = "uk", "Українська"


def fill(page: Page, step: LessonStep, answer: Any) -> None:
    """Answer a step in its form, whatever the language is."""
    match step.question.kind:
        case "nodes" | "node" | "pods":
            for name in answer if isinstance(answer, list) else [answer]:
                page.locator(f'input[name="answer"][value="{name}"]').check()
        case "rejections":
            for node, plugin in answer.items():
                page.locator(f'select[name="each:{node}"]').select_option(plugin or "~fits")
        case "number":
            page.locator('input[name="answer"]').fill(answer)
        case kind:
            raise NotImplementedError(kind)


def test_a_lesson_is_played_to_its_end(live_berth: object, page: Page) -> None:
    lesson = built_in_lessons()[LESSON]
    texts = lesson.texts[LANGUAGE]
    wear(page, width=1440, theme="light")
    page.goto("/lessons/")
    page.get_by_role("button", name=LANGUAGE_NAME).click()
    page.get_by_role("link", name=texts.title).first.click()
    for step in lesson.steps:
        expect(page.get_by_role("heading", level=1)).to_have_text(texts.steps[step.name].title)
        fill(page, step, solution(step))
        page.locator('button[value="answer"]').click()
        expect(page.locator("#result.is-right")).to_be_visible()
        expect(page.locator("[data-map-controls]")).to_have_count(int(step.shows_decision))
        if step != lesson.steps[-1]:
            page.locator(".lesson-actions .btn-primary").click()
    # The next lesson is offered, and the list of all.
    expect(page.locator(".lesson-actions .btn-primary")).to_be_visible()
    page.locator('.lesson-actions a[href="/lessons/"]').click()
    expect(page).to_have_url(f"{page.url.partition('/lessons')[0]}/lessons/")
    expect(page.locator(".lesson-card.is-done").first).to_be_visible()


def test_nodes_are_chosen_on_the_map(live_berth: object, page: Page) -> None:
    step = step_of_kind("nodes")
    right = solution(step)
    wear(page, width=1440, theme="light")
    page.goto(address(step.name))
    for name in right:
        page.mouse.click(*middle_of(page, name))
        expect(page.locator(f'input[value="{name}"]')).to_be_checked()
    expect(page.locator(".wide .map-ring-chosen")).to_have_count(len(right))
    # Another click lets go of it.
    page.mouse.click(*middle_of(page, right[0]))
    expect(page.locator(f'input[value="{right[0]}"]')).not_to_be_checked()
    page.mouse.click(*middle_of(page, right[0]))
    page.get_by_role("button", name="Check the answer").click()
    expect(page.locator("#result")).to_contain_text("Right.")
    # Where the decision is shown, a node of the map opens to what every filter compared there.
    page.goto(address(step_of_kind("node").name))
    page.get_by_role("button", name="Show the answer").click()
    # What is not asked about is folded, on a desk too.
    expect(page.locator("[data-map-controls]")).to_be_hidden()
    page.locator(".lesson-decision > summary").click()
    expect(page.locator("[data-map-controls]")).to_be_visible()
    page.mouse.click(*middle_of(page, right[0]))
    expect(page.locator("#node-answer")).to_contain_text(f"Every filter on {right[0]}")


def test_a_step_is_answered_by_keyboard_alone(live_berth: object, page: Page) -> None:
    step = step_of_kind("nodes")
    page.goto(address(step.name))
    stage = page.locator("[data-map-stage]")
    expect(stage).to_have_attribute("role", "application")
    page.locator(".lesson-languages button").last.focus()
    for _ in range(40):
        page.keyboard.press("Tab")
        if stage.evaluate("(each) => each === document.activeElement"):
            break
    expect(stage).to_be_focused()
    # The first node of the map.
    page.keyboard.press("Enter")
    expect(page.locator('input[name="answer"]:checked')).to_have_count(1)
    expect(page.locator("#announcer")).to_contain_text(": chosen")
    page.keyboard.press("Enter")
    expect(page.locator('input[name="answer"]:checked')).to_have_count(0)
    for name in solution(step):
        page.locator(f'input[value="{name}"]').focus()
        page.keyboard.press("Space")
    check = page.get_by_role("button", name="Check the answer")
    for _ in range(40):
        page.keyboard.press("Tab")
        if check.evaluate("(each) => each === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.locator("#result")).to_contain_text("Right.")


def test_everything_works_without_a_script(page: Page, plain_page: Page) -> None:
    keep_lesson(NAME, archive)
    step = step_of_kind("nodes")
    plain_page.goto(address(step.name))
    plain_page.get_by_role("button", name="Hint").click()
    expect(plain_page.locator(".lesson-hint")).to_have_count(1)
    fill(plain_page, step, solution(step))
    plain_page.get_by_role("button", name="Check the answer").click()
    expect(plain_page.locator("#result")).to_contain_text("Right.")

    plain_page.goto(address("queue", lesson=NAME))
    for name in ("shop/web", "shop/huge"):
        plain_page.get_by_role("button", name=f"Add {name} to the order").click()
    plain_page.get_by_role("button", name="Move shop/huge up").click()
    plain_page.get_by_role("button", name="Check the answer").click()
    expect(plain_page.locator("#result")).to_contain_text("Right.")


def test_the_pages_of_lessons_are_accessible_and_fit(live_berth: object, page: Page) -> None:
    keep_lesson(NAME, archive)
    page.goto(address(step_of_kind("nodes").name))
    page.locator(".lesson-terms > summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".lesson-terms dd").first).to_be_visible()
    assert flaws_in_every_look(page) == []
    page.goto(address("rejections", lesson=NAME))
    page.locator('select[name="each:elm"]').select_option("TaintToleration")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#hint")).to_be_in_viewport()
    page.get_by_role("button", name="Check the answer").click()
    expect(page.locator("#result")).to_contain_text("Not yet.")
    assert flaws_in_every_look(page) == []
    page.goto(address("nodes", lesson=NAME))
    page.get_by_role("button", name="Show the answer").click()
    page.goto(address("node", "experiment/?object=Node/ash", lesson=NAME))
    page.get_by_role("button", name="Remove this object").click()
    steps = ("node", "nodes", "pods", "queue", "order", "number", "manifest")
    addresses = ["/lessons/", *(address(step, lesson=NAME) for step in steps)]
    addresses.append(address("node", "experiment/", lesson=NAME))
    assert flaws_of_pages(page, addresses) == {}
