"""What cel-go says of an expression that it does not compile, with the place."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Final

from clusters.engine.devices import CompileError

if TYPE_CHECKING:
    from collections.abc import Iterable


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
