"""The placed and nominated pods of a snapshot as columns, with what they share stored once."""

from __future__ import annotations

import marshal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from clusters.engine.columns.grouping import Grouping, Slots
from clusters.engine.columns.held import is_held
from clusters.engine.matching.label_index import LabelIndex, LabelSet
from clusters.engine.objects import Document, HostPort, Pod, PodAffinity, PodShape
from clusters.engine.resources.requests import BY_CONTAINER, Counting
from clusters.engine.workloads.pod_template import PodTemplate, template_source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.matching.selectors import LabelSelector
    from clusters.engine.status import Index, Ints, Mask

Entry = TypeVar("Entry")

NOWHERE = -1
# More entries than this are looked for among all pods, instead of one after the other.
_MANY = 64


@dataclass(frozen=True, slots=True)
class PodEntry:
    """What a table keeps of a pod beside its key and its node; that of one pod serves for all that are like it."""

    label_set: int
    shape: int
    template: int
    affinity: int
    ports: int
    priority: int
    start: int
    terminating: bool
    held: bool
    preempted: bool
    ready: bool
    starting: bool
    volumes: tuple[Document, ...]
    owner_uid: str


_COLUMNS: tuple[tuple[str, type, int], ...] = (
    ("node", np.int64, NOWHERE),
    ("nominated", np.int64, NOWHERE),
    ("label_set", np.int32, NOWHERE),
    ("shape", np.int32, 0),
    ("template", np.int32, 0),
    ("affinity", np.int32, 0),
    ("ports", np.int32, 0),
    ("priority", np.int64, 0),
    ("start", np.int64, 0),
    ("arrival", np.int64, 0),
    ("terminating", np.bool_, False),
    ("held", np.bool_, False),
    ("preempted", np.bool_, False),
    ("ready", np.bool_, False),
    ("starting", np.bool_, False),
)


