"""The functions and methods of Kubernetes' CEL environment, as far as they are supported; operators as cel-go has them.

Upstream: ``k8s.io/apiserver/pkg/cel/library`` v0.34.1 and ``cel-go`` v0.26. Values of different types are unequal and
no error, and numbers of different types compare by value: attributes have no type until they are looked at.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from celpy.celtypes import BoolType, DoubleType, IntType, ListType, MapType, StringType, UintType
from celpy.evaluation import CELEvalError, base_functions

from clusters.adapters.cel.semver import Version
from clusters.engine.devices.capacity import exact
from clusters.engine.resources.quantity import MAX_INT64, QuantityError, parsed

Function = Callable[..., Any]

_NUMBERS: Final = (IntType, UintType, DoubleType)


def amount(text: object) -> Fraction:
    """A quantity, exactly. Raises ValueError."""
    try:
        return exact(parsed(str(text)))
    except QuantityError as error:
        raise ValueError(text) from error


def _is_readable(read: Callable[[str], object]) -> Function:
    def check(text: object) -> BoolType:
        try:
            read(_text(text))
        except ValueError:
            return BoolType(False)
        return BoolType(True)

    return check


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(type(value).__name__)
    return str(value)


def _version(text: object, normalise: object = None) -> Version:
    return Version.normalised(_text(text)) if normalise else Version.parse(_text(text))


def _checked(value: Any, kinds: tuple[type, ...]) -> Any:
    if not isinstance(value, kinds):
        raise TypeError(type(value).__name__)
    return value


def _ordered(compare: Callable[[Any, Any], bool]) -> Function:
    """A method of quantities and versions that compares two of one type."""

    def method(one: Any, other: Any) -> BoolType:
        return BoolType(compare(_checked(one, (Fraction, Version)), _checked(other, (type(one),))))

    return method


def _compare_to(one: Any, other: Any) -> IntType:
    _checked(other, (type(_checked(one, (Fraction, Version))),))
    return IntType((one > other) - (one < other))


def _summed(sign: int) -> Function:
    def method(one: Any, other: Any) -> Fraction:
        return Fraction(_checked(one, (Fraction,)) + sign * Fraction(_checked(other, (Fraction, IntType))))

    return method


def _as_integer(one: Any) -> IntType:
    if not _is_integer(one):
        raise ValueError(one)
    return IntType(int(one))


def _is_integer(one: Any) -> BoolType:
    _checked(one, (Fraction,))
    return BoolType(one.denominator == 1 and -MAX_INT64 - 1 <= one <= MAX_INT64)


def _part(name: str) -> Function:
    return lambda version: IntType(getattr(_checked(version, (Version,)), name))


def equal(one: Any, other: Any) -> Any:
    """``==`` of cel-go. An error stays one."""
    for each in (one, other):
        if isinstance(each, CELEvalError):
            return each
    if type(one) in _NUMBERS and type(other) in _NUMBERS:
        return BoolType(Fraction(one) == Fraction(other))
    if type(one) is not type(other) and not (isinstance(one, MapType) and isinstance(other, MapType)):
        return BoolType(False)
    return BoolType(bool(one == other))


def _unequal(one: Any, other: Any) -> Any:
    found = equal(one, other)
    return found if isinstance(found, CELEvalError) else BoolType(not found)


def _relation(compare: Callable[[Any, Any], bool]) -> Function:
    def relation(one: Any, other: Any) -> Any:
        for each in (one, other):
            if isinstance(each, CELEvalError):
                return each
        if type(one) in _NUMBERS and type(other) in _NUMBERS:
            return BoolType(compare(Fraction(one), Fraction(other)))
        if type(one) is not type(other) or isinstance(one, (Fraction, Version, MapType, ListType)):
            raise TypeError(type(one).__name__)
        return BoolType(compare(one, other))

    return relation


def _in(item: Any, container: Any) -> Any:
    for each in (item, container):
        if isinstance(each, CELEvalError):
            return each
    if isinstance(container, MapType):
        return BoolType(item in container)
    return BoolType(any(equal(item, each) for each in _checked(container, (ListType,))))


def _size(value: Any) -> IntType:
    return IntType(len(_checked(value, (str, bytes, ListType, MapType))))


def _split(text: Any, separator: Any) -> ListType:
    parts = list(_text(text)) if not separator else _text(text).split(_text(separator))
    return ListType([StringType(part) for part in parts])


def _index_of(text: Any, part: Any) -> IntType:
    return IntType(_text(text).find(_text(part)))


def _substring(text: Any, start: Any, end: Any = None) -> StringType:
    size = len(_text(text))
    last = size if end is None else int(end)
    if not 0 <= int(start) <= last <= size:
        raise ValueError(start)
    return StringType(text[int(start) : last])


OPERATORS: Final[Mapping[str, Function]] = {
    "_==_": equal,
    "_!=_": _unequal,
    "_<_": _relation(operator.lt),
    "_<=_": _relation(operator.le),
    "_>_": _relation(operator.gt),
    "_>=_": _relation(operator.ge),
    "_in_": _in,
}

OWN: Final[Mapping[str, Function]] = {
    "quantity": lambda text: amount(_text(text)),
    "isQuantity": _is_readable(amount),
    "semver": _version,
    "isSemver": _is_readable(Version.parse),
    "compareTo": _compare_to,
    "isGreaterThan": _ordered(operator.gt),
    "isLessThan": _ordered(operator.lt),
    "add": _summed(1),
    "sub": _summed(-1),
    "asInteger": _as_integer,
    "isInteger": _is_integer,
    "asApproximateFloat": lambda one: DoubleType(float(_checked(one, (Fraction,)))),
    "sign": lambda one: IntType((_checked(one, (Fraction,)) > 0) - (one < 0)),
    "major": _part("major"),
    "minor": _part("minor"),
    "patch": _part("patch"),
    "size": _size,
    "lowerAscii": lambda text: StringType(_text(text).lower()),
    "upperAscii": lambda text: StringType(_text(text).upper()),
    "trim": lambda text: StringType(_text(text).strip()),
    "replace": lambda text, old, new: StringType(_text(text).replace(_text(old), _text(new))),
    "split": _split,
    "substring": _substring,
    "indexOf": _index_of,
}

# Those of cel-python that mean what they mean in cel-go.
_SHARED: Final = ("contains", "startsWith", "endsWith", "matches", "int", "uint", "double", "string", "bool", "type")

NAMES: Final = frozenset({*OWN, *_SHARED})

FUNCTIONS: Final[Mapping[str, Function]] = {
    **{name: base_functions[name] for name in _SHARED},
    **OWN,
    **OPERATORS,
}
