"""Finds text for people in the browser's scripts, which put in what the server says and say nothing themselves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent.parent

_VALUE = r"\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}"
# Comments and regular expressions are passed over; what is left are strings, and what is logged for developers.
_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|/(?![*/ ])(?:[^/\\\n\[]|\\.|\[[^\]\n]*\])+/[gimsuy]*"
    r"|(?P<logged>\bconsole\.\w+\([^\n]*)"
    rf"|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:{_VALUE}|[^`\\]|\\.)*`)",
    re.DOTALL,
)
_WORD = re.compile(r"[A-Za-z][a-z'’]+[,.;:?!…]?$")
_LETTERS = re.compile(r"[A-Za-z]")
_ENDS = re.compile(r"[A-Za-z]{2,}[.?!…]$")
# Selectors, addresses and HTML.
_CODE = re.compile(r"[.#/]|.*[\[\]<>=_|\\]")


def script_texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each string with words among others, or the end of a sentence; values read as 0."""
    for found in _TOKEN.finditer(source):
        if found["text"] is None:
            continue
        text = re.sub(_VALUE, "0", found["text"][1:-1])
        words = [word for word in text.split() if _LETTERS.search(word)]
        prose = sum(_WORD.match(word) is not None for word in words)
        says = " " in text and prose * 2 > len(words)
        if prose and (says or _ENDS.search(text)) and not _CODE.match(text):
            yield source.count("\n", 0, found.start()) + 1, text


def texts_of_scripts() -> list[str]:
    """Return all such strings of our own scripts, each with its file and line."""
    return [
        f"{path.relative_to(ROOT).as_posix()}:{line}: {text}"
        for path in sorted((ROOT / "static" / "js").rglob("*.js"))
        for line, text in script_texts(path.read_text(encoding="utf-8"))
    ]
