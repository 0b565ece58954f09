"""A classroom in real browsers: a trainer, a projector and three participants, from opening it to its summary."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from clusters.services.lessons.library import built_in_lessons
from dashboard.classrooms import leading, seats
from dashboard.lessons import progress
from dashboard.lessons.learners import Learner
from dashboard.models import Classroom
from tests.browser.looks import flaws, flaws_of_pages, wear
from tests.dashboard.classrooms.rooms import open_room, seated
from tests.dashboard.lessons.every_kind import NAME, archive
from tests.dashboard.lessons.kept import keep_lesson
from tests.dashboard.lessons.learners import LESSON, solution
from tests.dashboard.lessons.test_kinds import RIGHT, WRONG

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from playwright.sync_api import Browser, Page

    from tests.support.live import LiveBerth

pytestmark = [pytest.mark.browser, pytest.mark.long]

STEPS = built_in_lessons()[LESSON].steps
TITLES = [built_in_lessons()[LESSON].texts["en"].steps[step.name].title for step in STEPS]


@pytest.fixture
def trainer_page(page: Page, user: User) -> Page:
    """Return a page of somebody who may teach."""
    user.is_staff = True
    user.save()
    wear(page, width=1440, theme="light")
    return page


def joined(browser: Browser, stack: ExitStack, base_url: str, code: str, name: str) -> Page:
    """Return a page of somebody who has joined with a phone."""
    context = stack.enter_context(browser.new_context(base_url=base_url, viewport={"width": 390, "height": 844}))
    page = context.new_page()
    page.goto(f"/join/{code}/")
    page.get_by_label("Your name").fill(name)
    if name == "Ada":
        assert flaws(page) == []
    page.get_by_role("button", name="Join", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLES[0])
    # Gone with the first reload.
    page.evaluate("window.isTheSamePage = true")
    return page


def answer(page: Page, names: list[str]) -> None:
    for name in names:
        page.locator(f'input[name="answer"][value="{name}"]').check()
    page.get_by_role("button", name="Send the answer").click()
    expect(page.locator("#result")).to_contain_text("Your answer is taken.")
    page.evaluate("window.isTheSamePage = true")


def same(page: Page) -> Any:
    return page.evaluate("window.isTheSamePage === true")


def test_a_class_is_led_from_opening_to_results(browser: Browser, live_berth: LiveBerth, trainer_page: Page) -> None:
    trainer, right = trainer_page, solution(STEPS[0])
    trainer.goto("/lessons/")
    trainer.locator(f'a[href$="/new/?lesson={LESSON}"]').first.click()
    trainer.get_by_role("button", name="Open the classroom").first.click()
    expect(trainer.get_by_text("Nobody has joined yet")).to_be_visible()
    code = trainer.locator(".classroom-code").inner_text()
    projector = trainer.context.new_page()
    wear(projector, width=1280, theme="dark")
    projector.goto(f"{trainer.url}projector/")
    expect(projector.locator(".classroom-code")).to_have_text(code)
    with ExitStack() as stack:
        ada, grace, alan = (joined(browser, stack, live_berth.url, code, each) for each in ("Ada", "Grace", "<b>Alan"))
        expect(trainer.get_by_role("rowheader", name="<b>Alan")).to_be_visible()
        expect(trainer.get_by_text("3 of 3 participants connected")).to_be_visible()
        expect(projector.get_by_text("3 participants", exact=True)).to_be_visible()

        answer(ada, right)
        answer(grace, right)
        answer(alan, ["worker-1"])
        for page in (trainer, projector):
            expect(page.get_by_text("3 of 3 participants have answered")).to_be_visible()
        expect(trainer.locator(".answer-bars dt").first).to_have_text(right[0])
        expect(trainer.locator(".map-ring-right")).to_have_count(0)
        expect(trainer.get_by_text("2 of 3 answers are right.")).to_be_hidden()
        trainer.get_by_text("Show me the answer").click()
        expect(trainer.get_by_text("2 of 3 answers are right.")).to_be_visible()
        expect(trainer.get_by_text("Most frequent wrong answer: 1 of 3")).to_be_visible()
        assert flaws(trainer) == []

        # One closes the tab, and the answer reaches the others without a reload.
        alan.close()
        # By silence alone that takes 25 seconds at the least.
        expect(trainer.get_by_text("2 of 3 participants connected")).to_be_visible(timeout=15_000)
        trainer.get_by_role("button", name="Show everybody the answer").click()
        for page in (ada, grace):
            expect(page.locator("#result")).to_contain_text("Right.")
            assert same(page)
        assert flaws(ada) == []
        expect(projector.get_by_text("2 of 3 answers are right.")).to_be_visible()
        expect(projector.locator(".narrow .map-ring-right")).to_have_count(len(right))
        assert "Alan" not in projector.content()

        trainer.get_by_role("button", name="Next step").click()
        expect(ada.get_by_role("heading", level=1)).to_have_text(TITLES[1])
        assert same(ada)
        expect(projector.get_by_role("heading", name=TITLES[1])).to_be_visible()
        # Folded again at the next step: what was opened belongs to the last one.
        expect(trainer.locator(".classroom-solution")).not_to_have_attribute("open", "")
        assert flaws(ada) == []
    trainer.get_by_role("link", name="Summary").click()
    expect(trainer.get_by_text("2 of 3 answers are right.")).to_be_visible()


def test_pages_of_those_who_teach_look_right(live_berth: LiveBerth, trainer_page: Page, user: User) -> None:
    keep_lesson(NAME, archive)
    led, free, kinds, plugins = open_room(user), open_room(user, pace="free"), open_room(user), open_room(user)
    leading.lead_to(kinds, NAME, "rejections")
    for name, given in (("Ada", RIGHT), ("Grace", WRONG)):
        seats.join(kinds, name)
        learner = Learner(participant=kinds.participants.get(name=name))
        assert progress.answered(learner, NAME, "rejections", given["rejections"], is_right=given is RIGHT)
    Classroom.objects.filter(pk=kinds.pk).update(lessons=[NAME], is_revealed=True)
    # Its table of answers has a column for each of five.
    step = next(each for each in STEPS if each.question.kind == "rejections")
    leading.lead_to(plugins, LESSON, step.name)
    seats.join(plugins, "Ada")
    assert progress.answered(
        Learner(participant=plugins.participants.get()), LESSON, step.name, solution(step), is_right=True
    )
    leading.reveal(plugins)
    for room in (led, free):
        for name in ("Ada", "Grace"):
            seated(room, name).get("/seat/")
    pages = ("/classrooms/", "/classrooms/new/?path=beginners", "/lessons/", f"/classrooms/{free.pk}/")
    rest = [f"/classrooms/{led.pk}/{each}" for each in ("", "projector/", "summary/", "remove/")]
    tables = [f"/classrooms/{room.pk}/{each}" for room in (kinds, plugins) for each in ("", "projector/")]

    assert flaws_of_pages(trainer_page, [*pages, *rest, *tables]) == {}
