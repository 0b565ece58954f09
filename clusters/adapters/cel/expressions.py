"""CEL expressions, compiled to functions of an evaluation's scope.

Upstream: ``parser`` of ``cel-go`` v0.29.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.adapters.cel.functions import FUNCTIONS
from clusters.adapters.cel.parts import (
    MACROS,
    Run,
    binding,
    calling,
    chain,
    choice,
    denial,
    item_of,
    listing,
    mapping_of,
    negation,
    presence,
    variable,
)
from clusters.adapters.cel.tokens import END, Token, tokens_of
from clusters.adapters.cel.values import OPERATORS, TYPES
from clusters.engine.devices.selecting import CompileError, UnsupportedExpressionError
from clusters.engine.resources.quantity import MAX_INT64

if TYPE_CHECKING:
    from collections.abc import Mapping

# How deep expressions may be nested; cel-go's parser gives up at 250.
MOST_DEPTH: Final = 100
_BINARY: Final = {
    "||": 1,
    "&&": 2,
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!=", "in"), 3),
    **dict.fromkeys("+-", 4),
    **dict.fromkeys("*/%", 5),
}
_CONSTANTS: Final[Mapping[str, Any]] = {"true": True, "false": False, "null": None}


class CompiledPart(NamedTuple):
    """A part of an expression: how it is evaluated, and how deep it is nested.

    ``terms``: those of a chain of ``&&`` or ``||``, by ``sign``. ``selected``: the map of which it is a field, by
    ``name``; a variable has its name alone.
    """

    run: Run
    depth: int = 1
    sign: str = ""
    terms: tuple[Run, ...] = ()
    name: str = ""
    selected: Run | None = None


def compiled_expression(expression: str, variables: tuple[str, ...]) -> Run:
    """Compile an expression over these variables. Raises CompileError, UnsupportedExpressionError."""
    try:
        return _Parser(tokens_of(expression), variables).whole().run
    except RecursionError:
        raise UnsupportedExpressionError("depth") from None


class _Parser:
    def __init__(self, tokens: list[Token], variables: tuple[str, ...]) -> None:
        self._tokens = tokens
        self._place = 0
        self._variables = list(variables)
        self._depth = 0

    # -- tokens -------------------------------------------------------------------------------------------

    @property
    def _next(self) -> Token:
        return self._tokens[self._place] if self._place < len(self._tokens) else END

    def _take(self) -> Token:
        found = self._next
        self._place += 1
        return found

    def _takes(self, text: str) -> bool:
        found = self._next
        if found.text != text or found.name in ("literal", "integer", "end"):
            return False
        self._place += 1
        return True

    def _expect(self, text: str) -> None:
        if not self._takes(text):
            raise _unexpected(self._next)

    def _name(self) -> str:
        found = self._take()
        if found.name != "name" or found.text in _CONSTANTS or found.text == "in":
            raise _unexpected(found)
        return found.text

    # -- grammar ------------------------------------------------------------------------------------------

    def whole(self) -> CompiledPart:
        found = self._expression()
        if self._next is not END:
            raise _unexpected(self._next)
        return found

    def _expression(self) -> CompiledPart:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise UnsupportedExpressionError("depth")
        found = self._binary(1)
        if self._takes("?"):
            chosen = self._binary(1)
            self._expect(":")
            other = self._expression()
            found = _deeper(choice(found.run, chosen.run, other.run), found, chosen, other)
        self._depth -= 1
        return found

    def _binary(self, least: int) -> CompiledPart:
        found = self._unary()
        while (sign := self._next).name in ("sign", "name") and _BINARY.get(sign.text, 0) >= least:
            self._place += 1
            other = self._binary(_BINARY[sign.text] + 1)
            found = _joined(sign.text, found, other)
        return found

    def _unary(self) -> CompiledPart:
        for sign, operation in (("!", denial), ("-", negation)):
            count = 0
            while self._takes(sign):
                count += 1
            if not count:
                continue
            if sign == "-" and count % 2 and self._next.name == "integer" and type(self._next.value) is int:
                literal = self._take()
                return self._members(_constant(-literal.value))
            found = self._members(self._primary())
            return _deeper(operation(found.run), found) if count % 2 else found
        return self._members(self._primary())

    def _primary(self) -> CompiledPart:
        token = self._take()
        if token.name in ("literal", "integer"):
            if token.name == "integer" and type(token.value) is int and token.value > MAX_INT64:
                raise CompileError("invalid int literal")
            return _constant(token.value)
        if token.name == "name":
            self._place -= 1
            return self._named()
        match token.text:
            case "(":
                found = self._expression()
                self._expect(")")
                # What stands in brackets is no chain, variable or field any longer.
                return CompiledPart(found.run, found.depth, name=found.name, selected=found.selected)
            case "[":
                parts = self._separated("]")
                return _deeper(listing([part.run for part in parts]), *parts)
            case "{":
                raise UnsupportedExpressionError("{}")
        raise _unexpected(token)

    def _named(self) -> CompiledPart:
        token = self._next
        if token.text in _CONSTANTS:
            self._place += 1
            return _constant(_CONSTANTS[token.text])
        name = self._name()
        if self._takes("("):
            return self._has() if name == "has" else self._call(name, [])
        if name in self._variables:
            return CompiledPart(variable(name), name=name)
        if name in TYPES:
            return _constant(TYPES[name])
        if self._takes("."):
            if name == "cel" and self._takes("bind") and self._takes("("):
                return self._bind()
            # A function of a library, or a type.
            raise UnsupportedExpressionError(name)
        raise CompileError(f"undeclared reference to '{name}' (in container '')")

    def _members(self, found: CompiledPart) -> CompiledPart:
        while True:
            if self._takes("."):
                if self._takes("?"):
                    raise UnsupportedExpressionError("?")
                name = self._name()
                if not self._takes("("):
                    found = _deeper(item_of(found.run, _constant(name).run), found)._replace(
                        name=name, selected=found.run
                    )
                elif name in MACROS:
                    found = self._macro(name, found)
                else:
                    found = self._call(name, [found])
            elif self._takes("["):
                if self._takes("?"):
                    raise UnsupportedExpressionError("?")
                place = self._expression()
                self._expect("]")
                found = _deeper(item_of(found.run, place.run), found, place)
            elif self._takes("{"):
                raise UnsupportedExpressionError("{}")
            else:
                return found
            # Fields of fields are nested without brackets.
            if found.depth > MOST_DEPTH:
                raise UnsupportedExpressionError("depth")

    def _separated(self, end: str) -> list[CompiledPart]:
        found: list[CompiledPart] = []
        while not self._takes(end):
            if found:
                self._expect(",")
                if end == "]" and self._takes(end):
                    break
            found.append(self._expression())
        return found

    # -- calls --------------------------------------------------------------------------------------------

    def _call(self, name: str, target: list[CompiledPart]) -> CompiledPart:
        function = FUNCTIONS.get(name)
        if function is None:
            raise UnsupportedExpressionError(name)
        arguments = [*target, *self._separated(")")]
        if len(arguments) not in function.arity:
            raise UnsupportedExpressionError(name)
        return _deeper(calling(function.compute, [part.run for part in arguments]), *arguments)

    def _has(self) -> CompiledPart:
        found = self._expression()
        self._expect(")")
        if found.selected is None:
            raise CompileError("invalid argument to has() macro")
        return _deeper(presence(found.selected, found.name), found)

    def _scoped(self, name: str) -> CompiledPart:
        """An expression in which there is one more variable."""
        self._variables.append(name)
        found = self._expression()
        self._variables.pop()
        return found

    def _bind(self) -> CompiledPart:
        name = self._name()
        self._expect(",")
        value = self._expression()
        self._expect(",")
        body = self._scoped(name)
        self._expect(")")
        return _deeper(binding(name, value.run, body.run), value, body)

    def _macro(self, macro: str, target: CompiledPart) -> CompiledPart:
        name = self._name()
        bodies: list[CompiledPart] = []
        while not self._takes(")"):
            self._expect(",")
            if macro != "map" and self._tokens[self._place + 1 : self._place + 2] == [_COMMA]:
                # Those of two variables.
                raise UnsupportedExpressionError(macro)
            bodies.append(self._scoped(name))
        build = MACROS[macro]
        if macro == "map" and len(bodies) == _WITH_CONDITION:
            condition, body = bodies
            run = mapping_of(name, target.run, body.run, condition.run)
        elif len(bodies) == 1:
            run = build(name, target.run, bodies[0].run)
        else:
            raise UnsupportedExpressionError(macro)
        return _deeper(run, target, *bodies)


_WITH_CONDITION: Final = 2
_COMMA: Final = Token("sign", ",")


def _unexpected(token: Token) -> CompileError:
    return CompileError(f"Syntax error: unexpected '{token.text or '<EOF>'}'")


def _deeper(run: Run, *parts: CompiledPart) -> CompiledPart:
    depth = 1 + max((part.depth for part in parts), default=0)
    if depth > MOST_DEPTH:
        raise UnsupportedExpressionError("depth")
    return CompiledPart(run, depth)


def _constant(value: Any) -> CompiledPart:
    return CompiledPart(lambda scope: value)


def _joined(sign: str, one: CompiledPart, other: CompiledPart) -> CompiledPart:
    if sign in ("&&", "||"):
        terms = (*(one.terms if one.sign == sign else (one.run,)), other.run)
        depth = max(one.depth, other.depth + 1)
        return CompiledPart(chain(terms, decisive=sign == "||"), depth, sign, terms)
    operation, left, right = OPERATORS[sign], one.run, other.run
    return _deeper(lambda scope: operation(scope, left(scope), right(scope)), one, other)
