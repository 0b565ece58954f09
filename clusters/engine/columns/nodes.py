"""The nodes of a snapshot as columns: one row a node, in order of name."""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.nodes.zones import interleaved
from clusters.engine.resources.requests import CPU, EPHEMERAL_STORAGE, MEMORY, PODS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.matching.taints import Taint
    from clusters.engine.objects import Node
    from clusters.engine.status import Index, Ints, Mask

MISSING = -1


@dataclass(frozen=True, slots=True)
class LabelColumn:
    """One label key over all nodes: ``values[codes[n]]`` is node n's value; code -1 where it has none."""

    values: tuple[str, ...]
    codes: Index
    numbers: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", {value: number for number, value in enumerate(self.values)})

    @property
    def present(self) -> Mask:
        """Shape (N,): nodes that have the label."""
        present: Mask = self.codes != MISSING
        return present

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

    def sum_by_value(self, per_node: Ints) -> Ints:
        """Sums of a per-node quantity by value, shape (V,); nodes without the label are left out."""
        sums = np.zeros(len(self.values) + 1, np.int64)
        np.add.at(sums, self.codes, per_node)
        return sums[:-1]

    def spread(self, per_value: Ints) -> Ints:
        """A per-value quantity given back to every node, shape (N,); 0 where the label is missing."""
        return np.append(per_value, 0)[self.codes]


class NodeTable:
    """Columns over N nodes and R resources, in base units.

    ``allocatable`` and ``requested`` have shape (N, R); ``non_zero`` (N, 2) holds milli-CPU and bytes as
    scoring counts them; ``pod_count`` and ``allowed_pods`` have shape (N,).
    """

    def __init__(self) -> None:
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

    def __len__(self) -> int:
        return len(self.nodes)

    def copy(self) -> NodeTable:
        twin = NodeTable()
        twin.nodes, twin.names, twin.index = list(self.nodes), list(self.names), dict(self.index)
        twin.resources = list(self.resources)
        twin.taint_sets, twin._taint_set_ids = list(self.taint_sets), dict(self._taint_set_ids)
        for column in _ARRAYS:
            setattr(twin, column, getattr(self, column).copy())
        twin._columns, twin._keys = dict(self._columns), self._keys
        twin._images, twin._search_order = self._images, self._search_order
        return twin

    def rows(self, rows: Index) -> NodeTable:
        """Some rows by themselves, in the order given and as often as given, shape (M,).

        For plugins that judge each node by itself: a name no longer leads to one row.
        """
        part = NodeTable()
        numbers = rows.tolist()
        part.nodes, part.names = [self.nodes[row] for row in numbers], [self.names[row] for row in numbers]
        part.resources = list(self.resources)
        part.taint_sets, part._taint_set_ids = self.taint_sets, self._taint_set_ids
        for column in _ARRAYS:
            setattr(part, column, getattr(self, column)[rows])
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
        names = sorted({name for node in self.nodes for name in node.allocatable})
        self.allocatable = np.zeros((count, len(self.resources)), np.int64)
        self.requested = np.zeros((count, len(self.resources)), np.int64)
        self.ensure_resources(names)
        for name in names:
            if name != PODS:
                column = [node.allocatable.get(name, 0) for node in self.nodes]
                self.allocatable[:, self.resources.index(name)] = column
        self.allocatable = np.asfortranarray(self.allocatable)
        self.requested = np.asfortranarray(self.requested)
        self.non_zero = np.zeros((count, 2), np.int64, order="F")
        self.pod_count = np.zeros(count, np.int64)
        self.allowed_pods = np.array([node.allocatable.get(PODS, 0) for node in self.nodes], np.int64)
        self.unschedulable = np.array([node.unschedulable for node in self.nodes], np.bool_)
        self.taint_set = np.array([self._taint_set_id(node.taints) for node in self.nodes], np.intp)

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
        self.ensure_resources(node.allocatable)
        self.allocatable[row] = self.vector(node.allocatable.items())
        self.allowed_pods[row] = node.allocatable.get(PODS, 0)
        self.unschedulable[row] = node.unschedulable
        self.taint_set[row] = self._taint_set_id(node.taints)

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

    # -- derived columns ---------------------------------------------------------------------------------

    def label(self, key: str) -> LabelColumn:
        """The column of a label key, made when first asked for."""
        column = self._columns.get(key)
        if column is None and key not in self._label_keys():
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

    def _label_keys(self) -> frozenset[str]:
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
_NOWHERE: tuple[Index, int] = (np.empty(0, np.intp), 0)
