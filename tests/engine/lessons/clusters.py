"""Small situations for tests of lessons, as trainers write them: nothing that a cluster fills in by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.lessons import (
    Mistake,
    Question,
    RawAnswer,
    Situation,
    SituationParts,
    build_situation,
    read_question,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


Document = dict[str, Any]
ZONE = "topology.kubernetes.io/zone"


def node(name: str, *, labels: Mapping[str, str] | None = None, zone: str = "", **more: Any) -> Document:
    """A node with 4 CPU and 8 GiB, unless ``capacity`` says otherwise; ``taints``, ``conditions`` as in manifests."""
    placed = {ZONE: zone} if zone else {}
    capacity = {"cpu": "4", "memory": "8Gi", **more.pop("capacity", {})}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {**placed, **(labels or {})}},
        "spec": more,
        "status": {"capacity": capacity, **({"conditions": more.pop("conditions")} if "conditions" in more else {})},
    }


def pod(name: str, on: str = "", *, labels: Mapping[str, str] | None = None, **more: Any) -> Document:
    """A pod with one container; ``cpu``, ``memory`` and other resources are requests, ``more`` is of the spec."""
    requests = {key: more.pop(key) for key in ("cpu", "memory") if key in more} | more.pop("requests", {})
    limits = more.pop("limits", None)
    resources = {**({"requests": requests} if requests else {}), **({"limits": limits} if limits else {})}
    container = {"name": "main", "image": "registry.example/app:1", **({"resources": resources} if resources else {})}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": more.pop("namespace", "default"),
            **({"labels": dict(labels)} if labels else {}),
        },
        "spec": {"containers": [container], **({"nodeName": on} if on else {}), **more},
    }


def priority_class(name: str, value: int, **more: Any) -> Document:
    """A PriorityClass."""
    return {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": name},
        "value": value,
        **more,
    }


def budget(name: str, labels: Mapping[str, str], **spec: Any) -> Document:
    """A PodDisruptionBudget of the pods with these labels."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"selector": {"matchLabels": dict(labels)}, **spec},
    }


def replica_set(name: str, replicas: int) -> Document:
    """A ReplicaSet of so many pods."""
    return {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {"name": name, "namespace": "default", "uid": f"uid-{name}"},
        "spec": {"replicas": replicas},
    }


def owned(document: Document, by: str, kind: str = "ReplicaSet") -> Document:
    """The pod as one that a controller has created."""
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": by, "uid": f"uid-{by}", "controller": True}
    return {**document, "metadata": {**document["metadata"], "ownerReferences": [owner]}}


def situation(*objects: Document, about: str = "", **parts: Any) -> Situation:
    """A situation; ``about`` names the pod in question."""
    key = about if "/" in about or not about else f"default/{about}"
    return build_situation(SituationParts(objects, key, **parts))


def question(kind: str, **arguments: Any) -> Question:
    """A question as a file has it."""
    return read_question({kind: arguments})


def mistakes(asked: Question, here: Situation, answer: RawAnswer) -> list[Mistake]:
    """What is wrong with an answer; nothing of a right one."""
    return list(asked.judge(here, answer).mistakes)


def keys(asked: Question, here: Situation, answer: RawAnswer) -> list[str]:
    """The most special key of each mistake."""
    return [mistake.keys[0] for mistake in mistakes(asked, here, answer)]
