"""Compiles checked expressions to functions of an evaluation's scope.

Upstream: ``interpreter/planner.go`` of ``cel-go`` v0.29.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.cel.checking import Checked, Declarations, checked_expression
from clusters.adapters.cel.library.conversions import FOLDED
from clusters.adapters.cel.library.lists import sorted_by
from clusters.adapters.cel.macros import (
    filtering,
    mapping_of,
    optional_of_body,
    quantified,
    single,
    sorting,
    transforming,
    unbroken,
)
from clusters.adapters.cel.parsing import parsed_expression
from clusters.adapters.cel.parts import (
    Run,
    alternative,
    binding,
    calling,
    chain,
    choice,
    denial,
    item_of,
    listing,
    mapping,
    membership,
    no_place,
    presence,
    variable,
)
from clusters.adapters.cel.syntax import Call, Constant, Field, Listing, Macro, MapLiteral, Name, Node, qualified
from clusters.adapters.cel.values import OPERATORS, TYPES, Account, CelError, Scope, negated, no_overload
from clusters.engine.devices import CompileError, UnsupportedExpressionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusters.adapters.cel.types import Type

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
