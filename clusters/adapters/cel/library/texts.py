"""``format``: texts with other values in them, and what is wrong with one before any value is known.

Upstream: ``ext/formatting.go`` of ``cel-go`` v0.29.2, in English.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import isinf, isnan
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.adapters.cel.parsing import Call, Constant, Listing, MapLiteral, Node
from clusters.adapters.cel.types import Function, Type, function, method
from clusters.adapters.cel.values import (
    TYPES,
    CelError,
    CelMapping,
    Scope,
    Uint,
    checked,
    shown,
    type_name,
    written_double,
)
from clusters.engine.devices import UnsupportedExpressionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

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


# Functions of texts, and regular expressions.

_LOWER: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
_UPPER: Final = {to: ord(chr(to).upper()) for to in _LOWER.values()}
# What a regular expression may take, in bytes, and how many of its instructions cost one unit for a byte of the text.
_REGEX_MEMORY: Final = 1 << 20
_INSTRUCTIONS: Final = 40


# What Go takes for space.
_SPACE: Final = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_QUOTES: Final = str.maketrans(
    {
        "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r",
        "\t": "\\t", "\v": "\\v", "\\": "\\\\", '"': '\\"',
    }
)  # fmt: skip


def _traversing(compute: Callable[..., Any], *, by: int = 0) -> Callable[..., Any]:
    """A function of texts that goes through one of them."""

    def computed(scope: Scope, *texts: Any) -> Any:
        scope.traverse(len(texts[by]) + 1)
        return compute(*texts)

    return computed


def _of_texts(compute: Callable[..., Any]) -> Callable[..., Any]:
    """A method of texts that knows no other values."""

    def computed(scope: Scope, *values: Any) -> Any:
        return compute(scope, *(checked(each, str) for each in values))

    return computed


def _contains(scope: Scope, text: str, part: str) -> bool:
    scope.charge((len(text) // 10 + 1) * (len(part) // 10 + 1))
    return part in text


def _replace(scope: Scope, text: str, old: str, new: str, most: int = -1) -> str:
    scope.traverse(len(text) + 1, 2)
    count = text.count(old)
    if most >= 0:
        count = min(count, most)
    # The result is counted before it is built.
    scope.traverse(len(text) + count * max(len(new) - len(old), 0))
    return text.replace(old, new, count)


def _split(scope: Scope, text: str, separator: str, most: int = -1) -> list[str]:
    scope.traverse(len(text) + 1, 2)
    scope.charge(text.count(separator) + 1)
    if most == 0:
        return []
    if separator:
        return text.split(separator, most - 1 if most > 0 else -1)
    if 0 < most < len(text):
        return [*text[: most - 1], text[most - 1 :]]
    return list(text)


def _place(place: int) -> CelError:
    return CelError(f"index out of range: {place}")


def _char_at(scope: Scope, text: str, place: int) -> str:
    scope.traverse(len(text) + 1)
    if not 0 <= place <= len(text):
        raise _place(place)
    return text[place : place + 1]


def _index_of(scope: Scope, text: str, part: str, start: int = 0) -> int:
    _contains(scope, text, part)
    if start < 0:
        raise _place(start)
    return text.find(part, start) if part else min(start, len(text))


def _unbounded_index_of(scope: Scope, text: str, part: str, start: int = 0) -> int:
    """As before 1.37: where nothing is looked for, it is at the place from which on it is."""
    found = _index_of(scope, text, part, start)
    return found if part else start


def _last_index_of(scope: Scope, text: str, part: str, start: int | None = None) -> int:
    _contains(scope, text, part)
    size = len(text)
    if start is None:
        return text.rfind(part)
    if start < 0:
        raise _place(start)
    if not part:
        return min(start, size)
    return -1 if start >= size else text.rfind(part, 0, start + len(part))


def _unbounded_last_index_of(scope: Scope, text: str, part: str, start: int) -> int:
    found = _last_index_of(scope, text, part, start)
    return found if part else start


def _substring(scope: Scope, text: str, start: int, end: int | None = None) -> str:
    size = len(text)
    scope.traverse(size)
    last = size if end is None else end
    if end is not None and start > last:
        raise CelError(f"invalid substring range. start: {start}, end: {last}")
    for place in (start, last):
        if not 0 <= place <= size:
            raise _place(place)
    return text[start:last]


def _joined(scope: Scope, items: list[Any], separator: str = "") -> str:
    for each in items:
        if type(each) is not str:
            raise CelError(f"join: invalid input: {shown(each)}")
    # The result is counted before it is built.
    scope.traverse(sum(map(len, items)) + len(separator) * len(items) + 1, 2)
    return separator.join(items)


# -- regular expressions ---------------------------------------------------------------------------------------


def _searching(scope: Scope, text: str, pattern: str) -> Any:
    """A pattern that is about to be looked for in a text."""
    scope.charge(((len(text) + 1) // 10 + 1) * (len(pattern) // 4 + 1))
    found = _regular(pattern)
    scope.charge((len(text.encode()) + 1) * found.programsize // _INSTRUCTIONS)
    return found


def _matches(scope: Scope, text: str, pattern: str) -> bool:
    return _searching(scope, text, pattern).search(text) is not None


def _find(scope: Scope, text: str, pattern: str) -> str:
    found = _searching(scope, text, pattern).search(text)
    return "" if found is None else str(found[0])


def _find_all(scope: Scope, text: str, pattern: str, most: int = -1) -> list[str]:
    found: list[str] = []
    end = -1
    for each in _searching(scope, text, pattern).finditer(text):
        if len(found) == most:
            break
        # What is empty counts only apart from what was found before.
        if each.end() > each.start() or each.start() != end:
            scope.charge(3 + len(each[0]) // 10)
            found.append(each[0])
        end = each.end()
    return found


@lru_cache(maxsize=16)
def _regular(pattern: str) -> Any:
    """An expression of RE2, which takes a time that is linear in the text's."""
    import re2

    options = re2.Options()
    options.max_mem = _REGEX_MEMORY
    options.never_capture = True
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error:
        # Go may know it, or have room for it.
        raise UnsupportedExpressionError("matches") from None
    finally:
        # It would keep 128 of them.
        re2.purge()


