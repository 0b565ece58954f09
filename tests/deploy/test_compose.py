"""The Compose file: Compose understands it, and it runs what Berth has."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
import yaml
from django.core.management import get_commands, load_command_class

import dashboard
from tests.deploy.programs import ROOT, run
from tests.test_repository import variables_read

pytestmark = pytest.mark.helm

COMPOSE = ROOT / "deploy/compose.yaml"


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    """Return the services as Compose understands them, before it puts variables in."""
    found: dict[str, Any] = yaml.safe_load(run("cmd", "-no-interpolation", COMPOSE))["services"]
    return found


def test_every_process_of_berth_is_one_that_there_is(services: dict[str, Any]) -> None:
    ours = {name: service for name, service in services.items() if "berth" in service["image"]}
    queues = set()
    for service in ours.values():
        name, *arguments = service["command"]
        given = load_command_class(get_commands()[name], name).create_parser("berth", name).parse_args(arguments)
        queues |= set(getattr(given, "queues", ()))
        assert service["image"].endswith(f":{dashboard.__version__}}}")
        assert service["environment"].keys() <= variables_read()
        assert service["read_only"] is True

    assert {"web", "beat", "migrate"} <= set(ours)
    assert queues == {"celery", "questions", "simulations", "ingests"}


def test_all_wait_for_the_migration(services: dict[str, Any]) -> None:
    waiting = {name for name, service in services.items() if service.get("depends_on", {}).get("migrate")}

    assert waiting == set(services) - {"postgres", "valkey", "migrate"}


def test_secrets_are_asked_for() -> None:
    with pytest.raises(subprocess.CalledProcessError) as caught:
        run("cmd", COMPOSE)

    assert "Write BERTH_SECRET_KEY into .env" in caught.value.stderr
