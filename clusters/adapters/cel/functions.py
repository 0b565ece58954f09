"""The functions and methods of Kubernetes' CEL environment, as far as they are supported.

Upstream: ``k8s.io/apiserver/pkg/cel/library`` v0.37.2 and ``cel-go`` v0.29.2. What each costs is what they count, and
more where Python has more to do.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import Any, Final, NamedTuple

from clusters.adapters.cel.semver import Version
from clusters.adapters.cel.values import (
    MAX_UINT64,
    QUOTED,
    CelError,
    Scope,
    Uint,
    checked,
    no_overload,
    type_name,
    type_of,
)
from clusters.engine.devices.capacity import exact
from clusters.engine.devices.selecting import UnsupportedExpressionError
from clusters.engine.resources.quantity import MAX_INT64, QuantityError, parsed

_LOWER: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
_UPPER: Final = {to: ord(chr(to).upper()) for to in _LOWER.values()}
_BOOLS: Final = {
    **dict.fromkeys(("1", "t", "T", "TRUE", "true", "True"), True),
    **dict.fromkeys(("0", "f", "F", "FALSE", "false", "False"), False),
}
_INTEGER: Final = re.compile(r"[-+]?0*[0-9]{1,20}")
_DOUBLE: Final = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,9})?")
_INVALID_QUANTITY: Final = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
# What a regular expression may take, in bytes, and how many of its instructions cost one unit for a byte of the text.
_REGEX_MEMORY: Final = 1 << 20
_INSTRUCTIONS: Final = 40


def amount(text: str) -> Fraction:
    """A quantity, exactly. Raises ValueError."""
    try:
        return exact(parsed(text))
    except QuantityError as error:
        raise ValueError(text) from error


def _is_readable(read: Callable[[str], object]) -> Callable[..., bool]:
    def check(scope: Scope, text: Any, *normalise: Any) -> bool:
        scope.traverse(len(checked(text, str)))
        try:
            Version.normalised(text) if normalise and checked(normalise[0], bool) else read(text)
        except ValueError:
            return False
        return True

    return check


def _quantity(scope: Scope, text: Any) -> Fraction:
    scope.traverse(len(checked(text, str)))
    try:
        return amount(text)
    except ValueError:
        raise CelError(_INVALID_QUANTITY) from None


def _version(scope: Scope, text: Any, normalise: Any = False) -> Version:
    scope.traverse(len(checked(text, str)))
    try:
        return Version.normalised(text) if checked(normalise, bool) else Version.parse(text)
    except ValueError:
        raise CelError(f"invalid semantic version: {text[:QUOTED]}") from None


def _plain(compute: Callable[..., Any]) -> Callable[..., Any]:
    """A function that costs nothing beside its call."""

    def computed(scope: Scope, *arguments: Any) -> Any:
        scope.charge(1)
        return compute(*arguments)

    return computed


def _ordered(compare: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """A method of quantities and versions that compares two of one type."""
    return _plain(lambda one, other: compare(checked(one, Fraction, Version), checked(other, type(one))))


def _summed(sign: int) -> Callable[..., Fraction]:
    return _plain(lambda one, other: Fraction(checked(one, Fraction) + sign * checked(other, Fraction, int)))


def _as_integer(one: Any) -> int:
    if not _is_integer(one):
        raise CelError("cannot convert value to integer")
    return int(one)


def _is_integer(one: Any) -> bool:
    checked(one, Fraction)
    return bool(one.denominator == 1 and -MAX_INT64 - 1 <= one <= MAX_INT64)


def _part(name: str) -> Callable[..., int]:
    return _plain(lambda version: getattr(checked(version, Version), name))


def _size(value: Any) -> int:
    return len(value if isinstance(value, Mapping) else checked(value, str, bytes, list))


# -- texts ---------------------------------------------------------------------------------------------------


def _traversing(compute: Callable[..., Any], *, by: int = 0) -> Callable[..., Any]:
    """A function of texts that goes through one of them."""

    def computed(scope: Scope, *arguments: Any) -> Any:
        texts = [checked(each, str) for each in arguments]
        scope.traverse(len(texts[by]) + 1)
        return compute(*texts)

    return computed


def _contains(scope: Scope, text: Any, part: Any) -> bool:
    scope.charge((len(checked(text, str)) // 10 + 1) * (len(checked(part, str)) // 10 + 1))
    return part in text


def _replace(scope: Scope, text: Any, old: Any, new: Any, most: Any = -1) -> str:
    for each in (text, old, new):
        checked(each, str)
    scope.traverse(len(text) + 1, 2)
    count = text.count(old)
    if checked(most, int) >= 0:
        count = min(count, most)
    # The result is counted before it is built.
    scope.traverse(len(text) + count * max(len(new) - len(old), 0))
    return str(text.replace(old, new, count))


def _split(scope: Scope, text: Any, separator: Any) -> list[str]:
    scope.traverse(len(checked(text, str)) + 1, 2)
    scope.charge(text.count(checked(separator, str)) + 1)
    return text.split(separator) if separator else list(text)


def _index_of(scope: Scope, text: Any, part: Any) -> int:
    _contains(scope, text, part)
    return int(text.find(part))


def _substring(scope: Scope, text: Any, start: Any, end: Any = None) -> str:
    size = len(checked(text, str))
    scope.traverse(size)
    last = size if end is None else checked(end, int)
    for place in (checked(start, int), last):
        if not 0 <= place <= size:
            raise CelError(f"index out of range: {place}")
    if start > last:
        raise CelError(f"invalid substring range. start: {start}, end: {last}")
    return str(text[start:last])


def _matches(scope: Scope, text: Any, pattern: Any) -> bool:
    scope.charge(((len(checked(text, str)) + 1) // 10 + 1) * (len(checked(pattern, str)) // 4 + 1))
    found = _regular(pattern)
    scope.charge((len(text.encode()) + 1) * found.programsize // _INSTRUCTIONS)
    return found.search(text) is not None


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


# -- conversions ---------------------------------------------------------------------------------------------


def _no_conversion(value: Any, name: str) -> CelError:
    return CelError(f"type conversion error from '{type_name(value)}' to '{name}'")


def _whole(name: str, kind: type[int], least: int, most: int) -> Callable[..., int]:
    """Conversion to int or uint."""

    def convert(scope: Scope, value: Any) -> int:
        scope.charge(1)
        if type(value) is str:
            # Of unsigned numbers not even a plus is read.
            is_number = _INTEGER.fullmatch(value) and (kind is int or value[0] not in "+-")
            if not is_number or not least <= int(value) <= most:
                raise _no_conversion(value, name)
            return kind(value)
        # The bounds of int as doubles are beyond it, or count as beyond.
        is_within = isfinite(checked(value, int, Uint, float)) and least <= value <= most
        if not is_within or (type(value) is float and (value >= most or (kind is int and value <= least))):
            raise CelError("integer overflow" if kind is int else "unsigned integer overflow")
        return kind(value)

    return convert


def _double(scope: Scope, value: Any) -> float:
    scope.charge(1)
    if type(value) is not str:
        return float(checked(value, int, Uint, float))
    scope.traverse(len(value))
    special = value.lower().lstrip("+-") in ("inf", "infinity", "nan") and len(value) <= len("-infinity")
    found = float(value) if special or _DOUBLE.fullmatch(value) else None
    if found is None or (not special and not isfinite(found)):
        raise _no_conversion(value, "double")
    return found


def _bool(scope: Scope, value: Any) -> bool:
    scope.charge(1)
    if type(value) is str and value not in _BOOLS:
        raise _no_conversion(value, "bool")
    return _BOOLS[value] if type(value) is str else bool(checked(value, bool))


def _string(scope: Scope, value: Any) -> str:
    scope.traverse(len(value) + 1 if type(value) in (str, bytes) else 1)
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case bytes():
            try:
                return value.decode()
            except UnicodeDecodeError:
                raise CelError("invalid UTF-8 in bytes, cannot convert to string") from None
        case int():
            return str(int(value))
        case float():
            # Go and Python write doubles in their own ways.
            raise UnsupportedExpressionError("string")
    raise no_overload()


def _approximate(one: Any) -> float:
    return float(checked(one, Fraction))


class Function(NamedTuple):
    """How a function computes, and how many arguments it may have; a method's first is what it is called for."""

    compute: Callable[..., Any]
    arity: tuple[int, ...] = (1,)


