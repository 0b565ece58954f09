"""Events of the demo cluster."""

from __future__ import annotations

from clusters.demo.identity import Document, ago, metadata

# Who writes about which kind.
_SOURCES = {"Pod": "default-scheduler", "Node": "node-controller", "ReplicaSet": "replicaset-controller"}


# kube-scheduler cuts what it writes into events.
LONGEST_NOTE = 1024


def cut(message: str) -> str:
    """Return a message as an event can hold it."""
    return message if len(message) <= LONGEST_NOTE else f"{message[: LONGEST_NOTE - 4]} ..."


def preempted_note(preemptor_uid: str, node: str) -> str:
    """Return what kube-scheduler reports of a victim."""
    return f"Preempted by pod {preemptor_uid} on node {node}"


def event(kind: str, namespace: str, name: str, reason: str, message: str, *, count: int = 1, **age: float) -> Document:
    """Return an event about an object, so old as ``age`` says; without a namespace the object is cluster-scoped."""
    about = {"kind": kind, "name": name, "uid": metadata(kind, name, namespace)["uid"]}
    if namespace:
        about["namespace"] = namespace
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": metadata("Event", f"{name}.{reason.lower()}", namespace or "default", creationTimestamp=ago(**age)),
        "involvedObject": about,
        "type": "Normal" if reason == "Preempted" else "Warning",
        "reason": reason,
        "message": message,
        "count": count,
        "firstTimestamp": ago(**age),
        "lastTimestamp": ago(**age),
        "source": {"component": _SOURCES[kind]},
    }
