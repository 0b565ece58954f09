"""Processes that end are started again, unless they only ever end."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from dashboard.serving import children
from dashboard.serving.children import Child, ChildDiedError, Family
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

_SLEEPS = "import time; time.sleep(60)"


@pytest.fixture
def family() -> Iterator[Family]:
    family = Family()
    yield family
    family.stop(grace=0)


def add(family: Family, program: str) -> Child:
    return family.add(Child("web", [sys.executable, "-c", program], env=os.environ, cwd=settings.BASE_DIR))


def kill(child: Child) -> int:
    os.kill(child.process.pid, signal.SIGKILL)
    wait_until(lambda: child.process.poll() is not None, seconds=10, otherwise="it goes on")
    return child.process.pid


def test_one_that_was_killed_is_started_again_after_a_pause(
    family: Family, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(children, "_PAUSES", (60,))
    child = add(family, _SLEEPS)
    before = kill(child)
    for _ in range(3):
        family.tend()
    assert child.process.pid == before
    said = capsys.readouterr().out
    assert said.count("The web process was ended by SIGKILL.") == 1
    assert "Starting the web process again in 60 seconds." in said

    monkeypatch.setattr(child, "_next_start", 0)
    family.tend()

    assert child.process.poll() is None
    assert child.process.pid != before


def test_one_that_only_ever_ends_is_given_up_with_its_last_words(
    family: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "_PAUSES", (0, 0))
    add(family, "print('out of order today'); exit(3)")

    def given_up() -> str:
        try:
            family.tend()
        except ChildDiedError as error:
            return str(error)
        return ""

    said = ""

    def ends() -> bool:
        nonlocal said
        said = said or given_up()
        return bool(said)

    wait_until(ends, seconds=30, otherwise="it is started for ever")
    assert "The web process exited with status 3." in said
    assert "out of order today" in said
    assert "started again 2 times" in said


def test_one_that_settled_has_all_its_starts_again(family: Family, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "_PAUSES", (0,))
    monkeypatch.setattr(children, "_SETTLED", 0)
    child = add(family, _SLEEPS)
    for _ in range(3):
        before = kill(child)
        family.tend()
        family.tend()
        assert child.process.pid != before

    monkeypatch.setattr(children, "_SETTLED", 60)
    kill(child)
    with pytest.raises(ChildDiedError, match="SIGKILL"):
        family.tend()
