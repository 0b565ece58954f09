"""Which of the available volumes each unbound claim of a pod would take on each node.

Upstream: ``k8s.io/component-helpers/storage/volume/pv_helpers.go`` (FindMatchingVolume) v1.34.1, with the feature gate
VolumeAttributesClass on, as by default. Upstream walks volumes in random order; here the first by name wins a tie.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.matching.label_index import LabelIndex, LabelSet
from clusters.engine.matching.selectors import LabelSelector, NodeSelector
from clusters.engine.objects import Document, labels_of, name_of, namespace_of
from clusters.engine.volumes.claims import (
    being_deleted,
    capacity_bytes,
    class_of,
    requested_bytes,
    reserved_for,
    reserving_claim,
    spec_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Ints, Mask
    from clusters.engine.volumes.topology import StorageTopology

NOTHING_FOUND = -1
# Volumes that more nodes than this reach are handed out one by one.
_NARROW = 64

_NONE: Index = np.empty(0, np.intp)


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


@dataclass(frozen=True, slots=True, eq=False)
class ClassVolumes:
    """The V volumes of one storage class that are not being deleted: smallest first, then by name.

    ``capacity`` (V,) in bytes; ``is_free`` (V,) marks those that are available and reserved for nobody; ``reserved``
    has the others by namespace and name of the claim. ``alike`` holds by volume mode and attributes class, and
    ``offering`` by access modes, which volumes have them, each (V,); ``labels`` has the numbers that they have here.
    """

    volumes: tuple[Volume, ...]
    capacity: Ints
    is_free: Mask
    reserved: Mapping[tuple[str, str], list[Volume]]
    alike: Mapping[tuple[str, str], Mask]
    offering: Mapping[frozenset[str], Mask]
    labels: LabelIndex

    @classmethod
    def of(cls, documents: Iterable[Document]) -> ClassVolumes:
        ordered = sorted(documents, key=lambda document: (capacity_bytes(document), name_of(document)))
        volumes = tuple(_parsed(number, document) for number, document in enumerate(ordered))
        reserved: dict[tuple[str, str], list[Volume]] = {}
        alike: dict[tuple[str, str], Mask] = {}
        offering: dict[frozenset[str], Mask] = {}
        labels = LabelIndex()
        for volume in volumes:
            labels.add(LabelSet("", labels_of(volume.document)))
            nobody = np.zeros(len(volumes), np.bool_)
            alike.setdefault((volume.mode, volume.attributes_class), nobody.copy())[volume.number] = True
            offering.setdefault(volume.access_modes, nobody)[volume.number] = True
            if volume.is_reserved:
                reserved.setdefault(reserving_claim(volume.document), []).append(volume)
        return cls(
            volumes=volumes,
            capacity=np.array([volume.capacity for volume in volumes], np.int64),
            is_free=np.array([volume.is_available and not volume.is_reserved for volume in volumes], np.bool_),
            reserved=reserved,
            alike=alike,
            offering=offering,
            labels=labels,
        )

    def suiting(self, wanted: _Wanted) -> Mask:
        """Shape (V,): what must hold for every volume, even for one that is reserved for the claim."""
        alike = self.alike.get((wanted.mode, wanted.attributes_class))
        return np.zeros(len(self.volumes), np.bool_) if alike is None else alike & (self.capacity >= wanted.size)

    def unasked(self, wanted: _Wanted) -> Mask:
        """Shape (V,): what must hold for a volume that nobody has reserved."""
        offering = np.zeros(len(self.volumes), np.bool_)
        for modes, mask in self.offering.items():
            if wanted.access_modes <= modes:
                offering |= mask
        offering &= self.is_free
        if wanted.selector is not None:
            selected = np.zeros_like(offering)
            selected[self.labels.select(wanted.selector, None)] = True
            offering &= selected
        return offering


def volumes_by_class(snapshot: Snapshot) -> dict[str, ClassVolumes]:
    """The volumes of each storage class."""
    found: dict[str, list[Document]] = {}
    for document in snapshot.objects("PersistentVolume"):
        if not being_deleted(document):
            found.setdefault(class_of(document), []).append(document)
    return {name: ClassVolumes.of(documents) for name, documents in found.items()}


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


@dataclass(frozen=True, slots=True, eq=False)
class _Reach:
    """Which nodes reach which free volumes of a class.

    Volumes of few nodes as pairs of rows and numbers, each (K,), in this order; those of many nodes in ``wide``: the
    rows that the same selector admits, and the numbers of its volumes.
    """

    pair_rows: Index
    pair_numbers: Index
    wide: tuple[tuple[Index, Index], ...]

    @classmethod
    def of(cls, volumes: ClassVolumes, topology: StorageTopology) -> _Reach:
        groups: dict[NodeSelector | None, list[int]] = {}
        for number in np.flatnonzero(volumes.is_free).tolist():
            groups.setdefault(volumes.volumes[number].required, []).append(number)
        rows, numbers, wide = [_NONE], [_NONE], []
        for required, members in groups.items():
            reached = topology.admitted_rows(required)
            if len(reached) > _NARROW:
                wide.append((reached, np.array(members, np.intp)))
            else:
                rows.append(np.repeat(reached, len(members)))
                numbers.append(np.tile(members, len(reached)))
        pair_rows, pair_numbers = np.concatenate(rows), np.concatenate(numbers)
        order = np.lexsort((pair_numbers, pair_rows))
        return cls(pair_rows[order], pair_numbers[order], tuple(wide))


class VolumeOffer:
    """What the nodes of one cycle reach of the volumes of each class, found when first asked for."""

    def __init__(self, snapshot: Snapshot, topology: StorageTopology) -> None:
        self._by_class = snapshot.derived(volumes_by_class, "PersistentVolume")
        self.topology = topology
        self._reaches: dict[str, _Reach] = {}

    def of(self, class_name: str) -> tuple[ClassVolumes, _Reach]:
        volumes = self._by_class.get(class_name) or ClassVolumes.of(())
        if class_name not in self._reaches:
            self._reaches[class_name] = _Reach.of(volumes, self.topology)
        return volumes, self._reaches[class_name]


class ClaimMatching:
    """Hands volumes out to the claims of one pod, one after the other: each volume at most once on each node."""

    def __init__(self, offer: VolumeOffer) -> None:
        self._offer = offer
        # By class which pairs are given away, and by class and number on which nodes other volumes are.
        self._taken_pairs: dict[str, Mask] = {}
        self._taken: dict[tuple[str, int], Mask] = {}

    def match(self, claim: Document, asking: Mask) -> Match:
        """Choose a volume for the claim on each asking node. Raises SelectorError when its selector is none."""
        class_name, wanted = class_of(claim), _Wanted.by(claim)
        volumes, reach = self._offer.of(class_name)
        suiting = volumes.suiting(wanted)
        found = np.full(len(asking), NOTHING_FOUND, np.int64)
        open_rows = asking.copy()
        for volume in volumes.reserved.get((namespace_of(claim), name_of(claim)), ()):
            if suiting[volume.number] and reserved_for(volume.document, claim):
                # The first reserved volume that is not taken decides, whether the node can reach it or not.
                deciding = open_rows & ~self._taken_rows(class_name, volume.number, len(asking))
                reached = self._offer.topology.admitted_rows(volume.required)
                self._give(class_name, volume.number, reached[deciding[reached]], found)
                open_rows &= ~deciding
        candidates = suiting & volumes.unasked(wanted)
        if candidates.any() and open_rows.any():
            self._choose(class_name, reach, candidates, open_rows, found)
        return Match(volumes.volumes, found)

    def _choose(self, class_name: str, reach: _Reach, candidates: Mask, open_rows: Mask, found: Ints) -> None:
        """Give every open node the first candidate that it reaches and has left."""
        nothing = len(candidates)
        best = np.full(len(found), nothing, np.intp)
        taken = self._taken_pairs.setdefault(class_name, np.zeros(len(reach.pair_rows), np.bool_))
        pairs = np.flatnonzero(candidates[reach.pair_numbers] & open_rows[reach.pair_rows] & ~taken)
        rows = reach.pair_rows[pairs]
        pairs = pairs[np.append(True, rows[1:] != rows[:-1])[: len(rows)]]
        best[reach.pair_rows[pairs]] = reach.pair_numbers[pairs]
        for reached, numbers in reach.wide:
            left = reached[open_rows[reached]]
            for number in numbers[candidates[numbers]].tolist():
                left = left[best[left] > number]
                if not len(left):
                    break
                gone = self._taken_rows(class_name, number, len(found))[left]
                best[left[~gone]] = number
                left = left[gone]
        taken[pairs] |= best[reach.pair_rows[pairs]] == reach.pair_numbers[pairs]
        winners = np.flatnonzero(best < nothing)
        found[winners] = best[winners]
        of_many = np.isin(best, np.concatenate([_NONE, *(numbers for _, numbers in reach.wide)]))
        for number in np.unique(best[of_many]).tolist():
            self._give(class_name, number, np.flatnonzero(best == number), found)

    def _taken_rows(self, class_name: str, number: int, nodes: int) -> Mask:
        taken = self._taken.get((class_name, number))
        return np.zeros(nodes, np.bool_) if taken is None else taken

    def _give(self, class_name: str, number: int, rows: Index, found: Ints) -> None:
        """Give a volume to some nodes."""
        if len(rows):
            found[rows] = number
            taken = self._taken.setdefault((class_name, number), np.zeros(len(found), np.bool_))
            taken[rows] = True


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


def _mode(spec: Document) -> str:
    return str(spec.get("volumeMode") or "Filesystem")


def _attributes_class(spec: Document) -> str:
    return str(spec.get("volumeAttributesClassName") or "")
