"""Whether a document is a Pod that the API of Kubernetes v1.34 would take, field by field."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from clusters.adapters.bad_input import shown
from clusters.adapters.prune.shapes import WrongField, integer, quantity, small_integer, timestamp
from clusters.adapters.schema.cluster_types import CLUSTER_TYPES, CLUSTER_WORDS
from clusters.adapters.schema.pod_types import BOUNDS, WORDS, pod_types
from clusters.adapters.schema.workload_types import WORKLOAD_TYPES
from clusters.engine.admission.validation import wrongs_of
from clusters.engine.problems import BelowLeast, NotABoolean, NotAList, NotAMap, NotAText, NotOneOf, OutOfRange
from clusters.problems.schema import (
    EmptyItem,
    IsNot,
    NeedsField,
    NoFieldOf,
    NotAnIntegerOrText,
    NotFieldsOf,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clusters.adapters.schema.pod_types import PodType
    from clusters.engine.problems import Problem

_NAMED = 12
_MOST = 2**31 - 1
_POD_FIELDS = ("apiVersion", "kind", "metadata", "spec")
_WRONG: dict[str, Callable[[str], Problem]] = {
    "string": NotAText,
    "boolean": NotABoolean,
    "int-or-string": NotAnIntegerOrText,
}
_SCALARS = {"int32": small_integer, "int64": integer, "quantity": quantity, "time": timestamp}


class Fault(NamedTuple):
    """What is wrong with one field; an empty path is the whole document."""

    path: str
    problem: Problem


def check_pod(document: Any) -> Iterator[Fault]:
    """Yield everything that is wrong with a document that is to be a Pod."""
    if not isinstance(document, dict):
        yield Fault("", NotAMap(shown(document), _POD_FIELDS))
        return
    for field, right in (("apiVersion", "v1"), ("kind", "Pod")):
        if document.get(field, right) != right:
            yield Fault(field, IsNot(shown(document[field]), right))
    if document.get("spec") is None:
        yield Fault("", NeedsField("spec", "Pod"))
    is_sound = True
    for fault in _check(document, "Pod", ""):
        is_sound = False
        yield fault
    # What fields mean together is looked at once each of them is what it should be.
    if is_sound:
        for wrong in wrongs_of(document, is_admitted=False):
            yield Fault(wrong.field, wrong.problem)


def check_object(document: Any, kind: str) -> Iterator[Fault]:
    """Yield everything that is wrong with an object beside its pods; nothing for kinds that are not known here."""
    if kind in WORKLOAD_TYPES:
        yield from _check(document, kind, "")


def check_cluster_object(document: Any, kind: str) -> Iterator[Fault]:
    """Yield everything that is wrong with any object but a pod; nothing for kinds that are not known here."""
    if kind in CLUSTER_TYPES:
        yield from _check(document, kind, "")
    else:
        yield from check_object(document, kind)


def _check(value: Any, kind: str, path: str) -> Iterator[Fault]:
    """Check a value against a type; null means that the field is not there."""
    if value is None or kind == "anything":
        return
    if kind.startswith("[]"):
        if not isinstance(value, list):
            yield Fault(path, NotAList(shown(value)))
            return
        for number, item in enumerate(value):
            if item is None:
                yield Fault(f"{path}[{number}]", EmptyItem())
            yield from _check(item, kind[2:], f"{path}[{number}]")
    elif kind.startswith("{}"):
        if not isinstance(value, dict):
            yield Fault(path, NotAMap(shown(value)))
            return
        for key, item in value.items():
            yield from _check(item, kind[2:], f"{path}.{key}")
    elif (known := _type_named(kind)) is not None:
        yield from _check_fields(value, kind, known, path)
    else:
        yield from _check_scalar(value, kind, path)


def _type_named(kind: str) -> PodType | None:
    return WORKLOAD_TYPES.get(kind) or pod_types().get(kind) or CLUSTER_TYPES.get(kind)


def _check_fields(value: Any, kind: str, known: PodType, path: str) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield Fault(path, NotFieldsOf(shown(value), kind))
        return
    for field, content in value.items():
        inner = f"{path}.{field}" if path else str(field)
        if field not in known.fields:
            yield Fault(inner, _no_field(field, kind, known.fields))
            continue
        found = list(_check(content, known.fields[field], inner))
        yield from found
        if not found and content is not None:
            yield from _check_value(content, kind, field, inner)
    for field in known.required:
        if value.get(field) is None:
            yield Fault(path, NeedsField(field, kind))


def _check_value(content: Any, kind: str, field: str, path: str) -> Iterator[Fault]:
    words = WORDS.get((kind, field)) or CLUSTER_WORDS.get((kind, field))
    if words is not None and content not in words:
        known = tuple(word for word in words if word)
        close = get_close_matches(str(content), known, n=1, cutoff=0.5)
        yield Fault(path, NotOneOf(shown(content), known, close[0] if close else ""))
    bounds = BOUNDS.get((kind, field))
    if bounds is not None and not bounds[0] <= content <= bounds[1]:
        least, most = bounds
        yield Fault(path, BelowLeast(str(content), least) if most == _MOST else OutOfRange(str(content), least, most))


def _check_scalar(value: Any, kind: str, path: str) -> Iterator[Fault]:
    if kind in _WRONG:
        is_right = {
            "string": isinstance(value, str),
            "boolean": isinstance(value, bool),
            "int-or-string": isinstance(value, str) or type(value) is int,
        }
        if not is_right[kind]:
            yield Fault(path, _WRONG[kind](shown(value)))
        return
    try:
        _SCALARS[kind](value)
    except WrongField as error:
        yield Fault(path, error.problem)


def _no_field(field: Any, kind: str, fields: dict[str, str]) -> NoFieldOf:
    lowered = {name.lower(): name for name in fields}
    close = get_close_matches(str(field).lower()[:80], lowered, n=1, cutoff=0.6)
    known = tuple(sorted(fields)[:_NAMED])
    return NoFieldOf(shown(field), kind, known, lowered[close[0]] if close else "")
