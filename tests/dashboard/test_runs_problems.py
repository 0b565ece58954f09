"""A pod of a simulation for which there is no profile: what keeps it from a node is said wherever it is shown."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import orjson
import pytest

from clusters.documents.words import why_of
from clusters.management.terminal.simulation import lines
from clusters.services.reports.sections.history import run_section
from clusters.services.runs.comparing import compare_runs
from clusters.services.runs.results import simulated_by, verdict
from clusters.wording.runs.summary import verdict_sentence
from tests.clusters.dumps import node
from tests.clusters.runs.test_question import adding, manifest
from tests.clusters.test_workloads import made
from tests.dashboard.test_runs import done
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import SimulationRun

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

SAID = "Another scheduler, 'volcano', places this pod; the configuration has default-scheduler."


URGENT = {
    "change": "put-priority-class",
    "manifest": {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "urgent"},
        "value": 1000,
    },
}


@pytest.fixture
def shop(tmp_path: Path) -> None:
    """One node of 4 CPUs, and a pod of the scheduler volcano that requests 3 of them."""
    running = {**manifest("gang", "3", nodeName="n1", schedulerName="volcano", priority=0)}
    running["metadata"]["labels"] = {}
    load(tmp_path, "shop", [node("n1"), made({**running, "status": {"phase": "Running"}}, "ReplicaSet", "gangs")])


@pytest.fixture
def foreign(shop: None, signed_in_client: Client) -> SimulationRun:
    """Return a run whose third step is that of the replacement of volcano's pod, which was preempted."""
    return done(signed_in_client, URGENT, adding(manifest("large", "3", priorityClassName="urgent")))


def test_pages_and_files_say_it(foreign: SimulationRun, signed_in_client: Client) -> None:
    page = f"/simulations/{foreign.pk}/"

    # Once as the cause, once in the list of pods.
    assert text(signed_in_client, page).count(SAID) == 2
    assert SAID in text(signed_in_client, f"{page}steps/3/")
    rows = csv.DictReader(io.StringIO(signed_in_client.get(f"{page}pods.csv").getvalue().decode()))
    assert {row["pod"]: row["message"] for row in rows} == {"gang": "", "gangs-again-1": SAID, "large": ""}
    summary = orjson.loads(signed_in_client.get(f"{page}run.json").content)["summary"]
    assert summary["origins"]["successors"]["message"] == summary["pending_causes"][0]["message"] == SAID


def test_no_page_leads_to_a_decision_that_no_scheduler_made(foreign: SimulationRun, signed_in_client: Client) -> None:
    page = f"/simulations/{foreign.pk}/"

    def linked(address: str) -> set[str]:
        return set(re.findall(rf"{page}decisions/\d+/", signed_in_client.get(address).text))

    assert linked(page) == linked(f"{page}steps/3/") == {f"{page}decisions/3/"}
    # After the step itself the pod that preempts is pending too, and its decision is there.
    assert linked(f"{page}steps/2/") == {f"{page}decisions/0/"}
    assert signed_in_client.get(f"{page}decisions/2/")["Location"] == f"{page}steps/2/"
    assert "/decisions/" not in signed_in_client.get(f"{page}pods/shop/gangs-again-1/")["Location"]


def test_how_long_the_preemptor_waits_for_its_victim_is_said(foreign: SimulationRun, signed_in_client: Client) -> None:
    nominated = "Preemption nominates it to n1. 1 victim terminates within 30 s."
    longest = "kube-scheduler would wait up to 30 s (shop/large on n1, victims: 1)."

    steps = signed_in_client.get(f"/api/v1/runs/{foreign.pk}/steps").json()["steps"]
    assert [each["waits"] for each in steps] == [{"seconds": 30, "victims": 1}, *[None] * (len(steps) - 1)]
    assert nominated in text(signed_in_client, f"/simulations/{foreign.pk}/steps/0/")
    assert longest in text(signed_in_client, f"/simulations/{foreign.pk}/")
    assert longest in "\n".join(lines(simulated_by(foreign), "", 1_000, on="shop"))


def test_the_verdict_a_review_and_the_terminal_say_it(foreign: SimulationRun) -> None:
    summary = foreign.summary or {}
    tables = {table["name"]: table["rows"] for table in run_section(foreign)["tables"]}

    assert verdict_sentence(summary, verdict(summary, even_pending=False)).endswith(f"shop/gangs-again-1: {SAID}")
    assert [tables[name][0]["message"] for name in ("pending_causes", "pending_pods")] == [SAID, SAID]
    assert "scheduler volcano (shop/gangs-again-1)" in "\n".join(lines(simulated_by(foreign), "", 100, on="shop"))


def test_a_comparison_says_it(foreign: SimulationRun, signed_in_client: Client) -> None:
    ours = done(signed_in_client, adding(manifest("large", "3")))

    placements = {each["pod"]: each for each in compare_runs(ours, foreign)["placements"]}

    reason = placements["shop/gang"]["reason"]
    assert reason["problem"] == {"kind": "NoScheduler", "found": "'volcano'", "known": ["default-scheduler"]}
    assert why_of(placements["shop/gang"]) == (f"Right: replaced by shop/gangs-again-1, unschedulable: {SAID}")
