"""``format``: texts with other values in them, and what is wrong with one before any value is known.

Upstream: ``ext/formatting.go`` of ``cel-go`` v0.29.2, in English.
"""

from __future__ import annotations

import re
from math import isinf, isnan
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.adapters.cel.syntax import Call, Constant, Listing, MapLiteral, Node
from clusters.adapters.cel.types import Type
from clusters.adapters.cel.values import TYPES, CelError, CelMapping, Scope, Uint, type_name
from clusters.adapters.cel.writing import written_double
from clusters.engine.devices import UnsupportedExpressionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_DIGITS: Final = re.compile(r"\.([0-9]*)")
_DEFAULT_PRECISION: Final = 6
# Finer than any double.
_MOST_PRECISION: Final = 1100
_STRINGS: Final = "strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps"
# What each clause is called, what it is for, and of which types that is.
_CLAUSES: Final = {
    "s": ("string clause can only be used on", _STRINGS, "list map int uint double bool string bytes type null_type"),
    "d": ("decimal clause can only be used on", "integers", "int uint"),
    "f": ("fixed-point clause can only be used on", "doubles", "double string"),
    "e": ("scientific clause can only be used on", "doubles", "double string"),
    "b": ("only integers and bools can be formatted as", "binary", "int uint bool"),
    "x": ("only integers, byte buffers, and strings can be formatted as", "hex", "int uint string bytes"),
    "X": ("only integers, byte buffers, and strings can be formatted as", "hex", "int uint string bytes"),
    "o": ("octal clause can only be used on", "integers", "int uint"),
}
_UNENDING: Final = {"NaN": "NaN", "Infinity": "∞", "-Infinity": "-∞"}


class _Clause(NamedTuple):
    letter: str
    precision: int
    number: int


def _clauses(text: str, count: int) -> Iterator[str | _Clause]:
    """The parts of a text for so many values. Raises ValueError with cel-go's words."""
    place = number = 0
    while place < len(text):
        sign = text.find("%", place)
        yield text[place : sign if sign >= 0 else len(text)]
        if sign < 0:
            return
        place = sign + 1
        if text[place : place + 1] == "%":
            yield "%"
            place += 1
            continue
        if place == len(text):
            raise ValueError("unexpected end of string" if number < count else f"index {number} out of range")
        if number >= count:
            raise ValueError(f"index {number} out of range")
        precision = _DEFAULT_PRECISION
        where = "could not parse formatting clause"
        if digits := _DIGITS.match(text, place):
            place = digits.end()
            if place == len(text):
                raise ValueError(f"{where}: error while parsing precision: could not find end of precision specifier")
            if not digits[1] or len(digits[1]) > len(str(_MOST_PRECISION)):
                fault = (
                    f'error while converting precision to integer: strconv.Atoi: parsing "{digits[1]}": invalid syntax'
                )
                if digits[1]:
                    raise UnsupportedExpressionError("format")
                raise ValueError(f"{where}: error while parsing precision: {fault}")
            precision = int(digits[1])
        letter = text[place]
        if letter not in _CLAUSES:
            raise ValueError(f'{where}: unrecognized formatting clause "{chr(letter.encode()[0])}"')
        yield _Clause(letter, precision, number)
        place, number = place + 1, number + 1


def _misfit(letter: str, name: str) -> str:
    use, what, _ = _CLAUSES[letter]
    return f"error during formatting: {use} {what}, was given {name}"


# -- values ----------------------------------------------------------------------------------------------------


def formatted(scope: Scope, text: str, values: list[Any]) -> str:
    """``format``. Raises CelError, UnsupportedExpressionError."""
    scope.traverse(len(text) + 1)
    found: list[str] = []
    try:
        for each in _clauses(text, len(values)):
            part = each if isinstance(each, str) else _written(scope, each, values[each.number])
            scope.traverse(len(part))
            found.append(part)
    except ValueError as error:
        raise CelError(str(error)) from None
    return "".join(found)


