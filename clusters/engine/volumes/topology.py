"""Which nodes can reach a piece of storage, evaluated over all nodes at once.

Upstream: ``k8s.io/component-helpers/storage/volume`` (CheckNodeAffinity), ``pkg/apis/core/v1/helper``
(MatchTopologySelectorTerms) and ``pkg/scheduler/framework/plugins/volumebinding`` (nodeHasAccess), all v1.34.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.evidence import NodeTerm
from clusters.engine.matching.nodes import compared, requirement_mask
from clusters.engine.matching.selectors import (
    LabelSelector,
    NodeSelector,
    NodeSelectorTerm,
    Operator,
    Requirement,
    SelectorError,
    key_fault,
    value_fault,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.columns.nodes import NodeTable
    from clusters.engine.objects import Document
    from clusters.engine.status import Index, Mask

_NO_ROWS: Index = np.empty(0, np.intp)


class StorageTopology:
    """The nodes of one cycle, asked by volumes, storage classes and capacities."""

    def __init__(self, nodes: NodeTable) -> None:
        self._nodes = nodes
        self._all_rows: Index = np.arange(len(nodes))
        self._rows_by_value: dict[str, dict[str, Index]] = {}

    def admitted_rows(self, required: NodeSelector | None) -> Index:
        """Rows of the nodes that a volume's required node selector admits; None admits all."""
        if required is None:
            return self._all_rows
        if len(required.terms) == 1:
            return self._rows_of_term(required.terms[0])
        mask = np.zeros(len(self._nodes), np.bool_)
        for term in required.terms:
            mask[self._rows_of_term(term)] = True
        return np.flatnonzero(mask)

    def admitted(self, required: Document | None) -> Mask:
        """Shape (N,): ``admitted_rows`` as a mask, of a selector that is not parsed yet."""
        mask = np.zeros(len(self._nodes), np.bool_)
        mask[self.admitted_rows(None if required is None else NodeSelector.from_dict(required))] = True
        return mask

    def allowed(self, topologies: Sequence[Document]) -> Mask:
        """Shape (N,): nodes that any of a storage class's allowed topologies means; no topology means all."""
        if not topologies:
            return np.ones(len(self._nodes), np.bool_)
        mask = np.zeros(len(self._nodes), np.bool_)
        for topology in topologies:
            demands = _demands(topology)
            if demands:
                mask |= self._all(demands)
        return mask

    def rows_with_access(self, node_topology: Document | None) -> Index:
        """Rows of the nodes that can reach a storage capacity; one without a topology is unreachable."""
        try:
            selector = LabelSelector.from_dict(node_topology)
        except SelectorError:
            return _NO_ROWS
        return _NO_ROWS if selector.matches_nothing else self._rows(selector.requirements)

    def _rows_of_term(self, term: NodeSelectorTerm) -> Index:
        """Upstream shows the selector a node without a name, to which conditions on fields do not apply."""
        return _NO_ROWS if term.errors or term.is_empty else self._rows(term.expressions)

    def _rows(self, requirements: Sequence[Requirement]) -> Index:
        """Rows of the nodes that meet all requirements.

        Most storage names one host or zone: thousands of volumes must not need as many passes over the nodes.
        """
        if len(requirements) == 1 and requirements[0].operator is Operator.IN:
            rows = self._rows_with(requirements[0].key)
            return np.concatenate([rows.get(value, _NO_ROWS) for value in requirements[0].values])
        return np.flatnonzero(self._all(requirements))

    def _all(self, requirements: Iterable[Requirement]) -> Mask:
        mask = np.ones(len(self._nodes), np.bool_)
        for requirement in requirements:
            mask &= requirement_mask(self._nodes, requirement)
        return mask

    def _rows_with(self, key: str) -> dict[str, Index]:
        """Rows by value of a label."""
        if key not in self._rows_by_value:
            column = self._nodes.label(key)
            order = np.argsort(column.codes, kind="stable")
            bounds = np.searchsorted(column.codes[order], np.arange(len(column.values) + 1))
            self._rows_by_value[key] = {
                value: order[bounds[code] : bounds[code + 1]] for code, value in enumerate(column.values)
            }
        return self._rows_by_value[key]


def compared_topologies(topologies: Sequence[Document], labels: Mapping[str, str]) -> tuple[NodeTerm, ...]:
    """Each allowed topology of a storage class and what it meets on a node with these labels."""
    demands = (_demands(topology) for topology in topologies)
    found = (tuple(compared(each, labels.get(each.key)) for each in every) for every in demands)
    return tuple(NodeTerm(every, bool(every) and all(each.matches for each in every)) for every in found)


def _demands(topology: Document) -> tuple[Requirement, ...]:
    """A topology term's requirements; none when one of them is not valid, as such a term means no node."""
    demands = []
    for expression in topology.get("matchLabelExpressions") or ():
        key, values = str(expression.get("key") or ""), tuple(expression.get("values") or ())
        if not values or key_fault(key) or any(value_fault(value) for value in values):
            return ()
        demands.append(Requirement.of(key, Operator.IN, values))
    return tuple(demands)
