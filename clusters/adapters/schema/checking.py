"""Whether a document is a Pod that the API of Kubernetes v1.34 would take, field by field."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from clusters.adapters.bad_input import printable, shown
from clusters.adapters.prune.shapes import WrongField, integer, quantity, small_integer, timestamp
from clusters.adapters.schema.pod_types import BOUNDS, WORDS, pod_types
from clusters.adapters.schema.workload_types import WORKLOAD_TYPES
from clusters.engine.admission.validation import wrongs_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.adapters.schema.pod_types import PodType

_NAMED = 12
_SCALARS = {"int32": small_integer, "int64": integer, "quantity": quantity, "time": timestamp}
_WORDS_FOR = {dict: "a map", list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}


class Problem(NamedTuple):
    """What is wrong with one field, and what would be right; an empty path is the whole document."""

    path: str
    problem: str
    remedy: str


def check_pod(document: Any) -> Iterator[Problem]:
    """Yield everything that is wrong with a document that is to be a Pod."""
    if not isinstance(document, dict):
        yield Problem("", f"It is {_kind(document)}.", "Write a Pod: apiVersion, kind, metadata and spec.")
        return
    for field, right in (("apiVersion", "v1"), ("kind", "Pod")):
        if document.get(field, right) != right:
            yield Problem(field, f"{shown(document[field])} is not {right}.", f"Write {right}.")
    if document.get("spec") is None:
        yield Problem("", "A Pod needs the field spec.", "Add spec.")
    is_sound = True
    for problem in _check(document, "Pod", ""):
        is_sound = False
        yield problem
    # What fields mean together is looked at once each of them is what it should be.
    if is_sound:
        for wrong in wrongs_of(document, is_admitted=False):
            yield Problem(*wrong)


def check_object(document: Any, kind: str) -> Iterator[Problem]:
    """Yield everything that is wrong with an object beside its pods; nothing for kinds that are not known here."""
    if kind in WORKLOAD_TYPES:
        yield from _check(document, kind, "")


def _check(value: Any, kind: str, path: str) -> Iterator[Problem]:
    """Check a value against a type; null means that the field is not there."""
    if value is None or kind == "anything":
        return
    if kind.startswith("[]"):
        if not isinstance(value, list):
            yield Problem(path, f"It is {_kind(value)}.", "A list belongs here: begin each item with a dash.")
            return
        for number, item in enumerate(value):
            if item is None:
                yield Problem(f"{path}[{number}]", "The item is empty.", "Fill it or remove its dash.")
            yield from _check(item, kind[2:], f"{path}[{number}]")
    elif kind.startswith("{}"):
        if not isinstance(value, dict):
            yield Problem(path, f"It is {_kind(value)}.", "A map belongs here: a key, a colon and a value a line.")
            return
        for key, item in value.items():
            yield from _check(item, kind[2:], f"{path}.{key}")
    elif (known := WORKLOAD_TYPES.get(kind) or pod_types().get(kind)) is not None:
        yield from _check_fields(value, kind, known, path)
    else:
        yield from _check_scalar(value, kind, path)


def _check_fields(value: Any, kind: str, known: PodType, path: str) -> Iterator[Problem]:
    if not isinstance(value, dict):
        yield Problem(path, f"It is {_kind(value)}.", f"A map with fields of {kind} belongs here.")
        return
    for field, content in value.items():
        inner = f"{path}.{field}" if path else str(field)
        if field not in known.fields:
            yield Problem(inner, f"{kind} has no field {shown(field)}.", _instead(str(field), known.fields))
            continue
        found = list(_check(content, known.fields[field], inner))
        yield from found
        if not found and content is not None:
            yield from _check_value(content, kind, field, inner)
    for field in known.required:
        if value.get(field) is None:
            yield Problem(path, f"{kind} needs the field {field}.", f"Add {field}.")


def _check_value(content: Any, kind: str, field: str, path: str) -> Iterator[Problem]:
    words = WORDS.get((kind, field))
    if words is not None and content not in words:
        close = get_close_matches(str(content), words, n=1, cutoff=0.5)
        choice = ", ".join(word for word in words if word)
        remedy = f"Write {close[0]}." if close and close[0] else f"Write one of {choice}."
        yield Problem(path, f"{shown(content)} is not one of {choice}.", remedy)
    bounds = BOUNDS.get((kind, field))
    if bounds is not None and not bounds[0] <= content <= bounds[1]:
        least, most = bounds
        if most == 2**31 - 1:
            yield Problem(path, f"{content} is less than {least}.", f"Write {least} or more.")
        else:
            yield Problem(path, f"{content} is not from {least} to {most}.", f"Write {least} to {most}.")


def _check_scalar(value: Any, kind: str, path: str) -> Iterator[Problem]:
    right = {
        "string": isinstance(value, str),
        "boolean": isinstance(value, bool),
        "int-or-string": isinstance(value, str) or type(value) is int,
    }
    if kind in right:
        if not right[kind]:
            remedies = {"string": "Put quotes around it.", "boolean": "Write true or false, without quotes."}
            what = {"string": "a text", "boolean": "true or false"}.get(kind, "a whole number or a text")
            yield Problem(path, f"{shown(value)} is not {what}.", remedies.get(kind, "Write such as 8080 or http."))
        return
    try:
        _SCALARS[kind](value)
    except WrongField as error:
        yield Problem(path, error.problem, error.remedy)


def _kind(value: Any) -> str:
    return "empty" if value is None else _WORDS_FOR.get(type(value), "something else")


def _instead(field: str, fields: dict[str, str]) -> str:
    lowered = {name.lower(): name for name in fields}
    close = get_close_matches(field.lower()[:80], lowered, n=1, cutoff=0.6)
    if close:
        return f"Did you mean {lowered[close[0]]}?"
    names = ", ".join(sorted(fields)[:_NAMED])
    return printable(f"Remove it. There are {names}{', …' if len(fields) > _NAMED else ''}.")
