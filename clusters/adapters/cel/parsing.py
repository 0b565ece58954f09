"""What cel-go says of an expression that it does not compile, with the place."""

from __future__ import annotations

import re
from math import isfinite
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.adapters.cel.values import MAX_UINT64, Uint
from clusters.engine.devices import CompileError, UnsupportedExpressionError
from clusters.engine.quantity import MAX_INT64

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

# How long a message may be; the first fault is told in any case.
_MOST_TOLD: Final = 30_000


def refused(expression: str, faults: Iterable[tuple[int, str]]) -> CompileError:
    """The error of an expression with these faults, each by its place."""
    ordered = sorted(faults, key=itemgetter(0))
    told: list[str] = []
    for fault in ordered:
        if told and sum(map(len, told)) > _MOST_TOLD:
            told.append(f"{len(ordered) - len(told)} more errors were truncated")
            break
        told.append(_told(expression, *fault))
    return CompileError("compilation failed: " + "\n".join(told))


def _told(expression: str, at: int, message: str) -> str:
    start = expression.rfind("\n", 0, at) + 1
    line = expression[start:].split("\n", 1)[0].replace("\t", " ")
    dots = "".join("." if ord(each) < 128 else "\uff0e" for each in line[: at - start])
    number = expression.count("\n", 0, at) + 1
    return f"ERROR: <input>:{number}:{at - start + 1}: {message}\n | {line}\n | {dots.ljust(at - start, '.')}^"


# The parts of which expressions are made; ``at`` is where each stands, as the scheduler's errors tell it.


class Constant(NamedTuple):
    """A literal."""

    value: Any
    at: int


class Name(NamedTuple):
    """A variable or a type."""

    name: str
    at: int


class Field(NamedTuple):
    """``operand.name``; of a test the answer is whether it is there."""

    operand: Node
    name: str
    at: int
    is_test: bool = False
    is_optional: bool = False


class Call(NamedTuple):
    """A function of arguments, or a method of ``target``; operators are functions too."""

    name: str
    target: Node | None
    arguments: tuple[Node, ...]
    at: int


class Listing(NamedTuple):
    """``[items]``; ``optional`` has the places of those that may be none."""

    items: tuple[Node, ...]
    optional: frozenset[int]
    at: int


class Entry(NamedTuple):
    """One entry of a map."""

    key: Node
    value: Node
    is_optional: bool


class MapLiteral(NamedTuple):
    """``{entries}``."""

    entries: tuple[Entry, ...]
    at: int


class Macro(NamedTuple):
    """What is computed with variables of its own; ``condition`` says for which items, where it says so."""

    name: str
    target: Node
    variables: tuple[str, ...]
    body: Node
    at: int
    condition: Node | None = None


Node = Constant | Name | Field | Call | Listing | MapLiteral | Macro


def qualified(node: Node | None) -> str:
    """The dotted name that a part may be; empty where it is none."""
    if isinstance(node, Name):
        return node.name
    if isinstance(node, Field) and not node.is_test and not node.is_optional:
        operand = qualified(node.operand)
        return f"{operand}.{node.name}" if operand else ""
    return ""


# Words and signs of CEL, and the values of its literals.

_TOKEN: Final = re.compile(
    r"""(?P<space>(?:\s|//[^\n]*)+)
    |(?P<raw>(?:[rR][bB]?|[bB][rR])(?:\"{3}(?s:.)*?\"{3}|'{3}(?s:.)*?'{3}|"[^"\n]*"|'[^'\n]*'))
    |(?P<text>[bB]?(?:\"{3}(?s:[^\\]|\\.)*?\"{3}|'{3}(?s:[^\\]|\\.)*?'{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))
    |(?P<double>\d+\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\.\d+(?:[eE][-+]?\d+)?)
    |(?P<integer>(?:0x[0-9a-fA-F]+|\d+)[uU]?)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<escaped>`[A-Za-z0-9_.\-/ ]+`)
    |(?P<sign><=|>=|==|!=|&&|\|\||[-+*/%<>!?:.,()\[\]{}])""",
    re.ASCII | re.VERBOSE,
)
_ESCAPE: Final = re.compile(r"\\(?:[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2}|(?s:.))")
_ESCAPED: Final = dict(zip("abfnrtv\\?\"'`", "\a\b\f\n\r\t\v\\?\"'`", strict=True))
_SURROGATES: Final = range(0xD800, 0xE000)
# The longest integer literal: a number of 64 bits, as decimal digits or after 0x.
_MOST_DIGITS: Final = 20


