"""How an attempt ends is the same in the terminal, on the page, over HTTP, in a simulation and in the journal."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.simulation.case import Case, Outcome, Wanted
from clusters.engine.simulation.run import Simulation
from clusters.services.decisions.explain import explain_pod
from clusters.services.ingest.configurations import configure_from_text
from clusters.services.journal.timeline import decision_document
from clusters.services.mirror.snapshots import configuration_of, snapshot_of
from tests.engine.builders import a_node, a_pod
from tests.engine.test_conclusion import (
    NO_OWNER,
    NOT_A_NUMBER,
    WITHOUT_PRE_SCORE,
    a_cluster_with_a_stolen_claim,
    pod_with_claim,
    preferring_a_number,
)
from tests.support.decision_cluster import ingested, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

FULL = a_pod("full", node="n0", requests={"cpu": "5"})
ADDRESS = "clusters/shop/pods/default/pod/"
NO_PRE_SCORE = (
    'running Score plugins: plugin "PodTopologySpread" failed with: '
    'error reading "PreScorePodTopologySpread" from cycleState: not found'
)


@dataclass(frozen=True)
class End:
    """A pod in a cluster, the sentence about it, and the node that is taken or the error in its place."""

    pod: dict[str, Any]
    others: list[dict[str, Any]]
    sentence: str
    node: str = ""
    error: str = ""
    configuration: dict[str, Any] | None = None


ENDS = {
    "the nominated node": End(
        a_pod(nominated="n0", requests={"cpu": "1"}),
        [a_node("n0"), a_node("n1"), FULL],
        "n0 is taken without scoring: status.nominatedNodeName names it.",
        node="n0",
    ),
    "a preference that cannot be read": End(
        preferring_a_number(),
        [a_node("n0"), a_node("n1")],
        "Scheduler error: NodeAffinity fails in PreScore, which ends the attempt. 2 of 2 nodes pass every filter.",
        error=NOT_A_NUMBER,
    ),
    "a filter that fails on one node": End(
        pod_with_claim(),
        a_cluster_with_a_stolen_claim("n0", "n1", on="n0"),
        "Scheduler error: NodeVolumeLimits fails in Filter on n0, which ends the attempt",
        error=f'running "NodeVolumeLimits" filter plugin: {NO_OWNER}',
    ),
    "a score without its PreScore": End(
        a_pod(),
        [a_node("n0"), a_node("n1")],
        "Scheduler error: PodTopologySpread fails in Score, which ends the attempt",
        error=NO_PRE_SCORE,
        configuration={
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            **WITHOUT_PRE_SCORE,
        },
    ),
}


def written(end: End) -> list[dict[str, Any]]:
    """The objects as an API server writes them."""
    storage = {"CSINode": "storage.k8s.io/v1", "StorageClass": "storage.k8s.io/v1"}
    return [{"apiVersion": storage.get(each["kind"], "v1"), **each} for each in (*end.others, end.pod)]


@pytest.fixture(params=ENDS)
def end(request: pytest.FixtureRequest) -> End:
    return ENDS[request.param]


@pytest.fixture
def cluster(end: End, tmp_path: Path) -> Cluster:
    cluster = ingested(tmp_path, written(end))
    if end.configuration is not None:
        configure_from_text(cluster=cluster, text=json.dumps(end.configuration))
    cluster.refresh_from_db()
    return cluster


def test_on_the_page_and_over_http(end: End, cluster: Cluster, signed_in_client: Client) -> None:
    shown = text(signed_in_client.get(f"/{ADDRESS}"))
    found = signed_in_client.get(f"/api/v1/{ADDRESS}explanation").json()
    document = found["explanation"]

    assert end.sentence in shown
    assert end.error in shown
    assert end.sentence in found["words"]["verdict"]
    assert document["fits"] is bool(end.node)
    assert (document["choice"] or {"examples": [""]})["examples"] == [end.node]
    assert (document["error"] or {"message": ""})["message"] == end.error
    assert end.node != "n0" or document["choice"]["by"] == "nomination"


def test_in_a_simulation(end: End, cluster: Cluster) -> None:
    snapshot, configuration = snapshot_of(cluster), configuration_of(cluster)
    step = next(Simulation(Case(snapshot, configuration, [Wanted(end.pod)])))

    assert step.outcome is (Outcome.PLACED if end.node else Outcome.UNSCHEDULABLE)
    assert (step.node, step.message) == (end.node, end.error)


def test_in_the_journal(end: End, cluster: Cluster) -> None:
    document = decision_document(explain_pod(cluster=cluster, namespace="default", name="pod"), None)

    assert (document.fits, document.message) == (bool(end.node), end.error or None)
    assert (document.error.message if document.error else "") == end.error
    assert (document.choice.by if document.choice else "") == ("nomination" if end.node else "")
    assert (document.choice.examples if document.choice else ("",)) == (end.node,)
