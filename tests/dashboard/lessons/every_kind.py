"""A lesson that asks every kind of question, as a trainer would upload it."""

from __future__ import annotations

import io
import zipfile
from typing import Any, Final

import yaml

NAME: Final = "every-kind"


def _node(name: str, cpu: str, zone: str, **spec: Any) -> dict[str, Any]:
    labels = {"topology.kubernetes.io/zone": zone}
    status = {"capacity": {"cpu": cpu, "memory": "8Gi"}}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "spec": spec,
        "status": status,
    }


def _pod(name: str, cpu: str, memory: str = "1Gi", **spec: Any) -> dict[str, Any]:
    resources = {"requests": {"cpu": cpu, "memory": memory}}
    containers = [{"name": "main", "image": "registry.example/main:1", "resources": resources}]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop", "labels": {"app": name}},
        "spec": {"containers": containers, **spec},
    }


_TAINT = {"key": "dedicated", "value": "reports", "effect": "NoSchedule"}
_OBJECTS = [
    _node("ash", "4", "zone-a"),
    _node("elm", "4", "zone-b"),
    _node("oak", "2", "zone-b", taints=[_TAINT]),
    _pod("cart", "3", nodeName="ash"),
    _pod("search", "1", nodeName="elm"),
    _pod("web", "2"),
    _pod("huge", "3500m", priorityClassName="important"),
    {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "important"},
        "value": 1000,
    },
    {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "search", "namespace": "shop"},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "search"}}},
    },
]
QUESTIONS: Final[dict[str, tuple[str, Any]]] = {
    "node": ("shop/web", {"node": {}}),
    "nodes": ("shop/web", {"nodes": {"which": "rejected"}}),
    "rejections": ("shop/web", {"rejections": {}}),
    "outcome": ("shop/huge", {"outcome": {}}),
    "eviction": ("", {"eviction": {"pod": "shop/search"}}),
    "pods": ("", {"pods": {"which": "evictable"}}),
    "order": ("shop/web", {"order": {"of": "search"}}),
    "queue": ("", {"order": {"of": "queue"}}),
    "number": ("shop/web", {"number": {"value": "free", "node": "elm", "resource": "cpu"}}),
    "manifest": (
        "shop/web",
        {"manifest": {"object": "Pod/shop/web", "goals": [{"fitsOn": "oak"}], "keep": ["spec.containers"]}},
    ),
}


def _texts(language: str) -> dict[str, Any]:
    said = {"title": f"{language} title", "text": f"{language} **text**", "ask": f"{language} question"}
    rest = {"hints": [f"{language} hint"], "reveal": f"{language}: {{answer}}"}
    return {"title": "Every kind", "about": "All questions.", "steps": {name: {**said, **rest} for name in QUESTIONS}}


def files() -> dict[str, str]:
    """Return the files of the lesson."""
    steps: list[dict[str, Any]] = [
        {"name": name, **({"pod": pod} if pod else {}), "question": question}
        for name, (pod, question) in QUESTIONS.items()
    ]
    steps[0]["objects"] = ["cluster.yaml"]
    lesson = {"apiVersion": "lessons.berth.io/v1", "kind": "Lesson", "minutes": 5, "steps": steps}
    return {
        "lesson.yaml": yaml.safe_dump(lesson, sort_keys=False),
        "cluster.yaml": yaml.safe_dump_all(_OBJECTS, sort_keys=False),
        **{f"texts/{language}.yaml": yaml.safe_dump(_texts(language)) for language in ("en", "id", "uk")},
    }


def archive() -> bytes:
    """Return the lesson as a file that somebody uploads."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files().items():
            archive.writestr(f"{NAME}/{name}", text)
    return packed.getvalue()
