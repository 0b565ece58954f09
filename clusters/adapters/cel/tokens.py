"""Words and signs of CEL, and the values of its literals."""

from __future__ import annotations

import re
from math import isfinite
from typing import Any, Final, NamedTuple

from clusters.adapters.cel.values import MAX_UINT64, Uint
from clusters.engine.devices.selecting import CompileError, UnsupportedExpressionError
from clusters.engine.resources.quantity import MAX_INT64

_TOKEN: Final = re.compile(
    r"""(?P<space>(?:\s|//[^\n]*)+)
    |(?P<raw>(?:[rR][bB]?|[bB][rR])(?:\"{3}(?s:.)*?\"{3}|'{3}(?s:.)*?'{3}|"[^"\n]*"|'[^'\n]*'))
    |(?P<text>[bB]?(?:\"{3}(?s:[^\\]|\\.)*?\"{3}|'{3}(?s:[^\\]|\\.)*?'{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))
    |(?P<double>\d+\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\.\d+(?:[eE][-+]?\d+)?)
    |(?P<integer>(?:0x[0-9a-fA-F]+|\d+)[uU]?)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<sign><=|>=|==|!=|&&|\|\||[-+*/%<>!?:.,()\[\]{}])""",
    re.ASCII | re.VERBOSE,
)
_ESCAPE: Final = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2}|(?s:.))")
_ESCAPED: Final = dict(zip("abfnrtv\\?\"'`", "\a\b\f\n\r\t\v\\?\"'`", strict=True))
_SURROGATES: Final = range(0xD800, 0xE000)
# The longest integer literal: a number of 64 bits, as decimal digits or after 0x.
_MOST_DIGITS: Final = 20


class Token(NamedTuple):
    """A literal has a value; names and signs have their text."""

    name: str
    text: str
    value: Any = None


END: Final = Token("end", "")


def tokens_of(expression: str) -> list[Token]:
    """Split an expression. Raises CompileError, UnsupportedExpressionError."""
    found: list[Token] = []
    place = 0
    while place < len(expression):
        match = _TOKEN.match(expression, place)
        if match is None:
            raise CompileError(f"Syntax error: token recognition error at: '{expression[place : place + 20]}'")
        place = match.end()
        kind, text = str(match.lastgroup), match[0]
        match kind:
            case "space":
                continue
            case "raw":
                found.append(Token("literal", text, _unquoted(text, is_raw=True)))
            case "text":
                found.append(Token("literal", text, _unquoted(text, is_raw=False)))
            case "double":
                found.append(Token("literal", text, _double(text)))
            case "integer":
                found.append(Token("integer", text, _integer(text)))
            case _:
                found.append(Token(kind, text))
    return found


def _double(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise CompileError("invalid double literal")
    return value


def _integer(text: str) -> int:
    digits = text.rstrip("uU")
    if len(digits) > _MOST_DIGITS:
        raise CompileError("invalid int literal")
    value = int(digits, 16) if digits.startswith("0x") else int(digits)
    if digits != text:
        if value > MAX_UINT64:
            raise CompileError("invalid uint literal")
        return Uint(value)
    # One more is the least number, after a minus.
    if value > MAX_INT64 + 1:
        raise CompileError("invalid int literal")
    return value


def _unquoted(text: str, *, is_raw: bool) -> str | bytes:
    start = min(place for place in (text.find('"'), text.find("'")) if place >= 0)
    is_bytes = "b" in text[:start].lower()
    quotes = 3 if text[start : start + 3] in ('"""', "'''") and len(text) - start >= len('""""""') else 1
    inner = text[start + quotes : len(text) - quotes]
    if is_bytes and "\\" in inner and not is_raw:
        # Numbers are bytes there, and characters elsewhere.
        raise UnsupportedExpressionError("b")
    plain = inner if is_raw else _ESCAPE.sub(_escaped, inner)
    return plain.encode() if is_bytes else plain


def _escaped(match: re.Match[str]) -> str:
    code = match[0][1:]
    if len(code) == 1:
        if code not in _ESCAPED:
            raise CompileError(f"invalid escape sequence: {match[0]}")
        return _ESCAPED[code]
    number = int(code, 8) if code[0].isdigit() else int(code[1:], 16)
    if number in _SURROGATES or number > 0x10FFFF:
        raise CompileError(f"invalid unicode code point: {match[0]}")
    return chr(number)
