"""Words and signs of CEL, and the values of its literals."""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.adapters.cel.faults import refused
from clusters.adapters.cel.semver import MAX_UINT64
from clusters.adapters.cel.values import Uint
from clusters.engine.quantity import MAX_INT64

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
