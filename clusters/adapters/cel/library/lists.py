"""Functions of lists, sets and values that may be none.

Upstream: ``ext/lists.go``, version 3, ``ext/sets.go`` and ``cel/library.go`` of ``cel-go`` v0.29.2, and
``k8s.io/apiserver/pkg/cel/library/lists.go`` v0.37.2.
"""

from __future__ import annotations

import itertools
import operator
from functools import cmp_to_key
from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.cel.library.texts import INDEXES, LAST_INDEXES, OLD_INDEXES, OLD_LAST_INDEXES
from clusters.adapters.cel.types import Function, function, method
from clusters.adapters.cel.values import (
    LIST_COST as NEW,
    OPERATORS,
    CelError,
    CelMap,
    CelMapping,
    OptionalValue,
    Scope,
    Uint,
    is_same,
    no_overload,
    relation,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_COMPARED: Final = (bool, bytes, float, int, str, Uint)
_KINDS: Final = ("int", "uint", "double", "bool", "string", "bytes")
_SUMMED: Final = {"int": 0, "uint": Uint(0), "double": 0.0}
# Of what Kubernetes counts for going through lists within lists one of so many is counted here, as it admits ten times
# as much.
_SHARE: Final = 8
_less: Final = relation("<", operator.lt)
_MOST_IN_RANGE: Final = 1_000_000
# 1.36 has no more in a list that is asked for what it includes.
_MOST_INCLUDED: Final = 48


def _is_more(scope: Scope, one: Any, other: Any) -> bool:
    """Whether one value is more than another; not where they cannot be compared."""
    try:
        return _less(scope, other, one)
    except CelError:
        return False


def _is_sorted(scope: Scope, items: list[Any]) -> bool:
    scope.charge(len(items))
    _comparable(items)
    return not any(_is_more(scope, one, other) for one, other in itertools.pairwise(items))


def _comparable(items: list[Any]) -> None:
    if any(type(each) not in _COMPARED for each in items):
        raise CelError("no such overload")


def _best(name: str, *, is_least: bool) -> Callable[..., Any]:
    def find(scope: Scope, items: list[Any]) -> Any:
        scope.charge(1 + len(items))
        if not items:
            raise CelError(f"{name} called on empty list")
        _comparable(items)
        found = items[0]
        for each in items[1:]:
            if _is_more(scope, found, each) if is_least else _is_more(scope, each, found):
                found = each
        return found

    return find


def _sum_from(start: Any) -> Callable[..., Any]:
    def compute(scope: Scope, items: list[Any]) -> Any:
        found = start
        for each in items:
            found = OPERATORS["_+_"](scope, found, each)
        return found

    return compute


def _place_of(scope: Scope, items: list[Any], item: Any) -> int:
    scope.charge(len(items))
    return next((place for place, each in enumerate(items) if is_same(scope, each, item)), -1)


def _last_place_of(scope: Scope, items: list[Any], item: Any) -> int:
    scope.charge(len(items))
    return next((place for place in reversed(range(len(items))) if is_same(scope, items[place], item)), -1)


def _includes(scope: Scope, target: Any, item: Any, most: int | None = None) -> bool:
    if type(target) is not list:
        return is_same(scope, target, item)
    scope.charge(len(target))
    for place, each in enumerate(target):
        if place == most:
            raise CelError(f"'includes' function cannot be applied to lists longer than {most} values")
        if is_same(scope, each, item):
            return True
    return False


def _includes_few(scope: Scope, target: Any, item: Any) -> bool:
    return _includes(scope, target, item, _MOST_INCLUDED)


def _slice(scope: Scope, items: list[Any], start: int, end: int) -> list[Any]:
    where = f"cannot slice({start}, {end})"
    if start < 0 or end < 0:
        raise CelError(f"{where}, negative indexes not supported")
    if start > end:
        raise CelError(f"{where}, start index must be less than or equal to end index")
    if end > len(items):
        raise CelError(f"{where}, list is length {len(items)}")
    scope.charge(NEW + end - start)
    return items[start:end]


def _flattened(scope: Scope, items: list[Any], depth: int = 1) -> list[Any]:
    if depth < 0:
        raise CelError("level must be non-negative")
    scope.charge(NEW + len(items) * (1 + depth // _SHARE))
    found: list[Any] = []
    for each in items:
        found.extend(_flattened(scope, each, depth - 1) if type(each) is list and depth else (each,))
    return found


def _range(scope: Scope, size: int) -> list[int]:
    if size < 0:
        raise CelError(f"lists.range: size must be non-negative, got {size}")
    if size > _MOST_IN_RANGE:
        raise CelError(f"lists.range: size {size} exceeds maximum allowed ({_MOST_IN_RANGE})")
    return _lenient_range(scope, size)


def _lenient_range(scope: Scope, size: int) -> list[int]:
    """As before 1.37: where the size is negative there is nothing."""
    scope.charge(NEW + max(size, 0))
    return list(range(size))


def _reversed(scope: Scope, items: list[Any]) -> list[Any]:
    scope.charge(NEW + len(items))
    return items[::-1]


def _distinct(scope: Scope, items: list[Any]) -> list[Any]:
    scope.charge(NEW + 2 * len(items) ** 2 // _SHARE)
    found: list[Any] = []
    for each in items:
        if not any(is_same(scope, each, other) for other in found):
            found.append(each)
    return found


def _sorted(scope: Scope, items: list[Any]) -> list[Any]:
    return sorted_by(scope, items, items)


def sorted_by(scope: Scope, items: list[Any], keys: list[Any]) -> list[Any]:
    """The items in the order of their keys, which are of one type. Raises CelError."""
    scope.charge(NEW + 2 * len(items) + 2 * len(items) ** 2 // _SHARE)
    if not items:
        return items
    if type(keys[0]) not in _COMPARED:
        raise CelError("list elements must be comparable")
    if any(type(key) is not type(keys[0]) for key in keys):
        raise CelError("list elements must have the same type")

    def compare(one: int, other: int) -> int:
        return _is_more(scope, keys[one], keys[other]) - _is_more(scope, keys[other], keys[one])

    return [items[place] for place in sorted(range(len(items)), key=cmp_to_key(compare))]


# -- sets ------------------------------------------------------------------------------------------------------


def _has(scope: Scope, items: list[Any], item: Any) -> bool:
    return any(is_same(scope, item, each) for each in items)


def _has_all(scope: Scope, items: list[Any], others: list[Any]) -> bool:
    scope.charge(1 + len(items) * len(others) // _SHARE)
    return all(_has(scope, items, each) for each in others)


def _is_equivalent(scope: Scope, items: list[Any], others: list[Any]) -> bool:
    return _has_all(scope, items, others) and _has_all(scope, others, items)


def _intersects(scope: Scope, items: list[Any], others: list[Any]) -> bool:
    scope.charge(1 + len(items) * len(others) // _SHARE)
    return any(_has(scope, others, each) for each in items)


# -- values that may be none -----------------------------------------------------------------------------------


def _some(scope: Scope, value: Any) -> OptionalValue:
    scope.charge(1)
    return OptionalValue((value,))


def _some_unless_zero(scope: Scope, value: Any) -> OptionalValue:
    scope.charge(1)
    is_zero = value is None or value == OptionalValue() or (isinstance(value, CelMapping) and not len(value))
    if type(value) in (*_COMPARED, list):
        is_zero = not value
    return OptionalValue(() if is_zero else (value,))


def _none(scope: Scope) -> OptionalValue:
    scope.charge(1)
    return OptionalValue()


def _value(scope: Scope, value: OptionalValue) -> Any:
    scope.charge(1)
    if not value.held:
        raise CelError("optional.none() dereference")
    return value.held[0]


def _has_value(scope: Scope, value: OptionalValue) -> bool:
    scope.charge(1)
    return bool(value.held)


def _first(scope: Scope, items: list[Any]) -> OptionalValue:
    return OptionalValue(tuple(items[:1]))


def _last(scope: Scope, items: list[Any]) -> OptionalValue:
    return OptionalValue(tuple(items[-1:]))


def _unwrapped(scope: Scope, items: list[Any]) -> list[Any]:
    scope.charge(NEW + len(items))
    for each in items:
        if type(each) is not OptionalValue:
            raise CelError(f"value {shown(each)} is not optional")
    return [held for each in items for held in each.held]


def _refused(scope: Scope, value: Any) -> Any:
    raise no_overload()


def _left(scope: Scope, value: Any) -> Any:
    """As before 1.37: what is there in any case is the answer."""
    return value


def _alternatives(otherwise: Callable[..., Any]) -> tuple[Function, ...]:
    """``or`` and ``orValue``, and what becomes of a value that is there in any case."""
    return (
        Function("or", method("optional_type(V), optional_type(V)", "optional_type(V)", otherwise)),
        Function("orValue", method("optional_type(V), V", "V", otherwise)),
    )


def _inserted(scope: Scope, *maps: Any) -> CelMap:
    """What the macros that make maps compute otherwise."""
    raise CelError("no such overload")


_OF_LISTS: Final = "list(A), A"
_SETS: Final = "list(T), list(T)"
LISTS: Final = (
    Function("isSorted", *(method(f"list({kind})", "bool", _is_sorted) for kind in _KINDS)),
    Function("sum", *(method(f"list({kind})", kind, _sum_from(start)) for kind, start in _SUMMED.items())),
    Function("min", *(method(f"list({kind})", kind, _best("min", is_least=True)) for kind in _KINDS)),
    Function("max", *(method(f"list({kind})", kind, _best("max", is_least=False)) for kind in _KINDS)),
    Function("slice", method("list(T), int, int", "list(T)", _slice)),
    Function(
        "flatten", method("list(list(T))", "list(T)", _flattened), method("list(dyn), int", "list(dyn)", _flattened)
    ),
    Function("reverse", method("list(T)", "list(T)", _reversed)),
    Function("distinct", method("list(T)", "list(T)", _distinct)),
    Function(
        "sort",
        *(method(f"list({kind})", f"list({kind})", _sorted) for kind in _KINDS),
        tells_types=False,
        tells_name=True,
    ),
    Function("@sortByAssociatedKeys", *(method(f"list(T), list({kind})", "list(T)", sorted_by) for kind in _KINDS)),
    Function("sets.contains", function(_SETS, "bool", _has_all)),
    Function("sets.equivalent", function(_SETS, "bool", _is_equivalent)),
    Function("sets.intersects", function(_SETS, "bool", _intersects)),
    Function("optional.of", function("V", "optional_type(V)", _some)),
    Function("optional.ofNonZeroValue", function("V", "optional_type(V)", _some_unless_zero)),
    Function("optional.none", function("", "optional_type(V)", _none)),
    Function("optional.unwrap", function("list(optional_type(V))", "list(V)", _unwrapped)),
    Function("unwrapOpt", method("list(optional_type(V))", "list(V)", _unwrapped)),
    Function("value", method("optional_type(V)", "V", _value)),
    Function("hasValue", method("optional_type(V)", "bool", _has_value)),
    Function("first", method("list(V)", "optional_type(V)", _first)),
    Function("last", method("list(V)", "optional_type(V)", _last)),
    Function("cel.@mapInsert", function("map(K, V), map(K, V)", "map(K, V)", _inserted)),
)
# What differs by minor.
BEFORE_1_37: Final = (
    *_alternatives(_left),
    Function("indexOf", *OLD_INDEXES, method(_OF_LISTS, "int", _place_of)),
    Function("lastIndexOf", *OLD_LAST_INDEXES, method(_OF_LISTS, "int", _last_place_of)),
    Function("lists.range", function("int", "list(int)", _lenient_range)),
)
FROM_1_37: Final = (
    *_alternatives(_refused),
    Function("indexOf", *INDEXES, method(_OF_LISTS, "int", _place_of)),
    Function("lastIndexOf", *LAST_INDEXES, method(_OF_LISTS, "int", _last_place_of)),
    Function("lists.range", function("int", "list(int)", _range)),
    Function("includes", method("dyn, dyn", "bool", _includes)),
)
OF_1_36: Final = (Function("includes", method("dyn, dyn", "bool", _includes_few)),)
