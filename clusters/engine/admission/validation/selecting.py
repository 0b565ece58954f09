"""Label selectors, and the keys of labels that are matched with the pod's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.admission import problems as refused
from clusters.engine.admission.validation.wrong import Wrong
from clusters.engine.matching.selectors import key_fault, value_fault
from clusters.engine.problems import NotALabelKey, NotALabelValue
from clusters.engine.showing import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.engine.objects import Document

_WITH_VALUES, _WITHOUT_VALUES = ("In", "NotIn"), ("Exists", "DoesNotExist")


def check_labels(labels: Mapping[str, str] | None, path: str) -> Iterator[Wrong]:
    """Yield keys and values that no label can have."""
    for key, value in (labels or {}).items():
        if key_fault(key):
            yield Wrong(f"{path}.{key}", NotALabelKey(shown(key)))
        elif value_fault(value or ""):
            yield Wrong(f"{path}.{key}", NotALabelValue(shown(value)))


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
        yield Wrong(f"{path}.values", refused.NoValues(operator))
    if operator in _WITHOUT_VALUES and values:
        yield Wrong(f"{path}.values", refused.ValuesBesideKey(operator))
    if key_fault(key := expression.get("key") or ""):
        yield Wrong(f"{path}.key", NotALabelKey(shown(key)))
    for number, value in enumerate(values if checks_values else ()):
        if value_fault(value):
            yield Wrong(f"{path}.values[{number}]", NotALabelValue(shown(value)))


def check_label_keys(owner: Document, path: str, *, is_admitted: bool) -> Iterator[Wrong]:
    """Yield what ``ValidateMatchLabelKeysAndMismatchLabelKeys`` refuses of a term or a constraint."""
    selector = owner.get("labelSelector")
    matched: Sequence[str] = owner.get("matchLabelKeys") or ()
    mismatched = owner.get("mismatchLabelKeys") or ()
    for field, keys in (("matchLabelKeys", matched), ("mismatchLabelKeys", mismatched)):
        if keys and selector is None:
            yield Wrong(f"{path}.{field}", refused.KeysWithoutSelector())
            continue
        for number, key in enumerate(keys):
            if key_fault(key):
                yield Wrong(f"{path}.{field}[{number}]", NotALabelKey(shown(key)))
    if is_admitted and selector is not None:
        yield from _check_repeated(selector, frozenset(matched), path)
    both = frozenset(mismatched)
    for number, key in enumerate(matched):
        if key in both:
            yield Wrong(f"{path}.matchLabelKeys[{number}]", refused.MatchedAndMismatched(key))


def _check_repeated(selector: Document, matched: frozenset[str], path: str) -> Iterator[Wrong]:
    """Yield keys that the selector names beside the requirement that admission made of matchLabelKeys."""
    named = set(selector.get("matchLabels") or {})
    for expression in selector.get("matchExpressions") or ():
        key = expression.get("key") or ""
        if key in matched and key in named:
            yield Wrong(f"{path}.matchLabelKeys", refused.KeySelected(key))
        named.add(key)
