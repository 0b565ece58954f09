"""What a real scheduler writes at -v=10 is understood, and every cell of it equals what is computed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import pytest

from clusters.models import Cluster, Observation
from clusters.services.decisions.explain import explain_pod
from clusters.services.ingest.ingest import ingest_path
from clusters.services.mirror.snapshots import forget_snapshots
from clusters.services.observed import PairState, compare
from tests.controlplane import binaries
from tests.controlplane.daemon import Daemon
from tests.controlplane.manifests import ZONE, container, near, pod_spec, spread, weighted
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.controlplane.api import Api, Object
    from tests.controlplane.plane import ControlPlane

pytestmark = [pytest.mark.controlplane, pytest.mark.django_db]

_SCHEDULER = "talkative"
PROFILES = [{"schedulerName": _SCHEDULER}]
_KINDS = {
    "v1": ("Namespace", "Node", "Pod", "Service", "ReplicationController"),
    "apps/v1": ("ReplicaSet", "StatefulSet"),
    "policy/v1": ("PodDisruptionBudget",),
    "scheduling.k8s.io/v1": ("PriorityClass",),
}


@pytest.fixture
def talkative(control_plane: ControlPlane, tmp_path: Path) -> Iterator[Path]:
    """Run a second scheduler, for pods that name it, which says everything; return its log."""
    configuration = json.loads(Path(control_plane.site.file("scheduler.json")).read_text(encoding="utf-8"))
    configuration["profiles"] = PROFILES
    config = tmp_path / "talkative.json"
    config.write_text(json.dumps(configuration), encoding="utf-8")
    command = [str(binaries.find()["kube-scheduler"]), f"--config={config}", "--secure-port=0", "--v=10"]
    log = control_plane.site.log("talkative")
    daemon = Daemon("talkative", command, log=log, cwd=tmp_path)
    daemon.start()
    yield log
    daemon.stop(grace=5)


def pod(namespace: str, name: str, *, cpu: str = "500m") -> Object:
    """Return a pod that several plugins have something to say about."""
    preferred = {"preferredDuringSchedulingIgnoredDuringExecution": [weighted(7, near("web", ZONE))]}
    spec = pod_spec(
        containers=[container(cpu=cpu)],
        topologySpreadConstraints=[spread("web", ZONE, hard=False)],
        affinity={"podAffinity": preferred},
        schedulerName=_SCHEDULER,
    )
    metadata = {"name": name, "namespace": namespace, "labels": {"app": "web"}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def dump(api: Api, folder: Path) -> Path:
    items = [
        {**found, "apiVersion": version, "kind": kind}
        for version, kinds in _KINDS.items()
        for kind in kinds
        for found in api.objects(version, kind)
    ]
    items.append(
        {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "profiles": PROFILES}
    )
    path = folder / "dump.json"
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    return path


def test_every_cell_of_a_real_log_equals_what_is_computed(
    api: Api, namespace: str, create_nodes: Callable[[int], list[str]], talkative: Path, tmp_path: Path
) -> None:
    create_nodes(7)

    def settled(name: str) -> bool:
        found = api.get("v1", "Pod", name, namespace=namespace)
        conditions = {each["type"]: each["status"] for each in found["status"].get("conditions", ())}
        return "PodScheduled" in conditions and ("nodeName" not in found["spec"] or conditions.get("Ready") == "True")

    # One after the other: each is judged on the state that the one before has left.
    for name, cpu in (("first", "500m"), ("second", "1"), ("huge", "99"), ("third", "250m")):
        api.create(pod(namespace, name, cpu=cpu))
        wait_until(lambda name=name: settled(name), seconds=30, otherwise=f"{name} is not scheduled")  # type: ignore[misc]
    log = tmp_path / "scheduler.log"
    shutil.copy(talkative, log)
    forget_snapshots()
    cluster = Cluster.objects.create(name="real")
    ingest_path(cluster=cluster, path=dump(api, tmp_path))

    run = ingest_path(cluster=cluster, path=log)

    assert not [skip for skip in run.skipped if skip["why"]["kind"] != "OtherLines"]
    for name, kinds in (("third", {"finalScores", "totals", "selectedNode"}), ("huge", {"message"})):
        observed = Observation.objects.filter(namespace=namespace, name=name).latest("observed_at")
        assert kinds <= observed.document.keys()
        comparison = compare(observed.document, explain_pod(cluster=cluster, namespace=namespace, name=name))
        assert [cell for cell in comparison.cells() if cell[2].state is not PairState.EQUAL] == []
    scored = Observation.objects.get(namespace=namespace, name="third").document["finalScores"]
    assert len(scored) == 7
    assert all("PodTopologySpread" in cells and "InterPodAffinity" in cells for cells in scored.values())
