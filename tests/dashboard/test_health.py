from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from celery.signals import after_task_publish
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from dashboard.celery import app
from dashboard.operations.metrics import metrics

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db


def test_stranger_may_ask_whether_it_lives(client: Client) -> None:
    assert client.get("/livez").json() == {"status": "ok"}


def test_ready_when_database_and_redis_answer(client: Client) -> None:
    response = client.get("/readyz")

    assert response.status_code == 200
    body = response.json()
    assert (body["status"], body["dependencies"]) == ("ok", {"database": "ok", "redis": "ok"})


def test_ready_without_beat_and_says_so(client: Client) -> None:
    silent = client.get("/readyz")
    assert silent.status_code == 200
    assert "work of lost workers is not taken over" in silent.json()["beat"]
    assert "berth_beat_up 0.0" in metrics().decode()

    # As beat sends it.
    after_task_publish.send(sender=app.conf.beat_schedule["resume-abandoned"]["task"])

    assert client.get("/readyz").json()["beat"] == "ok"
    assert "berth_beat_up 1.0" in metrics().decode()


def test_not_ready_without_redis_and_says_so(client: Client, settings: Settings, tmp_path: Path) -> None:
    settings.REDIS_URL = f"unix://{tmp_path}/nobody.sock"

    response = client.get("/readyz")

    assert response.status_code == 503
    assert response.json()["dependencies"] == {"database": "ok", "redis": "unavailable"}
    assert str(tmp_path) not in response.content.decode()


def test_not_ready_before_the_schema_is_current(client: Client) -> None:
    newest = MigrationLoader(connection).graph.leaf_nodes("dashboard")[0]
    MigrationRecorder(connection).record_unapplied(*newest)

    response = client.get("/readyz")

    assert response.status_code == 503
    assert "manage.py migrate" in response.json()["dependencies"]["database"]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="makes the database read-only as SQLite does")
def test_not_ready_while_the_database_cannot_be_written(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = ON")
        try:
            response = client.get("/readyz")
        finally:
            cursor.execute("PRAGMA query_only = OFF")

    assert response.status_code == 503
    assert response.json()["dependencies"]["database"] == "read-only"
    assert client.get("/readyz").status_code == 200


def test_alive_even_without_redis(client: Client, settings: Settings) -> None:
    settings.REDIS_URL = "unix:///nowhere.sock"

    assert client.get("/livez").status_code == 200


@pytest.mark.parametrize("address", ["/livez", "/readyz"])
def test_probe_is_for_reading_and_never_cached(client: Client, address: str) -> None:
    assert client.post(address).status_code == 405
    assert "no-store" in client.get(address)["Cache-Control"]
