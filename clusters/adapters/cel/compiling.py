"""What the parts of a compiled expression do: functions of an evaluation's scope, and those that make them.

Upstream: ``interpreter`` of ``cel-go`` v0.29.2, ``ext/bindings.go``. Every part accounts for its cost before it does
its work, so that no expression takes more time or memory than ``MOST_COST`` permits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.cel.checking import Checked, Declarations, checked_expression
from clusters.adapters.cel.library.conversions import FOLDED
from clusters.adapters.cel.library.lists import sorted_by
from clusters.adapters.cel.parsing import (
    Call,
    Constant,
    Field,
    Listing,
    Macro,
    MapLiteral,
    Name,
    Node,
    parsed_expression,
    qualified,
)
from clusters.adapters.cel.values import (
    ABSENT,
    LIST_COST,
    MAP_COST,
    OPERATORS,
    TYPES,
    UNHASHABLE,
    Account,
    Address,
    BrokenEvaluationError,
    CelError,
    CelMap,
    CelMapping,
    ComputedQuantity,
    OptionalValue,
    Prefix,
    Scope,
    Uint,
    Version,
    checked,
    contained,
    negated,
    no_overload,
    shown,
    type_name,
)
from clusters.engine.devices import CompileError, UnsupportedExpressionError

if TYPE_CHECKING:
    from clusters.adapters.cel.types import Type

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


# What macros do: functions of an evaluation's scope that give items of lists and maps names.


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


# Compiles checked expressions to functions of an evaluation's scope.

_ALTERNATIVES: Final = ("or", "orValue")
# What they cost depends on their lists, for which the scheduler does not survive an error there.
_COMPARING: Final = ("sort", "distinct")
_PATTERNS: Final = ("find", "findAll")


def compiled_expression(expression: str, declarations: Declarations, wanted: tuple[Type, ...]) -> Run:
    """Compile an expression of one of these types. Raises CompileError, UnsupportedExpressionError."""
    root = parsed_expression(expression, has_escapes=declarations.has_escapes)
    try:
        checked = checked_expression(expression, root, declarations)
        if checked.type not in wanted:
            raise CompileError(f"must evaluate to bool or the unknown type, not {checked.type.full_name}")
        return _Compiler(checked, declarations).run(root)
    except RecursionError:
        raise UnsupportedExpressionError("depth") from None


class _Compiler:
    def __init__(self, checked: Checked, declarations: Declarations) -> None:
        self._checked = checked
        self._declarations = declarations
        # Those of macros; the others are found under their names with a dot before, which no macro can hide.
        self._variables: frozenset[str] = frozenset()

    def run(self, node: Node) -> Run:
        """What a part does."""
        match node:
            case Constant(value=value):
                return _constant(value)
            case Name(name=name):
                if name in self._variables:
                    return variable(name)
                plain = name.removeprefix(".")
                is_root = plain in self._declarations.variables
                return variable(f".{plain}") if is_root else _constant(TYPES[plain])
            case Field(is_test=True):
                return presence(self.run(node.operand), node.name)
            case Field():
                place = _constant(node.name)
                return item_of(self.run(node.operand), place, is_optional=node.is_optional)
            case Listing():
                return listing([self.run(each) for each in node.items], node.optional)
            case MapLiteral():
                return mapping(
                    [(self.run(key), self.run(value), is_optional) for key, value, is_optional in node.entries]
                )
            case Macro():
                return self._macro(node)
            case Call():
                return self._call(node)

    def _call(self, node: Call) -> Run:
        arguments = [self.run(each) for each in node.arguments]
        match node.name, arguments:
            case "_&&_" | "_||_", _:
                return chain(tuple(arguments), decisive=node.name == "_||_")
            case "_?_:_", (condition, chosen, other):
                return choice(condition, chosen, other)
            case "!_", (value,):
                return denial(value)
            case "-_", (value,):
                return lambda scope: negated(scope, value(scope))
            case "_[_]" | "_[?_]", (container, place):
                if self._is_constant(node.arguments[1]):
                    key = place(Scope({}, Account()))
                    if key is None or type(key) is bytes:
                        raise CompileError(f"program instantiation failed: {no_place(key)}")
                return item_of(container, place, is_optional=node.name == "_[?_]")
            case "@in", (one, other) if isinstance(node.arguments[1], Listing):
                # It is not even asked what is in nothing, and what is in constants is looked up.
                items = node.arguments[1].items
                is_set = all(isinstance(each, Constant) for each in items)
                return membership(one, other, is_set=is_set) if items else _constant(False)
            case sign, (one, other) if sign in OPERATORS:
                return _operation(OPERATORS[sign], one, other)
        return self._function(node, arguments)

    def _function(self, node: Call, arguments: list[Run]) -> Run:
        overloads = self._checked.overloads[id(node)]
        name = node.name.removeprefix(".")
        if node.target is not None and overloads[0].is_method:
            arguments.insert(0, self.run(node.target))
            if name in _ALTERNATIVES:
                target, other = arguments
                return alternative(target, other, overloads[0].compute, is_unwrapped=name == "orValue")
        elif node.target is not None:
            name = f"{qualified(node.target)}.{name}".removeprefix(".")
        function = self._declarations.functions[name]
        # Where types leave it open which overload is meant, values decide among all.
        candidates = overloads if len(overloads) == 1 else function.overloads
        computes = [(function.matchers[each], each.compute) for each in candidates]
        fault = function.fault
        if name in _PATTERNS and isinstance(node.arguments[0], Constant):
            # The pattern is compiled beforehand, and the call is another one.
            fault = lambda values: no_overload()  # noqa: E731
        if name in _COMPARING:
            arguments = [unbroken(each, name) for each in arguments]
        found = calling(computes, fault, arguments)
        return _folded(found) if self._is_constant(node) else found

    def _is_constant(self, node: Node) -> bool:
        """Whether a part is a conversion of a constant, which is computed at once."""
        if isinstance(node, Constant):
            return True
        return isinstance(node, Call) and node.name in FOLDED and all(map(self._is_constant, node.arguments))

    def _macro(self, node: Macro) -> Run:
        target = self.run(node.target)
        before = self._variables
        self._variables = before.union(node.variables)
        body = self.run(node.body)
        condition = None if node.condition is None else self.run(node.condition)
        self._variables = before
        names = node.variables
        match node.name:
            case "cel.bind":
                return binding(names[0], target, body)
            case "all" | "exists":
                return quantified(names, target, body, decisive=node.name == "exists")
            case "exists_one" | "existsOne":
                return single(names, target, body)
            case "filter":
                return filtering(names, target, body)
            case "map" | "transformList":
                return mapping_of(names, target, body, condition)
            case "transformMap" | "transformMapEntry":
                has_keys = node.name == "transformMapEntry"
                return transforming(names, target, body, condition, has_keys=has_keys)
            case "optMap" | "optFlatMap":
                return optional_of_body(names[0], target, body, is_flat=node.name == "optFlatMap")
        return sorting(names[0], target, body, sorted_by)


def _constant(value: Any) -> Run:
    return lambda scope: value


def _operation(compute: Callable[[Scope, Any, Any], Any], one: Run, other: Run) -> Run:
    return lambda scope: compute(scope, one(scope), other(scope))


def _folded(run: Run) -> Run:
    try:
        return _constant(run(Scope({}, Account())))
    except CelError as error:
        raise CompileError(f"program instantiation failed: {error}") from None
