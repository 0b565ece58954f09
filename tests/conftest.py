"""What every test stands on: a private Redis, collected static files, users, and word of what was not run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from dashboard import datadir, health
from dashboard.serving import redis_server
from dashboard.serving.children import Child
from tests.support.chromium import find_chromium
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest_plugins = ["tests.support.live", "tests.support.browser"]


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("BERTH_REQUIRE_BROWSER") == "1" and find_chromium() is None:
        raise pytest.UsageError("BERTH_REQUIRE_BROWSER=1, but there is no Chromium: apt-get install chromium")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if find_chromium() is not None:
        return
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason="no Chromium"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if "no Chromium" in str(report.longrepr)]
    if skipped:
        terminalreporter.section("BROWSER TESTS DID NOT RUN", sep="!", red=True, bold=True)
        terminalreporter.line(
            f"{len(skipped)} browser tests were skipped, because there is no Chromium on this machine. "
            "Install one (apt-get install chromium), or set BERTH_CHROMIUM to its path."
        )


@pytest.fixture(scope="session", autouse=True)
def redis_url() -> Iterator[str]:
    """Run a real Redis on the socket at which the settings look for one."""
    socket = datadir.redis_socket(settings.BERTH_DATA_DIR)
    datadir.private_folder(socket.parent)
    command = redis_server.command(redis_server.find(), socket=socket)
    server = Child("redis", command, env=os.environ, cwd=settings.BASE_DIR, echo=False)
    try:
        wait_until(lambda: health.redis_state() == "ok", seconds=10, otherwise="Redis does not answer")
        yield settings.REDIS_URL
    finally:
        server.stop(grace=2)


@pytest.fixture(scope="session", autouse=True)
def static_files() -> None:
    """Collect the static files, by whose manifest every page names them."""
    call_command("collectstatic", interactive=False, verbosity=0)


@pytest.fixture
def user(db: None) -> User:
    """Return the user whom the signed-in fixtures sign in."""
    return User.objects.create_user("operator", password="correct horse battery")


@pytest.fixture
def signed_in_client(user: User) -> Client:
    """Return a client that is signed in and checks CSRF tokens as a browser would meet them: not at all."""
    client = Client()
    client.force_login(user)
    return client
