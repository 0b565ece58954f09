"""What the parts of a compiled expression do: functions of an evaluation's scope, and those that make them.

Upstream: ``interpreter`` of ``cel-go`` v0.29.2, ``ext/bindings.go``. Every part accounts for its cost before it does
its work, so that no expression takes more time or memory than ``MOST_COST`` permits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, Final

from clusters.adapters.cel.network import Address, Prefix
from clusters.adapters.cel.semver import Version
from clusters.adapters.cel.values import (
    ABSENT,
    LIST_COST,
    MAP_COST,
    UNHASHABLE,
    BrokenEvaluationError,
    CelError,
    CelMap,
    CelMapping,
    ComputedQuantity,
    OptionalValue,
    Scope,
    Uint,
    checked,
    contained,
    type_name,
)
from clusters.adapters.cel.writing import shown
from clusters.engine.devices import UnsupportedExpressionError

Run = Callable[[Scope], Any]
GO_NAMES: Final[Mapping[type, str]] = {
    bool: "types.Bool",
    bytes: "types.Bytes",
    float: "types.Double",
    int: "types.Int",
    str: "types.String",
    Uint: "types.Uint",
    type(None): "types.Null",
    type: "*types.Type",
    OptionalValue: "*types.Optional",
    Fraction: "cel.Quantity",
    ComputedQuantity: "*cel.Quantity",
    Version: "cel.Semver",
    Address: "cel.IP",
    Prefix: "cel.CIDR",
}
_PLACES: Final = (bool, float, int, str, Uint)


def variable(name: str) -> Run:
    """A variable."""

    def run(scope: Scope) -> Any:
        scope.charge(1)
        value = scope.variables[name]
        return value.found() if type(value) is _Bound else value

    return run


class _Bound:
    """A value of ``cel.bind``, which is computed when it is first asked for, with the variables of its place."""

    __slots__ = ("_run", "_scope", "_value")

    def __init__(self, run: Run, scope: Scope) -> None:
        self._run, self._scope = run, scope
        self._value: Any = _Bound

    def found(self) -> Any:
        if self._value is _Bound:
            self._value = self._run(self._scope)
        return self._value


def binding(name: str, value: Run, body: Run) -> Run:
    """``cel.bind``."""

    def run(scope: Scope) -> Any:
        inner = scope.inner()
        inner.variables[name] = _Bound(value, scope)
        return body(inner)

    return run


def listing(items: list[Run], optional: frozenset[int] = frozenset()) -> Run:
    """A list; those at ``optional`` places may be none."""

    def run(scope: Scope) -> list[Any]:
        scope.charge(LIST_COST + len(items))
        if not optional:
            return [item(scope) for item in items]
        found: list[Any] = []
        for place, item in enumerate(items):
            found.extend(_held(item(scope)) if place in optional else (item(scope),))
        return found

    return run


def mapping(entries: list[tuple[Run, Run, bool]]) -> Run:
    """A map; the last of a key's values counts."""

    def run(scope: Scope) -> CelMap:
        scope.charge(MAP_COST + len(entries))
        found = CelMap()
        for key, value, is_optional in entries:
            name, held = key(scope), value(scope)
            for each in _held(held, (name,)) if is_optional else (held,):
                found.put(name, each)
        return found

    return run


