"""A database that others write to answers soon and keeps nothing; its files are for nobody else."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

from dashboard.models import Classroom, Participant
from tests.dashboard.classrooms.rooms import open_room

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from django.contrib.auth.models import User

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="locks a database as SQLite does"),
]


SPEC = {"version": 1, "base": {"kind": "empty"}, "changes": []}


@pytest.fixture
def room(user: User) -> Classroom:
    return open_room(user)


@pytest.fixture
def writer(room: Classroom) -> Iterator[sqlite3.Connection]:
    """Somebody who begins to write, and does not end."""
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 50")
    yield other
    other.close()
    connection.close()


def test_a_page_that_cannot_write_asks_to_try_again(writer: sqlite3.Connection, room: Classroom) -> None:
    form = {"code": room.code, "name": "Ada"}
    refused = Client().post("/join/", form)

    assert (refused.status_code, refused["Retry-After"]) == (503, "5")
    assert "The database is busy" in refused.text
    writer.rollback()
    assert not Participant.objects.exists()
    assert Client().post("/join/", form).status_code == 302


def test_a_failure_outside_of_views_asks_to_try_again(writer: sqlite3.Connection, user: User) -> None:
    # Sessions are written by a middleware, where the test's client would raise what fails.
    client = Client(raise_request_exception=False)
    writer.rollback()
    client.force_login(user)
    session = client.session
    session["old"] = True
    session.set_expiry(60)
    session.save()
    writer.execute("BEGIN IMMEDIATE")

    refused = client.post("/sign-out/")

    assert (refused.status_code, refused["Retry-After"]) == (503, "5")


def test_the_api_says_so_in_its_form(signed_in_client: Client, writer: sqlite3.Connection) -> None:
    refused = signed_in_client.post("/api/v1/runs/", {"spec": SPEC}, content_type="application/json")

    assert (refused.status_code, refused["Retry-After"]) == (503, "5")
    assert refused.json()["error"]["code"] == "ServiceUnavailable"


def test_files_of_a_database_are_for_its_owner_alone(tmp_path: Path) -> None:
    program = (
        "import os, django; os.umask(0o022); django.setup();"
        "from django.db import connection;"
        "connection.cursor().execute('CREATE TABLE a (b)');"
        "print(*[oct(os.stat(each).st_mode)[-3:] for each in os.scandir(os.environ['BERTH_DATA_DIR']) "
        "if 'sqlite' in each.name])"
    )
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "BERTH_DATA_DIR": str(tmp_path),
        "DATABASE_URL": "",
    }
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=True,
    )

    assert set(done.stdout.split()) == {"600"}
    modes = [stat.S_IMODE(each.stat().st_mode) for each in tmp_path.glob("berth.sqlite3*")]
    assert set(modes) == {0o600}
