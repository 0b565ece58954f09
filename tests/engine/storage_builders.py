"""Claims, volumes, storage classes and their kin for tests of the volume plugins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clusters.engine.world import World, no_changes
from tests.engine.builders import HOSTNAME, Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.plugin import Plugin


def uses(claim: str) -> Document:
    """A pod's volume that stands for a claim."""
    return {"persistentVolumeClaim": {"claimName": claim}}


def a_claim(
    name: str,
    *,
    volume: str = "",
    bound: bool | None = None,
    storage_class: str | None = "wait",
    size: str | None = "5Gi",
    modes: Iterable[str] = ("ReadWriteOnce",),
    namespace: str = "default",
    annotations: Mapping[str, str] | None = None,
    owner: Mapping[str, Any] | None = None,
    phase: str = "Pending",
    deleted: bool = False,
    **spec: Any,
) -> Document:
    """A claim; one with a volume counts as bound to it unless ``bound`` says otherwise."""
    complete = bool(volume) if bound is None else bound
    marks = {"pv.kubernetes.io/bind-completed": "yes"} if complete else {}
    return {
        "kind": "PersistentVolumeClaim",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "uid": f"uid-{name}",
            "annotations": {**marks, **(annotations or {})},
            **({"ownerReferences": [owner]} if owner is not None else {}),
            **({"deletionTimestamp": "2025-01-01T00:00:00Z"} if deleted else {}),
        },
        "spec": {
            "accessModes": list(modes),
            **({"storageClassName": storage_class} if storage_class is not None else {}),
            **({"resources": {"requests": {"storage": size}}} if size is not None else {}),
            **({"volumeName": volume} if volume else {}),
            **spec,
        },
        "status": {"phase": phase},
    }


def a_volume(
    name: str,
    *,
    size: str = "10Gi",
    storage_class: str = "wait",
    nodes: Iterable[str] | None = None,
    affinity: Mapping[str, Any] | None = None,
    labels: Mapping[str, str] | None = None,
    modes: Iterable[str] = ("ReadWriteOnce",),
    phase: str = "Available",
    deleted: bool = False,
    **spec: Any,
) -> Document:
    """A persistent volume, reachable from everywhere or from the named nodes; ``spec`` names its source."""
    required = affinity if nodes is None else on(HOSTNAME, *nodes)
    return {
        "kind": "PersistentVolume",
        "metadata": {
            "name": name,
            "labels": dict(labels or {}),
            **({"deletionTimestamp": "2025-01-01T00:00:00Z"} if deleted else {}),
        },
        "spec": {
            "accessModes": list(modes),
            "capacity": {"storage": size},
            "storageClassName": storage_class,
            **({"nodeAffinity": {"required": required}} if required is not None else {}),
            **spec,
        },
        "status": {"phase": phase},
    }


def on(key: str, *values: str) -> Document:
    """A node selector that requires one of the values of a label."""
    return {"nodeSelectorTerms": [{"matchExpressions": [{"key": key, "operator": "In", "values": list(values)}]}]}


def csi(handle: str, driver: str = "csi.example") -> Document:
    """The source of a CSI volume."""
    return {"driver": driver, "volumeHandle": handle}


def a_class(
    name: str = "wait", *, provisioner: str = "csi.example", mode: str | None = None, **fields: Any
) -> Document:
    """A storage class; it waits for the first consumer unless ``mode`` says otherwise, "" leaves the mode out."""
    binding = "WaitForFirstConsumer" if mode is None else mode
    return {
        "kind": "StorageClass",
        "metadata": {"name": name},
        "provisioner": provisioner,
        **({"volumeBindingMode": binding} if binding else {}),
        **fields,
    }


def a_csi_node(name: str, limits: Mapping[str, int | None] | None = None, migrated: Iterable[str] = ()) -> Document:
    """A CSINode with the limit of each driver, None for one without a limit."""
    return {
        "kind": "CSINode",
        "metadata": {
            "name": name,
            "annotations": {"storage.alpha.kubernetes.io/migrated-plugins": ",".join(migrated)},
        },
        "spec": {
            "drivers": [
                {"name": driver, **({"allocatable": {"count": count}} if count is not None else {})}
                for driver, count in (limits or {}).items()
            ]
        },
    }


def an_attachment(volume: str, node: str, driver: str = "csi.example") -> Document:
    """A VolumeAttachment of a persistent volume to a node."""
    return {
        "kind": "VolumeAttachment",
        "metadata": {"name": f"{volume}-{node}"},
        "spec": {"attacher": driver, "nodeName": node, "source": {"persistentVolumeName": volume}},
    }


def rejections(plugin: Plugin, world: World | None = None, lifted: Iterable[int] = ()) -> dict[str, tuple[str, ...]]:
    """What the filter says of each node that it rejects: the code, then the reasons."""
    outcome = plugin.filter(world, frozenset(lifted))
    found = {}
    for row, name in enumerate(plugin.snapshot.nodes.names):
        status = outcome.at(row)
        if not status.ok:
            found[name] = (str(status.code), *status.texts)
    return found


def without(plugin: Plugin, *pods: str) -> World:
    """The world in which these pods (``namespace/name``) have been removed from their nodes."""
    table = plugin.snapshot.pods
    return no_changes().removing(table, np.array([table.slot_of[pod] for pod in pods]), np.empty(0, np.int64))
