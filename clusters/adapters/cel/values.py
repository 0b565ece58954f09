"""Values of CEL, how they compare, and the account of what computing with them costs.

Upstream: ``common/types`` and ``interpreter/runtimecost.go`` of ``cel-go`` v0.29.2, and
``k8s.io/apiserver/pkg/cel/library`` v0.37.2. Values are Python's own: int for int, float for double, list, str, bytes,
bool and None; types are Python's types. Values of different types are unequal and no error, and numbers of different
types compare by value.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import isnan
from typing import Any, Final

from clusters.adapters.cel.semver import Version
from clusters.engine.devices.selecting import CostlyExpressionError, UnsupportedExpressionError
from clusters.engine.resources.quantity import MAX_INT64

MAX_UINT64: Final = 2**64 - 1
# What one evaluation may cost, in the units of Kubernetes. It admits ten times as much, which takes Go as long.
MOST_COST: Final = 100_000
# What creating a list costs.
LIST_COST: Final = 10
# How much of a text an error quotes.
QUOTED: Final = 100


class Uint(int):
    """An unsigned number."""

    __slots__ = ()


class CelError(Exception):
    """What cel-go answers where an expression fails, in its words."""


class Account:
    """What one evaluation has cost."""

    __slots__ = ("cost", "most")

    def __init__(self, most: int = MOST_COST) -> None:
        self.cost, self.most = 0, most

    @property
    def is_exhausted(self) -> bool:
        """Whether the evaluation was given up."""
        return self.cost > self.most

    def charge(self, cost: int) -> None:
        """Account for an operation before it is done. Raises CostlyExpressionError."""
        self.cost += cost
        if self.cost > self.most:
            raise CostlyExpressionError("cost")


class Scope:
    """The variables that a part of an expression sees, and the account of the evaluation."""

    __slots__ = ("account", "charge", "variables")

    def __init__(self, variables: Mapping[str, Any], account: Account) -> None:
        self.variables = dict(variables)
        self.account = account
        self.charge = account.charge

    def traverse(self, length: int, factor: int = 1) -> None:
        """Account for going through a text or list, which costs a tenth for each of its parts."""
        self.charge(-(-length * factor // 10))

    def inner(self) -> Scope:
        """A scope with room for one more variable."""
        self.charge(len(self.variables))
        return Scope(self.variables, self.account)


TYPES: Final[Mapping[str, type]] = {
    "bool": bool,
    "bytes": bytes,
    "double": float,
    "int": int,
    "list": list,
    "map": dict,
    "null_type": type(None),
    "string": str,
    "type": type,
    "uint": Uint,
}
_NAMES: Final = {
    **{each: name for name, each in TYPES.items()},
    Fraction: "kubernetes.Quantity",
    Version: "kubernetes.Semver",
}
_NUMBERS: Final = (int, Uint, float)
_ORDERED: Final = (bool, str, bytes)


def type_of(value: Any) -> type:
    """The type of a value; all maps have one."""
    return dict if isinstance(value, Mapping) else type(value)


def type_name(value: Any) -> str:
    """The name that cel-go gives a value's type."""
    return _NAMES.get(type_of(value), "unknown")


def no_overload() -> CelError:
    """An operation that there is not for values of these types."""
    return CelError("no such overload")


def checked(value: Any, *types: type) -> Any:
    """The value, which is of one of these types. Raises CelError."""
    if type(value) not in types:
        raise no_overload()
    return value


def ranged(value: int) -> int:
    """A number that its type can hold. Raises CelError."""
    if type(value) is Uint:
        if not 0 <= value <= MAX_UINT64:
            raise CelError("unsigned integer overflow")
    elif not -MAX_INT64 - 1 <= value <= MAX_INT64:
        raise CelError("integer overflow")
    return value


def equal(scope: Scope, one: Any, other: Any) -> bool:
    """``==``."""
    kind = type(one)
    if kind in _NUMBERS and type(other) in _NUMBERS:
        scope.charge(1)
        return bool(one == other)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        raise UnsupportedExpressionError("==")
    if kind is not type(other):
        scope.charge(1)
        return False
    if kind is list:
        scope.charge(1)
        return len(one) == len(other) and all(equal(scope, *pair) for pair in zip(one, other, strict=True))
    scope.traverse(min(len(one), len(other)) if kind in (str, bytes) else 1)
    return bool(one == other)


def relation(compare: Callable[[Any, Any], bool]) -> Callable[[Scope, Any, Any], bool]:
    """``<`` and its like."""

    def related(scope: Scope, one: Any, other: Any) -> bool:
        kind = type(one)
        if kind in _NUMBERS and type(other) in _NUMBERS:
            scope.charge(1)
            if isnan(one) or isnan(other):
                raise CelError("NaN values cannot be ordered")
            return compare(one, other)
        if kind is not type(other) or kind not in _ORDERED:
            raise no_overload()
        scope.traverse(1 if kind is bool else min(len(one), len(other)))
        return compare(one, other)

    return related


def contained(scope: Scope, item: Any, container: Any) -> bool:
    """``in``."""
    if isinstance(container, Mapping):
        scope.charge(1)
        return item in container
    return any(equal(scope, item, each) for each in checked(container, list))


def added(scope: Scope, one: Any, other: Any) -> Any:
    """``+``, of numbers, texts and lists."""
    kind = type(one)
    if kind is not type(other):
        raise no_overload()
    if kind in (str, bytes, list):
        scope.traverse(len(one) + len(other) + 1)
        return one + other
    return _computed(operator.add)(scope, one, other)


def _computed(compute: Callable[[Any, Any], Any]) -> Callable[[Scope, Any, Any], Any]:
    def computed(scope: Scope, one: Any, other: Any) -> Any:
        kind = type(checked(one, *_NUMBERS))
        checked(other, kind)
        scope.charge(1)
        found = compute(one, other)
        return found if kind is float else ranged(kind(found))

    return computed


def _quotient(one: Any, other: Any) -> Any:
    if type(one) is float:
        return _double_quotient(one, other)
    if other == 0:
        raise CelError("division by zero")
    found = abs(one) // abs(other)
    return found if (one < 0) == (other < 0) else -found


def _double_quotient(one: float, other: float) -> float:
    if other:
        return one / other
    # As IEEE 754 has it, with the sign of both.
    return float("nan") if isnan(one) or not one else one * float("inf") * (1 if str(other)[0] != "-" else -1)


def _remainder(one: Any, other: Any) -> Any:
    if type(one) is float:
        raise no_overload()
    if other == 0:
        raise CelError("modulus by zero")
    found = abs(one) % abs(other)
    return -found if one < 0 else found


def negated(scope: Scope, value: Any) -> Any:
    """``-``."""
    scope.charge(1)
    return ranged(-checked(value, int, float)) if type(value) is int else -checked(value, float)


OPERATORS: Final[Mapping[str, Callable[[Scope, Any, Any], Any]]] = {
    "==": equal,
    "!=": lambda scope, one, other: not equal(scope, one, other),
    "<": relation(operator.lt),
    "<=": relation(operator.le),
    ">": relation(operator.gt),
    ">=": relation(operator.ge),
    "in": contained,
    "+": added,
    "-": _computed(operator.sub),
    "*": _computed(operator.mul),
    "/": _computed(_quotient),
    "%": _computed(_remainder),
}
