"""Which of the available volumes each unbound claim of a pod would take on each node.

Upstream: ``k8s.io/component-helpers/storage/volume/pv_helpers.go`` (FindMatchingVolume) v1.34.1, with the feature gate
VolumeAttributesClass on, as by default. Upstream walks volumes in random order; here the first by name wins a tie.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.objects import Document, labels_of, name_of
from clusters.engine.selectors import LabelSelector, NodeSelector
from clusters.engine.storage import being_deleted, capacity_bytes, class_of, requested_bytes, reserved_for, spec_of

if TYPE_CHECKING:
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Ints, Mask
    from clusters.engine.storage_topology import StorageTopology

NOTHING_FOUND = -1


@dataclass(frozen=True, slots=True)
class Volume:
    """What matching reads of a persistent volume; ``number`` is its place among the volumes of its class."""

    number: int
    document: Document
    capacity: int
    mode: str
    attributes_class: str
    is_reserved: bool
    is_available: bool
    access_modes: frozenset[str]
    required: NodeSelector | None


def volumes_by_class(snapshot: Snapshot) -> dict[str, tuple[Volume, ...]]:
    """The volumes of each storage class that are not being deleted: smallest first, then by name."""
    found: dict[str, list[Document]] = {}
    for document in snapshot.objects("PersistentVolume"):
        if not being_deleted(document):
            found.setdefault(class_of(document), []).append(document)
    for documents in found.values():
        documents.sort(key=lambda document: (capacity_bytes(document), name_of(document)))
    return {
        name: tuple(_parsed(number, document) for number, document in enumerate(documents))
        for name, documents in found.items()
    }


def _parsed(number: int, document: Document) -> Volume:
    spec = spec_of(document)
    required = (spec.get("nodeAffinity") or {}).get("required")
    return Volume(
        number=number,
        document=document,
        capacity=capacity_bytes(document),
        mode=_mode(spec),
        attributes_class=_attributes_class(spec),
        is_reserved=spec.get("claimRef") is not None,
        is_available=(document.get("status") or {}).get("phase") == "Available",
        access_modes=frozenset(spec.get("accessModes") or ()),
        required=None if required is None else NodeSelector.from_dict(required),
    )


@dataclass(frozen=True, slots=True)
class Match:
    """The volumes among which a claim chose, and the place of its choice on each node, shape (N,), -1 for none."""

    volumes: tuple[Volume, ...]
    found: Ints

    @property
    def missing(self) -> Mask:
        """Shape (N,): nodes without a volume for the claim."""
        missing: Mask = self.found == NOTHING_FOUND
        return missing

    def at(self, row: int) -> Document | None:
        """The volume that the claim would take on one node."""
        number = int(self.found[row])
        return None if number == NOTHING_FOUND else self.volumes[number].document


class ClaimMatching:
    """Hands volumes out to the claims of one pod, one after the other: each volume at most once on each node."""

    def __init__(self, snapshot: Snapshot, topology: StorageTopology) -> None:
        self._by_class = snapshot.derived(volumes_by_class, "PersistentVolume")
        self._topology = topology
        self._nowhere = np.zeros(len(snapshot.nodes), np.bool_)
        self._taken: dict[tuple[str, int], Mask] = {}

    def match(self, claim: Document, asking: Mask) -> Match:
        """Choose a volume for the claim on each asking node. Raises SelectorError when its selector is none."""
        class_name, wanted = class_of(claim), _Wanted.by(claim)
        volumes = self._by_class.get(class_name, ())
        suitable = [volume for volume in volumes if wanted.suits(volume)]
        found = np.full(len(asking), NOTHING_FOUND, np.int64)
        open_rows = asking.copy()
        for volume in suitable:
            if volume.is_reserved and reserved_for(volume.document, claim):
                # The first reserved volume that is not taken decides, whether the node can reach it or not.
                deciding = open_rows & ~self._taken_rows(class_name, volume)
                self._give(class_name, volume, deciding, found)
                open_rows &= ~deciding
        for volume in suitable:
            if not volume.is_reserved and wanted.accepts_unasked(volume):
                open_rows[self._give(class_name, volume, open_rows, found)] = False
                if not open_rows.any():
                    break
        return Match(volumes, found)

    def _taken_rows(self, class_name: str, volume: Volume) -> Mask:
        return self._taken.get((class_name, volume.number), self._nowhere)

    def _give(self, class_name: str, volume: Volume, asking: Mask, found: Ints) -> Index:
        """Give a volume to the asking nodes that reach it and have it left; returns their rows."""
        reached = self._topology.admitted_rows(volume.required)
        rows = reached[asking[reached] & ~self._taken_rows(class_name, volume)[reached]]
        if len(rows):
            found[rows] = volume.number
            self._taken.setdefault((class_name, volume.number), self._nowhere.copy())[rows] = True
        return rows


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a claim asks of a volume, parsed once."""

    size: int
    mode: str
    attributes_class: str
    selector: LabelSelector | None
    access_modes: frozenset[str]

    @classmethod
    def by(cls, claim: Document) -> _Wanted:
        spec = spec_of(claim)
        selector = spec.get("selector")
        return cls(
            size=requested_bytes(claim) or 0,
            mode=_mode(spec),
            attributes_class=_attributes_class(spec),
            selector=None if selector is None else LabelSelector.from_dict(selector),
            access_modes=frozenset(spec.get("accessModes") or ()),
        )

    def suits(self, volume: Volume) -> bool:
        """What must hold for every volume, even for one that is reserved for the claim."""
        return (
            volume.capacity >= self.size
            and volume.mode == self.mode
            and volume.attributes_class == self.attributes_class
        )

    def accepts_unasked(self, volume: Volume) -> bool:
        """What must hold for a volume that nobody has reserved."""
        return (
            volume.is_available
            and (self.selector is None or self.selector.matches(labels_of(volume.document)))
            and self.access_modes <= volume.access_modes
        )


def _mode(spec: Document) -> str:
    return str(spec.get("volumeMode") or "Filesystem")


def _attributes_class(spec: Document) -> str:
    return str(spec.get("volumeAttributesClassName") or "")
