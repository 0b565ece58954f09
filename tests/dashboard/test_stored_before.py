"""Pages of simulations and studies answer for what an earlier release stored, however they are reached."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from django.core.exceptions import FieldError

from clusters.models import Cluster, SimulationRun, StudyPart
from clusters.services.runs.spec import Spec

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

STORED: dict[str, Any] = orjson.loads((Path(__file__).parents[1] / "data" / "summary-version-1.json").read_bytes())


@pytest.fixture
def runs() -> list[SimulationRun]:
    cluster = Cluster.objects.create(name="shop")
    return [
        SimulationRun.objects.create(
            title=title,
            cluster=cluster,
            spec=Spec(base="empty").as_dict(),
            summary=STORED,
            state=SimulationRun.State.DONE,
        )
        for title in ("Old", "Older")
    ]


@pytest.mark.parametrize(
    "address",
    [
        "/simulations/",
        "/clusters/shop/simulations/",
        "/simulations/{pk}/",
        "/simulations/compare/?left={pk}&right={other}",
        "/api/v1/runs/",
        "/api/v1/runs/{pk}",
    ],
)
def test_runs_of_before_are_shown(signed_in_client: Client, runs: list[SimulationRun], address: str) -> None:
    response = signed_in_client.get(address.format(pk=runs[0].pk, other=runs[1].pk))

    assert response.status_code == 200, response.text
    assert "Old" in response.text


def test_a_list_says_of_a_run_of_before_what_came_of_it(signed_in_client: Client, runs: list[SimulationRun]) -> None:
    assert "1 pod newly pending" in signed_in_client.get("/simulations/").text


def test_queries_cannot_look_past_a_reader_of_documents() -> None:
    for model, name in ((SimulationRun, "summary"), (StudyPart, "result")):
        with pytest.raises(FieldError):
            list(model._default_manager.values_list(f"{name}__version"))