_TWO: Final = "string, string"
TEXTS: Final = (
    Function("lowerAscii", method("string", "string", _traversing(lambda text: text.translate(_LOWER)))),
    Function("upperAscii", method("string", "string", _traversing(lambda text: text.translate(_UPPER)))),
    Function("trim", method("string", "string", _traversing(lambda text: text.strip(_SPACE)))),
    Function("startsWith", method(_TWO, "bool", _of_texts(_traversing(str.startswith, by=1))), tells_types=False),
    Function("endsWith", method(_TWO, "bool", _of_texts(_traversing(str.endswith, by=1))), tells_types=False),
    Function("contains", method(_TWO, "bool", _of_texts(_contains)), tells_types=False),
    Function(
        "matches",
        method(_TWO, "bool", _of_texts(_matches)),
        function(_TWO, "bool", _of_texts(_matches)),
        tells_types=False,
    ),
    Function("charAt", method("string, int", "string", _char_at)),
    Function(
        "replace",
        method("string, string, string", "string", _replace),
        method("string, string, string, int", "string", _replace),
    ),
    Function("split", method(_TWO, "list(string)", _split), method("string, string, int", "list(string)", _split)),
    Function(
        "substring",
        method("string, int", "string", _substring),
        method("string, int, int", "string", _substring),
    ),
    Function("format", method("string, list(dyn)", "string", formatted)),
    Function("strings.quote", function("string", "string", _traversing(lambda text: f'"{text.translate(_QUOTES)}"'))),
    Function(
        "join",
        method("list(string)", "string", _joined),
        method("list(string), string", "string", _joined),
    ),
    Function("find", method(_TWO, "string", _find)),
    Function(
        "findAll", method(_TWO, "list(string)", _find_all), method("string, string, int", "list(string)", _find_all)
    ),
)
# Those that lists have, too; before 1.37 and from then on.
INDEXES: Final = (method(_TWO, "int", _index_of), method("string, string, int", "int", _index_of))
LAST_INDEXES: Final = (method(_TWO, "int", _last_index_of), method("string, string, int", "int", _last_index_of))
OLD_INDEXES: Final = (INDEXES[0], method("string, string, int", "int", _unbounded_index_of))
OLD_LAST_INDEXES: Final = (LAST_INDEXES[0], method("string, string, int", "int", _unbounded_last_index_of))
