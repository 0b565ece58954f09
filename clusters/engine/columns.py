"""The columns of a snapshot: nodes and placed pods as arrays, with what they share stored once."""

from __future__ import annotations

import bisect
import itertools
import marshal
import re
from array import array
from dataclasses import dataclass, field
from sys import intern
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from clusters.engine.labels import LabelIndex, LabelSet
from clusters.engine.objects import Document, HostPort, Node, Pod, PodAffinity, PodShape, is_counted_variously, metadata
from clusters.engine.owners import PodTemplate, template_source
from clusters.engine.resources import BY_CONTAINER, CPU, EPHEMERAL_STORAGE, MEMORY, PODS, Counting, amounts_source

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from clusters.engine.selectors import LabelSelector
    from clusters.engine.status import Index, Ints, Mask
    from clusters.engine.taints import Taint

# Nodes numbered by what many columns say of them together, independent of how many columns there are.

# Codes up to which renumbering waits for more columns, and up to which a table is quicker than sorting.
_PATIENCE = 1 << 14
_TABLE = 1 << 20


def distinguish(
    columns: Iterable[tuple[NDArray[np.integer | np.bool_], int]], length: int, few: int = 0
) -> tuple[Index, int]:
    """Number the rows of some columns: equal rows alike, from 0 without gaps, in the order of their values.

    Each column has shape (``length``,) and comes with a bound that its values, from 0 on, stay below. Returns the
    numbers, shape (``length``,), which may be a column itself, and how many there are. Where there could be no more
    than ``few``, it returns how many there could be: gaps are left. What is known so far is renumbered before it grows:
    codes stay below the number of rows times the bound of one column, so that no number of columns can overflow them.
    """
    codes, count = np.zeros(length, np.intp), 1
    for values, bound in columns:
        codes = values.astype(np.intp, copy=False) if count == 1 else codes * bound + values
        count *= bound
        if count > _PATIENCE:
            codes, count = _renumbered(codes, count)
    return (codes, count) if count <= few else _renumbered(codes, count)


def _renumbered(codes: Index, bound: int) -> tuple[Index, int]:
    """The same distinction without gaps."""
    if bound > _TABLE:
        found, numbers = np.unique(codes, return_inverse=True)
        return numbers, len(found)
    present = np.flatnonzero(np.bincount(codes, minlength=1))
    position = np.zeros(bound, np.intp)
    position[present] = np.arange(len(present))
    return position[codes], len(present)


# Which pods belong to which group, with constant-time joins and departures.

Slots = NDArray[np.int32]

_NONE: Slots = np.empty(0, np.int32)


class Grouping:
    """Disjoint groups of pod slots, each kept as a compact array.

    Copies share their arrays until one side changes a group (copy on write). ``changes`` counts who joined and left.
    """

    def __init__(self) -> None:
        self.changes = 0
        self._members: dict[int, array[int]] = {}
        # By slot, its place in its group; of slots without one it says nothing.
        self._position: array[int] = array("i")
        self._own: set[int] = set()

    def copy(self) -> Grouping:
        twin = Grouping()
        twin.changes, twin._members = self.changes, dict(self._members)
        twin._position = array("i", self._position)
        self._own.clear()
        return twin

    def fill(self, slots: Slots, groups: Slots) -> None:
        """Put many slots into groups that have no members so far, each into its own."""
        if not len(slots):
            return
        order = np.argsort(groups, kind="stable")
        slots, groups = slots[order].astype(np.int32), groups[order]
        starts = np.flatnonzero(np.diff(groups, prepend=groups[0] - 1))
        for group, members in zip(groups[starts].tolist(), np.split(slots, starts[1:]), strict=True):
            self._members[group] = array("i", members.tobytes())
            self._own.add(group)
        self._reach(int(slots.max()))
        places = np.arange(len(slots)) - np.repeat(starts, np.diff(starts, append=len(slots)))
        np.frombuffer(self._position, np.int32)[slots] = places

    def _reach(self, slot: int) -> None:
        missing = slot + 1 - len(self._position)
        if missing > 0:
            self._position.frombytes(bytes(self._position.itemsize * missing))

    def _writable(self, group: int) -> array[int]:
        self.changes += 1
        members = self._members.get(group)
        if members is None:
            members = self._members[group] = array("i")
            self._own.add(group)
        elif group not in self._own:
            members = self._members[group] = array("i", members)
            self._own.add(group)
        return members

    def add(self, slot: int, group: int) -> None:
        members = self._writable(group)
        self._reach(slot)
        self._position[slot] = len(members)
        members.append(slot)

    def discard(self, slot: int, group: int) -> None:
        members = self._writable(group)
        position = self._position[slot]
        last = members.pop()
        if last != slot:
            members[position] = last
            self._position[last] = position
        if not members:
            del self._members[group]
            self._own.discard(group)

    def slots(self, group: int) -> Slots:
        """The members of a group, shape (M,)."""
        members = self._members.get(group)
        return _NONE if members is None else np.array(members, np.int32)

    def slots_of(self, groups: Iterable[int]) -> Slots:
        """The members of several groups together."""
        found = [self._members[group] for group in groups if group in self._members]
        if not found:
            return _NONE
        if len(found) == 1:
            return np.array(found[0], np.int32)
        return np.concatenate([np.array(members, np.int32) for members in found])

    def __contains__(self, group: int) -> bool:
        """Whether a group has members."""
        return group in self._members

    def __iter__(self) -> Iterator[int]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)


