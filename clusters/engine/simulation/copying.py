"""Many pods that are like one another but for their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.objects import metadata, name_of, namespace_of
from clusters.engine.workloads.pod_copies import PodCopy, copy_of
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot


def renamed(pod: Document, name: str) -> Document:
    """The same pod under another name; all else is shared, so that tens of thousands take little memory."""
    uid = f"imagined:{namespace_of(pod)}/{name}"
    return {**pod, "metadata": {**metadata(pod), "name": name, "uid": uid}}


def copies_of(shelf: Snapshot, pod: Document, names: Iterable[str]) -> Iterator[PodCopy]:
    """Copies of a pod, each with claims of its own where its controllers would make some."""
    controller = Controller.of(pod)
    spec = pod.get("spec") or {}
    if (
        (controller is not None and controller.kind == "StatefulSet")
        or any(volume.get("ephemeral") for volume in spec.get("volumes") or ())
        or any("resourceClaimTemplateName" in entry for entry in spec.get("resourceClaims") or ())
    ):
        yield from (copy_of(shelf, pod, name) for name in names)
        return
    first: PodCopy | None = None
    for name in names:
        if first is None:
            first = copy_of(shelf, pod, name)
            yield first
        else:
            yield PodCopy(renamed(first.pod, name), devices=first.devices)


def put_claim(shelf: Snapshot, claim: Document) -> None:
    """Add a claim; one of the same name stays, unless it was made for another pod and goes with that."""
    owners = metadata(claim).get("ownerReferences")
    if owners or shelf.object(str(claim.get("kind")), name_of(claim), namespace_of(claim)) is None:
        shelf.upsert(claim)
