"""Paragraphs and tables in plain text."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING

from clusters.adapters.bad_input import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# What is assumed where the output goes into a pipe or a file; COLUMNS overrides it.
_WIDTH_OF_PIPES = 100
_NARROWEST = 40
_GAP = "  "


def terminal_width() -> int:
    """Return how many characters a line takes."""
    return max(_NARROWEST, shutil.get_terminal_size((_WIDTH_OF_PIPES, 24)).columns)


def wrapped(text: str, width: int, *, indent: str = "", first: str | None = None) -> list[str]:
    """Break a paragraph into lines; ``first`` is the indent of the first one."""
    return textwrap.wrap(
        printable(text),
        width,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], width: int, *, right: Iterable[int] = (), indent: str = _GAP
) -> list[str]:
    """Lay out a table; columns numbered in ``right`` are aligned so, and the last one wraps where it is too long."""
    cells = [[printable(cell) for cell in row] for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    aligned = set(right)
    lines = []
    for row in cells:
        *front, last = (
            cell.rjust(size) if number in aligned else cell.ljust(size)
            for number, (cell, size) in enumerate(zip(row, widths, strict=True))
        )
        start = indent + "".join(f"{cell}{_GAP}" for cell in front)
        room = max(width - len(start), _NARROWEST // 2)
        parts = [last.rstrip()] if len(last.rstrip()) <= room else wrapped(row[-1], room)
        lines.append(f"{start}{parts[0]}".rstrip())
        lines.extend(f"{' ' * len(start)}{part}" for part in parts[1:])
    return lines
