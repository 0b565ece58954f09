"""Signing in with an identity provider in a real browser, by its rules for cookies, forms and redirects."""

from __future__ import annotations

import re
import socket
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from playwright.sync_api import expect

from dashboard.serving import processes
from dashboard.serving.children import Child
from tests.browser.looks import flaws_of_pages, wear
from tests.support.issuer import CLIENT_ID, CLIENT_SECRET, Issuer, running_issuer
from tests.support.live import free_port
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

    from tests.support.live import LiveBerth

pytestmark = pytest.mark.browser


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with running_issuer() as running:
        yield running


@pytest.fixture
def berth(live_berth: LiveBerth, issuer: Issuer) -> Iterator[str]:
    """Run another web process, which knows the provider and no links, and return its address."""
    port = free_port()
    environment = {
        **live_berth.environment,
        "BERTH_OIDC_ISSUER": issuer.url,
        "BERTH_OIDC_NAME": "Example",
        "BERTH_OIDC_CLIENT_ID": CLIENT_ID,
        "BERTH_OIDC_CLIENT_SECRET": CLIENT_SECRET,
        "BERTH_SIGNIN_LINKS": "0",
    }
    command = processes.web(host="127.0.0.1", port=port, log_level="INFO")
    web = Child("web", command, env=environment, cwd=settings.BASE_DIR)
    try:
        wait_until(lambda: _listens(port), seconds=30, otherwise="the web server does not listen")
        yield f"http://127.0.0.1:{port}"
    finally:
        web.stop(grace=5)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_one_press_signs_in_and_leads_on(
    stranger_page: Page, berth: str, issuer: Issuer, page_errors: list[str]
) -> None:
    assert flaws_of_pages(stranger_page, [f"{berth}/sign-in/?next=/clusters/"]) == {}
    wear(stranger_page, width=1440, theme="light")
    expect(stranger_page.get_by_text("signin")).to_have_count(0)
    button = stranger_page.get_by_role("link", name="Sign in with Example")
    button.click()
    expect(stranger_page).to_have_url(f"{berth}/clusters/")
    expect(stranger_page.get_by_role("link", name="Signed in as ada")).to_be_visible()

    stranger_page.get_by_role("button", name="Sign out").click()
    expect(stranger_page.get_by_role("heading", name="Signed out")).to_be_visible()
    there = stranger_page.get_by_role("link", name="Sign out at Example")
    expect(there).to_have_attribute("href", re.compile(f"^{issuer.url}/end"))
    assert page_errors == []

    # What its rules forbid is told on a page, not in the log alone.
    issuer.claims["nonce"] = "wrong"
    stranger_page.goto(f"{berth}/sign-in/")
    button.click()
    expect(stranger_page.get_by_role("alert")).to_contain_text("Sign-in with Example failed")
    assert [error for error in page_errors if "403" not in error] == []
    page_errors.clear()
