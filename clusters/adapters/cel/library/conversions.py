"""Functions of amounts, versions and networks, and conversions between types."""

from __future__ import annotations

import operator
import re
from ipaddress import ip_network
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.cel.types import Function, Overload, function, method
from clusters.adapters.cel.values import (
    MAX_UINT64,
    OPERATORS,
    Address,
    CelError,
    ComputedQuantity,
    Prefix,
    Scope,
    Uint,
    Version,
    checked,
    negated,
    no_overload,
    type_name,
    type_of,
    written_double,
)
from clusters.engine.devices import UnsupportedExpressionError, exact
from clusters.engine.quantity import MAX_INT64, QuantityError, parsed

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

_WITHOUT_DIGITS: Final = re.compile(r"[-+]?\.(?![0-9])")
_INVALID_QUANTITY: Final = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"


def amount(text: str) -> Fraction:
    """A quantity, exactly. Raises ValueError, UnsupportedExpressionError."""
    if _WITHOUT_DIGITS.match(text):
        # Go takes some of them for numbers.
        raise UnsupportedExpressionError("quantity")
    try:
        return exact(parsed(text))
    except QuantityError as error:
        raise ValueError(text) from error


def _is_readable(read: Callable[[str], object]) -> Callable[..., bool]:
    def check(scope: Scope, text: Any, *normalise: Any) -> bool:
        scope.traverse(len(text))
        try:
            Version.normalised(text) if normalise and normalise[0] else read(text)
        except ValueError:
            return False
        return True

    return check


def _quantity(scope: Scope, text: Any) -> Fraction:
    scope.traverse(len(text))
    try:
        return amount(text)
    except ValueError:
        raise CelError(_INVALID_QUANTITY) from None


def _version(scope: Scope, text: Any, normalise: Any = False) -> Version:
    scope.traverse(len(text))
    try:
        return Version.normalised(text) if normalise else Version.parse(text)
    except ValueError as error:
        raise CelError(str(error)) from None


def _plain(compute: Callable[..., Any]) -> Callable[..., Any]:
    """A function that costs nothing beside its call."""

    def computed(scope: Scope, *arguments: Any) -> Any:
        scope.charge(1)
        return compute(*arguments)

    return computed


