"""What every test stands on: a private Redis, collected static files, users, and word of what was not run."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from channels.layers import channel_layers
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from hypothesis import HealthCheck, settings as properties

from clusters.adapters import shared_redis
from clusters.adapters.cel import compiled_selector
from clusters.engine.versions import NEWEST
from clusters.services import evaluation as questions
from clusters.services.mirror.snapshots import forget_snapshots
from dashboard import datadir
from dashboard.limits import computing, windows
from dashboard.operations import health
from dashboard.serving import processes
from dashboard.serving.children import Child
from dashboard.static_files import StaticFilesMiddleware
from tests.controlplane import binaries
from tests.deploy import programs
from tests.identity.build import program
from tests.support.chromium import find_chromium
from tests.support.mirrored import DEMO, DEMO_OF_DAY
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from _typeshed import TraceFunction
    from pytest_django import DjangoDbBlocker

pytest_plugins = ["tests.support.live", "tests.support.browser"]

# How long an example takes says how busy the machine is. The same examples each time: what fails, fails for a change.
properties.register_profile("same", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
properties.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
properties.load_profile("same")


@dataclass(frozen=True, slots=True)
class Need:
    """What the tests with a marker need beside Python; `lack` says why they cannot run here, or nothing."""

    marker: str
    lack: Callable[[], str]
    required_by: str
    remedy: str


def _lack_of_browser() -> str:
    return "" if find_chromium() else "no Chromium"


def _lack_of_control_plane() -> str:
    if missing := binaries.missing():
        return f"no {', '.join(missing)}"
    # Two workers would run a control plane each, and a test of speed beside another measures the other.
    return "the control plane wants the machine for itself" if "PYTEST_XDIST_WORKER" in os.environ else ""


def _lack_of_helm() -> str:
    return f"no {', '.join(missing)}" if (missing := programs.missing()) else ""


NEEDS = (
    Need(
        marker="browser",
        lack=_lack_of_browser,
        required_by="BERTH_REQUIRE_BROWSER",
        remedy="Install Chromium (apt-get install chromium), or set BERTH_CHROMIUM to its path.",
    ),
    Need(
        marker="controlplane",
        lack=_lack_of_control_plane,
        required_by="BERTH_REQUIRE_CONTROLPLANE",
        remedy="Run make test-controlplane, which builds one with Go, or set KUBEBUILDER_ASSETS to where one is.",
    ),
    Need(
        marker="helm",
        lack=_lack_of_helm,
        required_by="BERTH_REQUIRE_HELM",
        remedy="Run make helm, which builds them with Go.",
    ),
    Need(
        marker="dex",
        lack=lambda: "" if program().is_file() else "no Dex",
        required_by="BERTH_REQUIRE_DEX",
        remedy="Run make test-dex, which builds it with Go.",
    ),
)


# Whoever asks for one of these reaches the database, as a test with the mark of pytest-django does.
DATABASE_FIXTURES = frozenset({"db", "transactional_db"})


def pytest_configure() -> None:
    for need in NEEDS:
        if os.environ.get(need.required_by) == "1" and (lack := need.lack()):
            raise pytest.UsageError(f"{need.required_by}=1, but: {lack}. {need.remedy}")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Set aside what the modules of tests hold, recorded answers above all, from the collector of cyclic garbage.

    It lasts as long as the process, and would be looked through again and again.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


# Before pytest itself chooses by marks.
@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None]:
    for item in items:
        if item.get_closest_marker("django_db") or DATABASE_FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.database)
    for need in NEEDS:
        if lack := need.lack():
            for item in items:
                if item.get_closest_marker(need.marker):
                    item.add_marker(pytest.mark.skip(reason=f"{need.marker}: {lack}"))
    yield
    # After pytest-django, which sorts by what tests do to the database.
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


# What coverage does not watch: it makes such tests more than twice as slow, and they reach no lines that others do not.
_UNMEASURED = ("hypothesis", "unmeasured")
_TRACE = pytest.StashKey["TraceFunction | None"]()


@contextmanager
def _tracing(trace: TraceFunction | None) -> Iterator[None]:
    before = sys.gettrace()
    if before is not trace:
        sys.settrace(trace)
    try:
        yield
    finally:
        if before is not trace:
            sys.settrace(before)


# pytest-cov's mark for this does not help in the workers of a parallel run, where coverage measures every process.
@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let coverage watch fixtures and tests, but not what pytest does between them, for each of thousands."""
    item.config.stash[_TRACE] = None if any(map(item.get_closest_marker, _UNMEASURED)) else sys.gettrace()
    with _tracing(None):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(request: pytest.FixtureRequest) -> Generator[None, object, object]:
    with _tracing(request.config.stash[_TRACE]):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    with _tracing(pyfuncitem.config.stash[_TRACE]):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    with _tracing(item.config.stash[_TRACE]):
        return (yield)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    for need in NEEDS:
        reasons = [text for text in skipped if f"Skipped: {need.marker}: " in text]
        if reasons:
            terminalreporter.section(f"{need.marker.upper()} TESTS DID NOT RUN", sep="!", red=True, bold=True)
            terminalreporter.line(f"{len(reasons)} {need.marker} tests were skipped. {need.remedy}")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """End what a process or thread of a test still has open before the database goes: PostgreSQL would not drop it."""
    yield
    if connection.vendor != "postgresql":
        return
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        others = "datname = current_database() AND pid <> pg_backend_pid()"
        cursor.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")  # noqa: S608


@pytest.fixture(scope="session", autouse=True)
def redis_url() -> Iterator[str]:
    """Run a real Redis on the socket at which the settings look for one."""
    socket = datadir.redis_socket(settings.BERTH_DATA_DIR)
    datadir.private_folder(socket.parent)
    command = processes.command(processes.find(), socket=socket)
    server = Child("redis", command, env=os.environ, cwd=settings.BASE_DIR, echo=False)
    try:
        wait_until(lambda: health.redis_state() == "ok", seconds=10, otherwise="Redis is unavailable")
        yield settings.REDIS_URL
    finally:
        server.stop(grace=2)


@pytest.fixture(scope="session", autouse=True)
def expressions() -> None:
    """Load the evaluator of CEL, which raises the limit of recursion: Hypothesis objects where a test does that."""
    compiled_selector("true", NEWEST.dialect)


@pytest.fixture(scope="session", autouse=True)
def static_files() -> Iterator[None]:
    """Collect the static files, by whose manifest every page names them, and list them once, not for each client."""
    call_command("collectstatic", interactive=False, verbosity=0)
    known = StaticFilesMiddleware().files
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFilesMiddleware, "add_files", lambda self, *_, **__: self.files.update(known))
        yield


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    """Let what pages compute within a few seconds take as long as it does on a machine that does much else besides."""
    with pytest.MonkeyPatch.context() as patch:
        for bounded in (computing, questions):
            patch.setattr(bounded, "MOST_SECONDS", 600.0)
        yield


@pytest.fixture(autouse=True)
def fresh_process() -> None:
    """Forget what the process remembers of clusters, but of those that no test changes: tests reuse primary keys."""
    forget_snapshots(but={DEMO, DEMO_OF_DAY})
    shared_redis.forget_silence()
    windows.forget_own()
    # A layer keeps locks of the event loop that it was first used in, and each test has its own.
    channel_layers.backends.clear()
    # What users of other tests did within this minute, and what workers found out.
    shared_redis.ask(
        lambda client: client.delete("", *client.keys("berth:minute:*"), *client.keys("berth:eval*"), "berth:beat")
    )


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
