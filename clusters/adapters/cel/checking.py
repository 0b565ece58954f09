"""Checks the types of an expression, and says which overloads its calls have.

Upstream: ``checker/checker.go`` and ``cel/validator.go`` of ``cel-go`` v0.29.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.adapters.cel.library.texts import format_faults
from clusters.adapters.cel.parsing import (
    MOST_DEPTH,
    Call,
    Constant,
    Field,
    Listing,
    Macro,
    MapLiteral,
    Name,
    Node,
    qualified,
    refused,
)
from clusters.adapters.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DYN,
    ERROR,
    INT,
    NULL,
    STRING,
    UINT,
    Function,
    Overload,
    Substitutions,
    Type,
    list_of,
    map_of,
    optional_of,
    type_of,
)
from clusters.adapters.cel.values import TYPES, Uint
from clusters.engine.devices import UnsupportedExpressionError

if TYPE_CHECKING:
    from collections.abc import Mapping


_OF_LITERALS: Final = {
    bool: BOOL, bytes: BYTES, float: DOUBLE, int: INT, str: STRING, Uint: UINT, type(None): NULL,
}  # fmt: skip
_CHOICE: Final = "_?_:_"
# cel-go tells of no more.
_MOST_FAULTS: Final = 100


class Declarations(NamedTuple):
    """What an expression may use; ``unsupported``: functions that are there and not computed.

    ``has_escapes``: names of fields may stand in backticks.
    """

    variables: Mapping[str, Type]
    fields: Mapping[str, Mapping[str, Type]]
    functions: Mapping[str, Function]
    unsupported: frozenset[str]
    has_escapes: bool


class Checked(NamedTuple):
    """An expression whose types agree: its type, and the overloads of each call by its identity."""

    root: Node
    type: Type
    overloads: Mapping[int, tuple[Overload, ...]]


def checked_expression(expression: str, root: Node, declarations: Declarations) -> Checked:
    """Check an expression. Raises CompileError, UnsupportedExpressionError."""
    return _Checker(expression, declarations).whole(root)


class _Checker:
    def __init__(self, expression: str, declarations: Declarations) -> None:
        self._expression = expression
        self._declarations = declarations
        self._variables = dict(declarations.variables)
        self._substitutions = Substitutions()
        self._faults: list[tuple[int, str]] = []
        self._overloads: dict[int, tuple[Overload, ...]] = {}
        self._types: dict[int, Type] = {}
        self._formatting: list[Call] = []
        self._aggregates: list[tuple[tuple[Node, ...], tuple[Type, ...]]] = []
        self._depth = 0
        self._formats = 0

    def whole(self, root: Node) -> Checked:
        found = self._type(root)
        if not self._faults:
            self._check_literals()
        if self._faults:
            raise refused(self._expression, self._faults)
        return Checked(root, self._final(found), self._overloads)

    def _final(self, each: Type) -> Type:
        return self._substitutions.resolved(each, free_as_dyn=True)

    def _fault(self, at: int, message: str) -> Type:
        if len(self._faults) >= _MOST_FAULTS:
            raise UnsupportedExpressionError("faults")
        self._faults.append((at, message))
        return ERROR

    def _check_literals(self) -> None:
        """Say where the items of one literal differ in type, which dynamic ones do, and what texts do not format."""
        final = {key: self._final(each) for key, each in self._types.items()} if self._formatting else {}
        for call in self._formatting:
            self._faults.extend(format_faults(call, final))
        for items, types in self._aggregates:
            first = self._final(types[0])
            for item, each in zip(items, map(self._final, types), strict=True):
                if not self._substitutions.is_same(each, first):
                    self._fault(item.at, f"expected type '{first}' but found '{each}'")
                    break

    # -- by kind of part ----------------------------------------------------------------------------------

    def _type(self, node: Node) -> Type:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise UnsupportedExpressionError("depth")
        match node:
            case Constant(value=value):
                found = _OF_LITERALS[type(value)]
            case Name(name=name, at=at):
                found = self._named(name, at)
            case Field():
                found = self._field(node)
            case Call():
                found = self._call(node)
            case Listing():
                found = self._listing(node)
            case MapLiteral():
                found = self._mapping(node)
            case _:
                found = self._macro(node)
        self._depth -= 1
        self._types[id(node)] = found
        return found

    def _named(self, name: str, at: int) -> Type:
        plain = name.removeprefix(".")
        known = self._declarations.variables if plain != name else self._variables
        if plain in known:
            return known[plain]
        if plain in TYPES:
            return type_of("type", Type(plain))
        if plain in ("google", "kubernetes", "net"):
            # Names of types.
            raise UnsupportedExpressionError(plain)
        return self._fault(at, f"undeclared reference to '{name}' (in container '')")

    def _field(self, node: Field) -> Type:
        operand = self._substitutions.resolved(self._type(node.operand))
        is_optional = operand.name == "optional_type"
        target = operand.parameters[0] if is_optional else operand
        found = DYN
        if target.name == "map":
            found = target.parameters[1]
        elif target.name in self._declarations.fields:
            fields = self._declarations.fields[target.name]
            found = fields.get(node.name) or self._fault(node.at, f"undefined field '{node.name}'")
        elif target.is_parameter:
            self._substitutions.agree([(DYN, target)])
        elif not target.is_dynamic:
            self._fault(node.at, f"type '{target}' does not support field selection")
        if node.is_test:
            return BOOL
        found = self._substitutions.resolved(found)
        return optional_of(found) if is_optional or node.is_optional else found

    def _listing(self, node: Listing) -> Type:
        types = [self._item(each, is_optional=place in node.optional) for place, each in enumerate(node.items)]
        return list_of(self._joined(node.items, tuple(types)))

    def _mapping(self, node: MapLiteral) -> Type:
        keys = tuple(each.key for each in node.entries)
        values = tuple(each.value for each in node.entries)
        pairs = [(self._type(each.key), self._item(each.value, is_optional=each.is_optional)) for each in node.entries]
        of_keys = self._joined(keys, tuple(key for key, _ in pairs))
        return map_of(of_keys, self._joined(values, tuple(value for _, value in pairs)))

    def _item(self, node: Node, *, is_optional: bool) -> Type:
        found = self._type(node)
        if not is_optional:
            return found
        if found.name == "optional_type":
            return found.parameters[0]
        if found.name in ("dyn", "any"):
            # The scheduler's checker does not survive it.
            raise UnsupportedExpressionError("?")
        self._fault(node.at, f"expected type '{optional_of(found)}' but found '{found}'")
        return found

    def _joined(self, items: tuple[Node, ...], types: tuple[Type, ...]) -> Type:
        """The type that all items of a literal are of."""
        if not types:
            return self._substitutions.parameter()
        if not self._formats:
            self._aggregates.append((items, types))
        found = types[0]
        for each in types[1:]:
            agrees = self._substitutions.agree([(found, each)])
            found = self._substitutions.more_general(found, each) if agrees else DYN
        return found

    # -- calls --------------------------------------------------------------------------------------------

    def _call(self, node: Call) -> Type:
        name, declarations = node.name, self._declarations
        dotted = f"{qualified(node.target)}.{name}" if node.target is not None and qualified(node.target) else ""
        is_namespaced = dotted in declarations.functions or dotted in declarations.unsupported
        name = dotted.removeprefix(".") if is_namespaced else name.removeprefix(".")
        if name in declarations.unsupported:
            raise UnsupportedExpressionError(name)
        self._formats += name == "format"
        arguments = [self._type(each) for each in node.arguments]
        self._formats -= name == "format"
        is_method = node.target is not None and not is_namespaced
        if node.target is not None and is_method:
            arguments.insert(0, self._type(node.target))
        if name in ("_&&_", "_||_"):
            before = len(self._faults)
            for each, found in zip(node.arguments, arguments, strict=True):
                self._expect_bool(each, found)
            return BOOL if len(self._faults) == before else ERROR
        function = declarations.functions.get(name)
        if function is None:
            return self._fault(node.at, f"undeclared reference to '{node.name}' (in container '')")
        resolved = self._resolved(function.overloads, arguments, is_method=is_method)
        if resolved is None:
            return self._unmatched(node.at, name, arguments, is_method=is_method)
        self._overloads[id(node)] = resolved[1]
        if name == "format":
            self._formatting.append(node)
        return resolved[0]

    def _resolved(
        self, overloads: tuple[Overload, ...], arguments: list[Type], *, is_method: bool
    ) -> tuple[Type, tuple[Overload, ...]] | None:
        """The result of a call and its overloads; None where there is none."""
        result: Type | None = None
        matching: list[Overload] = []
        for each in overloads:
            if each.is_method != is_method or len(each.arguments) != len(arguments):
                continue
            *wanted, given = self._substitutions.fresh((*each.arguments, each.result))
            if not self._substitutions.agree(list(zip(arguments, wanted, strict=True))):
                continue
            matching.append(each)
            given = self._substitutions.resolved(given)
            if result is None or not (result.is_dynamic or self._substitutions.is_same(given, result)):
                result = given if result is None else DYN
        return None if result is None else (result, tuple(matching))

    def _unmatched(self, at: int, name: str, arguments: list[Type], *, is_method: bool) -> Type:
        types = [str(self._final(each)) for each in arguments]
        signature = f"{types[0]}.({', '.join(types[1:])})" if is_method else f"({', '.join(types)})"
        return self._fault(at, f"found no matching overload for '{name}' applied to '{signature}'")

    def _expect_bool(self, node: Node, found: Type) -> None:
        if not self._substitutions.agree([(found, BOOL)]):
            self._fault(node.at, f"expected type 'bool' but found '{found}'")

    def _of_function(self, node: Macro, name: str, *arguments: Type, is_method: bool = False) -> Type:
        """The type of a function's call that a macro stands for."""
        function = self._declarations.functions[name]
        found = self._resolved(function.overloads, list(arguments), is_method=is_method)
        return found[0] if found else self._unmatched(node.at, name, list(arguments), is_method=is_method)

    # -- macros -------------------------------------------------------------------------------------------

    def _macro(self, node: Macro) -> Type:
        before = len(self._faults)
        target = self._substitutions.resolved(self._type(node.target))
        match node.name:
            case "cel.bind":
                return self._within(node, (target,), node.body)
            case "optMap" | "optFlatMap":
                # What it is called for stands there twice.
                for each in self._faults[before:]:
                    self._fault(*each)
                self._of_function(node, "hasValue", target, is_method=True)
                inner = self._of_function(node, "value", target, is_method=True)
                body = self._within(node, (inner,), node.body)
                given = optional_of(body) if node.name == "optMap" else body
                return self._of_function(node, _CHOICE, BOOL, given, optional_of(self._substitutions.parameter()))
        variables = self._of_items(node, target)
        condition = None if node.condition is None else self._within(node, variables, node.condition)
        body = self._within(node, variables, node.body)
        match node.name:
            case "all" | "exists":
                self._expect_bool(node.body, body)
                return BOOL
            case "exists_one" | "existsOne":
                self._of_function(node, _CHOICE, body, INT, INT)
                return BOOL
            case "filter":
                items = list_of(variables[0])
                self._of_function(node, _CHOICE, body, items, items)
                return items
            case "sortBy":
                keys = list_of(body)
                return self._of_function(node, "@sortByAssociatedKeys", target, keys, is_method=True)
        found = self._of_transformed(node, variables, body)
        if condition is not None:
            self._of_function(node, _CHOICE, condition, found, found)
        return found

    def _of_transformed(self, node: Macro, variables: tuple[Type, ...], body: Type) -> Type:
        if node.name == "transformMap":
            return map_of(variables[0], body)
        if node.name == "transformMapEntry":
            empty = map_of(self._substitutions.parameter(), self._substitutions.parameter())
            return self._of_function(node, "cel.@mapInsert", empty, body)
        return list_of(body)

    def _of_items(self, node: Macro, target: Type) -> tuple[Type, ...]:
        """The types of a macro's variables."""
        is_double = len(node.variables) > 1
        if target.name == "list":
            return (INT, target.parameters[0]) if is_double else target.parameters
        if target.name == "map":
            return target.parameters if is_double else target.parameters[:1]
        if target in (DYN, ERROR) or target.is_parameter:
            self._substitutions.agree([(DYN, target)])
            return (DYN, DYN)[: len(node.variables)]
        wanted = "must be list, map, or dynamic"
        at = node.at if node.name == "sortBy" else node.target.at
        self._fault(at, f"expression of type '{target}' cannot be range of a comprehension ({wanted})")
        return (ERROR, ERROR)[: len(node.variables)]

    def _within(self, node: Macro, types: tuple[Type, ...], body: Node) -> Type:
        """The type of what is computed with a macro's variables."""
        before = self._variables
        self._variables = {**before, **dict(zip(node.variables, types, strict=True))}
        found = self._type(body)
        self._variables = before
        return self._substitutions.resolved(found)
