"""Cases made from a few objects and some changes."""

from __future__ import annotations

from typing import Any

from clusters.engine import SchedulerConfiguration
from clusters.engine.objects import name_of
from clusters.engine.simulation import Base, Case, Prepared, prepared, read_changes
from clusters.wording.runs.remarks import remark_sentence
from tests.engine.builders import Document, a_pod

DEFAULT = SchedulerConfiguration.default()


def after(base: list[Document], *changes: Document, **more: Any) -> Prepared:
    """What comes of changes to a cluster."""
    return prepared(Base.of(base, DEFAULT.release), read_changes(list(changes)), DEFAULT, **more)


def wanted(case: Case) -> list[str]:
    """The names of the pods that are to be placed, in order."""
    return [name_of(each.pod) for each in case.wanted]


def texts(made: Prepared) -> list[str]:
    """What was simplified or left out, in words."""
    return [remark_sentence(remark) for remark in made.remarks]


def owned(name: str, owner: str, node: str | None = None, *, kind: str = "ReplicaSet", **more: Any) -> Document:
    """A pod that a controller has made; ``more`` goes to its spec, ``labels`` and ``status`` aside."""
    labels, status, created = more.pop("labels", {}), more.pop("status", None), more.pop("created", None)
    pod = a_pod(name, node=node, labels=labels, **more)
    version = "batch/v1" if kind == "Job" else "apps/v1"
    reference = {"apiVersion": version, "kind": kind, "name": owner, "uid": f"uid-{owner}", "controller": True}
    pod["metadata"]["ownerReferences"] = [reference]
    if created is not None:
        pod["metadata"]["creationTimestamp"] = created
    pod["status"] = status or {"phase": "Running" if node else "Pending"}
    return pod


def a_workload(kind: str, name: str = "web", *, replicas: int | None = None, **spec: Any) -> Document:
    """The manifest of a workload whose pods ask for a tenth of a CPU; ``pod`` adds to the spec of its pods."""
    pod = {"containers": [{"name": "main", "resources": {"requests": {"cpu": "100m"}}}], **spec.pop("pod", {})}
    selector = {"selector": {"matchLabels": {"app": name}}} if kind != "Job" else {}
    if replicas is not None:
        spec["replicas"] = replicas
    return {
        "apiVersion": "batch/v1" if kind == "Job" else "apps/v1",
        "kind": kind,
        "metadata": {"name": name, "namespace": "default"},
        "spec": {**selector, "template": {"metadata": {"labels": {"app": name}}, "spec": pod}, **spec},
    }
