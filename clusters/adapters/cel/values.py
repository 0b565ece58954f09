"""Values of CEL, how they compare, and the account of what computing with them costs.

Upstream: ``common/types`` and ``interpreter/runtimecost.go`` of ``cel-go`` v0.29.2, and
``k8s.io/apiserver/pkg/cel/library`` v0.37.2. Values are Python's own: int for int, float for double, list, str, bytes,
bool and None; types are Python's types. Values of different types are unequal and no error, and numbers of different
types compare by value.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import isnan
from typing import Any, Final, NamedTuple

from clusters.adapters.cel.network import Address, Prefix
from clusters.adapters.cel.semver import MAX_UINT64, Version
from clusters.adapters.cel.writing import shown
from clusters.engine.devices import CostlyExpressionError, UnsupportedExpressionError
from clusters.engine.quantity import MAX_INT64

# What one evaluation may cost, in the units of Kubernetes. It admits ten times as much, which takes Go as long.
MOST_COST: Final = 100_000
# What creating a list costs, and a map.
LIST_COST: Final = 10
MAP_COST: Final = 30


class Uint(int):
    """An unsigned number."""

    __slots__ = ()


class ComputedQuantity(Fraction):
    """A quantity that was computed of others, which no other value counts as equal to."""

    __slots__ = ()


class OptionalValue(NamedTuple):
    """A value that may be there; ``held`` has it, or nothing."""

    held: tuple[Any, ...] = ()


class Absence:
    """What a map gives for a key that it does not have."""


ABSENT: Final = Absence()


class CelMapping(Mapping[Any, Any]):
    """A map that can be asked for any key."""

    def find(self, key: Any) -> Any:
        """What stands at a key; ABSENT where nothing does."""
        raise NotImplementedError

    def has(self, key: Any) -> bool:
        """Whether a key is there."""
        return self.find(key) is not ABSENT

    def __getitem__(self, key: Any) -> Any:
        return self.find(key)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class CelMap(CelMapping):
    """A map that an expression makes; ``entries`` has the keys with their values by what they are found under."""

    def __init__(self) -> None:
        self.entries: dict[Any, tuple[Any, Any]] = {}

    def find(self, key: Any) -> Any:
        """What stands at a key; ABSENT where nothing does."""
        if type(key) is Version and self.entries:
            raise BrokenEvaluationError(UNHASHABLE)
        found = self.entries.get(_place_of(key))
        return ABSENT if found is None else found[1]

    def put(self, key: Any, value: Any) -> None:
        """Let a value stand at a key, whatever stood there. Raises BrokenEvaluationError."""
        if type(key) is Version:
            raise BrokenEvaluationError(UNHASHABLE)
        if type(key) not in _KEYS and key is not None:
            raise UnsupportedExpressionError("{}")
        self.entries[_place_of(key)] = (key, value)

    def insert(self, key: Any, value: Any) -> None:
        """Put a value at a key. Raises CelError where one stands there."""
        if self.has(key):
            raise CelError(f"insert failed: key {shown(key)} already exists")
        self.put(key, value)

    def __iter__(self) -> Iterator[Any]:
        return (key for key, _ in self.entries.values())


def _place_of(key: Any) -> Any:
    """What a key is found under: numbers of all types by their value, and apart from true and false."""
    if type(key) is bool:
        return bool, key
    if type(key) in _NUMBERS:
        return float, key
    return type(key), key if type(key) in (str, type(None)) else id(key)


class CelError(Exception):
    """What cel-go answers where an expression fails, in its words."""


class BrokenEvaluationError(Exception):
    """What cel-go answers where it breaks itself: then nothing beside it matters."""


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
    OptionalValue: "optional_type",
    Address: "net.IP",
    Prefix: "net.CIDR",
}
# Those that are compared with their own kind alone.
_OBJECTS: Final = (Fraction, Version, Address, Prefix)
_NUMBERS: Final = (int, Uint, float)
_ORDERED: Final = (bool, str, bytes)
UNHASHABLE: Final = "internal error: runtime error: hash of unhashable type cel.Semver"
_KEYS: Final = (bool, str, *_NUMBERS)


def type_of(value: Any) -> type:
    """The type of a value; all maps have one."""
    if isinstance(value, type):
        return type
    if isinstance(value, Fraction):
        return Fraction
    return dict if isinstance(value, CelMapping) else type(value)


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
    """``==``. Raises CelError where objects are compared with others."""
    kind: Any = Fraction if type(one) is ComputedQuantity else type(one)
    if kind in _NUMBERS and type(other) in _NUMBERS:
        scope.charge(1)
        return bool(one == other)
    if isinstance(one, CelMapping) and isinstance(other, CelMapping):
        scope.charge(1)
        return len(one) == len(other) and all(_agrees_at(scope, key, one, other) for key in one)
    if kind is not type(other):
        scope.charge(1)
        if kind in _OBJECTS:
            raise no_overload()
        return False
    if kind is list:
        scope.charge(1)
        return len(one) == len(other) and not any(_differs(scope, *pair) for pair in zip(one, other, strict=True))
    if kind is OptionalValue:
        return len(one.held) == len(other.held) and all(map(equal, (scope,), one.held, other.held))
    scope.traverse(min(len(one), len(other)) if kind in (str, bytes) else 1)
    return bool(one == other)


def is_same(scope: Scope, one: Any, other: Any) -> bool:
    """Whether two values are equal, where what cannot be compared is not."""
    try:
        return equal(scope, one, other)
    except CelError:
        return False


def _differs(scope: Scope, one: Any, other: Any) -> bool:
    """Whether two items of lists or maps are unequal; what cannot be compared is equal there."""
    try:
        return not equal(scope, one, other)
    except CelError:
        return False


def _agrees_at(scope: Scope, key: Any, one: Any, other: Any) -> bool:
    held = other.find(key)
    return held is not ABSENT and not _differs(scope, one.find(key), held)


def operand(value: Any, sign: str, *types: type) -> Any:
    """The first value of an operation, which is of one of these types. Raises CelError."""
    if type(value) in types:
        return value
    # Texts are asked whether they know it.
    raise no_overload() if type(value) is str else CelError(f"no such overload: {sign}")


def relation(sign: str, compare: Callable[[Any, Any], bool]) -> Callable[[Scope, Any, Any], bool]:
    """``<`` and its like."""

    def related(scope: Scope, one: Any, other: Any) -> bool:
        kind = type(one)
        if kind in _NUMBERS and type(other) in _NUMBERS:
            scope.charge(1)
            if isnan(one) or isnan(other):
                raise CelError("NaN values cannot be ordered")
            return compare(one, other)
        operand(one, f"_{sign}_", *_ORDERED, *_NUMBERS)
        if kind is not type(other):
            raise no_overload()
        scope.traverse(1 if kind is bool else min(len(one), len(other)))
        return compare(one, other)

    return related


def contained(scope: Scope, item: Any, container: Any) -> bool:
    """``in``."""
    if isinstance(container, CelMapping):
        scope.charge(1)
        return container.has(item)
    scope.traverse(len(checked(container, list)))
    return any(is_same(scope, item, each) for each in container)


def added(scope: Scope, one: Any, other: Any) -> Any:
    """``+``, of numbers, texts and lists."""
    kind = type(operand(one, "_+_", *_NUMBERS, str, bytes, list))
    if kind is not type(other):
        raise no_overload()
    if kind in (str, bytes, list):
        scope.traverse(len(one) + len(other) + 1)
        return one + other
    return _computed("+", operator.add)(scope, one, other)


def _computed(
    sign: str, compute: Callable[[Any, Any], Any], types: tuple[type, ...] = _NUMBERS
) -> Callable[[Scope, Any, Any], Any]:
    def computed(scope: Scope, one: Any, other: Any) -> Any:
        kind = type(operand(one, f"_{sign}_", *types))
        checked(other, kind)
        scope.charge(1)
        found = compute(one, other)
        return found if kind is float else ranged(kind(found))

    return computed


def _quotient(one: Any, other: Any) -> Any:
    if type(one) is float:
        if other:
            return one / other
        # As IEEE 754 has it, with the sign of both.
        return float("nan") if isnan(one) or not one else one * float("inf") * (1 if str(other)[0] != "-" else -1)
    if other == 0:
        raise CelError("division by zero")
    found = abs(one) // abs(other)
    return found if (one < 0) == (other < 0) else -found


def _remainder(one: Any, other: Any) -> Any:
    if other == 0:
        raise CelError("modulus by zero")
    found = abs(one) % abs(other)
    return -found if one < 0 else found


def negated(scope: Scope, value: Any) -> Any:
    """``-``."""
    scope.charge(1)
    if type(value) is bool:
        raise no_overload()
    found = -operand(value, "-_", int, float)
    return found if type(found) is float else ranged(found)


OPERATORS: Final[Mapping[str, Callable[[Scope, Any, Any], Any]]] = {
    "_==_": equal,
    "_!=_": lambda scope, one, other: not is_same(scope, one, other),
    "_<_": relation("<", operator.lt),
    "_<=_": relation("<=", operator.le),
    "_>_": relation(">", operator.gt),
    "_>=_": relation(">=", operator.ge),
    "@in": contained,
    "_+_": added,
    "_-_": _computed("-", operator.sub),
    "_*_": _computed("*", operator.mul),
    "_/_": _computed("/", _quotient),
    "_%_": _computed("%", _remainder, (int, Uint)),
}
