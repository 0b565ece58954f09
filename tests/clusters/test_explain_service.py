"""One explanation for all who ask for the same, and none that is out of date."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection

from clusters.engine import ConfigurationError, SchedulerConfiguration, UnknownScheduler
from clusters.models import Cluster
from clusters.services.decisions.explain import PodNotFound, explain_document, explain_pod
from clusters.services.ingest.ingest import ingest_path
from clusters.services.mirror.snapshots import configuration_of, snapshot_of
from tests.clusters.dumps import as_json, listed, node, pod, small_cluster

if TYPE_CHECKING:
    from pathlib import Path

PACKING = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "profiles": [
        {
            "schedulerName": "packing",
            "pluginConfig": [
                {
                    "name": "NodeResourcesFit",
                    "args": {"scoringStrategy": {"type": "MostAllocated", "resources": [{"name": "cpu", "weight": 1}]}},
                }
            ],
        }
    ],
}


def mirror(folder: Path, objects: list[dict[str, Any]], name: str = "prod") -> Cluster:
    cluster, _ = Cluster.objects.get_or_create(name=name)
    path = folder / "dump.json"
    path.write_bytes(as_json(listed(objects)))
    ingest_path(cluster=cluster, path=path)
    return cluster


@pytest.mark.django_db
def test_pending_pod_is_explained_in_the_present_state(tmp_path: Path) -> None:
    cluster = mirror(tmp_path, small_cluster())
    assert explain_pod(cluster=cluster, namespace="shop", name="waiting").feasible == ["n1", "n2"]

    mirror(tmp_path, [node("n2"), pod("waiting")])

    assert explain_pod(cluster=cluster, namespace="shop", name="waiting").feasible == ["n2"]


@pytest.mark.django_db
def test_same_question_is_answered_once(tmp_path: Path) -> None:
    cluster = mirror(tmp_path, small_cluster())
    first = explain_pod(cluster=cluster, namespace="shop", name="waiting")

    assert explain_pod(cluster=cluster, namespace="shop", name="waiting") is first
    assert explain_pod(cluster=cluster, namespace="shop", name="web") is not first


@pytest.mark.django_db
def test_configurations_are_kept_apart(tmp_path: Path) -> None:
    cluster = mirror(tmp_path, [node("n1"), node("n2"), pod("web", on="n1"), pod("job", schedulerName="packing")])
    packing = SchedulerConfiguration.from_dict(PACKING)
    spreading = SchedulerConfiguration.from_dict({**PACKING, "profiles": [{"schedulerName": "packing"}]})

    packed = explain_pod(cluster=cluster, namespace="shop", name="job", configuration=packing)
    spread = explain_pod(cluster=cluster, namespace="shop", name="job", configuration=spreading)

    assert (packed.best, spread.best) == (["n1"], ["n2"])
    again = SchedulerConfiguration.from_dict(PACKING)
    assert explain_pod(cluster=cluster, namespace="shop", name="job", configuration=again) is packed


@pytest.mark.django_db
def test_a_configuration_that_cannot_be_read_names_its_field() -> None:
    cluster = Cluster(name="prod", scheduler_configuration={**PACKING, "percentageOfNodesToScore": 300})

    with pytest.raises(ConfigurationError, match="percentageOfNodesToScore"):
        configuration_of(cluster)


@pytest.mark.django_db
def test_a_pod_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    cluster = mirror(tmp_path, small_cluster())

    with pytest.raises(PodNotFound) as missing:
        explain_pod(cluster=cluster, namespace="shop", name="nobody")

    assert (missing.value.cluster, missing.value.namespace, missing.value.name) == ("prod", "shop", "nobody")


@pytest.mark.django_db
def test_another_scheduler_s_pod_is_said_to_be_one(tmp_path: Path) -> None:
    cluster = mirror(tmp_path, [node("n1"), pod("gang", schedulerName="volcano")])

    with pytest.raises(UnknownScheduler, match="volcano"):
        explain_pod(cluster=cluster, namespace="shop", name="gang")


@pytest.mark.django_db
def test_old_snapshots_are_let_go(tmp_path: Path) -> None:
    cluster = mirror(tmp_path, small_cluster())
    old = weakref.ref(explain_pod(cluster=cluster, namespace="shop", name="waiting").snapshot)

    mirror(tmp_path, [node("n2"), pod("waiting")])
    explain_pod(cluster=cluster, namespace="shop", name="waiting")

    gc.collect()
    assert old() is None


@pytest.mark.django_db(transaction=True)
def test_parts_of_a_page_that_ask_at_once_share_one_answer(tmp_path: Path) -> None:
    cluster = mirror(tmp_path, small_cluster())
    together = Barrier(4)

    def ask(_: int) -> object:
        together.wait(timeout=10)
        try:
            return explain_pod(cluster=cluster, namespace="shop", name="waiting")
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(ask, range(4)))

    assert all(answer is answers[0] for answer in answers)


class HeldDocument(dict[str, Any]):
    """A pod whose metadata takes long to read."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.asked, self.released = Event(), Event()

    def get(self, name: str, default: Any = None) -> Any:
        if name == "metadata":
            self.asked.set()
            assert self.released.wait(30)
        return super().get(name, default)


@pytest.mark.django_db
def test_a_slow_explanation_holds_neither_another_cluster_nor_another_pod(tmp_path: Path) -> None:
    first, second = mirror(tmp_path, small_cluster(), "a"), mirror(tmp_path, small_cluster(), "b")
    configuration, snapshot = configuration_of(first), snapshot_of(first)
    held = HeldDocument(pod("held"))

    with ThreadPoolExecutor(1) as threads:
        slow = threads.submit(
            explain_document, cluster=first, document=held, configuration=configuration, snapshot=snapshot
        )
        try:
            assert held.asked.wait(30)
            for cluster in (first, second):
                assert explain_pod(cluster=cluster, namespace="shop", name="waiting").pod.name == "waiting"
            assert not slow.done()
        finally:
            held.released.set()

    assert slow.result().pod.name == "held"