FUNCTIONS: Final[Mapping[str, Function]] = {
    "quantity": Function(_quantity),
    "isQuantity": Function(_is_readable(amount)),
    "semver": Function(_version, (1, 2)),
    "isSemver": Function(_is_readable(Version.parse), (1, 2)),
    "compareTo": Function(_ordered(lambda one, other: (one > other) - (one < other)), (2,)),
    "isGreaterThan": Function(_ordered(operator.gt), (2,)),
    "isLessThan": Function(_ordered(operator.lt), (2,)),
    "add": Function(_summed(1), (2,)),
    "sub": Function(_summed(-1), (2,)),
    "asInteger": Function(_plain(_as_integer)),
    "isInteger": Function(_plain(_is_integer)),
    "asApproximateFloat": Function(_plain(_approximate)),
    "sign": Function(_plain(lambda one: (checked(one, Fraction) > 0) - (one < 0))),
    "major": Function(_part("major")),
    "minor": Function(_part("minor")),
    "patch": Function(_part("patch")),
    "size": Function(_plain(_size)),
    "lowerAscii": Function(_traversing(lambda text: text.translate(_LOWER))),
    "upperAscii": Function(_traversing(lambda text: text.translate(_UPPER))),
    "trim": Function(_traversing(str.strip)),
    "startsWith": Function(_traversing(str.startswith, by=1), (2,)),
    "endsWith": Function(_traversing(str.endswith, by=1), (2,)),
    "contains": Function(_contains, (2,)),
    "replace": Function(_replace, (3, 4)),
    "split": Function(_split, (2,)),
    "substring": Function(_substring, (2, 3)),
    "indexOf": Function(_index_of, (2,)),
    "matches": Function(_matches, (2,)),
    "int": Function(_whole("int", int, -MAX_INT64 - 1, MAX_INT64)),
    "uint": Function(_whole("uint", Uint, 0, MAX_UINT64)),
    "double": Function(_double),
    "bool": Function(_bool),
    "string": Function(_string),
    "type": Function(_plain(type_of)),
}
