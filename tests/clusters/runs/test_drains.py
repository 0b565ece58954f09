"""Drains in a run that do not get to their end: by kubectl's own filters, or by budgets; each said in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest
from django.core.management import call_command

from clusters.engine.conclusion import Conclusion
from clusters.models import RunPod, SimulationRun
from clusters.services.runs.results import verdict
from clusters.services.runs.spec import read_spec
from clusters.services.runs.starting import stored_run
from clusters.services.runs.working import work
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db

Object = dict[str, Any]
CONTROLLED = [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "web", "controller": True}]
DRAIN = {"change": "drain-nodes", "nodes": ["n1"]}
NO_FORCE = "Cannot drain n1 without --force: nothing controls shop/bare."


def controlled(name: str) -> Object:
    made = pod(name, nodeName="n1")
    made["metadata"]["ownerReferences"] = CONTROLLED
    made["status"] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    return made


def budget(name: str, allowed: int) -> Object:
    status = {"disruptionsAllowed": allowed, "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1}
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "shop", "uid": f"budget-{name}", "generation": 1},
        "spec": {"minAvailable": 1, "selector": {}},
        "status": {**status, "observedGeneration": 1},
    }


NODES = [node("n1", "a"), node("n2", "a")]
BARE = [*NODES, pod("bare", nodeName="n1"), controlled("web-1")]
GUARDED = [*NODES, controlled("web-1"), budget("all", 0)]


def simulated(folder: Path, objects: list[Object], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    path = folder / "dump.json"
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    status = 0
    try:
        call_command("simulate", dump=path, change=[orjson.dumps(DRAIN).decode()])
    except SystemExit as ended:
        status = int(str(ended.code))
    return status, " ".join(capsys.readouterr().out.split())


def test_a_pod_that_nothing_controls_keeps_its_node_and_no_budget_is_blamed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, printed = simulated(tmp_path, BARE, capsys)
    assert status == 1
    assert printed.startswith(f"dump.json: Does not fit. {NO_FORCE}")
    assert "1 pod not evicted without --force." in printed
    assert "budget" not in printed
    assert "kubectl drain --ignore-daemonsets --delete-emptydir-data, without --force" in printed


def test_a_drain_that_a_budget_refuses_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, printed = simulated(tmp_path, GUARDED, capsys)
    assert status == 1
    assert printed.startswith("dump.json: Does not fit. Cannot drain n1: eviction of shop/web-1 refused: Cannot")
    assert "1 eviction refused by a budget." in printed
    assert "--force" not in printed.partition("Notes")[0]


def test_a_drain_that_gets_to_its_end_succeeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, printed = simulated(tmp_path, [*NODES, controlled("web-1")], capsys)
    assert status == 0
    assert "not drained" not in printed


def test_pages_and_api_say_the_same_sentence(tmp_path: Path, signed_in_client: Client) -> None:
    cluster = load(tmp_path, "prod", BARE)
    spec = read_spec({"version": 1, "base": {"kind": "cluster"}, "changes": [DRAIN]})
    run = stored_run(cluster=cluster, spec=spec, title="", user=None)
    work(run.pk)

    run = SimulationRun.objects.get(pk=run.pk)
    assert run.summary is not None
    said = verdict(run.summary, even_pending=False)
    assert (said.conclusion, said.kept) == (Conclusion.UNSCHEDULABLE, ["shop/bare"])
    assert list(run.pods.values_list("name", "outcome")) == [("bare", RunPod.Outcome.HELD)]
    assert NO_FORCE in text(signed_in_client, f"/simulations/{run.pk}/")
    answered = signed_in_client.get(f"/api/v1/runs/{run.pk}/fits").json()
    assert (answered["fits"], answered["reason"]) == (False, f"Does not fit. {NO_FORCE}")
    assert NO_FORCE in text(signed_in_client, "/clusters/prod/drain/?node=n1")
