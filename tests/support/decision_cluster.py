"""A small cluster whose pods meet every kind of verdict."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

import orjson

from clusters.models import Cluster
from clusters.services.ingest.ingest import ingest_path
from clusters.services.mirror.snapshots import forget_snapshots
from tests.support.mirrored import without_tags

if TYPE_CHECKING:
    from pathlib import Path

    from django.test.client import _MonkeyPatchedWSGIResponse as Response

ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
RECORDED = (
    "0/6 nodes are available: 1 node(s) had untolerated taint {dedicated: gpu}, 1 node(s) were unschedulable, "
    "4 Insufficient cpu."
)


def node(name: str, zone: str, *, cpu: str = "4", **spec: Any) -> dict[str, Any]:
    amounts = {"cpu": cpu, "memory": "8Gi", "pods": "20"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": name, "labels": {HOST: name, ZONE: zone}},
        "spec": spec,
        "status": {"allocatable": amounts, "capacity": amounts, "conditions": [{"type": "Ready", "status": "True"}]},
    }


def pod(name: str, *, cpu: str = "500m", memory: str = "256Mi", app: str = "web", **spec: Any) -> dict[str, Any]:
    status = spec.pop("status", {"phase": "Running" if "nodeName" in spec else "Pending"})
    requests = {"cpu": cpu, "memory": memory}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop", "uid": f"shop-{name}", "labels": {"app": app}},
        "spec": {"containers": [{"name": "main", "image": "shop/web:1", "resources": {"requests": requests}}], **spec},
        "status": status,
    }


def unschedulable(message: str, **status: Any) -> dict[str, Any]:
    condition = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": message}
    return {"phase": "Pending", "conditions": [condition], **status}


def objects() -> list[dict[str, Any]]:
    """Return six nodes in three zones (one tainted, one cordoned), what lies on them, and what waits."""
    nodes = [
        node("ash", "north"),
        node("birch", "south", cpu="8"),
        node("cedar", "west"),
        node("elm", "north"),
        node("fir", "south", taints=[{"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}]),
        node("oak", "west", unschedulable=True),
    ]
    placed = [
        pod("web-1", nodeName="ash", priority=0, cpu="2"),
        pod("web-2", nodeName="birch", priority=0, cpu="1"),
        pod("web-3", nodeName="elm", priority=5, cpu="2", memory="1Gi"),
        pod("done", nodeName="ash", status={"phase": "Succeeded"}),
    ]
    spread = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule"}
    apart = {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": ZONE}
    waiting = [
        pod("plain"),
        pod("huge", cpu="9", status=unschedulable(f"{RECORDED} preemption: 0/6 nodes are available.")),
        pod("choosy", nodeSelector={ZONE: "north"}, cpu="3", priority=0),
        pod("urgent", nodeSelector={ZONE: "north"}, cpu="3", priority=1000, priorityClassName="urgent"),
        pod("only", nodeSelector={HOST: "birch"}),
        pod("gated", schedulingGates=[{"name": "shop.example/budget"}, {"name": "shop.example/audit"}]),
        pod("foreign", schedulerName="batch-scheduler"),
        pod("device", resourceClaims=[{"name": "gpu", "resourceClaimName": "gpu"}]),
        pod("nominee", status={"phase": "Pending", "nominatedNodeName": "cedar"}, priority=10, cpu="3500m"),
        pod(
            "spread",
            topologySpreadConstraints=[{**spread, "labelSelector": {"matchLabels": {"app": "web"}}}],
            affinity={"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [apart]}},
        ),
        pod("markup", cpu="9", status=unschedulable("<script>alert(1)</script>")),
    ]
    events = [
        {
            "apiVersion": "v1",
            "kind": "Event",
            "metadata": {"name": "huge.1", "namespace": "shop", "uid": "huge.1"},
            "involvedObject": {"kind": "Pod", "namespace": "shop", "name": "huge", "uid": "shop-huge"},
            "reason": "FailedScheduling",
            "message": "0/3 nodes are available: 3 Insufficient memory.",
            "type": "Warning",
            "source": {"component": "default-scheduler"},
            "lastTimestamp": "2026-01-01T00:00:00Z",
            "count": 3,
        }
    ]
    others = [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "uid": "ns"}}]
    return [*nodes, *placed, *waiting, *events, *others]


def ingested(folder: Path, documents: list[dict[str, Any]], name: str = "shop") -> Cluster:
    """Ingest objects as a dump; snapshots of rolled back tests, which used the same keys, are forgotten."""
    forget_snapshots()
    path = folder / f"{name}.json"
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": documents}))
    cluster = Cluster.objects.create(name=name)
    ingest_path(cluster=cluster, path=path)
    cluster.refresh_from_db()
    return cluster


def decision_cluster(folder: Path) -> Cluster:
    """Ingest the cluster whose pods meet every kind of verdict."""
    return ingested(folder, objects())


def text(response: Response) -> str:
    """Return what a reader of a page sees, with single blanks."""
    body = re.sub(r"<(script|style).*?</\1>", " ", response.content.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(without_tags(body)))
