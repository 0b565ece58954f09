from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from dashboard.access.links import make_link

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.live import LiveBerth

pytestmark = pytest.mark.browser


def test_link_fills_in_its_code_and_signs_in(stranger_page: Page, live_berth: LiveBerth) -> None:
    link = make_link(username="operator", base_url=live_berth.url, create=True)
    stranger_page.goto(link)
    # The code leaves the address bar.
    expect(stranger_page).to_have_url(re.compile(r"/sign-in/link/$"))
    expect(stranger_page.get_by_label("Code")).to_have_value(link.partition("#")[2])
    stranger_page.get_by_role("button", name="Sign in").click()

    expect(stranger_page.get_by_role("button", name="Sign out")).to_be_visible()


def test_stranger_is_asked_to_sign_in(stranger_page: Page) -> None:
    stranger_page.goto("/")

    expect(stranger_page).to_have_url(re.compile(r"/sign-in/\?next=/$"))
    expect(stranger_page.get_by_label("Password")).to_be_visible()


def test_inline_script_is_reported_as_a_violation(stranger_page: Page, page_errors: list[str]) -> None:
    stranger_page.goto("/sign-in/")

    # By a policy that the page allows: what is no trusted type does not come as far as the rules for scripts.
    stranger_page.evaluate("""() => {
        const policy = trustedTypes.createPolicy("berth-live", { createScript: (text) => text });
        const script = document.createElement("script");
        script.textContent = policy.createScript("window.ran = 1");
        document.body.appendChild(script);
    }""")
    stranger_page.wait_for_function("true")

    assert stranger_page.evaluate("window.ran") is None
    assert any("CSP violation: script-src" in error for error in page_errors)
    page_errors.clear()
