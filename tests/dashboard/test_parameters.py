"""What an address may not hold: the page says which parameter it is, and what would be right."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import orjson
import pytest

from dashboard.forms.runs.settings import packed
from tests.clusters.test_workloads import deployed, zones
from tests.dashboard.rows import allow_changes
from tests.dashboard.test_runs import MORE, NEW, done
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User
    from django.test import Client

    from clusters.models import SimulationRun

pytestmark = pytest.mark.django_db

DIGITS = "5" * 5_000
NO_NUMBERS = ("²", "٣²", DIGITS, "-1", "9223372036854775808", "\0", "a b")
NUMBER = "Write a whole number."


@pytest.fixture
def run(tmp_path: Path, signed_in_client: Client) -> SimulationRun:
    """A run that is done, of four nodes of 4 CPUs and a Deployment."""
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 2})])
    return done(signed_in_client, MORE)


def test_a_parameter_that_cannot_be_read_is_named(run: SimulationRun, signed_in_client: Client) -> None:
    read = {
        NEW: "run",
        f"/simulations/{run.pk}/steps/": "step",
        "/simulations/compare/": "left",
        "/simulations/compare.csv": "right",
        "/clusters/shop/drain/?node=a1": "as_of",
        "/clusters/shop/reviews/new": "run",
        "/live/stale/": "cluster",
    }
    asked = [(address, name, value) for address, name in read.items() for value in NO_NUMBERS]

    for address, name, value in [*asked, ("/studies/", "cluster", "a b"), ("/studies/", "cluster", "\0")]:
        response = signed_in_client.get(f"{address}{'&' if '?' in address else '?'}{name}={quote(value)}")
        assert response.status_code == 400, (address, value[:20])
        assert f"{name}: " in response.text


def test_a_seed_and_a_button_that_cannot_be_read_are_named(run: SimulationRun, signed_in_client: Client) -> None:
    again = signed_in_client.post(f"/simulations/{run.pk}/again/", {"seed": "²"})
    taken = signed_in_client.post(NEW, {"changes": packed([MORE]), "take_out": DIGITS})

    assert (again.status_code, taken.status_code) == (400, 400)
    assert f"seed: {NUMBER}" in again.text
    assert f"take_out: {NUMBER}" in taken.text


def test_a_weight_that_is_no_number_is_said_beside_its_field(run: SimulationRun, signed_in_client: Client) -> None:
    response = signed_in_client.post(f"/simulations/{run.pk}/sweep/", {"sweep-weights": "NodeAffinity=²"})

    assert response.status_code == 400
    assert "“NodeAffinity=²” is not like NodeAffinity=5." in response.text


def test_a_change_that_is_none_is_put_into_words_only_once_it_is_read(
    run: SimulationRun, signed_in_client: Client
) -> None:
    wrong: tuple[dict[str, object], ...] = (
        {"change": "scale", "by": "²"},
        {"change": "remove-nodes", "nodes": [-1e20]},
        {"change": "add-nodes", "count": []},
        {"change": "taint-nodes", "taints": 7},
        {"change": "trace", "pods": 1},
        {"change": "put-budget", "manifest": []},
        {"change": []},
        {},
    )
    for change in wrong:
        response = signed_in_client.get(f"{NEW}?change={quote(orjson.dumps(change))}")
        assert response.status_code == 400, change
        assert "Unreadable change" in response.text


def test_a_text_that_no_link_holds_is_said_to_be_damaged(run: SimulationRun, signed_in_client: Client) -> None:
    for value in ("é", "eJw", "²" * 50):
        response = signed_in_client.get(f"/clusters/shop/pods/shop/web-1-a1-0/what-if/?pod={quote(value)}")
        assert response.status_code == 400
        assert "Start over" in response.text


def test_the_beginning_of_the_addresses_of_a_pictures_pods_leads_to_all(
    run: SimulationRun, signed_in_client: Client
) -> None:
    response = signed_in_client.get(f"/simulations/{run.pk}/pods/")

    assert response["Location"] == f"/simulations/{run.pk}/#pods"


def test_a_profile_that_is_null_is_read_as_if_it_said_nothing(
    run: SimulationRun, signed_in_client: Client, user: User
) -> None:
    allow_changes(user)
    head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"

    response = signed_in_client.post("/clusters/shop/configuration/", {"text": f"{head}profiles: [null]"})

    assert response.status_code == 200
    assert "could not be computed" not in response.text
