"""Conversions, ``size`` and ``type``, and the operators.

Upstream: ``common/stdlib`` of ``cel-go`` v0.29.2. What each costs is what Kubernetes counts, and more where Python has
more to do.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.cel.semver import MAX_UINT64
from clusters.adapters.cel.signatures import Function, Overload, function, method
from clusters.adapters.cel.values import (
    OPERATORS,
    CelError,
    Scope,
    Uint,
    checked,
    negated,
    no_overload,
    type_name,
    type_of,
)
from clusters.adapters.cel.writing import written_double
from clusters.engine.devices import UnsupportedExpressionError
from clusters.engine.quantity import MAX_INT64

if TYPE_CHECKING:
    from collections.abc import Callable

_BOOLS: Final = {
    **dict.fromkeys(("1", "t", "T", "TRUE", "true", "True"), True),
    **dict.fromkeys(("0", "f", "F", "FALSE", "false", "False"), False),
}
_INTEGER: Final = re.compile(r"[-+]?0*[0-9]{1,20}")
_DOUBLE: Final = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,9})?")


def _size(scope: Scope, value: Any) -> int:
    scope.charge(1)
    return len(value)


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
    if "_" in value or "x" in value.lower():
        # Go reads more ways to write a number than Python.
        raise UnsupportedExpressionError("double")
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
            return written_double(value)
    # An address, or a network.
    return str(value)


def _bytes(scope: Scope, value: Any) -> bytes:
    scope.traverse(len(value) + 1)
    return value.encode("utf-8", "surrogatepass") if type(value) is str else bytes(value)


def _dyn(scope: Scope, value: Any) -> Any:
    return value


def _type(scope: Scope, value: Any) -> type:
    scope.charge(1)
    return type_of(value)


def _of(compute: Callable[..., Any], result: str, *arguments: str) -> tuple[Overload, ...]:
    return tuple(function(each, result, compute) for each in arguments)


def _operator(name: str, *signatures: str) -> Function:
    pairs = [each.rpartition(" ") for each in signatures]
    rows = [function(arguments, result, OPERATORS[name]) for arguments, _, result in pairs]
    return Function(name, *rows, tells_types=False)


def _none(scope: Scope, *values: Any) -> Any:
    """What stands for an operation that is computed otherwise."""
    raise no_overload()


_SIZED: Final = ("bytes", "list(A)", "map(A, B)", "string")
_NUMERIC: Final = ("double", "int", "uint")
_RELATIONS: Final = (
    "bool, bool bool",
    *(f"{one}, {other} bool" for one in ("int", "uint", "double") for other in _NUMERIC),
    *(f"{each}, {each} bool" for each in ("string", "bytes")),
)
# Conversions of constants are computed when an expression is compiled.
FOLDED: Final = ("bool", "bytes", "double", "dyn", "int", "string", "uint")
CONVERSIONS: Final = (
    Function(
        "size",
        *_of(_size, "int", *_SIZED),
        *(method(each, "int", _size) for each in _SIZED),
        tells_types=False,
        tells_name=True,
    ),
    Function("type", function("A", "type(A)", _type)),
    Function("dyn", function("A", "dyn", _dyn)),
    Function("int", *_of(_whole("int", int, -MAX_INT64 - 1, MAX_INT64), "int", "int", "double", "string", "uint")),
    Function("uint", *_of(_whole("uint", Uint, 0, MAX_UINT64), "uint", "uint", "double", "int", "string")),
    Function("double", *_of(_double, "double", "double", "int", "string", "uint")),
    Function("bool", *_of(_bool, "bool", "bool", "string")),
    Function("bytes", *_of(_bytes, "bytes", "bytes", "string")),
    Function(
        "string", *_of(_string, "string", "string", "bool", "bytes", "double", "int", "uint", "net.IP", "net.CIDR")
    ),
    Function("_?_:_", function("bool, A, A", "A", _none)),
    Function("!_", function("bool", "bool", _none)),
    Function("-_", function("double", "double", negated), function("int", "int", negated)),
    Function(
        "_[_]",
        function("list(A), int", "A", _none),
        function("map(A, B), A", "B", _none),
        function("optional_type(list(V)), int", "optional_type(V)", _none),
        function("optional_type(map(K, V)), K", "optional_type(V)", _none),
    ),
    Function(
        "_[?_]",
        function("list(V), int", "optional_type(V)", _none),
        function("optional_type(list(V)), int", "optional_type(V)", _none),
        function("map(K, V), K", "optional_type(V)", _none),
        function("optional_type(map(K, V)), K", "optional_type(V)", _none),
    ),
    *(_operator(sign, "A, A bool") for sign in ("_==_", "_!=_")),
    *(_operator(sign, *_RELATIONS) for sign in ("_<_", "_<=_", "_>_", "_>=_")),
    _operator("@in", "A, list(A) bool", "A, map(A, B) bool"),
    _operator("_+_", *(f"{each}, {each} {each}" for each in ("bytes", "double", "int", "list(A)", "string", "uint"))),
    *(_operator(sign, *(f"{each}, {each} {each}" for each in _NUMERIC)) for sign in ("_-_", "_*_", "_/_")),
    _operator("_%_", "int, int int", "uint, uint uint"),
)