class Token(NamedTuple):
    """A literal has a value; names and signs have their text. ``at``: where it stands."""

    name: str
    text: str
    value: Any = None
    at: int = 0


END: Final = Token("end", "")


def tokens_of(expression: str) -> list[Token]:
    """Split an expression. Raises CompileError."""
    found: list[Token] = []
    place = 0
    while place < len(expression):
        match = _TOKEN.match(expression, place)
        if match is None:
            message = f"Syntax error: token recognition error at: '{expression[place : place + 20]}'"
            raise refused(expression, [(place, message)])
        at, place = place, match.end()
        kind, text = str(match.lastgroup), match[0]
        if kind == "space":
            continue
        try:
            value = _READ[kind](text) if kind in _READ else None
        except ValueError as error:
            raise refused(expression, [(at, str(error))]) from None
        found.append(Token("literal" if kind in _LITERALS else kind, text, value, at))
    return found


def _double(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError("invalid double literal")
    return value


def _integer(text: str) -> int:
    digits = text.rstrip("uU")
    if len(digits) > _MOST_DIGITS:
        raise ValueError("invalid int literal")
    value = int(digits, 16) if digits.startswith("0x") else int(digits)
    if digits != text:
        if value > MAX_UINT64:
            raise ValueError("invalid uint literal")
        return Uint(value)
    # One more is the least number, after a minus.
    if value > MAX_INT64 + 1:
        raise ValueError("invalid int literal")
    return value


def _raw(text: str) -> str | bytes:
    return _unquoted(text, is_raw=True)


def _text(text: str) -> str | bytes:
    return _unquoted(text, is_raw=False)


_LITERALS: Final = ("raw", "text", "double")
_READ: Final[Mapping[str, Callable[[str], Any]]] = {"raw": _raw, "text": _text, "double": _double, "integer": _integer}


def _unquoted(text: str, *, is_raw: bool) -> str | bytes:
    start = min(place for place in (text.find('"'), text.find("'")) if place >= 0)
    is_bytes = "b" in text[:start].lower()
    quotes = 3 if text[start : start + 3] in ('"""', "'''") and len(text) - start >= len('""""""') else 1
    inner = text[start + quotes : len(text) - quotes]
    if is_raw or "\\" not in inner:
        return inner.encode() if is_bytes else inner
    if is_bytes:
        # Numbers are bytes there, and characters elsewhere.
        parts = _ESCAPE.split(inner)
        escapes = [_byte(match) for match in _ESCAPE.finditer(inner)]
        return b"".join(part.encode() + escape for part, escape in zip(parts, [*escapes, b""], strict=True))
    return _ESCAPE.sub(_escaped, inner)


def _byte(match: re.Match[str]) -> bytes:
    code = match[0][1:]
    if code[0] in "uU":
        raise ValueError("unable to unescape string")
    return _escaped(match).encode("latin-1")


def _escaped(match: re.Match[str]) -> str:
    code = match[0][1:]
    if len(code) == 1:
        if code not in _ESCAPED:
            raise ValueError("unable to unescape string")
        return _ESCAPED[code]
    number = int(code, 8) if code[0].isdigit() else int(code[1:], 16)
    if number in _SURROGATES or number > 0x10FFFF:
        raise ValueError("invalid unicode code point")
    return chr(number)


# Reads expressions into their parts.

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
_RESERVED: Final = frozenset(
    [
        "as",
        "break",
        "const",
        "continue",
        "else",
        "for",
        "function",
        "if",
        "import",
        "let",
        "loop",
        "package",
        "namespace",
        "return",
        "var",
        "void",
        "while",
    ]
)
# How many arguments a macro has, and how many of them are variables.
_MACROS: Final = {
    **dict.fromkeys([("all", 2), ("exists", 2), ("exists_one", 2), ("map", 2), ("map", 3), ("filter", 2)], 1),
    **dict.fromkeys([("optMap", 2), ("optFlatMap", 2), ("sortBy", 2)], 1),
    **dict.fromkeys([("all", 3), ("exists", 3), ("exists_one", 3), ("existsOne", 3)], 2),
    **{(name, count): 2 for name in ("transformList", "transformMap", "transformMapEntry") for count in (3, 4)},
}
_NO_NAMES: Final = {
    "optMap": "optMap() variable name must be a simple identifier",
    "optFlatMap": "optFlatMap() variable name must be a simple identifier",
    "cel.bind": "cel.bind() variable names must be simple identifiers",
}
_OF_BINDING: Final = 3


def parsed_expression(expression: str, *, has_escapes: bool) -> Node:
    """Read an expression; ``has_escapes``: names of fields may stand in backticks.

    Raises CompileError, UnsupportedExpressionError.
    """
    try:
        return _Parser(expression, has_escapes=has_escapes).whole()
    except RecursionError:
        raise UnsupportedExpressionError("depth") from None


class _Parser:
    def __init__(self, expression: str, *, has_escapes: bool) -> None:
        self._expression_text = expression
        self._has_escapes = has_escapes
        self._tokens = tokens_of(expression)
        self._place = 0
        self._depth = 0

    # -- tokens -------------------------------------------------------------------------------------------

    @property
    def _next(self) -> Token:
        return self._tokens[self._place] if self._place < len(self._tokens) else END

    def _take(self) -> Token:
        found = self._next
        self._place += 1
        return found

    def _takes(self, text: str) -> Token | None:
        found = self._next
        if found.name != "sign" or found.text != text:
            return None
        self._place += 1
        return found

    def _expect(self, text: str) -> None:
        if self._takes(text) is None:
            raise self._unexpected(self._next)

    def _refusal(self, at: int, message: str) -> Exception:
        return refused(self._expression_text, [(at, message)])

    def _unexpected(self, token: Token) -> Exception:
        at = len(self._expression_text) if token is END else token.at
        return self._refusal(at, f"Syntax error: unexpected '{token.text or '<EOF>'}'")

    def _name(self) -> Token:
        found = self._take()
        if found.name != "name" or found.text in _CONSTANTS or found.text == "in":
            raise self._unexpected(found)
        return found

    # -- grammar ------------------------------------------------------------------------------------------

    def whole(self) -> Node:
        found = self._expression()
        if self._next is not END:
            raise self._unexpected(self._next)
        return found

    def _expression(self) -> Node:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise UnsupportedExpressionError("depth")
        found = self._binary(1)
        if sign := self._takes("?"):
            chosen = self._binary(1)
            self._expect(":")
            found = Call("_?_:_", None, (found, chosen, self._expression()), sign.at)
        self._depth -= 1
        return found

    def _binary(self, least: int) -> Node:
        found, chained = self._unary(), ""
        while (sign := self._next).name in ("sign", "name") and _BINARY.get(sign.text, 0) >= least:
            self._place += 1
            other = self._binary(_BINARY[sign.text] + 1)
            name = "@in" if sign.text == "in" else f"_{sign.text}_"
            before = found.arguments if isinstance(found, Call) and sign.text == chained else (found,)
            found, chained = Call(name, None, (*before, other), sign.at), sign.text if sign.text in ("&&", "||") else ""
        return found

    def _unary(self) -> Node:
        for text, name in (("!", "!_"), ("-", "-_")):
            if not (first := self._takes(text)):
                continue
            count = 1
            while self._takes(text):
                count += 1
            if text == "-" and count == 1 and (literal := self._negative(first.at)):
                return self._members(literal)
            found = self._members(self._primary())
            return Call(name, None, (found,), first.at) if count % 2 else found
        return self._members(self._primary())

    def _negative(self, at: int) -> Constant | None:
        """The number that stands after a minus."""
        literal = self._next
        if not (literal.name == "integer" and type(literal.value) is int) and type(literal.value) is not float:
            return None
        self._place += 1
        return Constant(-literal.value, at)

    def _primary(self) -> Node:
        token = self._take()
        if token.name in ("literal", "integer"):
            if token.name == "integer" and type(token.value) is int and token.value > MAX_INT64:
                raise self._refusal(token.at, "invalid int literal")
            return Constant(token.value, token.at)
        if token.name == "name":
            return self._named(token)
        match token.text if token.name == "sign" else "":
            case "(":
                found = self._expression()
                self._expect(")")
                return found
            case "[":
                return self._listing(token.at)
            case "{":
                return self._mapping(token.at)
            case "-":
                if literal := self._negative(token.at):
                    return literal
            case ".":
                found = self._named(self._take())
                if isinstance(found, Name | Call):
                    return (
                        found._replace(name=f".{found.name}")
                        if isinstance(found, Call)
                        else Name(f".{found.name}", found.at)
                    )
        raise self._unexpected(token)

    def _named(self, token: Token) -> Node:
        if token.name != "name" or token.text == "in":
            raise self._unexpected(token)
        if token.text in _CONSTANTS:
            return Constant(_CONSTANTS[token.text], token.at)
        if opening := self._takes("("):
            return self._global_call(token.text, opening.at)
        if token.text in _RESERVED:
            raise self._refusal(token.at, f"reserved identifier: {token.text}")
        return Name(token.text, token.at)

    def _members(self, found: Node) -> Node:
        while True:
            if dot := self._takes("."):
                is_optional = self._takes("?") is not None
                escaped = self._next if self._next.name == "escaped" else None
                if escaped and not self._has_escapes:
                    raise self._refusal(escaped.at, "unsupported syntax: '`'")
                name = self._take() if escaped else self._name()
                opening = None if is_optional or escaped else self._takes("(")
                if opening is None:
                    found = Field(found, name.text.strip("`"), dot.at, is_optional=is_optional)
                else:
                    found = self._method(name.text, found, opening.at)
            elif opening := self._takes("["):
                name_of = "_[?_]" if self._takes("?") else "_[_]"
                place = self._expression()
                self._expect("]")
                found = Call(name_of, None, (found, place), opening.at)
            elif self._next.text == "{" and self._next.name == "sign" and qualified(found):
                # A message of a type that there is not.
                message = f"undeclared reference to '{qualified(found)}' (in container '')"
                raise self._refusal(self._next.at, message)
            else:
                return found

    def _arguments(self) -> tuple[Node, ...]:
        found: list[Node] = []
        while not self._takes(")"):
            if found:
                self._expect(",")
            found.append(self._expression())
        return tuple(found)

    def _listing(self, at: int) -> Node:
        items: list[Node] = []
        optional: set[int] = set()
        while not self._takes("]"):
            if items:
                self._expect(",")
                if self._takes("]"):
                    break
            if self._takes("?"):
                optional.add(len(items))
            items.append(self._expression())
        return Listing(tuple(items), frozenset(optional), at)

    def _mapping(self, at: int) -> Node:
        entries: list[Entry] = []
        while not self._takes("}"):
            if entries:
                self._expect(",")
                if self._takes("}"):
                    break
            is_optional = self._takes("?") is not None
            key = self._expression()
            self._expect(":")
            entries.append(Entry(key, self._expression(), is_optional))
        return MapLiteral(tuple(entries), at)

    # -- calls and macros ---------------------------------------------------------------------------------

    def _global_call(self, name: str, at: int) -> Node:
        arguments = self._arguments()
        if name != "has" or len(arguments) != 1:
            return Call(name, None, arguments, at)
        tested = arguments[0]
        if not isinstance(tested, Field) or tested.is_test or tested.is_optional:
            raise self._refusal(tested.at, "invalid argument to has() macro")
        return Field(tested.operand, tested.name, at, is_test=True)

    def _method(self, name: str, target: Node, at: int) -> Node:
        arguments = self._arguments()
        if name == "bind" and qualified(target) == "cel" and len(arguments) == _OF_BINDING:
            bound = self._variables("cel.bind", arguments[:1])
            return Macro("cel.bind", arguments[1], bound, arguments[2], at)
        count = _MACROS.get((name, len(arguments)))
        if count is None:
            return Call(name, target, arguments, at)
        condition = arguments[count] if len(arguments) == count + 2 else None
        variables = self._variables(name, arguments[:count])
        return Macro(name, target, variables, arguments[-1], at, condition)

    def _variables(self, macro: str, names: tuple[Node, ...]) -> tuple[str, ...]:
        for each in names:
            if not isinstance(each, Name):
                raise self._refusal(each.at, _NO_NAMES.get(macro, "argument must be a simple name"))
        found = tuple(each.name for each in names if isinstance(each, Name))
        if len(set(found)) < len(found):
            raise self._refusal(names[-1].at, f"duplicate variable name: {found[-1]}")
        return found
