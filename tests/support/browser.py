"""Pages in a real Chromium. Every page is watched: an error or a failed request fails the test that opened it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

from tests.support.chromium import find_chromium

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.contrib.auth.models import User

    from tests.support.live import LiveBerth

_PATIENCE_MS = 20_000

# htmx writes these to the console as errors when a request is aborted: by a newer search, or by leaving the page.
_ABORTED_BY_HTMX = ("htmx:afterRequest,", "htmx:sendAbort,")

# Runs before any script of the page's own; the console is watched, so saying it there is enough.
_REPORT_CSP_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`CSP violation: ${event.effectiveDirective} blocked ${event.blockedURI} in ${event.sourceFile}`);
});
"""


def _lifetime(fixture_name: str, config: pytest.Config) -> Literal["session", "module"]:
    """Return how long a browser runs: all along in a run that has browsers' tests alone.

    Else a module, because Playwright's sync API keeps an event loop in this thread, in which no coroutine test can run.
    """
    return "session" if config.option.markexpr == "browser" else "module"


@pytest.fixture(scope=_lifetime)
def browser() -> Iterator[Browser]:
    """Run Chromium.

    Django refuses database calls beside a running loop; here they are safe, because Playwright runs its loop only while
    the test waits for it.
    """
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        # As root, as in most containers, Chromium cannot build its sandbox.
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=options)
        # A machine that does much else besides is slow, not wrong: only what never comes fails.
        expect.set_options(timeout=_PATIENCE_MS)
        yield chromium
        chromium.close()


@pytest.fixture
def page_errors() -> list[str]:
    """Return what went wrong in the pages of this test; a test that provokes an error on purpose clears the list."""
    return []


@pytest.fixture
def browser_context(browser: Browser, live_berth: LiveBerth, page_errors: list[str]) -> Iterator[BrowserContext]:
    """Return a fresh context with Berth as its base address, every page of which is watched."""
    with browser.new_context(base_url=live_berth.url, viewport={"width": 1440, "height": 900}) as context:
        context.set_default_timeout(_PATIENCE_MS)
        context.add_init_script(_REPORT_CSP_VIOLATIONS)
        context.on("page", lambda page: _watch(page, page_errors))
        yield context
    assert page_errors == []


@pytest.fixture
def stranger_page(browser_context: BrowserContext) -> Page:
    """Return a page of somebody who is not signed in."""
    return browser_context.new_page()


@pytest.fixture
def page(browser_context: BrowserContext, live_berth: LiveBerth, user: User) -> Page:
    """Return a page of a signed-in user."""
    client = Client()
    client.force_login(user)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    browser_context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_berth.url}])
    return browser_context.new_page()


def _watch(page: Page, errors: list[str]) -> None:
    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(_ABORTED_BY_HTMX):
            errors.append(f"console of {page.url}: {message.text}")

    def on_error(error: Error) -> None:
        errors.append(f"uncaught in {page.url}: {error.message}")

    def on_response(response: Response) -> None:
        if response.status >= 400:
            errors.append(f"{response.status} from {response.url}")

    def on_failed_request(request: Request) -> None:
        # Leaving a page aborts what it still waits for, and so does a newer search.
        if request.failure != "net::ERR_ABORTED":
            errors.append(f"{request.failure} for {request.url}")

    page.on("console", on_console)
    page.on("pageerror", on_error)
    page.on("response", on_response)
    page.on("requestfailed", on_failed_request)