# Pods that are being deleted and that finalizers alone keep.


def is_held(pod: Pod) -> bool:
    """Whether finalizers alone keep a pod that is terminating: its containers have ended, or it has no node."""
    if not pod.terminating or not metadata(pod.document).get("finalizers"):
        return False
    lists = ("initContainerStatuses", "containerStatuses")
    states = [each.get("state") or {} for name in lists for each in pod.status.get(name) or ()]
    has_ended = bool(states) and all("terminated" in state for state in states)
    return pod.finished or has_ended or not pod.node_name


# Which zone a node is in, as the control plane's own components count zones, and how zones take turns.
#
# Upstream: ``GetZoneKey`` of ``k8s.io/component-helpers/node/topology`` and
# ``pkg/scheduler/backend/cache/node_tree.go``,
# v1.34.1.

# The old names go first, as long as nodes bear them.
REGIONS = ("failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region")
ZONES = ("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone")


def zone_key(labels: Mapping[str, str]) -> tuple[str, str]:
    """The region and zone of a node by its labels; nodes without either are together in a zone of their own."""
    (old_region, region), (old_zone, zone) = REGIONS, ZONES
    return labels.get(old_region, labels.get(region, "")), labels.get(old_zone, labels.get(zone, ""))


def interleaved(nodes: Sequence[Node]) -> Index:
    """Rows of the nodes with their zones in turn: the first of each zone, the second of each, and so on, shape (N,)."""
    numbers: dict[tuple[str, str], int] = {}
    zone_of = np.array([numbers.setdefault(zone_key(node.labels), len(numbers)) for node in nodes], np.intp)
    sizes = np.bincount(zone_of)
    turns = np.empty(len(zone_of), np.intp)
    turns[np.argsort(zone_of, kind="stable")] = np.arange(len(zone_of)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.lexsort((zone_of, turns))


# What was found of nodes for one pod, and holds for every other that asks the same.

Found = TypeVar("Found")
Number = TypeVar("Number", np.int64, np.bool_)
# Answers times nodes that are kept at once, and how many answers there are at least and at most.
_CELLS: Final = 2_000_000
_FEWEST, _MOST = 16, 512


class KeptAnswers:
    """Answers about N nodes by what was asked, kept while they hold; whoever is given one leaves it as it is.

    What goes by the nodes themselves holds until one of them changes. What goes by the amounts on each node, too, is
    brought forward: found again for the rows on which anything changed since.
    """

    def __init__(self, nodes: int) -> None:
        self._clock = 0
        self._changed: Ints = np.zeros(nodes, np.int64)
        self._most = min(_MOST, max(_FEWEST, _CELLS // max(1, nodes)))
        self._by_nodes: dict[Hashable, tuple[Hashable, Any]] = {}
        self._by_amounts: dict[Hashable, tuple[int, NDArray[Any]]] = {}

    def copy(self) -> KeptAnswers:
        twin = KeptAnswers(0)
        twin._clock, twin._changed, twin._most = self._clock, self._changed.copy(), self._most
        twin._by_nodes, twin._by_amounts = dict(self._by_nodes), dict(self._by_amounts)
        return twin

    def amounts_changed(self, rows: int | slice | Index) -> None:
        self._clock += 1
        self._changed[rows] = self._clock

    def node_changed(self, row: int) -> None:
        self.amounts_changed(row)
        self._by_nodes.clear()

    def by_nodes(self, asked: Hashable, make: Callable[[], Found], mark: Hashable = None) -> Found:
        """What ``make`` finds by nothing but the nodes, what is ``asked``, and what has changed where ``mark`` has."""
        known: tuple[Hashable, Found] | None = self._by_nodes.get(asked)
        if known is None or known[0] != mark:
            known = mark, make()
            _keep(self._by_nodes, asked, known, self._most)
        return known[1]

    def by_amounts(self, asked: Hashable, judge: Callable[[Index], NDArray[Number]]) -> NDArray[Number]:
        """What ``judge`` makes of rows, shape (M,), each by its node and amounts alone; of all, shape (N,)."""
        known, clock = self._by_amounts.get(asked), self._clock
        if known is not None and known[0] == clock:
            return known[1]
        if known is None:
            found = judge(np.arange(len(self._changed)))
        else:
            # Others may still read what was found before.
            stale, found = (self._changed > known[0]).nonzero()[0], known[1].copy()
            found[stale] = judge(stale)
        _keep(self._by_amounts, asked, (clock, found), self._most)
        return found


def _keep(kept: dict[Hashable, Any], asked: Hashable, found: object, most: int) -> None:
    """Keep an answer; those before it go when there are too many."""
    if len(kept) >= most and asked not in kept:
        kept.clear()
    kept[asked] = found


# The nodes of a snapshot as columns: one row a node, in order of name.

MISSING = -1


@dataclass(frozen=True, slots=True)
class LabelColumn:
    """One label key over all nodes: ``values[codes[n]]`` is node n's value; code -1 where it has none."""

    values: tuple[str, ...]
    codes: Index
    present: Mask = field(init=False, repr=False, compare=False)
    """Shape (N,): nodes that have the label."""
    numbers: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "present", self.codes != MISSING)
        object.__setattr__(self, "numbers", {value: number for number, value in enumerate(self.values)})

    def equals(self, value: str) -> Mask:
        """Shape (N,): nodes whose label has this value."""
        equal: Mask = self.codes == self.numbers.get(value, len(self.values))
        return equal

    def equals_any(self, values: Iterable[str]) -> Mask:
        """Shape (N,): nodes whose label has one of these values."""
        wanted = np.zeros(len(self.values) + 1, np.bool_)
        wanted[[self.numbers[value] for value in values if value in self.numbers]] = True
        equal: Mask = wanted[self.codes]
        return equal

    def count(self, rows: Ints) -> Ints:
        """How often each value is met, shape (V,), on rows that have the label."""
        return np.bincount(self.codes[rows], minlength=len(self.values))

    def spread(self, per_value: NDArray[Number]) -> NDArray[Number]:
        """A per-value quantity given back to every node, shape (N,); 0 where the label is missing."""
        found = np.zeros(len(self.values) + 1, per_value.dtype)
        found[:-1] = per_value
        return found.take(self.codes)


class NodeTable:
    """Columns over N nodes and R resources, in base units.

    ``allocatable`` and ``requested`` have shape (N, R); ``non_zero`` (N, 2) holds milli-CPU and bytes as
    scoring counts them; ``pod_count`` and ``allowed_pods`` have shape (N,). ``saturates``: what is allocatable beyond
    int64 stops there.
    """

    def __init__(self, *, saturates: bool = False) -> None:
        self.saturates = saturates
        self.nodes: list[Node] = []
        self.names: list[str] = []
        self.index: dict[str, int] = {}
        self.resources: list[str] = [CPU, MEMORY, EPHEMERAL_STORAGE]
        self.allocatable: Ints = np.zeros((0, 3), np.int64)
        self.requested: Ints = np.zeros((0, 3), np.int64)
        self.non_zero: Ints = np.zeros((0, 2), np.int64)
        self.pod_count: Ints = np.zeros(0, np.int64)
        self.allowed_pods: Ints = np.zeros(0, np.int64)
        self.unschedulable: Mask = np.zeros(0, np.bool_)
        self.taint_set: Index = np.zeros(0, np.intp)
        self.taint_sets: list[tuple[Taint, ...]] = [()]
        self._taint_set_ids: dict[tuple[Taint, ...], int] = {(): 0}
        self._columns: dict[str, LabelColumn] = {}
        self._keys: frozenset[str] | None = None
        self._images: dict[str, tuple[Index, int]] | None = None
        self._search_order: tuple[Index, Index] | None = None
        self.kept = KeptAnswers(0)

    def __len__(self) -> int:
        return len(self.nodes)

    def copy(self) -> NodeTable:
        twin = NodeTable(saturates=self.saturates)
        twin.nodes, twin.names, twin.index = list(self.nodes), list(self.names), dict(self.index)
        twin.resources = list(self.resources)
        twin.taint_sets, twin._taint_set_ids = list(self.taint_sets), dict(self._taint_set_ids)
        for column in _ARRAYS:
            setattr(twin, column, getattr(self, column).copy(order="K"))
        twin._columns, twin._keys, twin.kept = dict(self._columns), self._keys, self.kept.copy()
        twin._images, twin._search_order = self._images, self._search_order
        return twin

    def amounts(self, row: int) -> bytes:
        """What a node has and what is booked on it: the same for nodes that have the same of everything."""
        return b"".join([getattr(self, column)[row].tobytes() for column in _AMOUNTS])

    def all_amounts(self, rows: Index | slice) -> Ints:
        """The amounts of some rows as numbers, shape (M, W)."""
        return np.column_stack([getattr(self, column)[rows] for column in _AMOUNTS])

    def with_amounts(self, amounts: Ints) -> NodeTable:
        """Nodes that have such amounts, shape (M, W), for plugins that judge each node by those alone."""
        part, count = NodeTable(), len(self.resources)
        part.nodes, part.resources = [_NAMELESS] * len(amounts), list(self.resources)
        columns = np.asfortranarray(amounts)
        part.allocatable, part.requested = columns[:, :count], columns[:, count : 2 * count]
        part.non_zero, part.pod_count, part.allowed_pods = columns[:, -4:-2], columns[:, -2], columns[:, -1]
        part.kept = KeptAnswers(len(amounts))
        return part

    # -- resources ---------------------------------------------------------------------------------------

    def resource(self, name: str) -> int | None:
        """The column of a resource, None when no node or pod mentions it."""
        try:
            return self.resources.index(name)
        except ValueError:
            return None

    def ensure_resources(self, names: Iterable[str]) -> None:
        """Give every named resource a column."""
        new = sorted({name for name in names if name != PODS} - set(self.resources))
        if new:
            self.resources.extend(new)
            extra = np.zeros((len(self), len(new)), np.int64)
            self.allocatable = np.asfortranarray(np.hstack([self.allocatable, extra]))
            self.requested = np.asfortranarray(np.hstack([self.requested, extra]))

    def vector(self, amounts: Iterable[tuple[str, int]]) -> Ints:
        """Amounts as a row over the resource columns, shape (R,)."""
        amounts = list(amounts)
        self.ensure_resources(name for name, _ in amounts)
        row = np.zeros(len(self.resources), np.int64)
        for name, number in amounts:
            if name != PODS:
                row[self.resources.index(name)] = number
        return row

    # -- changes -----------------------------------------------------------------------------------------

    def fill(self, nodes: Iterable[Node]) -> None:
        """Load many nodes into an empty table."""
        by_name = {node.name: node for node in nodes}
        self.names = sorted(by_name)
        self.nodes = [by_name[name] for name in self.names]
        self.index = {name: number for number, name in enumerate(self.names)}
        count = len(self.nodes)
        amounts = [self._amounts_of(node) for node in self.nodes]
        names = sorted({name for each in amounts for name in each})
        self.allocatable = np.zeros((count, len(self.resources)), np.int64)
        self.requested = np.zeros((count, len(self.resources)), np.int64)
        self.ensure_resources(names)
        for name in names:
            if name != PODS:
                self.allocatable[:, self.resources.index(name)] = [each.get(name, 0) for each in amounts]
        self.allocatable = np.asfortranarray(self.allocatable)
        self.requested = np.asfortranarray(self.requested)
        self.non_zero = np.zeros((count, 2), np.int64, order="F")
        self.pod_count = np.zeros(count, np.int64)
        self.allowed_pods = np.array([each.get(PODS, 0) for each in amounts], np.int64)
        self.unschedulable = np.array([node.unschedulable for node in self.nodes], np.bool_)
        self.taint_set = np.array([self._taint_set_id(node.taints) for node in self.nodes], np.intp)
        self.kept = KeptAnswers(count)

    def replaced(self, nodes: Iterable[Node]) -> NodeTable:
        """A table of these nodes; what is booked on those that stay stays booked."""
        by_name = {node.name: node for node in nodes}
        table = NodeTable(saturates=self.saturates)
        table.names = sorted(by_name)
        table.nodes = [by_name[name] for name in table.names]
        table.index = {name: row for row, name in enumerate(table.names)}
        table.resources = list(self.resources)
        table.taint_sets, table._taint_set_ids = list(self.taint_sets), dict(self._taint_set_ids)
        rows = [self.index.get(name, MISSING) for name in table.names]
        for column in _ARRAYS:
            before = getattr(self, column)
            # Of new nodes the last row, which is empty.
            padded = np.concatenate([before, np.zeros((1, *before.shape[1:]), before.dtype)])
            setattr(table, column, np.asarray(padded[rows], order="F"))
        table.kept = KeptAnswers(len(rows))
        known = [*self.nodes, None]
        for row, (node, before) in enumerate(zip(table.nodes, rows, strict=True)):
            if known[before] is not node:
                table._write(row, node)
        return table

    def insert(self, node: Node) -> int:
        """Add a node without pods; returns its row. Rows at and after it move down by one."""
        row = bisect.bisect_left(self.names, node.name)
        self.nodes.insert(row, node)
        self.names.insert(row, node.name)
        self.index = {name: number for number, name in enumerate(self.names)}
        for column in _ARRAYS:
            setattr(self, column, np.insert(getattr(self, column), row, 0, axis=0))
        self._forget_derived()
        self._write(row, node)
        return row

    def replace(self, row: int, node: Node) -> None:
        """Change a node in place."""
        old = self.nodes[row]
        self.nodes[row] = node
        if old.labels != node.labels:
            self._forget_labels()
        if old.images != node.images:
            self._images = None
        self._write(row, node)

    def delete(self, row: int) -> None:
        """Remove a node; rows after it move up by one."""
        del self.nodes[row], self.names[row]
        self.index = {name: number for number, name in enumerate(self.names)}
        for column in _ARRAYS:
            setattr(self, column, np.delete(getattr(self, column), row, axis=0))
        self._forget_derived()

    def _write(self, row: int, node: Node) -> None:
        amounts = self._amounts_of(node)
        self.ensure_resources(amounts)
        self.allocatable[row] = self.vector(amounts.items())
        self.allowed_pods[row] = amounts.get(PODS, 0)
        self.unschedulable[row] = node.unschedulable
        self.taint_set[row] = self._taint_set_id(node.taints)
        self.kept.node_changed(row)

    def _amounts_of(self, node: Node) -> Mapping[str, int]:
        return node.saturated if self.saturates else node.allocatable

    def read_as(self, *, saturates: bool) -> None:
        """Read what the nodes have in the other way."""
        self.saturates = saturates
        for row, node in enumerate(self.nodes):
            if node.saturated != node.allocatable:
                self._write(row, node)

    def book(self, rows: int | slice | Index, vector: Ints, non_zero: Ints, pods: Ints | int) -> None:
        """Count in so much more on rows, each of which is named once; shapes (R,), (2,) and (), or one for each row."""
        self.requested[rows, : vector.shape[-1]] += vector
        self.non_zero[rows] += non_zero
        self.pod_count[rows] += pods
        self.kept.amounts_changed(rows)

    def _taint_set_id(self, taints: tuple[Taint, ...]) -> int:
        known = self._taint_set_ids.get(taints)
        if known is None:
            known = self._taint_set_ids[taints] = len(self.taint_sets)
            self.taint_sets.append(taints)
        return known

    def _forget_labels(self) -> None:
        self._columns.clear()
        self._keys, self._search_order = None, None

    def _forget_derived(self) -> None:
        self._forget_labels()
        self._images = None
        self.kept = KeptAnswers(len(self))

    # -- derived columns ---------------------------------------------------------------------------------

    def label(self, key: str) -> LabelColumn:
        """The column of a label key, made when first asked for."""
        column = self._columns.get(key)
        if column is None and key not in self.label_keys:
            # Pods may name any number of keys: those that no node has share one column.
            column = self._columns.get("") or LabelColumn((), np.full(len(self), MISSING, np.intp))
            self._columns[""] = column
        if column is None:
            codes = np.full(len(self), MISSING, np.intp)
            values: dict[str, int] = {}
            for row, node in enumerate(self.nodes):
                value = node.labels.get(key)
                if value is not None:
                    codes[row] = values.setdefault(value, len(values))
            column = self._columns[key] = LabelColumn(tuple(values), codes)
        return column

    @property
    def label_keys(self) -> frozenset[str]:
        """All keys of labels that some node has."""
        if self._keys is None:
            self._keys = frozenset(key for node in self.nodes for key in node.labels)
        return self._keys

    @property
    def search_order(self) -> Index:
        """Rows of the nodes as a scheduler searches them that is told of them by name, shape (N,)."""
        return self._searched[0]

    @property
    def search_places(self) -> Index:
        """By row, the place of a node in that order, shape (N,)."""
        return self._searched[1]

    @property
    def _searched(self) -> tuple[Index, Index]:
        if self._search_order is None:
            rows = interleaved(self.nodes)
            self._search_order = rows, np.argsort(rows)
        return self._search_order

    def image(self, name: str) -> tuple[Index, int]:
        """Rows of the nodes that hold an image, and its bytes.

        Nodes of other architectures report other sizes under the same name; as in the scheduler's cache, the node
        that it heard of first speaks for all, and that is taken to be the first by name.
        """
        if self._images is None:
            rows: dict[str, list[int]] = {}
            sizes: dict[str, int] = {}
            for row, node in enumerate(self.nodes):
                for image, size in node.images.items():
                    rows.setdefault(image, []).append(row)
                    sizes.setdefault(image, size)
            self._images = {image: (np.array(rows[image], np.intp), sizes[image]) for image in rows}
        return self._images.get(name, _NOWHERE)


_ARRAYS = (
    "allocatable",
    "requested",
    "non_zero",
    "pod_count",
    "allowed_pods",
    "unschedulable",
    "taint_set",
)
_AMOUNTS = ("allocatable", "requested", "non_zero", "pod_count", "allowed_pods")
_NAMELESS: Final = Node.from_dict({})
_NOWHERE: tuple[Index, int] = (np.empty(0, np.intp), 0)

# The placed and nominated pods of a snapshot as columns, with what they share stored once.

Entry = TypeVar("Entry")

NOWHERE = -1
_VERSIONS = itertools.count()
# The sum of so much of more pods than any node has is within int64.
_EASILY_SUMMED: Final = 2**50
_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_LOW: Final = 2**64 - 1
# More entries than this are looked for among all pods, instead of one after the other.
_MANY = 64
# After so many movements they are noted anew.
_MOST_MOVEMENTS: Final = 1 << 12


class PodEntry(Struct, frozen=True):
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
    ("uid_high", np.uint64, 0),
    ("uid_low", np.uint64, 0),
    ("terminating", np.bool_, False),
    ("held", np.bool_, False),
    ("preempted", np.bool_, False),
    ("ready", np.bool_, False),
    ("starting", np.bool_, False),
)

_OF_ENTRIES: Final = tuple(column for column, _, _ in _COLUMNS if hasattr(PodEntry, column))


class PodTable:
    """Columns over pod slots, shape (P,); a free slot has an empty key, and ``node`` and ``label_set`` -1.

    ``node`` is the row a pod is bound to, ``nominated`` the row it is nominated to (-1: none or unknown).
    ``start`` sorts like the start time; ``arrival`` counts up in the order pods joined; ``uid_high`` and ``uid_low``
    are the bits of the UID, ``odd_uids`` by slot those that are no UUIDs; ``starting`` marks pods that are bound but in
    phase Pending, ``held`` those that terminate and that finalizers alone keep.
    Group 0 of ``affinity`` and ``ports`` means none and is not indexed. ``affinity_terms`` counts the terms of the
    groups that have bound pods. ``volumes`` and ``owner_uids`` hold only the pods that have volumes, ``homes`` by slot
    the names of nodes that are not there. ``counting``: how pods count that are resized.
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
    uid_high: NDArray[np.uint64]
    uid_low: NDArray[np.uint64]
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
        self.odd_uids: dict[int, str] = {}
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
        self._versions: dict[int, int] = {}
        # By label set, only where somebody asks.
        self._movements: dict[int, list[int]] = {}
        self._free: list[int] = []
        self._arrivals = 0
        self._label_set_ids: dict[bytes, int] = {}
        self._shape_ids: dict[PodShape, int] = {}
        self._template_ids: dict[bytes, int] = {}
        self._shared_memo: dict[bytes, tuple[int, int, int, int]] = {}
        # The shapes of pods whose requests not all releases count alike; others may have the same.
        self.resized: set[int] = set()
        # The shapes of which a node's sums may leave int64.
        self.huge: set[int] = set()
        self._affinity_ids: dict[PodAffinity, int] = {PodAffinity(): 0}
        self._port_set_ids: dict[tuple[HostPort, ...], int] = {(): 0}
        # By namespace, labels and those of the namespace: which terms of the first so many affinities mean such a pod.
        self.meanings: dict[Hashable, tuple[int, Mapping[int, PodAffinity]]] = {}

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
        for name in ("slot_of", "homes", "odd_uids", "volumes", "owner_uids", "nominees", *_MEMOS):
            # Unlike `dict(…)`, this clones the table also of one that entries have left.
            setattr(twin, name, getattr(self, name).copy())
        twin.label_index, twin._versions = self.label_index.copy(), self._versions.copy()
        twin._arrivals, twin.affinity_terms = self._arrivals, self.affinity_terms
        twin.resized, twin.huge = set(self.resized), set(self.huge)
        for name in ("by_label_set", "by_affinity", "by_ports"):
            setattr(twin, name, getattr(self, name).copy())
        return twin

    # -- changes -----------------------------------------------------------------------------------------

    def entry(self, pod: Pod) -> PodEntry:
        """What the table keeps of a pod; it holds for this table and its copies."""
        shape, affinity, ports, template = self._shared_ids(pod)
        memo = marshal.dumps((pod.namespace, sorted(pod.labels.items())), 0)
        known = self._label_set_ids.get(memo)
        if known is None:
            known = self._label_set_ids[memo] = self.label_index.add(LabelSet(pod.namespace, pod.labels))
        return PodEntry(
            label_set=known,
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
        slot = self.add_entry(pod.key, pod.owner_uid, self.entry(pod), home, node=node, nominated=nominated)
        if not pod.node_name:
            self.nominees[slot] = "" if pod.scheduling_gates else pod.scheduler_name
        return slot

    def add_entry(self, key: str, uid: str, entry: PodEntry, home: str, *, node: int, nominated: int = NOWHERE) -> int:
        """Store a pod under a key as it is known; ``home``: the name of the node that it is bound or nominated to."""
        slot = self._reserve(key)
        self._write_uid(slot, uid)
        self.node[slot], self.nominated[slot] = node, nominated
        for column in _OF_ENTRIES:
            getattr(self, column)[slot] = getattr(entry, column)
        if entry.volumes:
            self.volumes[slot], self.owner_uids[slot] = entry.volumes, entry.owner_uid
        if node != NOWHERE:
            self._index(slot)
        elif nominated == NOWHERE:
            self.homes[slot] = intern(home)
        return slot

    def announce(self, key: str, uid: str, home: str) -> int:
        """Store a pod without volumes whose entry follows; ``home``: the name of the node that it is bound to."""
        slot = self._reserve(key)
        self.homes[slot] = home
        self._write_uid(slot, uid)
        return slot

    def _write_uid(self, slot: int, uid: str) -> None:
        if _UUID.fullmatch(uid):
            bits = int(uid.replace("-", ""), 16)
            self.uid_high[slot], self.uid_low[slot] = bits >> 64, bits & _LOW
        elif uid:
            self.odd_uids[slot] = uid

    def uid(self, slot: int) -> str:
        """The UID of a pod; empty where it has none."""
        if slot in self.odd_uids:
            return self.odd_uids[slot]
        bits = int(self.uid_high[slot]) << 64 | int(self.uid_low[slot])
        digits = f"{bits:032x}"
        return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}" if bits else ""

    def enter(self, entries: Sequence[PodEntry], slots: Ints, kinds: Ints, starts: Ints) -> None:
        """Store what is known of announced pods: the place of each one's entry, and when it has started."""
        for column in _OF_ENTRIES:
            of_entries = np.array([getattr(entry, column) for entry in entries], getattr(self, column).dtype)
            getattr(self, column)[slots] = of_entries[kinds]
        self.start[slots] = starts

    def _reserve(self, key: str) -> int:
        slot = self._take_slot()
        self.keys[slot] = key
        self.slot_of[key] = slot
        self.arrival[slot] = self._arrivals
        self._arrivals += 1
        return slot

    def remove(self, slot: int) -> None:
        """Drop a pod and free its slot."""
        if self.node[slot] != NOWHERE:
            self._unindex(slot)
        del self.slot_of[self.keys[slot]]
        self.uid_high[slot] = self.uid_low[slot] = 0
        self.odd_uids.pop(slot, None)
        self.homes.pop(slot, None)
        self.volumes.pop(slot, None)
        self.owner_uids.pop(slot, None)
        self.nominees.pop(slot, None)
        self.keys[slot] = ""
        self.node[slot] = self.nominated[slot] = self.label_set[slot] = NOWHERE
        self._free.append(slot)

    def nodes_filled(self, rows: Mapping[str, int]) -> None:
        """Let all pods find their nodes, by name, of which there were none so far."""
        self._forget_rows()
        slots = np.fromiter(self.homes, np.int64, len(self.homes))
        found = np.fromiter((rows.get(home, NOWHERE) for home in self.homes.values()), np.int64, len(slots))
        nominees = np.isin(slots, np.fromiter(self.nominees, np.int64, len(self.nominees)))
        self.nominated[slots[nominees]], self.node[slots[~nominees]] = found[nominees], found[~nominees]
        self.homes = {slot: self.homes[slot] for slot in slots[found == NOWHERE].tolist()}
        bound = slots[~nominees & (found != NOWHERE)]
        self.by_label_set.fill(bound, self.label_set[bound])
        for column, grouping in ((self.affinity, self.by_affinity), (self.ports, self.by_ports)):
            inside = bound[column[bound] != 0]
            grouping.fill(inside, column[inside])
        self.affinity_terms = sum(len(self.affinities[group]) for group in self.by_affinity)

    def node_inserted(self, row: int, name: str) -> list[int]:
        """Renumber rows after an insertion; returns the slots that now find their node."""
        self._forget_rows()
        self.node[self.node >= row] += 1
        self.nominated[self.nominated >= row] += 1
        return self._come_home({name: row})

    def _come_home(self, rows: Mapping[str, int]) -> list[int]:
        """Let pods that wait for nodes of these names find them; returns their slots."""
        found = [slot for slot, home in self.homes.items() if home in rows]
        for slot in found:
            row = rows[self.homes.pop(slot)]
            if slot in self.nominees:
                self.nominated[slot] = row
            else:
                self.node[slot] = row
                self._index(slot)
        return found

    def node_deleted(self, row: int, name: str) -> None:
        """Set the pods of a deleted row aside and renumber the rows after it."""
        self._forget_rows()
        bound = np.flatnonzero(self.node == row).tolist()
        for slot in bound:
            self._unindex(slot)
        self.homes.update(dict.fromkeys([*bound, *np.flatnonzero(self.nominated == row).tolist()], name))
        self.node[bound] = NOWHERE
        self.nominated[self.nominated == row] = NOWHERE
        self.node[self.node > row] -= 1
        self.nominated[self.nominated > row] -= 1

    def nodes_replaced(self, names: Sequence[str], index: Mapping[str, int]) -> list[int]:
        """Renumber rows after many nodes came and went; returns the slots that now find their node.

        ``names``: of the nodes that there were, by row; ``index``: the rows of those that there are, by name.
        """
        self._forget_rows()
        rows = np.array([*(index.get(name, NOWHERE) for name in names), NOWHERE], np.int64)
        bound, nominated = self.node, self.nominated
        self.node, self.nominated = rows[bound], rows[nominated]
        for slot in np.flatnonzero((bound != NOWHERE) & (self.node == NOWHERE)).tolist():
            self._unindex(slot)
            self.homes[slot] = names[bound[slot]]
        for slot in np.flatnonzero((nominated != NOWHERE) & (self.nominated == NOWHERE)).tolist():
            self.homes[slot] = names[nominated[slot]]
        return self._come_home(index)

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

    def versions(self, label_sets: Iterable[int]) -> tuple[int, ...]:
        """A number for each of some label sets that stands for its bound pods and their rows as they are.

        No other pods in this process have it, in whichever table; copies share it until one of them changes.
        """
        return tuple(self._versions.setdefault(number, next(_VERSIONS)) for number in label_sets)

    def movements(self, label_set: int) -> list[int]:
        """The rows that pods with a label set come to from now on, and ~row of each that one leaves.

        Pods that are being deleted do not count. The list goes on, until another one takes its place: once rows are
        numbered anew, or there are very many movements.
        """
        return self._movements.setdefault(label_set, [])

    def _moved(self, slot: int, label_set: int, row: int) -> None:
        self._versions.pop(label_set, None)
        known = self._movements.get(label_set)
        if known is not None and not self.terminating[slot]:
            known.append(row)
            if len(known) == _MOST_MOVEMENTS:
                del self._movements[label_set]

    def _forget_rows(self) -> None:
        self._versions.clear()
        self._movements.clear()

    def _index(self, slot: int) -> None:
        label_set = int(self.label_set[slot])
        self._moved(slot, label_set, int(self.node[slot]))
        self.by_label_set.add(slot, label_set)
        group = int(self.affinity[slot])
        if group:
            self.affinity_terms += 0 if group in self.by_affinity else len(self.affinities[group])
            self.by_affinity.add(slot, group)
        if self.ports[slot]:
            self.by_ports.add(slot, int(self.ports[slot]))

    def _unindex(self, slot: int) -> None:
        label_set = int(self.label_set[slot])
        self._moved(slot, label_set, ~int(self.node[slot]))
        self.by_label_set.discard(slot, label_set)
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
        memo = marshal.dumps((template_source(pod), amounts_source(pod.document)), 0)
        known = self._shared_memo.get(memo)
        if known is None:
            shape = PodShape.of(pod, self.counting)
            known = self._shared_memo[memo] = (
                _intern(shape, self._shape_ids, self.shapes),
                _intern(shape.affinity, self._affinity_ids, self.affinities),
                _intern(shape.host_ports, self._port_set_ids, self.port_sets),
                self._template_id(PodTemplate.of(pod)),
            )
            if is_counted_variously(pod):
                self.resized.add(known[0])
            if any(number > _EASILY_SUMMED for _, number in shape.requests):
                self.huge.add(known[0])
        return known

    def _template_id(self, template: PodTemplate) -> int:
        """The number of a template; its parts are plain documents, which have no hash but bytes."""
        parts = (
            getattr(template, field)
            for field in PodTemplate.__struct_fields__
            if field not in ("controller", "workload")
        )
        memo = marshal.dumps((*parts, repr(template.controller), repr(template.workload)), 0)
        known = self._template_ids.get(memo)
        if known is None:
            known = self._template_ids[memo] = len(self.templates)
            self.templates.append(template)
        return known

    # -- questions ---------------------------------------------------------------------------------------

    @property
    def label_sets(self) -> Sequence[LabelSet]:
        return self.label_index.sets

    def select(self, selector: LabelSelector, namespaces: frozenset[str] | None) -> Index:
        """Ids of the label sets that a selector matches, in the given namespaces (None: in all), in rising order."""
        return self.label_index.select(selector, namespaces)

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


_MEMOS = ("_label_set_ids", "_shape_ids", "_template_ids", "_shared_memo", "_affinity_ids", "_port_set_ids", "meanings")
