"""What macros do: functions of an evaluation's scope that give items of lists and maps names.

Upstream: ``parser/macro.go``, ``ext/comprehensions.go`` and ``cel/library.go`` of ``cel-go`` v0.29.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.adapters.cel.parts import GO_NAMES, Run, decided, found_in, variable
from clusters.adapters.cel.values import (
    LIST_COST,
    MAP_COST,
    CelError,
    CelMap,
    CelMapping,
    OptionalValue,
    Scope,
    checked,
    type_name,
)
from clusters.engine.devices import UnsupportedExpressionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def _scopes(names: tuple[str, ...], items: Any, scope: Scope) -> Iterator[Scope]:
    """A scope for each item, with what it is, or with its place or key before."""
    is_double = len(names) > 1
    if not isinstance(items, CelMapping) and type(items) is not list:
        name = GO_NAMES.get(type(items), "*types.Type")
        told = f"unsupported comprehension range type: {name}" if is_double else f"got '{name}', expected iterable type"
        raise CelError(told)
    inner = scope.inner()
    for place, item in enumerate(items):
        scope.charge(2)
        if not is_double:
            inner.variables[names[0]] = item
        elif type(items) is list:
            inner.variables[names[0]], inner.variables[names[1]] = place, item
        else:
            inner.variables[names[0]], inner.variables[names[1]] = item, found_in(items, item)
        yield inner


def quantified(names: tuple[str, ...], target: Run, body: Run, *, decisive: bool) -> Run:
    """``all`` or ``exists``: one item decides, and what fails beside it does not matter."""

    def run(scope: Scope) -> bool:
        return decided(((body, inner) for inner in _scopes(names, target(scope), scope)), decisive=decisive)

    return run


def _chosen(names: tuple[str, ...], items: Any, condition: Run | None, scope: Scope, compute: Run) -> list[Any]:
    """What is computed for each item that meets a condition. Of several faults that of the last condition is told."""
    fault: CelError | None = None
    found: list[Any] = []
    for inner in _scopes(names, items, scope):
        try:
            if condition is not None and not checked(condition(inner), bool):
                continue
        except CelError as error:
            fault = error
            continue
        try:
            found.append(compute(inner))
        except CelError as error:
            fault = fault or error
    if fault is not None:
        raise fault
    return found


def single(names: tuple[str, ...], target: Run, body: Run) -> Run:
    """``exists_one``."""
    return lambda scope: len(_chosen(names, target(scope), body, scope, lambda inner: None)) == 1


def filtering(names: tuple[str, ...], target: Run, body: Run) -> Run:
    """``filter``."""
    return mapping_of(names, target, variable(names[0]), body)


def mapping_of(names: tuple[str, ...], target: Run, body: Run, condition: Run | None = None) -> Run:
    """``map`` and ``transformList``, of items that meet a condition."""

    def run(scope: Scope) -> list[Any]:
        scope.charge(LIST_COST)
        return _chosen(names, target(scope), condition, scope, body)

    return run


def transforming(names: tuple[str, ...], target: Run, body: Run, condition: Run | None, *, has_keys: bool) -> Run:
    """``transformMap``, or ``transformMapEntry``, where the body ``has_keys``."""

    def entry(scope: Scope) -> CelMap | tuple[Any, Any]:
        value = body(scope)
        if has_keys and not isinstance(value, CelMapping):
            raise CelError(f"no such overload: cel.@mapInsert(map, {type_name(value)})")
        return value if has_keys else (scope.variables[names[0]], value)

    def run(scope: Scope) -> CelMap:
        scope.charge(MAP_COST)
        found = CelMap()
        for each in _chosen(names, target(scope), condition, scope, entry):
            pairs = [(key, found_in(each, key)) for key in each] if has_keys else [each]
            scope.charge(len(pairs))
            for key, value in pairs:
                found.insert(key, value)
        return found

    return run


def optional_of_body(name: str, target: Run, body: Run, *, is_flat: bool) -> Run:
    """``optMap`` and ``optFlatMap``."""

    def run(scope: Scope) -> Any:
        value = target(scope)
        scope.charge(2)
        if type(value) is not OptionalValue:
            raise CelError(f"no such overload: hasValue({type_name(value)})")
        if not value.held:
            return value
        inner = scope.inner()
        inner.variables[name] = value.held[0]
        found = body(inner)
        return found if is_flat else OptionalValue((found,))

    return run


def unbroken(value: Run, function: str) -> Run:
    """A value that does not fail: what the scheduler says where it does depends on where it is."""

    def run(scope: Scope) -> Any:
        try:
            return value(scope)
        except CelError:
            raise UnsupportedExpressionError(function) from None

    return run


def sorting(name: str, target: Run, body: Run, order: Callable[..., Any]) -> Run:
    """``sortBy``."""

    def run(scope: Scope) -> list[Any]:
        items = unbroken(target, "sortBy")(scope)
        keys = unbroken(mapping_of((name,), lambda inner: items, body), "sortBy")(scope)
        if type(items) is not list:
            raise CelError("no such overload: @sortByAssociatedKeys")
        found: list[Any] = order(scope, items, keys)
        return found

    return run
