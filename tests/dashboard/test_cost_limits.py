"""A pod that would cost too much to explain is refused in words, with the limit and what to do, wherever it is met."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.scheduling.cost import LIMITS, Measure
from clusters.services import runs
from clusters.services.decisions.explain import forget
from clusters.services.runs import starting
from clusters.services.runs.spec import read_spec
from tests.support.decision_cluster import node, pod, unschedulable
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

COUNTED = 51
REFUSAL = "Too costly to compute: more than 50"
REMEDY = "Merge or remove requirements of the pod"


def objects() -> list[dict[str, Any]]:
    tolerations = [{"key": f"k{number}", "operator": "Exists"} for number in range(COUNTED)]
    status = unschedulable("0/1 nodes are available: 1 Insufficient cpu.")
    return [node("ash", "north"), pod("plain"), pod("hostile", tolerations=tolerations, status=status)]


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    monkeypatch.setitem(LIMITS, Measure.REQUIREMENTS, COUNTED - 1)
    forget()
    return load(tmp_path, "shop", objects())


def test_lists_keep_a_row_for_it(signed_in_client: Client, cluster: Cluster) -> None:
    shown = text(signed_in_client, "/clusters/shop/pending/")

    assert "1 pod could not be computed" in shown
    assert REFUSAL in shown
    assert REMEDY in shown
    assert REFUSAL in text(signed_in_client, "/clusters/shop/pending/queue/")


def test_its_page_names_what_was_counted_and_a_line_is_logged(
    signed_in_client: Client, cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    shown = text(signed_in_client, "/clusters/shop/pods/shop/hostile/")
    assert REFUSAL in shown
    assert "Here: 51." in shown
    assert REMEDY in shown
    assert "cannot be explained" not in text(signed_in_client, "/clusters/shop/pods/shop/plain/")

    with caplog.at_level(logging.WARNING):
        signed_in_client.get("/clusters/shop/pods/shop/hostile/")
    (line,) = [record for record in caplog.records if "cost too much" in record.getMessage()]
    assert line.levelno == logging.WARNING
    assert "shop/hostile" in line.getMessage()
    assert "Traceback" not in line.getMessage()


def test_the_api_refuses_it(signed_in_client: Client, cluster: Cluster) -> None:
    answer = signed_in_client.get("/api/v1/clusters/shop/pods/shop/hostile/explanation")

    assert answer.status_code == 409
    assert "Here: 51." in answer.json()["error"]["what"]
    assert REMEDY in answer.json()["error"]["remedy"]


def test_a_run_goes_on(cluster: Cluster) -> None:
    spec = read_spec({"base": {"kind": "cluster"}, "changes": []})
    run = starting.stored_run(cluster=cluster, spec=spec, title="As it is", user=None)
    runs.work(run.pk)
    run.refresh_from_db()

    assert Counter(run.pods.values_list("outcome", flat=True)) == {"placed": 1, "not-computed": 1}
    (cause,) = (run.summary or {})["pending_causes"]
    assert (cause["kind"], cause["message"]) == ("not-computed", "requirements: 51 > 50")
