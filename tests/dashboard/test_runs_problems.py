"""A pod of a simulation that no profile is for: what keeps it from a node is said wherever it is shown."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import orjson
import pytest

from clusters.documents.comparisons import why_of
from clusters.services.reports.sections.run import run_section
from clusters.services.runs.at_once import simulated_by
from clusters.services.runs.comparing import compare_runs
from clusters.services.runs.question import verdict
from clusters.wording.runs.outcome import verdict_sentence
from tests.clusters.runs.test_question import adding, manifest
from tests.clusters.test_workloads import zones
from tests.dashboard.test_runs import done
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import SimulationRun

pytestmark = pytest.mark.django_db

SAID = (
    "No profile has the scheduler name 'volcano', so another scheduler places this pod; the configuration has "
    "default-scheduler."
)


@pytest.fixture
def foreign(tmp_path: Path, signed_in_client: Client) -> SimulationRun:
    """Return a run that adds a pod of another scheduler, as its first step."""
    load(tmp_path, "shop", zones())
    return done(signed_in_client, adding(manifest("gang", "1", schedulerName="volcano")))


def test_pages_and_files_say_it(foreign: SimulationRun, signed_in_client: Client) -> None:
    page = f"/simulations/{foreign.pk}/"

    assert text(signed_in_client, page).count(SAID) == 3
    assert text(signed_in_client, f"{page}steps/0/").count(SAID) == 1
    [row] = csv.DictReader(io.StringIO(signed_in_client.get(f"{page}pods.csv").getvalue().decode()))
    assert row["message"] == SAID
    summary = orjson.loads(signed_in_client.get(f"{page}run.json").content)["summary"]
    assert summary["origins"]["asked"]["message"] == summary["left_over"][0]["message"] == SAID


def test_the_api_says_it(foreign: SimulationRun, signed_in_client: Client) -> None:
    steps, pods = (signed_in_client.get(f"/api/v1/runs/{foreign.pk}/{part}").json()[part] for part in ("steps", "pods"))

    assert [each["message"] for each in (*steps, *pods)] == [SAID, SAID]


def test_the_verdict_and_a_review_say_it(foreign: SimulationRun) -> None:
    summary = foreign.summary or {}
    tables = {table["name"]: table["rows"] for table in run_section(foreign)["tables"]}

    assert verdict_sentence(summary, verdict(summary, even_waiting=False)).endswith(f"shop/gang: {SAID}")
    assert [tables[name][0]["message"] for name in ("left_over_causes", "left_over")] == [SAID, SAID]
    assert "says" not in simulated_by(foreign).pods[0].message


def test_a_comparison_says_it(foreign: SimulationRun, signed_in_client: Client) -> None:
    ours = done(signed_in_client, adding(manifest("gang", "1")))

    [placement] = compare_runs(ours, foreign)["placements"]

    assert placement["reason"]["problem"] == {
        "kind": "NoScheduler",
        "found": "'volcano'",
        "known": ["default-scheduler"],
    }
    assert why_of(placement) == f"Right simulation: the reason is not known. {SAID}"
