"""What cel-go says of an expression that it does not compile, with the place."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from clusters.engine.devices import CompileError

if TYPE_CHECKING:
    from collections.abc import Iterable


def refused(expression: str, faults: Iterable[tuple[int, str]]) -> CompileError:
    """The error of an expression with these faults, each by its place."""
    return CompileError(
        "compilation failed: " + "\n".join(_told(expression, *fault) for fault in sorted(faults, key=itemgetter(0)))
    )


def _told(expression: str, at: int, message: str) -> str:
    start = expression.rfind("\n", 0, at) + 1
    line = expression[start:].split("\n", 1)[0].replace("\t", " ")
    dots = "".join("." if ord(each) < 128 else "\uff0e" for each in line[: at - start])
    number = expression.count("\n", 0, at) + 1
    return f"ERROR: <input>:{number}:{at - start + 1}: {message}\n | {line}\n | {dots.ljust(at - start, '.')}^"
