"""The columnar cluster that a scheduling cycle reads: nodes, the pods on them, and the objects around them.

Upstream: ``pkg/scheduler/backend/cache`` (v1.34.1). As there, pods that have finished are not seen, and pods on
a node that does not exist wait until it does.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeVar, cast

import msgspec
import numpy as np

from clusters.engine.batch_systems import BatchGroupKey, batch_groups_of_pod, is_named_after
from clusters.engine.columns import NOWHERE, NodeTable, PodEntry, PodTable
from clusters.engine.objects import Document, Node, Pod, key_of, labels_of, name_of, namespace_of
from clusters.engine.podgroups import GroupMember, GroupMembers, PodGroupKey, groups_of_pod, has_group
from clusters.engine.quantity import saturated
from clusters.engine.versions import ASSUMED, Release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from clusters.engine.pod_texts import PodText
    from clusters.engine.status import Ints

Derived = TypeVar("Derived")
Followed = TypeVar("Followed", bound="Follower")

# Makings of pods that are remembered while a snapshot is built.
_MOST_ALIKE = 1 << 16
_NO_LABELS: Mapping[str, str] = {}

CLUSTER_SCOPED = frozenset(
    {
        "CSIDriver",
        "CSINode",
        "DeviceClass",
        "Namespace",
        "PersistentVolume",
        "PriorityClass",
        "ResourceSlice",
        "RuntimeClass",
        "StorageClass",
        "VolumeAttachment",
    }
)


class Follower(Protocol):
    """What is kept of all objects of some kinds (not nodes or pods), brought forward object by object."""

    kinds: ClassVar[tuple[str, ...]]

    def change(self, before: Document | None, after: Document | None) -> None:
        """Take in that an object was added (nothing before), replaced or removed (nothing after)."""

    def copy(self) -> Self:
        """An independent follower that starts equal to this one."""


class UnknownNodeError(KeyError):
    """A pod was placed on a node that is not in the snapshot; its argument is the node."""


class Snapshot:
    """A cluster at one moment, immutable by convention while a cycle reads it.

    Whoever owns a snapshot brings it forward with ``assume``, ``forget``, ``upsert`` and ``delete``, which leave it
    equal to one built afresh from the changed objects, and takes a ``copy`` to try something out.
    """

    def __init__(self, release: Release = ASSUMED) -> None:
        self.release = release
        self.nodes = NodeTable(saturates=release.rules.saturates)
        self.pods = PodTable(release.counting)
        self.groups: GroupMembers[PodGroupKey] = GroupMembers(groups_of_pod)
        # Of systems beside kube-scheduler, which decides nothing by them.
        self.batch_groups: GroupMembers[BatchGroupKey] = GroupMembers(batch_groups_of_pod)
        self._objects: dict[str, dict[str, dict[str, Document]]] = {}
        # By pod shape, made anew when a resource has come to be known since.
        self._amounts: dict[int, tuple[Ints, Ints]] = {}
        self._derived: dict[Callable[[Snapshot], Any], tuple[tuple[str, ...], Any]] = {}
        self._followers: dict[type[Follower], Follower] = {}

    @classmethod
    def from_objects(
        cls, objects: Iterable[Document], release: Release = ASSUMED, *, pods: Iterable[PodText] = ()
    ) -> Snapshot:
        """Build a snapshot from Kubernetes objects in any order; kinds that scheduling does not read are ignored.

        ``release``: as which its scheduler decides. ``pods``: further ones by their JSON, which takes a fraction of the
        time.
        """
        snapshot = cls(release)
        nodes: list[Node] = []
        # Each is taken in as it comes: of many documents that are held until the end, the few things that stay would
        # lie between what goes, in memory that cannot be given back.
        for document in objects:
            kind = document.get("kind")
            if kind == "Node":
                nodes.append(Node.from_dict(document))
            elif kind == "Pod":
                snapshot._add_pod(Pod(document))
            else:
                snapshot._store(document)
        snapshot._add_texts(pods)
        snapshot.nodes.fill(nodes)
        snapshot.pods.nodes_filled(snapshot.nodes.index)
        snapshot._book_all()
        return snapshot

    def copy(self) -> Snapshot:
        """An independent snapshot that starts equal to this one."""
        twin = Snapshot(self.release)
        twin.nodes, twin.pods = self.nodes.copy(), self.pods.copy()
        twin.groups, twin.batch_groups = self.groups.copy(), self.batch_groups.copy()
        twin._objects = {
            kind: {namespace: dict(named) for namespace, named in spaces.items()}
            for kind, spaces in self._objects.items()
        }
        twin._derived = dict(self._derived)
        twin._followers = {kind: each.copy() for kind, each in [*self._followers.items()]}
        return twin

    def read_as(self, release: Release, resized: Iterable[Document] = ()) -> Snapshot:
        """The same cluster under another release; ``resized``: all pods whose requests that release counts otherwise.

        Those of them that the snapshot does not hold are left out.
        """
        twin = self.copy()
        # What was derived may hold what the release of this one makes of the objects.
        twin.release, twin._derived, twin._followers = release, {}, {}
        twin.nodes.read_as(saturates=release.rules.saturates)
        twin.pods.count_as(release.counting)
        for document in resized:
            if Pod(document).key in self.pods.slot_of:
                twin.upsert({**document, "kind": "Pod"})
        return twin

    # -- changes -----------------------------------------------------------------------------------------

    def assume(self, pod: Document, node: str) -> Snapshot:
        """Place a pod on a node, as if it were bound there. Raises UnknownNodeError."""
        if node not in self.nodes.index:
            raise UnknownNodeError(node)
        return self.upsert({**pod, "kind": "Pod", "spec": {**(pod.get("spec") or {}), "nodeName": node}})

    def assume_like(self, key: str, uid: str, entry: PodEntry, row: int) -> Snapshot:
        """Place a pod without volumes that is not there yet on the node of a row, like the one the entry is of."""
        self._book(self.pods.add_entry(key, uid, entry, self.nodes.names[row], node=row), 1)
        return self

    def forget(self, pod: Document) -> Snapshot:
        """Undo ``assume``: the pod is pending again, with its nomination if it has one."""
        self.remove_pod(key_of(pod))
        spec = {name: part for name, part in (pod.get("spec") or {}).items() if name != "nodeName"}
        self._add_pod(Pod({**pod, "spec": spec}))
        return self

    def upsert(self, document: Document) -> Snapshot:
        """Add an object or replace the one of the same kind, namespace and name."""
        kind = document.get("kind")
        if kind == "Node":
            self._upsert_node(Node.from_dict(document))
        elif kind == "Pod":
            pod = Pod(document)
            self.remove_pod(pod.key)
            self._add_pod(pod)
        else:
            self._store(document)
        return self

    def delete(self, document: Document) -> Snapshot:
        """Remove an object by its kind, namespace and name; one that is not there is no error."""
        kind, name = str(document.get("kind")), name_of(document)
        if kind == "Node":
            row = self.nodes.index.get(name)
            if row is not None:
                self.pods.node_deleted(row, name)
                self.nodes.delete(row)
        elif kind == "Pod":
            self.remove_pod(key_of(document))
        else:
            before = self._objects.get(kind, {}).get(_space(document), {}).pop(name, None)
            self._tell(kind, before, None)
        return self

    def _store(self, document: Document) -> None:
        kind = str(document.get("kind"))
        named, name = self._objects.setdefault(kind, {}).setdefault(_space(document), {}), name_of(document)
        before = named.get(name)
        named[name] = document
        self._tell(kind, before, document)

    def _tell(self, kind: str, before: Document | None, after: Document | None) -> None:
        """Let those who follow a kind take in a change, and forget what was derived from it."""
        for follower in self._followers.values():
            if kind in follower.kinds:
                follower.change(before, after)
        for make in [make for make, (kinds, _) in self._derived.items() if kind in kinds]:
            del self._derived[make]

    def _upsert_node(self, node: Node) -> None:
        row = self.nodes.index.get(node.name)
        if row is not None:
            self.nodes.replace(row, node)
            return
        row = self.nodes.insert(node)
        for slot in self.pods.node_inserted(row, node.name):
            if self.pods.node[slot] != NOWHERE:
                self._book(slot, 1)

    def replace_nodes(self, nodes: Iterable[Node]) -> Snapshot:
        """Let these be all nodes, many of them at once; what is booked on those that stay stays booked."""
        old = self.nodes
        self.nodes = old.replaced(nodes)
        for slot in self.pods.nodes_replaced(old.names, self.nodes.index):
            if self.pods.node[slot] != NOWHERE:
                self._book(slot, 1)
        return self

    def _add_pod(self, pod: Pod) -> None:
        if pod.finished:
            return
        self.groups.add(pod)
        self.batch_groups.add(pod)
        if not (pod.node_name or pod.nominated_node_name):
            return
        row = self.nodes.index.get(pod.node_name or pod.nominated_node_name, NOWHERE)
        bound = bool(pod.node_name)
        slot = self.pods.add(pod, node=row if bound else NOWHERE, nominated=NOWHERE if bound else row)
        if bound and row != NOWHERE:
            self._book(slot, 1)

    def _add_texts(self, pods: Iterable[PodText]) -> None:
        """Take in pods without looking for their nodes; those that are alike are read once."""
        # The place of each making's entry; None where nothing is kept of a pod.
        known: dict[bytes, int | None] = {}
        # Of makings in groups of other systems: these, and a pod that stands for all.
        grouped: dict[bytes, tuple[tuple[BatchGroupKey, ...], Document]] = {}
        entries: list[PodEntry] = []
        slots, kinds, starts = array("q"), array("q"), array("q")
        for own in pods:
            if own.rest in known:
                kind = known[own.rest]
            else:
                pod = Pod(msgspec.json.decode(own.text))
                groups = batch_groups_of_pod(pod)
                # A pod that waits is known by its groups alone, and one that is a group of its own by its name.
                is_own = bool(groups) and (not pod.node_name or any(is_named_after(key, pod) for key in groups))
                if pod.volumes or pod.nominated_node_name or has_group(pod) or is_own or len(known) == _MOST_ALIKE:
                    self._add_pod(pod)
                    continue
                kind = known[own.rest] = None if pod.finished or not pod.node_name else len(entries)
                if kind is not None:
                    entries.append(self.pods.entry(pod))
                    if groups:
                        grouped[own.rest] = groups, pod.document
            if kind is not None:
                slots.append(self.pods.announce(own.key, own.uid, own.node))
                kinds.append(kind)
                starts.append(own.start)
                if own.rest in grouped:
                    groups, like = grouped[own.rest]
                    self.batch_groups.enter(own.key, groups, GroupMember(own.node, like))
        self.pods.enter(entries, np.array(slots), np.array(kinds), np.array(starts))

    def remove_pod(self, key: str) -> None:
        """Remove a pod by ``namespace/name``; one that is not there is no error."""
        self.groups.remove(key)
        self.batch_groups.remove(key)
        slot = self.pods.slot_of.get(key)
        if slot is None:
            return
        if self.pods.node[slot] != NOWHERE:
            self._book(slot, -1)
        self.pods.remove(slot)

    def _book(self, slot: int, sign: int) -> None:
        """Count a bound pod in (+1) or out (-1) on its node."""
        row, (vector, non_zero) = int(self.pods.node[slot]), self._amounts_of(int(self.pods.shape[slot]))
        self.nodes.book(row, vector if sign > 0 else -vector, non_zero if sign > 0 else -non_zero, sign)
        if self.pods.huge:
            for each in self.rows_to_saturate(np.array([row])):
                self._saturate(each, leaving=slot if sign < 0 else None)

    def _amounts_of(self, number: int) -> tuple[Ints, Ints]:
        """Requests of a pod shape, shape (R,), and what scoring counts for it, shape (2,)."""
        known = self._amounts.get(number)
        if known is None or len(known[0]) < len(self.nodes.resources):
            shape = self.pods.shapes[number]
            non_zero = np.array((shape.non_zero_cpu, shape.non_zero_memory), np.int64)
            known = self._amounts[number] = self.nodes.vector(shape.requests), non_zero
        return known

    def _book_all(self) -> None:
        """Count every bound pod in at once."""
        pods, nodes = self.pods, self.nodes
        bound = np.flatnonzero(pods.node[: len(pods.keys)] != NOWHERE)
        rows, shapes = pods.node[bound], pods.shape[bound]
        amounts, non_zero = self.shape_amounts()
        np.add.at(nodes.requested, rows, amounts[shapes])
        np.add.at(nodes.non_zero, rows, non_zero[shapes])
        np.add.at(nodes.pod_count, rows, 1)
        nodes.kept.amounts_changed(rows)
        for row in self.rows_to_saturate(rows):
            self._saturate(row)

    def rows_to_saturate(self, rows: Ints) -> list[int]:
        """Which of some rows have pods of which a sum may be beyond int64, and has to stop there."""
        pods = self.pods
        if not self.release.rules.saturates or not pods.huge:
            return []
        there = np.isin(pods.shape, [*pods.huge]) & (pods.label_set != NOWHERE)
        found: list[int] = np.intersect1d(rows, np.concatenate([pods.node[there], pods.nominated[there]])).tolist()
        return found

    def _saturate(self, row: int, leaving: int | None = None) -> None:
        """Book anew what the pods on a node request, but for one that is about to leave."""
        shapes = [self._amounts_of(int(self.pods.shape[slot])) for slot in self.pods.on_node(row) if slot != leaving]
        for booked, number in ((self.nodes.requested, 0), (self.nodes.non_zero, 1)):
            for column in range(booked.shape[1]):
                booked[row, column] = saturated(sum(int(shape[number][column]) for shape in shapes))
        self.nodes.kept.amounts_changed(row)

    def shape_amounts(self) -> tuple[Ints, Ints]:
        """Requests of every pod shape, shape (S, R), and what scoring counts for it, shape (S, 2)."""
        shapes = self.pods.shapes
        self.nodes.ensure_resources(name for shape in shapes for name, _ in shape.requests)
        amounts = np.array([self.nodes.vector(shape.requests) for shape in shapes], np.int64)
        non_zero = np.array([(shape.non_zero_cpu, shape.non_zero_memory) for shape in shapes], np.int64)
        return amounts.reshape(len(shapes), len(self.nodes.resources)), non_zero.reshape(len(shapes), 2)

    # -- questions ---------------------------------------------------------------------------------------

    def object(self, kind: str, name: str, namespace: str = "") -> Document | None:
        """One object beside nodes and pods; cluster-scoped ones have no namespace."""
        return self._objects.get(kind, {}).get(namespace, {}).get(name)

    def objects(self, kind: str, namespace: str | None = None) -> list[Document]:
        """Objects of a kind beside nodes and pods, of one namespace or of all."""
        spaces = self._objects.get(kind, {})
        if namespace is not None:
            return list(spaces.get(namespace, {}).values())
        return [document for named in spaces.values() for document in named.values()]

    def derived(self, make: Callable[[Snapshot], Derived], *kinds: str) -> Derived:
        """What ``make`` reads from all objects of these kinds (not nodes or pods), kept until one of them changes."""
        if make not in self._derived:
            self._derived[make] = (kinds, make(self))
        found: Derived = self._derived[make][1]
        return found

    def followed(self, follower: type[Followed]) -> Followed:
        """What a follower keeps of the objects as they are: made of all of them once, and then told of each change."""
        found = self._followers.get(follower)
        if found is None:
            found = follower()
            for kind in follower.kinds:
                for document in self.objects(kind):
                    found.change(None, document)
            self._followers[follower] = found
        return cast("Followed", found)

    def namespace_labels(self, namespace: str) -> Mapping[str, str]:
        """Labels of a namespace; one that is not known counts as having none."""
        document = self.object("Namespace", namespace)
        return labels_of(document) if document is not None else _NO_LABELS

    def placed_on(self, key: str) -> str | None:
        """The node that a bound pod (``namespace/name``) is on."""
        slot = self.pods.slot_of.get(key)
        if slot is None or self.pods.node[slot] == NOWHERE:
            return None
        return self.nodes.names[int(self.pods.node[slot])]

    def content(self) -> dict[str, Any]:
        """Everything the snapshot says, independent of how it came about; equal contents explain alike."""
        pods, nodes = self.pods, self.nodes
        columns = sorted(range(len(nodes.resources)), key=nodes.resources.__getitem__)

        def amounts(row: Ints) -> dict[str, int]:
            return {nodes.resources[column]: int(row[column]) for column in columns if row[column]}

        return {
            "nodes": {
                node.name: {
                    "node": node,
                    "allocatable": amounts(nodes.allocatable[row]),
                    "allowed pods": int(nodes.allowed_pods[row]),
                    "requested": amounts(nodes.requested[row]),
                    "non-zero": nodes.non_zero[row].tolist(),
                    "pods": int(nodes.pod_count[row]),
                    "taints": nodes.taint_sets[nodes.taint_set[row]],
                    "unschedulable": bool(nodes.unschedulable[row]),
                }
                for row, node in enumerate(nodes.nodes)
            },
            "pods": {
                key: {
                    "node": nodes.names[pods.node[slot]] if pods.node[slot] != NOWHERE else None,
                    "nominated": nodes.names[pods.nominated[slot]] if pods.nominated[slot] != NOWHERE else None,
                    "queue": pods.nominees.get(slot),
                    "labels": dict(pods.labels(slot)),
                    "shape": pods.shapes[pods.shape[slot]],
                    "template": pods.templates[pods.template[slot]],
                    "priority": int(pods.priority[slot]),
                    "start": int(pods.start[slot]),
                    "uid": pods.uid(slot),
                    "terminating": bool(pods.terminating[slot]),
                    "ready": bool(pods.ready[slot]),
                    "starting": bool(pods.starting[slot]),
                    "volumes": pods.volumes.get(slot, ()),
                    "indexed": slot in pods.by_label_set.slots(int(pods.label_set[slot])),
                }
                for key, slot in pods.slot_of.items()
            },
            "groups": self.groups.content(),
            "batch groups": self.batch_groups.content(),
            "affinity terms": pods.affinity_terms,
            "objects": {
                (kind, namespace, name): document
                for kind, spaces in self._objects.items()
                for namespace, named in spaces.items()
                for name, document in named.items()
            },
        }


def _space(document: Document) -> str:
    return "" if document.get("kind") in CLUSTER_SCOPED else namespace_of(document)
