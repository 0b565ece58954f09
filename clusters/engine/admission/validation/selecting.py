"""Label selectors, and the keys of labels that are matched with the pod's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.admission.validation.wrong import Wrong
from clusters.engine.matching.selectors import label_key_problem, label_value_problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.engine.objects import Document

_AS_KUBERNETES = "Write it as Kubernetes takes it for labels."
_WITH_VALUES, _WITHOUT_VALUES = ("In", "NotIn"), ("Exists", "DoesNotExist")


def check_labels(labels: Mapping[str, str] | None, path: str) -> Iterator[Wrong]:
    """Yield keys and values that no label can have."""
    for key, value in (labels or {}).items():
        if problem := label_key_problem(key) or label_value_problem(value or ""):
            yield Wrong(f"{path}.{key}", f"{problem}.", _AS_KUBERNETES)


def check_selector(selector: Document | None, path: str) -> Iterator[Wrong]:
    """Yield what ``ValidateLabelSelector`` refuses."""
    if selector is None:
        return
    yield from check_labels(selector.get("matchLabels"), f"{path}.matchLabels")
    for number, expression in enumerate(selector.get("matchExpressions") or ()):
        yield from check_expression(expression, f"{path}.matchExpressions[{number}]", checks_values=True)


def check_expression(expression: Document, path: str, *, checks_values: bool) -> Iterator[Wrong]:
    """Yield what is wrong with a requirement on labels; ``checks_values``: whether no label could have its values."""
    operator, values = expression.get("operator"), expression.get("values") or ()
    if operator in _WITH_VALUES and not values:
        yield Wrong(f"{path}.values", f"{operator} compares with values, and there is none.", "Write at least one.")
    if operator in _WITHOUT_VALUES and values:
        yield Wrong(f"{path}.values", f"{operator} asks for the key alone.", "Leave values out.")
    if problem := label_key_problem(expression.get("key") or ""):
        yield Wrong(f"{path}.key", f"{problem}.", _AS_KUBERNETES)
    for number, value in enumerate(values if checks_values else ()):
        if problem := label_value_problem(value):
            yield Wrong(f"{path}.values[{number}]", f"{problem}.", _AS_KUBERNETES)


def check_label_keys(owner: Document, path: str, *, is_admitted: bool) -> Iterator[Wrong]:
    """Yield what ``ValidateMatchLabelKeysAndMismatchLabelKeys`` refuses of a term or a constraint."""
    selector = owner.get("labelSelector")
    matched: Sequence[str] = owner.get("matchLabelKeys") or ()
    mismatched = owner.get("mismatchLabelKeys") or ()
    for field, keys in (("matchLabelKeys", matched), ("mismatchLabelKeys", mismatched)):
        if keys and selector is None:
            yield Wrong(
                f"{path}.{field}", "Without a labelSelector nothing is selected to begin with.", "Write labelSelector."
            )
            continue
        for number, key in enumerate(keys):
            if problem := label_key_problem(key):
                yield Wrong(f"{path}.{field}[{number}]", f"{problem}.", _AS_KUBERNETES)
    if is_admitted and selector is not None:
        yield from _check_repeated(selector, frozenset(matched), path)
    both = frozenset(mismatched)
    for number, key in enumerate(matched):
        if key in both:
            yield Wrong(
                f"{path}.matchLabelKeys[{number}]", f"{key} is in mismatchLabelKeys, too.", "Leave it out of one."
            )


def _check_repeated(selector: Document, matched: frozenset[str], path: str) -> Iterator[Wrong]:
    """Yield keys that the selector names beside the requirement that admission made of matchLabelKeys."""
    named = set(selector.get("matchLabels") or {})
    for expression in selector.get("matchExpressions") or ():
        key = expression.get("key") or ""
        if key in matched and key in named:
            yield Wrong(
                f"{path}.matchLabelKeys", f"The labelSelector names {key}, too.", "Leave it out of one of the two."
            )
        named.add(key)
