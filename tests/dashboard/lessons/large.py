"""A lesson whose cluster is as large as one may be: 60 nodes in three zones and 500 pods of twelve workloads."""

from __future__ import annotations

import io
import zipfile
from typing import Any, Final

import yaml

NAME: Final = "large-cluster"
NODES: Final = tuple(f"worker-{zone}-{number:02d}" for zone in "abc" for number in range(20))
PENDING: Final = 32
QUESTIONS: Final[dict[str, Any]] = {
    "nodes": {"nodes": {"which": "feasible"}},
    "rejections": {"rejections": {}},
    "pods": {"pods": {"which": "evictable"}},
    "queue": {"order": {"of": "queue"}},
    "victims": {"order": {"of": "victims"}},
}
_WORKLOADS: Final = tuple(f"service-{letter}" for letter in "abcdefghijkl")
# The pod in question is one of 500.
_RUNNING: Final = 500 - PENDING - 1


def _node(name: str) -> dict[str, Any]:
    labels = {"topology.kubernetes.io/zone": f"zone-{name.split('-')[1]}", "kubernetes.io/hostname": name}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "status": {"capacity": {"cpu": "4", "memory": "16Gi", "pods": "110"}},
    }


def _pod(name: str, workload: str, **spec: Any) -> dict[str, Any]:
    resources = {"requests": {"cpu": "400m", "memory": "256Mi"}}
    containers = [{"name": "main", "image": "a.example/main:1", "resources": resources}]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop", "labels": {"app": workload}},
        "spec": {"containers": containers, **spec},
    }


def _objects() -> list[dict[str, Any]]:
    running = [
        _pod(f"{workload}-{number:03d}", workload, nodeName=NODES[number % len(NODES)])
        for number in range(_RUNNING)
        for workload in [_WORKLOADS[number // len(NODES) % len(_WORKLOADS)]]
    ]
    pending = [_pod(f"waiting-{number:02d}", "waiting", priorityClassName="later") for number in range(PENDING)]
    classes = [
        {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": value}
        for name, value in (("urgent", 1000), ("later", -10))
    ]
    big = _pod("urgent", "urgent", priorityClassName="urgent")
    big["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "3"
    return [*map(_node, NODES), *running, *pending, *classes, big]


def archive() -> bytes:
    """Return the lesson as a file that somebody uploads."""
    steps: list[dict[str, Any]] = [
        {"name": name, "pod": "shop/urgent", "question": question} for name, question in QUESTIONS.items()
    ]
    steps[0]["objects"] = ["cluster.yaml"]
    lesson = {"apiVersion": "lessons.berth.io/v1", "kind": "Lesson", "minutes": 5, "steps": steps}
    own = {"title": "A large cluster", "text": "Much of it.", "ask": "Which?", "hints": ["Look."], "reveal": "{answer}"}
    texts = {"title": "Large", "about": "Many.", "steps": dict.fromkeys(QUESTIONS, own)}
    files = {
        "lesson.yaml": yaml.safe_dump(lesson, sort_keys=False),
        "cluster.yaml": yaml.safe_dump_all(_objects(), sort_keys=False),
        **{f"texts/{language}.yaml": yaml.safe_dump(texts) for language in ("en", "id", "uk")},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(f"{NAME}/{name}", text)
    return packed.getvalue()
