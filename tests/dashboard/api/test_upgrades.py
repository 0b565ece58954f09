"""What the API says of an upgrade, held against the OpenAPI document."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from celery import current_app

from clusters.services import upgrading as asking
from tests.dashboard.test_upgrade import TAINT, objects
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster

pytestmark = pytest.mark.django_db

API = "/api/v1/clusters/upgrade-page/upgrade"


@pytest.fixture
def tainted(tmp_path: Path) -> Cluster:
    return load(tmp_path, "upgrade-page", objects("v1.34.1", TAINT))


def test_the_api_has_what_the_page_has(tainted: Cluster, signed_in_client: Client) -> None:
    found = signed_in_client.get(API, {"to": "1.35"}).json()

    assert found["cluster"]["name"] == "upgrade-page"
    assert found["evaluatedRevision"] == tainted.revision
    assert "2 with another message, of 1 workload and 1 pending pod" in found["upgrade"]["words"]["headline"]
    assert {each["role"] for each in found["upgrade"]["differences"]} == {"pending", "next"}
    assert {rule["name"] for each in found["upgrade"]["differences"] for rule in each["rules"]} == {"names_taints"}


def test_the_api_answers_202_while_a_worker_evaluates(
    tainted: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys: list[str] = []
    monkeypatch.setattr(asking, "MOST_AT_ONCE", 1)
    monkeypatch.setattr(current_app, "send_task", lambda _, args: keys.append(args[-1]))

    response = signed_in_client.get(API, {"to": "1.36"})

    assert (response.status_code, response.json()["upgrade"]) == (202, None)
    assert len(keys) == 1


@pytest.mark.parametrize("minor", ["1.99", "1.34"])
def test_the_api_refuses_a_minor_that_is_not_later(tainted: Cluster, signed_in_client: Client, minor: str) -> None:
    response = signed_in_client.get(API, {"to": minor})

    assert response.status_code == 400
    assert (response.json()["error"]["where"], response.json()["error"]["code"]) == ("to", "NotOneOf")


def test_a_configuration_that_the_running_minor_refuses_is_a_conflict(
    tainted: Cluster, signed_in_client: Client
) -> None:
    tainted.chosen_configuration = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "Other"}
    tainted.save()

    response = signed_in_client.get(API, {"to": "1.35"})

    assert (response.status_code, response.json()["error"]["where"]) == (409, "kind")
