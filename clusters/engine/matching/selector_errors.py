"""How Kubernetes words what is wrong with a selector.

Upstream: ``IsQualifiedName`` and ``IsValidLabelValue`` of ``util/validation``, ``Error`` of ``util/validation/field``,
all k8s.io/apimachinery v0.34.1, and from 1.35 ``api/validate/content``, v0.37.2, which counts in bytes. The scheduler
repeats these texts in its events, so they are given to the letter.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_NAME: Final = 63
MAX_PREFIX: Final = 253

_PART = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_IS_NAME = re.compile(_PART)
_IS_VALUE = re.compile(f"({_PART})?")
_IS_SUBDOMAIN = re.compile(_SUBDOMAIN)

_CHARACTERS = "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
_USED = "regex used for validation is"
_NAME_RULE = f"must consist of {_CHARACTERS} (e.g. 'MyName',  or 'my.name',  or '123-abc', {_USED} '{_PART}')"
_VALUE_RULE = (
    f"a valid label must be an empty string or consist of {_CHARACTERS} "
    f"(e.g. 'MyValue',  or 'my_value',  or '12345', {_USED} '({_PART})?')"
)
_SUBDOMAIN_RULE = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    f"end with an alphanumeric character (e.g. 'example.com', {_USED} '{_SUBDOMAIN}')"
)
_EMPTY = "must be non-empty"
_ESCAPES = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def invalid(path: str, value: str | Sequence[str] | None, detail: str) -> str:
    """The text of a field with a value that is not valid; None is a list that was never written."""
    if value is None:
        return f"{path}: Invalid value: null: {detail}"
    shown = _quoted(value) if isinstance(value, str) else f"[{','.join(map(_quoted, value))}]"
    return f"{path}: Invalid value: {shown}: {detail}"


def _quoted(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"'


def not_supported(path: str, value: str, supported: Iterable[str]) -> str:
    """The text of a field with a value that is none of those that there are."""
    listed = ", ".join(f'"{each}"' for each in supported)
    return f'{path}: Unsupported value: "{value}": supported values: {listed}'


def undecodable(found: object, kind: str, field: str = "") -> str:
    """The text of Go's JSON decoder about a value that cannot be of the type ``kind``.

    ``field`` starts with the struct that has it; without one the value is all that is decoded.
    """
    where = f"Go struct field {field}" if field else "Go value"
    return f"json: cannot unmarshal {_json_kind(found, kind)} into {where} of type {kind}"


def _json_kind(found: object, kind: str) -> str:
    match found:
        case bool():
            return "bool"
        case int() | float():
            # Of a number that is of the wrong sort the decoder shows which one.
            return f"number {found}" if kind == "int32" else "number"
        case str():
            return "string"
        case list() | tuple():
            return "array"
        case _:
            return "object"


def key_fault(key: str, *, in_bytes: bool = False) -> str:
    """What is wrong with a label key; empty where nothing is. ``in_bytes``: in the words from 1.35 on."""
    *before, name = key.split("/")
    if len(before) > 1:
        kind = "a valid label key" if in_bytes else "a qualified name"
        return f"{kind} {_NAME_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
    faults = [f"prefix part {fault}" for prefix in before for fault in _prefix_faults(prefix, in_bytes)]
    if not name:
        faults.append(f"name part {_EMPTY}")
    elif len(name.encode()) > MAX_NAME:
        faults.append(f"name part {_too_long(MAX_NAME, in_bytes)}")
    if not _IS_NAME.fullmatch(name):
        faults.append(f"name part {_NAME_RULE}")
    return "; ".join(faults)


def value_fault(value: str, *, in_bytes: bool = False) -> str:
    """What is wrong with a label value; empty where nothing is. ``in_bytes``: in the words from 1.35 on."""
    faults = [_too_long(MAX_NAME, in_bytes)] if len(value.encode()) > MAX_NAME else []
    if not _IS_VALUE.fullmatch(value):
        faults.append(_VALUE_RULE)
    return "; ".join(faults)


def _prefix_faults(prefix: str, in_bytes: bool) -> list[str]:
    if not prefix:
        return [_EMPTY]
    faults = [_too_long(MAX_PREFIX, in_bytes)] if len(prefix.encode()) > MAX_PREFIX else []
    return faults if _IS_SUBDOMAIN.fullmatch(prefix) else [*faults, _SUBDOMAIN_RULE]


def _too_long(most: int, in_bytes: bool) -> str:
    return f"must be no more than {most} {'bytes' if in_bytes else 'characters'}"
