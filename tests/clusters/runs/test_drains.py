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
from clusters.wording.runs.summary import verdict_sentence
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db

Object = dict[str, Any]
CONTROLLED = [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "web", "controller": True}]
DRAIN = {"change": "drain-nodes", "nodes": ["n1"]}


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


@pytest.mark.parametrize(
    ("objects", "status"), [(BARE, 1), (GUARDED, 1), ([*NODES, controlled("web-1")], 0)], ids=["bare", "budget", "done"]
)
def test_a_drain_that_does_not_get_to_its_end_fails(tmp_path: Path, objects: list[Object], status: int) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    ended = 0
    try:
        call_command("simulate", dump=path, change=[orjson.dumps(DRAIN).decode()])
    except SystemExit as end:
        ended = int(str(end.code))
    assert ended == status


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
    reason = verdict_sentence(run.summary, said).removeprefix("Does not fit. ")
    assert reason in text(signed_in_client, f"/simulations/{run.pk}/")
    answered = signed_in_client.get(f"/api/v1/runs/{run.pk}/fits").json()
    assert (answered["fits"], answered["reason"]) == (False, f"Does not fit. {reason}")
    assert reason in text(signed_in_client, "/clusters/prod/drain/?node=n1")
