"""Node selectors, node affinity, and affinity to other pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.admission import problems as refused
from clusters.engine.admission.validation.selecting import (
    check_expression,
    check_label_keys,
    check_labels,
    check_selector,
)
from clusters.engine.admission.validation.wrong import Wrong
from clusters.engine.matching.selectors import key_fault
from clusters.engine.objects import metadata
from clusters.engine.problems import NotALabelKey
from clusters.engine.showing import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Document

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_NODE_NAME = "metadata.name"


def check(pod: Document, *, is_admitted: bool) -> Iterator[Wrong]:
    """Yield what is refused of the labels that a pod's author wrote, of its node selector and its affinity."""
    spec = pod.get("spec") or {}
    if not is_admitted:
        # What controllers add has UIDs of objects that may be imagined here.
        yield from check_labels(metadata(pod).get("labels"), "metadata.labels")
    yield from check_labels(spec.get("nodeSelector"), "spec.nodeSelector")
    affinity = spec.get("affinity") or {}
    yield from _check_node_affinity(affinity.get("nodeAffinity") or {}, "spec.affinity.nodeAffinity")
    for kind in ("podAffinity", "podAntiAffinity"):
        for path, term in _pod_terms(affinity.get(kind) or {}, f"spec.affinity.{kind}"):
            yield from _check_pod_term(term, path, is_admitted=is_admitted)


def _check_node_affinity(rules: Document, path: str) -> Iterator[Wrong]:
    if rules.get(_REQUIRED) is not None:
        yield from check_node_selector(rules[_REQUIRED], f"{path}.{_REQUIRED}")
    for number, weighted in enumerate(rules.get(_PREFERRED) or ()):
        # A preference may name values that no label has: the API server lets it pass.
        where = f"{path}.{_PREFERRED}[{number}].preference"
        yield from _check_node_term(weighted.get("preference") or {}, where, checks_values=False)


def check_node_selector(selector: Document, path: str) -> Iterator[Wrong]:
    """Yield what ``ValidateNodeSelector`` refuses."""
    terms = selector.get("nodeSelectorTerms") or ()
    if not terms:
        yield Wrong(f"{path}.nodeSelectorTerms", refused.NoTerms())
    for number, term in enumerate(terms):
        yield from _check_node_term(term, f"{path}.nodeSelectorTerms[{number}]", checks_values=True)


def _check_node_term(term: Document, path: str, *, checks_values: bool) -> Iterator[Wrong]:
    for number, expression in enumerate(term.get("matchExpressions") or ()):
        where = f"{path}.matchExpressions[{number}]"
        if expression.get("operator") in ("Gt", "Lt") and len(expression.get("values") or ()) != 1:
            yield Wrong(f"{where}.values", refused.NotOneNumber(expression["operator"]))
        yield from check_expression(expression, where, checks_values=checks_values)
    for number, expression in enumerate(term.get("matchFields") or ()):
        yield from _check_field(expression, f"{path}.matchFields[{number}]")


def _check_field(expression: Document, path: str) -> Iterator[Wrong]:
    operator, key = expression.get("operator"), expression.get("key")
    if operator not in ("In", "NotIn"):
        yield Wrong(f"{path}.operator", refused.NotAFieldOperator(str(operator)))
    elif len(expression.get("values") or ()) != 1:
        yield Wrong(f"{path}.values", refused.NotOneValue())
    if key != _NODE_NAME:
        yield Wrong(f"{path}.key", refused.NotANodeField(str(key), _NODE_NAME))


def _pod_terms(rules: Document, path: str) -> Iterator[tuple[str, Any]]:
    for number, term in enumerate(rules.get(_REQUIRED) or ()):
        yield f"{path}.{_REQUIRED}[{number}]", term
    for number, weighted in enumerate(rules.get(_PREFERRED) or ()):
        yield f"{path}.{_PREFERRED}[{number}].podAffinityTerm", weighted.get("podAffinityTerm") or {}


def _check_pod_term(term: Document, path: str, *, is_admitted: bool) -> Iterator[Wrong]:
    key = term.get("topologyKey") or ""
    if key_fault(key):
        problem = NotALabelKey(shown(key)) if key else refused.NoTopologyKey("kubernetes.io/hostname")
        yield Wrong(f"{path}.topologyKey", problem)
    for field in ("labelSelector", "namespaceSelector"):
        yield from check_selector(term.get(field), f"{path}.{field}")
    yield from check_label_keys(term, path, is_admitted=is_admitted)
