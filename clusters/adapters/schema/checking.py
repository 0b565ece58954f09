"""Whether a document is an object that the Kubernetes API would take, field by field."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from clusters.adapters.bad_input import shown
from clusters.adapters.prune.shapes import WrongField, integer, quantity, small_integer, timestamp
from clusters.adapters.schema.types import BOUNDS, fields_of, shown_type, type_of_kind
from clusters.engine.admission.objects import wrongs_of_object
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
    from collections.abc import Callable, Iterable, Iterator

    from clusters.adapters.schema.types import ApiField
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
# Written by those who know whether it is right, and not read here.
_UNCHECKED = frozenset({"anything", "number"})


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


def check_object(document: dict[str, Any]) -> Iterator[Fault]:
    """Yield everything that is wrong with an object of any kind; nothing for kinds that are not known here.

    What a pod's status says is its kubelet's to write.
    """
    version, kind = document.get("apiVersion"), document.get("kind")
    if (version, kind) == ("v1", "Pod"):
        yield from check_pod({name: part for name, part in document.items() if name != "status"})
        return
    type_name = type_of_kind(str(version), str(kind))
    if type_name is None:
        return
    is_sound = True
    for fault in _check(document, type_name, ""):
        is_sound = False
        yield fault
    if is_sound:
        for wrong in wrongs_of_object(document):
            yield Fault(wrong.field, wrong.problem)


def _check(value: Any, kind: str, path: str, words: tuple[str, ...] = ()) -> Iterator[Fault]:
    """Check a value against a type; null means that the field is not there."""
    if value is None or kind in _UNCHECKED:
        return
    if kind.startswith("[]"):
        if not isinstance(value, list):
            yield Fault(path, NotAList(shown(value)))
            return
        for number, item in enumerate(value):
            if item is None:
                yield Fault(f"{path}[{number}]", EmptyItem())
            yield from _check(item, kind[2:], f"{path}[{number}]", words)
    elif kind.startswith("{}"):
        if not isinstance(value, dict):
            yield Fault(path, NotAMap(shown(value)))
            return
        for key, item in value.items():
            yield from _check(item, kind[2:], f"{path}.{key}")
    elif (known := fields_of(kind)) is not None:
        yield from _check_fields(value, kind, known, path)
    else:
        yield from _check_scalar(value, kind, path, words)


def _check_fields(value: Any, kind: str, known: dict[str, ApiField], path: str) -> Iterator[Fault]:
    type_name = shown_type(kind)
    if not isinstance(value, dict):
        yield Fault(path, NotFieldsOf(shown(value), type_name))
        return
    for name, content in value.items():
        inner = f"{path}.{name}" if path else str(name)
        field = known.get(name)
        if field is None:
            yield Fault(inner, _no_field(name, type_name, known))
            continue
        # An empty text is a field that is not there, where it need not be.
        words = () if content == "" and not field.is_required else field.words
        found = list(_check(content, field.kind, inner, words))
        yield from found
        bounds = BOUNDS.get((kind, name))
        if bounds is not None and not found and content is not None and not bounds[0] <= content <= bounds[1]:
            least, most = bounds
            problem = BelowLeast(str(content), least) if most == _MOST else OutOfRange(str(content), least, most)
            yield Fault(inner, problem)
    for name, field in known.items():
        if field.is_required and value.get(name) is None:
            yield Fault(path, NeedsField(name, type_name))


def _check_scalar(value: Any, kind: str, path: str, words: tuple[str, ...]) -> Iterator[Fault]:
    if kind in _WRONG:
        is_right = {
            "string": isinstance(value, str),
            "boolean": isinstance(value, bool),
            "int-or-string": isinstance(value, str) or type(value) is int,
        }
        if not is_right[kind]:
            yield Fault(path, _WRONG[kind](shown(value)))
        elif words and value not in words:
            known = tuple(word for word in words if word)
            close = get_close_matches(str(value)[:80], known, n=1, cutoff=0.5)
            yield Fault(path, NotOneOf(shown(value), known, close[0] if close else ""))
        return
    try:
        _SCALARS[kind](value)
    except WrongField as error:
        yield Fault(path, error.problem)


def _no_field(field: Any, kind: str, fields: Iterable[str]) -> NoFieldOf:
    lowered = {name.lower(): name for name in fields}
    close = get_close_matches(str(field).lower()[:80], lowered, n=1, cutoff=0.6)
    known = tuple(sorted(fields)[:_NAMED])
    return NoFieldOf(shown(field), kind, known, lowered[close[0]] if close else "")
