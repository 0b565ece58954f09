"""Quantities and semantic versions.

Upstream: ``k8s.io/apiserver/pkg/cel/library`` v0.37.2 (``quantity.go``, ``semverlib.go``).
"""

from __future__ import annotations

import operator
import re
from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.cel.semver import Version
from clusters.adapters.cel.signatures import Function, function, method
from clusters.adapters.cel.values import CelError, ComputedQuantity, Scope
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