def _written(scope: Scope, clause: _Clause, value: Any) -> str:
    letter, kind = clause.letter, type_name(value)
    kinds = _CLAUSES[letter][2].split()
    if kind not in kinds or (letter in "fe" and kind == "string" and value not in _UNENDING):
        raise ValueError(_misfit(letter, kind))
    match letter:
        case "s":
            return _text(scope, value)
        case "f":
            return _fixed(scope, value, clause.precision)
        case "e":
            # It is written with the power as a superscript.
            raise UnsupportedExpressionError("format")
        case "x" | "X" if kind in ("string", "bytes"):
            scope.traverse(len(value), 2)
            found = str((value.encode() if kind == "string" else value).hex())
            return found.upper() if letter == "X" else found
    return format(int(value), letter)


def _fixed(scope: Scope, value: Any, precision: int) -> str:
    if type(value) is str:
        return _UNENDING[value]
    if isnan(value) or isinf(value):
        return "NaN" if isnan(value) else "∞" if value > 0 else "-∞"
    if precision > _MOST_PRECISION:
        raise UnsupportedExpressionError("format")
    scope.charge(precision // 10 + 40)
    return f"{value:,.{precision}f}"


def _text(scope: Scope, value: Any, *, is_inner: bool = False) -> str:
    """A value as text; within lists and maps texts are quoted, and doubles have six places."""
    scope.charge(1)
    match value:
        case bool() | None:
            return "null" if value is None else str(value).lower()
        case str():
            return _quoted(scope, value) if is_inner else value
        case bytes():
            try:
                text = value.decode()
            except UnicodeDecodeError:
                raise UnsupportedExpressionError("format") from None
            return f"b{_quoted(scope, text)}" if is_inner else text
        case int():
            return str(int(value))
        case float():
            return _double(value) if is_inner else written_double(value)
        case type():
            return next((name for name, each in TYPES.items() if each is value), type_name(value))
        case list():
            parts = [_text(scope, each, is_inner=True) for each in value]
            scope.traverse(sum(map(len, parts)))
            return f"[{', '.join(parts)}]"
        case CelMapping():
            return _of_map(scope, value)
    raise ValueError(f"error during formatting: no formatting function for {type_name(value)}")


def _double(value: float) -> str:
    return f'"{written_double(value)}"' if isnan(value) or isinf(value) else f"{value:.{_DEFAULT_PRECISION}f}"


def _of_map(scope: Scope, value: Any) -> str:
    pairs = []
    for key in value:
        if type(key) not in (str, bool, int, Uint):
            raise ValueError(f"error during formatting: no formatting function for map key of type {type_name(key)}")
        pairs.append((_text(scope, key, is_inner=True), _text(scope, value.find(key), is_inner=True)))
    scope.traverse(sum(len(key) + len(held) for key, held in pairs))
    return "{" + ", ".join(f"{key}:{held}" for key, held in sorted(pairs, key=lambda pair: pair[0].encode())) + "}"


def _quoted(scope: Scope, text: str) -> str:
    scope.traverse(len(text))
    if not text.isprintable():
        # Go has its own ways to write what cannot be seen.
        raise UnsupportedExpressionError("format")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


# -- before any value is known ---------------------------------------------------------------------------------


def format_faults(node: Call, types: Mapping[int, Type]) -> Iterator[tuple[int, str]]:
    """What is wrong with a call whose text and list of values are written out, by place."""
    (values,) = node.arguments
    if not isinstance(node.target, Constant) or not isinstance(values, Listing):
        return
    count = 0
    try:
        for each in _clauses(str(node.target.value), len(values.items)):
            if isinstance(each, str):
                continue
            count += 1
            misfit = _first_misfit(values.items[each.number], types, each.letter)
            if misfit is not None:
                yield misfit.at, _misfit(each.letter, Type(types[id(misfit)].name).full_name)
                return
    except ValueError as error:
        yield node.at, str(error)
        return
    if len(values.items) > count:
        given = len(values.items)
        yield node.at, f"too many arguments supplied to string.format (expected {count}, got {given})"


def _first_misfit(node: Node, types: Mapping[int, Type], letter: str) -> Node | None:
    """What of a value is of no type for a clause."""
    name = types[id(node)].name
    if name != "dyn" and name not in _CLAUSES[letter][2].split():
        return node
    if letter != "s":
        return None
    parts: tuple[Node, ...] = ()
    if isinstance(node, Listing):
        parts = node.items
    elif isinstance(node, MapLiteral):
        parts = tuple(part for entry in node.entries for part in (entry.key, entry.value))
    return next((found for part in parts if (found := _first_misfit(part, types, letter)) is not None), None)
