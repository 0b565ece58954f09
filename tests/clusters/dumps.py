"""Small clusters, and the forms in which people send them."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from typing import TYPE_CHECKING, Any

import yaml

from clusters.adapters.bad_input import BadInput, Limits
from clusters.adapters.buffers import Meter
from clusters.adapters.files import read_source, size_of
from clusters.adapters.state import ClusterState
from clusters.wording.problems import problem_sentence
from tests.support.answers import error_of

if TYPE_CHECKING:
    from pathlib import Path

Object = dict[str, Any]


def node(name: str = "n1", **fields: Any) -> Object:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": f"node-{name}", "labels": {"kubernetes.io/hostname": name}},
        "spec": {},
        "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"}},
        **fields,
    }


def pod(name: str = "web", namespace: str = "shop", *, on: str = "", **spec: Any) -> Object:
    placed = {"nodeName": on} if on else {}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "uid": f"pod-{namespace}-{name}", "labels": {"app": name}},
        "spec": {
            "containers": [{"name": "main", "image": "app:1", "resources": {"requests": {"cpu": "100m"}}}],
            **placed,
            **spec,
        },
        "status": {"phase": "Running" if on else "Pending"},
    }


def small_cluster() -> list[Object]:
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "uid": "ns-shop"}}
    return [namespace, node("n1"), node("n2"), pod("web", on="n1"), pod("waiting")]


def listed(items: list[Object]) -> Object:
    return {"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}}


def typed_list(kind: str, items: list[Object], api_version: str = "v1") -> Object:
    bare = [{key: value for key, value in item.items() if key not in {"kind", "apiVersion"}} for item in items]
    return {"kind": f"{kind}List", "apiVersion": api_version, "metadata": {}, "items": bare}


def as_json(value: Any, indent: int | None = 4) -> bytes:
    return json.dumps(value, indent=indent).encode()


def as_yaml(value: Any) -> bytes:
    return yaml.safe_dump(value).encode()


def tar(files: dict[str, bytes], *, compressed: bool = False) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    data = target.getvalue()
    return gzip.compress(data) if compressed else data


def unpack(files: dict[str, bytes], folder: Path) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def cluster_info_dump() -> dict[str, bytes]:
    """The files that `kubectl cluster-info dump --output-directory` writes."""
    return {
        "nodes.json": as_json(typed_list("Node", [node("n1")])),
        "shop/pods.json": as_json(typed_list("Pod", [pod("web", on="n1")])),
        "shop/services.json": as_json(typed_list("Service", [])),
        "shop/replicasets.json": as_json(typed_list("ReplicaSet", [], "apps/v1")),
        "shop/replication-controllers.json": as_json(typed_list("ReplicationController", [])),
        "shop/events.json": as_json(typed_list("Event", [])),
        "shop/web/logs.txt": b"password=hunter2 \xff\xfe {\n",
    }


def state_of_path(path: Path, *, name: str = "", **bounds: int) -> ClusterState:
    limits = Limits(**bounds)
    state = ClusterState(limits)
    for _ in read_source(path, state, Meter(limits, bytes_total=size_of(path)), name=name or path.name):
        pass
    return state


def state_of(content: bytes, folder: Path, name: str = "dump.json", **bounds: int) -> ClusterState:
    path = folder / "source"
    path.write_bytes(content)
    return state_of_path(path, name=name, **bounds)


def refusal(content: bytes, folder: Path, name: str = "dump.json", **bounds: int) -> BadInput:
    """Return how a source is refused."""
    error = error_of(BadInput, state_of, content, folder, name, **bounds)
    assert problem_sentence(error.problem).endswith(".")
    return error
