"""The claims that controllers make for new pods, and which of them can be said to bind anywhere.

Upstream: ``pkg/controller/statefulset``, ``pkg/controller/volume/ephemeral`` and the admission plugin
``plugin/pkg/admission/storage/storageclass/setdefault``, v1.34.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.engine.disruption.drain import ephemeral_claims
from clusters.engine.objects import labels_of, metadata, name_of, namespace_of
from clusters.engine.volumes.claims import (
    IMAGINED_CLAIM,
    WAIT_FOR_FIRST_CONSUMER,
    annotations_of,
    class_of,
    default_class,
    spec_of,
    volume_name_of,
    with_class,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class NewClaims:
    """Pods with the volumes that can be judged, the claims ``made`` for them, and volumes ``unplaced`` by name."""

    pods: Sequence[Document]
    made: tuple[Document, ...]
    unplaced: tuple[str, ...]


def claims_of(pods: Sequence[Document], templates: Sequence[Document], shelf: Snapshot) -> NewClaims:
    """Make claims for pods of one making: from a StatefulSet's templates, and for ephemeral volumes.

    A claim whose volume would be made at once, before anybody knows on which node the pod will lie, says nothing of
    where the pod can go: its volume is left out.
    """
    default = default_class(shelf)
    placed = [template for template in templates if _waits(_claim(template, "", default), shelf)]
    gone = {name_of(template) for template in templates} - {name_of(template) for template in placed}
    if pods:
        ephemeral = ephemeral_claims(pods[0])
        prefix = len(name_of(pods[0])) + 1
        waits = {name_of(claim)[prefix:]: _waits(_claim(claim, "", default), shelf) for claim in ephemeral}
        gone |= {name for name, waiting in waits.items() if not waiting}
        gone |= {name for name, claim in _new_claims(pods[0], shelf) if not _waits(claim, shelf)}
    if gone:
        pods = _without(pods, gone)
    if not pods or (not placed and not ephemeral_claims(pods[0])):
        return NewClaims(pods, (), tuple(sorted(gone)))
    return NewClaims(pods, tuple(_made(pods, placed, default, shelf)), tuple(sorted(gone)))


def as_stored(claim: Document, shelf: Snapshot) -> Document:
    """A claim that somebody adds, as the API server would store it."""
    uid = f"{IMAGINED_CLAIM}{namespace_of(claim)}/{name_of(claim)}"
    fields = {**metadata(claim), "namespace": namespace_of(claim), "uid": uid}
    return with_class({"status": {"phase": "Pending"}, **claim, "metadata": fields}, default_class(shelf))


def _new_claims(pod: Document, shelf: Snapshot) -> Iterator[tuple[str, Document]]:
    """A pod's volumes by name with their claims, of those that were added and ask for no volume by its name."""
    for volume in spec_of(pod).get("volumes") or ():
        name = (volume.get("persistentVolumeClaim") or {}).get("claimName")
        claim = shelf.object("PersistentVolumeClaim", str(name), namespace_of(pod)) if name else None
        is_new = claim is not None and str(metadata(claim).get("uid")).startswith(IMAGINED_CLAIM)
        if claim is not None and is_new and not volume_name_of(claim):
            yield str(volume.get("name")), claim


def _made(pods: Sequence[Document], templates: Sequence[Document], default: str, shelf: Snapshot) -> Iterator[Document]:
    for pod in pods:
        for template in templates:
            claim = _claim(template, f"{name_of(template)}-{name_of(pod)}", default, namespace_of(pod))
            # A StatefulSet finds the claims that an earlier one of its name has left.
            if shelf.object("PersistentVolumeClaim", name_of(claim), namespace_of(claim)) is None:
                yield claim
        yield from (with_class(claim, default) for claim in ephemeral_claims(pod))


def _claim(template: Document, name: str, default: str, namespace: str = "default") -> Document:
    claim: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "uid": f"{IMAGINED_CLAIM}{namespace}/{name}",
            "labels": labels_of(template),
            "annotations": annotations_of(template),
        },
        "spec": dict(spec_of(template)),
        "status": {"phase": "Pending"},
    }
    return with_class(claim, default)


def _waits(claim: Document, shelf: Snapshot) -> bool:
    """Whether a claim's volume is made for the node that its pod gets."""
    storage_class = shelf.object("StorageClass", class_of(claim))
    # One whose class does not exist is never bound, and the scheduler says so.
    return storage_class is None or storage_class.get("volumeBindingMode") == WAIT_FOR_FIRST_CONSUMER


def _without(pods: Sequence[Document], names: set[str]) -> list[Document]:
    """Pods without some volumes; those that shared a spec share one again."""
    specs: dict[int, dict[str, Any]] = {}
    found: list[Document] = []
    for pod in pods:
        spec = specs.get(id(pod["spec"]))
        if spec is None:
            volumes = [volume for volume in pod["spec"].get("volumes") or () if volume.get("name") not in names]
            spec = specs[id(pod["spec"])] = {**pod["spec"], "volumes": volumes}
        found.append({**pod, "spec": spec})
    return found
