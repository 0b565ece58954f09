"""Node selectors, node affinity and taints evaluated over all nodes at once.

A requirement is evaluated once per distinct label value and a toleration once per distinct set of taints; the
answers are then given to the nodes.

Upstream: ``k8s.io/component-helpers/scheduling/corev1`` v1.34.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clusters.engine.evidence import NodeRequirement, NodeTerm
from clusters.engine.matching.selectors import NodeSelector, NodeSelectorTerm, Requirement

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.columns.nodes import NodeTable
    from clusters.engine.matching.taints import Taint, Toleration
    from clusters.engine.objects import Pod
    from clusters.engine.status import Mask

# No key or value of a label or taint is written so.
_ANY = "*"


def tolerates(tolerations: Iterable[Toleration], taint: Taint) -> bool:
    """Whether any toleration covers the taint."""
    return any(toleration.tolerates(taint) for toleration in tolerations)


def untolerated(taint_sets: Iterable[tuple[Taint, ...]], tolerations: Iterable[Toleration]) -> dict[Taint, None]:
    """The distinct taints of some sets that no toleration covers, in the order in which they are met.

    A taint is compared with the tolerations that name its key and value, or leave them open.
    """
    naming: dict[tuple[str, str], dict[Toleration, None]] = {}
    for toleration in tolerations:
        value = toleration.value if toleration.operator == "Equal" else _ANY
        naming.setdefault((toleration.key or _ANY, value), {})[toleration] = None
    left: dict[Taint, None] = {}
    for taint in dict.fromkeys(taint for taints in taint_sets for taint in taints):
        named = ((key, value) for key in (taint.key, _ANY) for value in (taint.value, _ANY))
        if not any(tolerates(naming.get(pair, ()), taint) for pair in named):
            left[taint] = None
    return left


def tolerated_taint_sets(taint_sets: Sequence[tuple[Taint, ...]], tolerations: Sequence[Toleration]) -> Mask:
    """Shape (T,): taint sets none of whose scheduling taints is left untolerated."""
    left = {taint for taint in untolerated(taint_sets, tolerations) if taint.forbids_scheduling}
    return np.array([left.isdisjoint(taints) for taints in taint_sets], np.bool_)


def requirement_mask(nodes: NodeTable, requirement: Requirement) -> Mask:
    """Shape (N,): nodes whose labels meet one requirement."""
    column = nodes.label(requirement.key)
    if requirement.operator in ("In", "NotIn"):
        mask = column.equals_any(requirement.values)
        return mask if requirement.operator == "In" else ~mask
    if requirement.operator in ("Exists", "DoesNotExist"):
        return column.present if requirement.operator == "Exists" else ~column.present
    answers = [requirement.matches_value(value) for value in (*column.values, None)]
    return np.array(answers, np.bool_)[column.codes]


def term_mask(nodes: NodeTable, term: NodeSelectorTerm) -> Mask:
    """Shape (N,): nodes that one node selector term matches; an empty or unreadable term matches none."""
    if term.errors or term.is_empty:
        return np.zeros(len(nodes), np.bool_)
    mask = np.ones(len(nodes), np.bool_)
    for requirement in term.expressions:
        mask &= requirement_mask(nodes, requirement)
    for requirement in term.fields:
        if requirement.key == "metadata.name":
            mask &= _named(nodes, requirement)
        else:
            mask &= requirement.matches_value("")
    return mask


def _named(nodes: NodeTable, requirement: Requirement) -> Mask:
    """Shape (N,): nodes whose name meets a requirement, which is one of In and NotIn."""
    mask = np.zeros(len(nodes), np.bool_)
    mask[[nodes.index[name] for name in requirement.values if name in nodes.index]] = True
    return mask if requirement.operator == "In" else ~mask


def selector_mask(nodes: NodeTable, selector: NodeSelector) -> Mask:
    """Shape (N,): nodes that any term matches."""
    mask = np.zeros(len(nodes), np.bool_)
    for term in selector.terms:
        mask |= term_mask(nodes, term)
    return mask


def compared(requirement: Requirement, node_value: str | None) -> NodeRequirement:
    """One requirement and the value that it meets on a node."""
    return NodeRequirement(
        requirement.key,
        requirement.operator,
        requirement.values,
        node_value,
        requirement.matches_value(node_value),
    )


def compared_terms(selector: NodeSelector, labels: Mapping[str, str], name: str | None) -> tuple[NodeTerm, ...]:
    """The terms of a selector and what they meet on a node; conditions on fields apply where ``name`` is given."""
    return tuple(_compared_term(term, labels, name) for term in selector.terms)


def _compared_term(term: NodeSelectorTerm, labels: Mapping[str, str], name: str | None) -> NodeTerm:
    fields = () if name is None else tuple(compared(each, _field_value(each, name)) for each in term.fields)
    found = (*(compared(each, labels.get(each.key)) for each in term.expressions), *fields)
    return NodeTerm(found, not term.errors and not term.is_empty and all(each.matches for each in found))


def _field_value(requirement: Requirement, name: str) -> str:
    """What a condition on a field reads of a node of this name; every field but the name is empty."""
    return name if requirement.key == "metadata.name" else ""


def map_mask(nodes: NodeTable, labels: Mapping[str, str]) -> Mask:
    """Shape (N,): nodes that carry all of the labels."""
    mask = np.ones(len(nodes), np.bool_)
    for key, value in labels.items():
        mask &= nodes.label(key).equals(value)
    return mask


def required_terms(pod: Pod) -> NodeSelector | None:
    """The pod's required node affinity, None when it has none."""
    node_affinity: Any = (pod.spec.get("affinity") or {}).get("nodeAffinity") or {}
    required = node_affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    return None if required is None else NodeSelector.from_dict(required)


def required_node_affinity(nodes: NodeTable, pod: Pod) -> Mask:
    """Shape (N,): nodes that the pod's nodeSelector and required node affinity admit."""
    mask = map_mask(nodes, pod.spec.get("nodeSelector") or {})
    selector = required_terms(pod)
    return mask if selector is None else mask & selector_mask(nodes, selector)
