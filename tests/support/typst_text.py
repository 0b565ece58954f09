"""Finds text that stands in Typst's templates, whose words all come as data."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent.parent

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# A string of code: one with a space between letters is read by people, unless it names a font.
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_FONTS = re.compile(r"\bfont:\s*(?:\([^)]*\)|\"[^\"]*\")")
_SAYS = re.compile(r"[A-Za-z]{2,} +[A-Za-z]{2,}")
_LANGUAGE = re.compile(r'\b(?:lang|region):\s*"[^"]*"')
# Code within text: a name with what is called and read of it, or a statement to the end of its line.
_CODE = re.compile(r"#(?:(?:let|set|show|if|for|while|import|include)\b[^\n]*|[\w.-]+|(?=[({\[]))")
_OPENING, _CLOSING = "([{", ")]}"
_WORD = re.compile(r"[A-Za-z]{2,}")


def unmarked(source: str) -> list[str]:
    """Return what people read of a template: text between brackets, strings with words, and a language."""
    code = _COMMENT.sub("", source)
    found = [match.group() for match in _LANGUAGE.finditer(code)]
    code = _FONTS.sub("", code)
    found += [match[1] for match in _STRING.finditer(code) if _SAYS.search(match[1])]
    return found + [said for text in _contents(_STRING.sub('""', code)) if (said := _prose(text))]


def unmarked_of_templates() -> list[str]:
    """Return all such pieces of all templates, each with its file."""
    return [
        f"{path.relative_to(ROOT).as_posix()}: {text}"
        for path in sorted((ROOT / "dashboard").rglob("*.typ"))
        for text in unmarked(path.read_text(encoding="utf-8"))
    ]


def _contents(code: str) -> Iterator[str]:
    """Yield what stands between square brackets, those within them too."""
    for at, sign in enumerate(code):
        if sign == "[":
            yield code[at + 1 : _end(code, at)]


def _end(code: str, at: int) -> int:
    """Return where the bracket closes that opens ``at`` some place."""
    depth = 0
    for place in range(at, len(code)):
        depth += (code[place] in _OPENING) - (code[place] in _CLOSING)
        if not depth:
            return place
    raise ValueError("a bracket is not closed")


def _prose(text: str) -> str:
    """Return the words of a content block that are not code."""
    said, at = "", 0
    while at < len(text):
        code = _CODE.match(text, at)
        if code is None:
            said, at = said + text[at], at + 1
            continue
        at = code.end()
        while at < len(text) and text[at] in "([{":
            at = _end(text, at) + 1
            call = re.compile(r"\.[\w-]+").match(text, at)
            at = at if call is None else call.end()
    return " ".join(said.split()) if _WORD.search(said) else ""