def _ordered(compare: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """A method of quantities and versions that compares two of one type."""
    return _plain(compare)


def _as_integer(one: Any) -> int:
    if not _is_integer(one):
        raise CelError("cannot convert value to integer")
    return int(one)


def _is_integer(one: Any) -> bool:
    return bool(one.denominator == 1 and -MAX_INT64 - 1 <= one <= MAX_INT64)


def _part(name: str) -> Callable[..., int]:
    return _plain(lambda version: getattr(version, name))


_COMPARED: Final = ("kubernetes.Quantity, kubernetes.Quantity", "kubernetes.Semver, kubernetes.Semver")
_QUANTITY: Final = "kubernetes.Quantity"
_VERSION: Final = "kubernetes.Semver"


def _of_both(name: str, result: str, compare: Callable[[Any, Any], Any]) -> Function:
    return Function(name, *(method(each, result, _ordered(compare)) for each in _COMPARED))


def _changed(name: str, sign: int) -> Function:
    pairs = (f"{_QUANTITY}, {_QUANTITY}", f"{_QUANTITY}, int")
    return Function(
        name,
        *(method(each, _QUANTITY, _plain(lambda one, other: ComputedQuantity(one + sign * other))) for each in pairs),
    )


AMOUNTS: Final = (
    Function("quantity", function("string", _QUANTITY, _quantity)),
    Function("isQuantity", function("string", "bool", _is_readable(amount))),
    Function("semver", function("string", _VERSION, _version), function("string, bool", _VERSION, _version)),
    Function(
        "isSemver",
        function("string", "bool", _is_readable(Version.parse)),
        function("string, bool", "bool", _is_readable(Version.parse)),
    ),
    _of_both("compareTo", "int", lambda one, other: (one > other) - (one < other)),
    _of_both("isGreaterThan", "bool", operator.gt),
    _of_both("isLessThan", "bool", operator.lt),
    _changed("add", 1),
    _changed("sub", -1),
    Function("asInteger", method(_QUANTITY, "int", _plain(_as_integer))),
    Function("isInteger", method(_QUANTITY, "bool", _plain(_is_integer))),
    Function("asApproximateFloat", method(_QUANTITY, "double", _plain(float))),
    Function("sign", function(_QUANTITY, "int", _plain(lambda one: (one > 0) - (one < 0)))),
    *(Function(part, method(_VERSION, "int", _part(part))) for part in ("major", "minor", "patch")),
)


# Functions of IP addresses and networks.

_UNSPECIFIED: Final = (ip_network("0.0.0.0/32"), ip_network("::/128"))
_LOOPBACK: Final = (ip_network("127.0.0.0/8"), ip_network("::1/128"))
_MULTICAST: Final = (ip_network("224.0.0.0/4"), ip_network("ff00::/8"))
_LINK_LOCAL_UNICAST: Final = (ip_network("169.254.0.0/16"), ip_network("fe80::/10"))
_BROADCAST: Final = ip_network("255.255.255.255/32")
# Of IPv6 the flags may be any.
_LINK_LOCAL_MULTICAST: Final = (ip_network("224.0.0.0/24"), *(ip_network(f"ff{flags:x}2::/16") for flags in range(16)))
_SEVERAL: Final = (*_UNSPECIFIED, *_LOOPBACK, *_MULTICAST, *_LINK_LOCAL_UNICAST, _BROADCAST)


def _read(parse: Callable[[str], Any]) -> Callable[..., Any]:
    def read(scope: Scope, text: str) -> Any:
        scope.traverse(len(text) + 1)
        try:
            return parse(text)
        except ValueError as error:
            raise CelError(str(error)) from None

    return read


def _is_network(parse: Callable[[str], Any]) -> Callable[..., bool]:
    def check(scope: Scope, text: str) -> bool:
        scope.traverse(len(text) + 1)
        try:
            parse(text)
        except (ValueError, UnsupportedExpressionError):
            return False
        return True

    return check


def _of_network(compute: Callable[..., Any]) -> Callable[..., Any]:
    def computed(scope: Scope, *values: Any) -> Any:
        scope.charge(5)
        return compute(*values)

    return computed


def _within(*networks: Any) -> Callable[..., Any]:
    return _of_network(lambda address: address.is_in(*networks))


_address: Final = _read(Address.parse)
_prefix: Final = _read(Prefix.parse)


def _is_canonical(scope: Scope, text: str) -> bool:
    return str(_address(scope, text)) == text


def _has_address(scope: Scope, prefix: Prefix, text: str) -> bool:
    try:
        address = _address(scope, text)
    except CelError:
        raise CelError("no such overload") from None
    return bool(address.is_in(prefix.network))


def _has_prefix(scope: Scope, prefix: Prefix, text: str) -> bool:
    return prefix.has(_prefix(scope, text))


def _masked(prefix: Prefix) -> Prefix:
    return Prefix(Address(prefix.network.network_address), prefix.bits)


_IP: Final = "net.IP"
_CIDR: Final = "net.CIDR"
NETWORKS: Final = (
    Function("ip", function("string", _IP, _address), method(_CIDR, _IP, _of_network(lambda prefix: prefix.address))),
    Function("isIP", function("string", "bool", _is_network(Address.parse))),
    Function("ip.isCanonical", function("string", "bool", _is_canonical)),
    Function("family", method(_IP, "int", _of_network(lambda address: address.value.version))),
    Function("isUnspecified", method(_IP, "bool", _within(*_UNSPECIFIED))),
    Function("isLoopback", method(_IP, "bool", _within(*_LOOPBACK))),
    Function("isLinkLocalMulticast", method(_IP, "bool", _within(*_LINK_LOCAL_MULTICAST))),
    Function("isLinkLocalUnicast", method(_IP, "bool", _within(*_LINK_LOCAL_UNICAST))),
    Function("isGlobalUnicast", method(_IP, "bool", _of_network(lambda address: not address.is_in(*_SEVERAL)))),
    Function("cidr", function("string", _CIDR, _prefix)),
    Function("isCIDR", function("string", "bool", _is_network(Prefix.parse))),
    Function(
        "containsIP",
        method(f"{_CIDR}, string", "bool", _has_address),
        method(f"{_CIDR}, {_IP}", "bool", _of_network(lambda prefix, address: address.is_in(prefix.network))),
    ),
    Function(
        "containsCIDR",
        method(f"{_CIDR}, string", "bool", _has_prefix),
        method(f"{_CIDR}, {_CIDR}", "bool", _of_network(Prefix.has)),
    ),
    Function("prefixLength", method(_CIDR, "int", _of_network(lambda prefix: prefix.bits))),
    Function("masked", method(_CIDR, _CIDR, _of_network(_masked))),
)
FROM_1_38: Final = (Function("isMask", method(_CIDR, "bool", _of_network(lambda prefix: prefix == _masked(prefix)))),)


# Conversions, ``size`` and ``type``, and the operators.

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
