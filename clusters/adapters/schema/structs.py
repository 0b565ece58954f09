"""Whether a document is what a struct describes, field by field, in the words of problems."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

from msgspec import inspect

from clusters.adapters.bad_input import shown
from clusters.adapters.schema.checking import Fault
from clusters.engine.problems import (
    Empty,
    Missing,
    NotAList,
    NotAMap,
    NotAnInteger,
    NotAText,
    NotOneOf,
    OutOfRange,
    TooLong,
    TooMany,
    UnknownField,
)
from clusters.problems.lessons import NotOfPattern
from clusters.problems.texts import HalfACharacter, NulInText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.problems import Problem

_LARGEST: Final = 2**31 - 1


def check_struct(value: Any, kind: Any) -> Iterator[Fault]:
    """Yield everything that is wrong with a value that is to be of a type that msgspec knows.

    What has no fault is what ``msgspec.convert`` takes. Types: structs, maps and lists of these, texts, words, whole
    numbers.
    """
    yield from _check(value, inspect.type_info(kind), "")


def _check(value: Any, kind: inspect.Type, path: str) -> Iterator[Fault]:
    if isinstance(kind, inspect.Metadata):
        kind = kind.type
    if isinstance(kind, inspect.StructType):
        yield from _check_fields(value, kind, path)
    elif isinstance(kind, inspect.DictType):
        yield from _check_map(value, kind, path)
    elif isinstance(kind, inspect.VarTupleType):
        yield from _check_list(value, kind, path)
    elif isinstance(kind, inspect.LiteralType):
        known = tuple(str(each) for each in kind.values)
        if value not in kind.values:
            yield Fault(path, NotOneOf(shown(value), known, known[0] if len(known) == 1 else ""))
    elif isinstance(kind, inspect.EnumType):
        yield from _check_word(value, tuple(str(each.value) for each in kind.cls), path)
    elif isinstance(kind, inspect.StrType):
        yield from _check_text(value, kind, path)
    elif isinstance(kind, inspect.IntType):
        yield from _check_number(value, kind, path)
    elif not isinstance(kind, inspect.AnyType):
        raise TypeError(f"{kind} is not checked here")


def _check_fields(value: Any, kind: inspect.StructType, path: str) -> Iterator[Fault]:
    fields = {field.encode_name: field for field in kind.fields}
    if not isinstance(value, dict):
        yield Fault(path, NotAMap(shown(value), tuple(fields)))
        return
    for key, content in value.items():
        if key not in fields:
            close = get_close_matches(str(key)[:80], fields, n=1)
            yield Fault(_inner(path, key), UnknownField(shown(key), tuple(fields), close[0] if close else ""))
        else:
            yield from _check(content, fields[key].type, _inner(path, key))
    for name, field in fields.items():
        if field.required and name not in value:
            yield Fault(_inner(path, name), Missing())


def _check_map(value: Any, kind: inspect.DictType, path: str) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield Fault(path, NotAMap(shown(value)))
        return
    yield from _check_length(len(value), kind, path)
    for key, content in value.items():
        yield from _check(content, kind.value_type, _inner(path, key))


def _check_list(value: Any, kind: inspect.VarTupleType, path: str) -> Iterator[Fault]:
    if not isinstance(value, list):
        yield Fault(path, NotAList(shown(value)))
        return
    yield from _check_length(len(value), kind, path)
    for number, content in enumerate(value):
        yield from _check(content, kind.item_type, f"{path}[{number}]")


def _check_length(length: int, kind: inspect.DictType | inspect.VarTupleType, path: str) -> Iterator[Fault]:
    if kind.min_length and not length:
        yield Fault(path, Empty())
    if kind.max_length is not None and length > kind.max_length:
        yield Fault(path, TooMany(length, kind.max_length))


def _check_word(value: Any, known: tuple[str, ...], path: str) -> Iterator[Fault]:
    if value not in known:
        close = get_close_matches(str(value)[:80], known, n=1)
        yield Fault(path, NotOneOf(shown(value), known, close[0] if close else ""))


def _check_text(value: Any, kind: inspect.StrType, path: str) -> Iterator[Fault]:
    if not isinstance(value, str):
        yield Fault(path, NotAText(shown(value)))
    elif (unstorable := _unstorable(value)) is not None:
        yield Fault(path, unstorable)
    elif kind.min_length and not value.strip():
        yield Fault(path, Empty())
    elif kind.max_length is not None and len(value) > kind.max_length:
        yield Fault(path, TooLong(shown(value), len(value), kind.max_length))
    elif kind.pattern is not None and re.search(kind.pattern, value) is None:
        yield Fault(path, NotOfPattern(shown(value), kind.pattern))


def _unstorable(text: str) -> Problem | None:
    """Return why no database stores a text, which YAML can write all the same; None for any other."""
    if "\x00" in text:
        return NulInText()
    try:
        text.encode()
    except UnicodeEncodeError:
        return HalfACharacter()
    return None


def _check_number(value: Any, kind: inspect.IntType, path: str) -> Iterator[Fault]:
    least, most = kind.ge or 0, kind.le or _LARGEST
    if type(value) is not int:
        yield Fault(path, NotAnInteger(shown(value)))
    elif not least <= value <= most:
        yield Fault(path, OutOfRange(shown(value), least, most))


def _inner(path: str, key: Any) -> str:
    return f"{path}.{key}" if path else str(key)