class PodTable:
    """Columns over pod slots, shape (P,); a free slot has an empty key, and ``node`` and ``label_set`` -1.

    ``node`` is the row a pod is bound to, ``nominated`` the row it is nominated to (-1: none or unknown).
    ``start`` sorts like the start time; ``arrival`` counts up in the order pods joined; ``starting`` marks pods that
    are bound but in phase Pending, ``held`` those that terminate and that finalizers alone keep.
    Group 0 of ``affinity`` and ``ports`` means none and is not indexed. ``affinity_terms`` counts the terms of the
    groups that have bound pods. ``volumes`` and ``owner_uids`` hold only the pods that have volumes. ``counting``: how
    pods count that are resized.
    """

    node: Ints
    nominated: Ints
    label_set: Slots
    shape: Slots
    template: Slots
    affinity: Slots
    ports: Slots
    priority: Ints
    start: Ints
    arrival: Ints
    terminating: Mask
    held: Mask
    preempted: Mask
    ready: Mask
    starting: Mask

    def __init__(self, counting: Counting = BY_CONTAINER) -> None:
        self.counting = counting
        for column, kind, _ in _COLUMNS:
            setattr(self, column, np.empty(0, kind))
        self.keys: list[str] = []
        self.slot_of: dict[str, int] = {}
        self.homes: dict[int, str] = {}
        self.volumes: dict[int, tuple[Document, ...]] = {}
        self.owner_uids: dict[int, str] = {}
        # Pods that are nominated and not bound, and whose queue holds each: that of no scheduler while gates hold it.
        self.nominees: dict[int, str] = {}
        self.label_index = LabelIndex()
        self.shapes: list[PodShape] = []
        self.templates: list[PodTemplate] = []
        self.affinities: list[PodAffinity] = [PodAffinity()]
        self.port_sets: list[tuple[HostPort, ...]] = [()]
        self.by_label_set = Grouping()
        self.by_affinity = Grouping()
        self.by_ports = Grouping()
        self.affinity_terms = 0
        self._free: list[int] = []
        self._arrivals = 0
        self._label_set_ids: dict[bytes, int] = {}
        self._shape_ids: dict[PodShape, int] = {}
        self._template_ids: dict[bytes, int] = {}
        self._shared_memo: dict[bytes, tuple[int, int, int, int]] = {}
        self._affinity_ids: dict[PodAffinity, int] = {PodAffinity(): 0}
        self._port_set_ids: dict[tuple[HostPort, ...], int] = {(): 0}

    def __len__(self) -> int:
        """Pods in the table."""
        return len(self.slot_of)

    def copy(self) -> PodTable:
        """An independent table; the immutable entries that pods share stay shared."""
        twin = PodTable(self.counting)
        for column, _, _ in _COLUMNS:
            setattr(twin, column, getattr(self, column).copy())
        for name in ("keys", "shapes", "templates", "affinities", "port_sets", "_free"):
            setattr(twin, name, list(getattr(self, name)))
        for name in ("slot_of", "homes", "volumes", "owner_uids", "nominees", *_MEMOS):
            setattr(twin, name, dict(getattr(self, name)))
        twin.label_index = self.label_index.copy()
        twin._arrivals, twin.affinity_terms = self._arrivals, self.affinity_terms
        for name in ("by_label_set", "by_affinity", "by_ports"):
            setattr(twin, name, getattr(self, name).copy())
        return twin

    # -- changes -----------------------------------------------------------------------------------------

    def entry(self, pod: Pod) -> PodEntry:
        """What the table keeps of a pod; it holds for this table and its copies."""
        shape, affinity, ports, template = self._shared_ids(pod)
        return PodEntry(
            label_set=self._label_set_id(pod),
            shape=shape,
            template=template,
            affinity=affinity,
            ports=ports,
            priority=pod.priority,
            start=pod.start_time,
            terminating=pod.terminating,
            held=is_held(pod),
            preempted=pod.terminating_by_preemption,
            ready=pod.ready,
            starting=pod.starting,
            volumes=pod.volumes,
            owner_uid=pod.owner_uid,
        )

    def add(self, pod: Pod, *, node: int, nominated: int) -> int:
        """Store a pod that is bound to row ``node`` or nominated to row ``nominated``; returns its slot.

        A pod whose node is unknown is kept aside until the node appears.
        """
        home = pod.node_name or pod.nominated_node_name
        slot = self.add_entry(pod.key, self.entry(pod), home, node=node, nominated=nominated)
        if not pod.node_name:
            self.nominees[slot] = "" if pod.scheduling_gates else pod.scheduler_name
        return slot

    def add_entry(self, key: str, entry: PodEntry, home: str, *, node: int, nominated: int = NOWHERE) -> int:
        """Store a bound pod under a key as it is known; ``home`` is the name of its node."""
        slot = self._take_slot()
        self.keys[slot] = key
        self.slot_of[key] = slot
        self.node[slot], self.nominated[slot] = node, nominated
        self.label_set[slot] = entry.label_set
        self.shape[slot], self.affinity[slot] = entry.shape, entry.affinity
        self.ports[slot], self.template[slot] = entry.ports, entry.template
        self.priority[slot], self.start[slot] = entry.priority, entry.start
        self.terminating[slot], self.preempted[slot] = entry.terminating, entry.preempted
        self.held[slot] = entry.held
        self.ready[slot], self.starting[slot] = entry.ready, entry.starting
        self.arrival[slot] = self._arrivals
        self._arrivals += 1
        if entry.volumes:
            self.volumes[slot], self.owner_uids[slot] = entry.volumes, entry.owner_uid
        self.homes[slot] = home
        if node != NOWHERE:
            self._index(slot)
        return slot

    def remove(self, slot: int) -> None:
        """Drop a pod and free its slot."""
        if self.node[slot] != NOWHERE:
            self._unindex(slot)
        del self.slot_of[self.keys[slot]]
        self.homes.pop(slot, None)
        self.volumes.pop(slot, None)
        self.owner_uids.pop(slot, None)
        self.nominees.pop(slot, None)
        self.keys[slot] = ""
        self.node[slot] = self.nominated[slot] = self.label_set[slot] = NOWHERE
        self._free.append(slot)

    def node_inserted(self, row: int, name: str) -> list[int]:
        """Renumber rows after an insertion; returns the slots that now find their node."""
        self.node[self.node >= row] += 1
        self.nominated[self.nominated >= row] += 1
        found = [slot for slot, home in self.homes.items() if home == name]
        for slot in found:
            if slot in self.nominees:
                self.nominated[slot] = row
            else:
                self.node[slot] = row
                self._index(slot)
        return found

    def node_deleted(self, row: int) -> None:
        """Set the pods of a deleted row aside and renumber the rows after it."""
        for slot in np.flatnonzero(self.node == row):
            self._unindex(int(slot))
            self.node[slot] = NOWHERE
        self.nominated[self.nominated == row] = NOWHERE
        self.node[self.node > row] -= 1
        self.nominated[self.nominated > row] -= 1

    def _take_slot(self) -> int:
        if self._free:
            return self._free.pop()
        slot = len(self.keys)
        if slot == len(self.node):
            room = max(64, slot)
            for column, kind, empty in _COLUMNS:
                grown = np.concatenate([getattr(self, column), np.full(room, empty, kind)])
                setattr(self, column, grown)
        self.keys.append("")
        return slot

    def _index(self, slot: int) -> None:
        self.by_label_set.add(slot, int(self.label_set[slot]))
        group = int(self.affinity[slot])
        if group:
            self.affinity_terms += 0 if group in self.by_affinity else len(self.affinities[group])
            self.by_affinity.add(slot, group)
        if self.ports[slot]:
            self.by_ports.add(slot, int(self.ports[slot]))

    def _unindex(self, slot: int) -> None:
        self.by_label_set.discard(slot, int(self.label_set[slot]))
        group = int(self.affinity[slot])
        if group:
            self.by_affinity.discard(slot, group)
            self.affinity_terms -= 0 if group in self.by_affinity else len(self.affinities[group])
        if self.ports[slot]:
            self.by_ports.discard(slot, int(self.ports[slot]))

    def count_as(self, counting: Counting) -> None:
        """Count pods that are added from now on in another way."""
        # What is remembered by the pods' sources was counted in the former way.
        self.counting, self._shared_memo = counting, {}

    # -- shared entries ----------------------------------------------------------------------------------

    def _shared_ids(self, pod: Pod) -> tuple[int, int, int, int]:
        """Shape, affinity, ports and template of a pod; pods with byte-equal sources are parsed once."""
        template = template_source(pod)
        memo = marshal.dumps((template, _shape_source(pod)), 0)
        known = self._shared_memo.get(memo)
        if known is None:
            shape = PodShape.of(pod, self.counting)
            known = self._shared_memo[memo] = (
                _intern(shape, self._shape_ids, self.shapes),
                _intern(shape.affinity, self._affinity_ids, self.affinities),
                _intern(shape.host_ports, self._port_set_ids, self.port_sets),
                self._template_id(PodTemplate.of(pod)),
            )
        return known

    def _template_id(self, template: PodTemplate) -> int:
        """The number of a template; its parts are plain documents, which have no hash but bytes."""
        parts = (getattr(template, field) for field in PodTemplate.__slots__ if field not in ("controller", "workload"))
        memo = marshal.dumps((*parts, repr(template.controller), repr(template.workload)), 0)
        known = self._template_ids.get(memo)
        if known is None:
            known = self._template_ids[memo] = len(self.templates)
            self.templates.append(template)
        return known

    def _label_set_id(self, pod: Pod) -> int:
        memo = marshal.dumps((pod.namespace, sorted(pod.labels.items())), 0)
        known = self._label_set_ids.get(memo)
        if known is None:
            known = self._label_set_ids[memo] = self.label_index.add(LabelSet(pod.namespace, pod.labels))
        return known

    # -- questions ---------------------------------------------------------------------------------------

    @property
    def label_sets(self) -> Sequence[LabelSet]:
        return self.label_index.sets

    def select(self, selector: LabelSelector, namespaces: frozenset[str] | None) -> Index:
        """Ids of the label sets that a selector matches, in the given namespaces (None: in all), in rising order."""
        return self.label_index.select(selector, namespaces)

    def requests_of(self, key: str) -> Mapping[str, int] | None:
        """What a bound pod counts with on its node, as its release counts a pod that is resized; None for others."""
        slot = self.slot_of.get(key)
        return None if slot is None or self.node[slot] < 0 else dict(self.shapes[self.shape[slot]].requests)

    def bound_slots(self, label_sets: Index, *, terminating: bool = True) -> Slots:
        """Slots of the bound pods with these label sets, with or without those being deleted."""
        slots = self._bound(self.by_label_set, self.label_set, label_sets)
        return slots if terminating else slots[~self.terminating[slots]]

    def bound_with_affinity(self, groups: Index) -> Slots:
        """Slots of the bound pods in these affinity groups."""
        return self._bound(self.by_affinity, self.affinity, groups)

    def _bound(self, grouping: Grouping, column: Slots, entries: Index) -> Slots:
        if len(entries) <= max(_MANY, len(self.node) // 256):
            return grouping.slots_of(entries.tolist())
        wanted = np.zeros(int(entries.max()) + 1, np.bool_)
        wanted[entries] = True
        slots = np.flatnonzero((column < len(wanted)) & (self.node != NOWHERE))
        return slots[wanted[column[slots]]].astype(np.int32)

    def on_node(self, row: int) -> Ints:
        """Slots of the pods bound to a row, in order of arrival."""
        slots = np.flatnonzero(self.node == row)
        return slots[np.argsort(self.arrival[slots], kind="stable")]

    def namespace(self, slot: int) -> str:
        return self.label_index.sets[int(self.label_set[slot])].namespace

    def name(self, slot: int) -> str:
        return self.keys[slot].partition("/")[2]

    def labels(self, slot: int) -> Mapping[str, str]:
        return self.label_index.sets[int(self.label_set[slot])].labels


def _intern(entry: Entry, ids: dict[Entry, int], entries: list[Entry]) -> int:
    known = ids.get(entry)
    if known is None:
        known = ids[entry] = len(entries)
        entries.append(entry)
    return known


_MEMOS = ("_label_set_ids", "_shape_ids", "_template_ids", "_shared_memo", "_affinity_ids", "_port_set_ids")


def _shape_source(pod: Pod) -> tuple[Any, ...]:
    """Every part of a pod that its shape is made from, but for those that its template is made from too."""
    spec, status = pod.spec, pod.status
    return (
        spec.get("containers"),
        spec.get("initContainers"),
        spec.get("overhead"),
        spec.get("resources"),
        [
            (entry.get("name"), entry.get("resources"), entry.get("allocatedResources"))
            for kind in ("containerStatuses", "initContainerStatuses")
            for entry in status.get(kind) or ()
            if entry.get("resources") is not None or entry.get("allocatedResources") is not None
        ],
        (status.get("resources"), status.get("allocatedResources"), status.get("nodeAllocatableResourceClaimStatuses")),
        [condition for condition in status.get("conditions") or () if condition.get("type") == "PodResizePending"],
    )
