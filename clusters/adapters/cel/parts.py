"""What the parts of a compiled expression do: functions of an evaluation's scope, and those that make them.

Upstream: ``interpreter`` of ``cel-go`` v0.29.2, ``ext/bindings.go``. Every part accounts for its cost before it does
its work, so that no expression takes more time or memory than ``MOST_COST`` permits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from clusters.adapters.cel.values import LIST_COST, CelError, Scope, Uint, checked, negated, no_overload

Run = Callable[[Scope], Any]


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


def listing(items: list[Run]) -> Run:
    """A list."""

    def run(scope: Scope) -> list[Any]:
        scope.charge(LIST_COST + len(items))
        return [item(scope) for item in items]

    return run


def item_of(container: Run, place: Run) -> Run:
    """A field, or what stands at a place of a list or map."""

    def run(scope: Scope) -> Any:
        held, key = container(scope), place(scope)
        scope.charge(1)
        if isinstance(held, Mapping):
            return held[key]
        checked(held, list)
        if type(key) not in (int, Uint, float) or key != key // 1:
            raise no_overload()
        if not 0 <= key < len(held):
            raise CelError(f"index out of bounds: {int(key)}")
        return held[int(key)]

    return run


def presence(container: Run, name: str) -> Run:
    """``has``."""

    def run(scope: Scope) -> bool:
        held = container(scope)
        scope.charge(1)
        if not isinstance(held, Mapping):
            raise no_overload()
        return name in held

    return run


def denial(value: Run) -> Run:
    """``!``."""

    def run(scope: Scope) -> bool:
        scope.charge(1)
        return not checked(value(scope), bool)

    return run


def negation(value: Run) -> Run:
    """``-`` of one value."""
    return lambda scope: negated(scope, value(scope))


def choice(condition: Run, chosen: Run, other: Run) -> Run:
    """``?:``."""

    def run(scope: Scope) -> Any:
        scope.charge(1)
        return chosen(scope) if checked(condition(scope), bool) else other(scope)

    return run


def chain(terms: tuple[Run, ...], *, decisive: bool) -> Run:
    """``&&`` or ``||`` of two terms or more."""
    return lambda scope: _decided(((term, scope) for term in terms), decisive=decisive)


def _decided(terms: Iterable[tuple[Run, Scope]], *, decisive: bool) -> bool:
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


def calling(compute: Callable[..., Any], arguments: list[Run]) -> Run:
    """A call."""
    return lambda scope: compute(scope, *[argument(scope) for argument in arguments])


# -- macros --------------------------------------------------------------------------------------------------


def _scopes(name: str, items: Any, scope: Scope) -> Iterator[Scope]:
    """A scope for each item, which is a variable there."""
    if not isinstance(items, Mapping):
        checked(items, list)
    inner = scope.inner()
    for item in items:
        scope.charge(2)
        inner.variables[name] = item
        yield inner


def _quantified(*, decisive: bool) -> Callable[[str, Run, Run], Run]:
    """``all`` or ``exists``: one item decides, and what fails beside it does not matter."""

    def build(name: str, target: Run, body: Run) -> Run:
        def run(scope: Scope) -> bool:
            return _decided(((body, inner) for inner in _scopes(name, target(scope), scope)), decisive=decisive)

        return run

    return build


def _single(name: str, target: Run, body: Run) -> Run:
    return lambda scope: sum(checked(body(inner), bool) for inner in _scopes(name, target(scope), scope)) == 1


def _filtering(name: str, target: Run, body: Run) -> Run:
    return mapping_of(name, target, variable(name), body)


def mapping_of(name: str, target: Run, body: Run, condition: Run | None = None) -> Run:
    """``map``, of items that meet a condition."""

    def run(scope: Scope) -> list[Any]:
        scope.charge(LIST_COST)
        scopes = _scopes(name, target(scope), scope)
        return [body(inner) for inner in scopes if condition is None or checked(condition(inner), bool)]

    return run


MACROS: Final[Mapping[str, Callable[[str, Run, Run], Run]]] = {
    "all": _quantified(decisive=False),
    "exists": _quantified(decisive=True),
    "exists_one": _single,
    "map": mapping_of,
    "filter": _filtering,
}
