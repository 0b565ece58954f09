"""Names, UIDs and times of the demo cluster: the same at every generation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any

Document = dict[str, Any]
Fields = Mapping[str, Any]

# The moment that the demo shows. It stays, so that the cluster is the same whenever it is loaded.
NOW = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)

# Kubernetes leaves out what could spell words or be mistaken.
_SUFFIX_ALPHABET = "bcdfghjklmnpqrstvwxz2456789"


def ago(**parts: float) -> str:
    """Return the time that lies so far before the demo's present, as Kubernetes writes it."""
    return written(NOW - timedelta(**parts))


def written(moment: datetime) -> str:
    """Return a moment as Kubernetes writes it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def number(seed: str, below: int) -> int:
    """Return a number from 0 that depends on nothing but the seed."""
    return int.from_bytes(blake2b(seed.encode(), digest_size=8).digest(), "big") % below


def suffix(seed: str, length: int) -> str:
    """Return what Kubernetes would append to a generated name."""
    return "".join(_SUFFIX_ALPHABET[number(f"{seed}/{position}", len(_SUFFIX_ALPHABET))] for position in range(length))


def uid(kind: str, namespace: str, name: str) -> str:
    """Return the UID of an object."""
    digits = blake2b(f"{kind}/{namespace}/{name}".encode(), digest_size=16).hexdigest()
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


def metadata(kind: str, name: str, namespace: str = "", **fields: Any) -> Document:
    """Return metadata; without a namespace the object is cluster-scoped."""
    found: Document = {"name": name, "uid": uid(kind, namespace, name), "creationTimestamp": ago(days=90), **fields}
    if namespace:
        found["namespace"] = namespace
    return found


# Events of the demo cluster.

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
