"""A node that does not exist yet, after the likeness of one that does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.matching.known_taints import says_state
from clusters.engine.objects import labels_of
from clusters.engine.spreading.constraints import HOSTNAME

if TYPE_CHECKING:
    from clusters.engine.objects import Document

_READY = {"type": "Ready", "status": "True"}


def twin_of(node: Document, name: str) -> dict[str, Any]:
    """A new node with the labels, resources and taints of another one: ready, open to pods, and without images yet."""
    spec, status = node.get("spec") or {}, node.get("status") or {}
    amounts = {role: status.get(role) or {} for role in ("allocatable", "capacity") if role in status}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": f"imagined:node/{name}", "labels": {**labels_of(node), HOSTNAME: name}},
        "spec": {"taints": [taint for taint in spec.get("taints") or () if not says_state(str(taint.get("key")))]},
        "status": {**amounts, "conditions": [_READY]},
    }
