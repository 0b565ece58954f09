"""The picture of the nodes in a step of a simulation, in a real browser: pointed at, walked through, shaded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.test_simulations import MORE, shop_page, simulated

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from playwright.sync_api import Page, Route

__all__ = ["shop_page"]

pytestmark = pytest.mark.browser


@pytest.fixture
def picture_page(shop_page: Page, user: User) -> Page:
    run = simulated(user, "40 more of web", MORE)
    shop_page.goto(f"/simulations/{run.pk}/steps/0/")
    return shop_page


def drawn(page: Page) -> None:
    expect(page.locator("[data-picture]")).to_have_attribute("data-drawn", re.compile(r"\d+"))


def test_the_picture_goes_to_what_is_pointed_at(picture_page: Page) -> None:
    drawn(picture_page)
    stage, facts = picture_page.locator("[data-picture-stage]"), picture_page.locator(".picture-facts")
    # The label of the first node, then its first pod.
    stage.hover(position={"x": 20, "y": 34})
    expect(facts.locator("p").first).to_have_text("a1")
    stage.hover(position={"x": 8, "y": 55})
    expect(facts.locator("p").first).to_contain_text("shop/web-")

    stage.click(position={"x": 20, "y": 34})
    expect(picture_page).to_have_url(re.compile(r"/simulations/\d+/\?node=a1#pods$"))


def test_the_picture_is_walked_by_keyboard(picture_page: Page) -> None:
    drawn(picture_page)
    spoken = picture_page.locator("[data-picture-spoken] p")
    picture_page.locator("[data-picture-stage]").focus()
    expect(spoken.first).to_have_text("a1")
    picture_page.keyboard.press("Space")
    expect(spoken.first).to_contain_text("shop/web-")
    picture_page.keyboard.press("Escape")
    picture_page.keyboard.press("ArrowDown")
    expect(spoken.first).to_have_text("b1")
    picture_page.keyboard.press("Enter")

    expect(picture_page).to_have_url(re.compile(r"/simulations/\d+/\?node=b1#pods$"))


def test_what_is_shaded_follows_the_choice_and_the_theme(picture_page: Page) -> None:
    drawn(picture_page)

    def pixels() -> str:
        return str(picture_page.evaluate("document.querySelector('[data-picture-stage] canvas').toDataURL()"))

    by_cpu = pixels()
    picture_page.get_by_role("link", name="State", exact=True).click()
    by_state = pixels()
    assert by_state != by_cpu
    picture_page.get_by_role("radio", name="Dark").check(force=True)
    expect(picture_page.locator("html")).to_have_attribute("data-bs-theme", "dark")
    assert pixels() != by_state


def test_the_picture_says_when_it_cannot_be_loaded_and_tries_again(
    shop_page: Page, user: User, page_errors: list[str]
) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=503, body="changing")

    run = simulated(user, "40 more of web", MORE)
    picture = re.compile(r"/steps/0/picture")
    shop_page.route(picture, refuse)
    shop_page.goto(f"/simulations/{run.pk}/steps/0/")
    expect(shop_page.get_by_text("The picture could not be loaded")).to_be_visible()
    shop_page.unroute(picture, refuse)

    shop_page.get_by_role("button", name="Try again").click()

    expect(shop_page.get_by_text("The picture could not be loaded")).to_be_hidden()
    page_errors.clear()