def _held(value: Any, key: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """What is in a value that may be none, at a map's ``key`` or in a list."""
    if type(value) is not OptionalValue:
        where = f"entry '{shown(key[0])}'" if key else "element"
        raise CelError(f"cannot initialize optional list {where} from non-optional value {shown(value)}")
    return value.held


def found_in(held: Any, key: Any) -> Any:
    """What stands at a place of a list or map; ABSENT where nothing does, or the value is none of them."""
    if isinstance(held, CelMapping):
        return held.find(key)
    if type(held) is not list:
        return ABSENT
    if type(key) not in (int, Uint, float):
        raise CelError(f"unsupported index type '{type_name(key)}' in list")
    if key != key // 1:
        raise CelError(f"unsupported index value {shown(key)} in list")
    return held[int(key)] if 0 <= key < len(held) else ABSENT


def no_place(key: Any) -> Exception:
    """The error of a value by which nothing can be asked for."""
    name = GO_NAMES.get(type(key))
    return UnsupportedExpressionError("[]") if name is None else CelError(f"invalid qualifier type: {name}")


def item_of(container: Run, place: Run, *, is_optional: bool = False) -> Run:
    """A field, or what stands at a place of a list or map; of what may be none it may be none."""

    def run(scope: Scope) -> Any:
        held, key = container(scope), place(scope)
        scope.charge(1)
        if type(key) not in _PLACES:
            raise no_place(key)
        may_lack = is_optional
        if type(held) is OptionalValue:
            if not held.held:
                return held
            (held,), may_lack = held.held, True
        found = found_in(held, key)
        if may_lack:
            return OptionalValue(() if found is ABSENT else (found,))
        if found is ABSENT:
            is_index = type(held) is list
            raise CelError(f"index out of bounds: {shown(key)}" if is_index else f"no such key: {shown(key)}")
        return found

    return run


def presence(container: Run, name: str) -> Run:
    """``has``."""

    def run(scope: Scope) -> bool:
        held = container(scope)
        scope.charge(1)
        if type(held) is OptionalValue:
            return bool(held.held) and found_in(held.held[0], name) is not ABSENT
        return found_in(held, name) is not ABSENT

    return run


def alternative(target: Run, other: Run, otherwise: Callable[..., Any], *, is_unwrapped: bool) -> Run:
    """``or``, and ``orValue``, which ``is_unwrapped``: the other is asked only where there is none.

    ``otherwise``: what becomes of a value that is there in any case.
    """

    def run(scope: Scope) -> Any:
        found = target(scope)
        scope.charge(1)
        if type(found) is not OptionalValue:
            return otherwise(scope, found)
        if not found.held:
            return other(scope)
        return found.held[0] if is_unwrapped else found

    return run


def membership(item: Run, items: Run, *, is_set: bool) -> Run:
    """``in`` a list that is written out; where it is a set, no version can be looked up."""

    def run(scope: Scope) -> bool:
        found = item(scope)
        if is_set and type(found) is Version:
            raise BrokenEvaluationError(UNHASHABLE)
        return contained(scope, found, items(scope))

    return run


def denial(value: Run) -> Run:
    """``!``."""

    def run(scope: Scope) -> bool:
        scope.charge(1)
        return not checked(value(scope), bool)

    return run


def choice(condition: Run, chosen: Run, other: Run) -> Run:
    """``?:``."""

    def run(scope: Scope) -> Any:
        scope.charge(1)
        return chosen(scope) if checked(condition(scope), bool) else other(scope)

    return run


def chain(terms: tuple[Run, ...], *, decisive: bool) -> Run:
    """``&&`` or ``||`` of two terms or more."""
    return lambda scope: decided(((term, scope) for term in terms), decisive=decisive)


def decided(terms: Iterable[tuple[Run, Scope]], *, decisive: bool) -> bool:
    """``&&`` or ``||`` of terms: one decides, and what fails beside it does not matter."""
    fault: CelError | None = None
    for term, scope in terms:
        scope.charge(1)
        try:
            if checked(term(scope), bool) == decisive:
                return decisive
        except CelError as error:
            fault = fault or error
    if fault is not None:
        raise fault
    return not decisive


def calling(
    computes: list[tuple[tuple[Callable[[Any], bool], ...], Callable[..., Any]]], fault: Any, arguments: list[Run]
) -> Run:
    """A call of the first function that is for the values, each with what tells so of its arguments."""

    def run(scope: Scope) -> Any:
        values = [argument(scope) for argument in arguments]
        for matchers, compute in computes:
            if len(matchers) == len(values) and all(
                is_of(value) for is_of, value in zip(matchers, values, strict=True)
            ):
                return compute(scope, *values)
        scope.charge(1)
        raise fault(values)

    return run
