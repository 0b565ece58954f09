"""The CSV files of the openb format: one with nodes, one with pods."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.bad_input import BadInput
from clusters.engine.problems import (
    Empty,
    Malformed,
    MissingField,
    NotUtf8,
    OverLimit,
    Problem,
    Repeated,
    TooLarge,
    TooMany,
)
from clusters.engine.simulation import (
    MOST_NODES,
    MOST_WANTED,
    NODE_COLUMNS,
    POD_COLUMNS,
    CellError,
    CellKind,
    Column,
    check,
    check_pod,
)
from clusters.problems.inputs import (
    CellCount,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


# The published lists have 52 KB and 576 KB.
MOST_BYTES: Final = 16 * 1024 * 1024
_LONGEST_LINE: Final = 4096
_MOST_COLUMNS: Final = 64
# Tools that know only fractions write whole numbers with a point, as soon as another cell of the column is empty.
_NUMBER = re.compile(r"([0-9]{1,18})(?:\.0*)?")

Row = dict[str, Any]


def read_nodes(data: bytes, file: str = "") -> list[Row]:
    """Read a list of nodes: ``sn,cpu_milli,memory_mib,gpu,model``. Raises BadInput."""
    return _read(data, file, NODE_COLUMNS, MOST_NODES)


def read_pods(data: bytes, file: str = "") -> list[Row]:
    """Read a list of pods: ``name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,…``. Raises BadInput.

    Rows lack the columns that the list lacks.
    """
    return _read(data, file, POD_COLUMNS, MOST_WANTED)


def _read(data: bytes, file: str, columns: tuple[Column, ...], most: int) -> list[Row]:
    lines = _lines(data, file)
    table = csv.reader(lines, strict=True)
    rows: list[Row] = []
    seen: dict[str, int] = {}
    places: dict[str, int] = {}
    width = 0
    while True:
        try:
            cells = next(table, None)
        except csv.Error as error:
            raise _bad(file, table.line_num, "", Malformed("CSV", str(error))) from None
        if cells is None:
            break
        if not any(cells):
            continue
        if not width:
            places, width = _places(cells, columns, file, table.line_num), len(cells)
            continue
        if len(cells) != width:
            raise _bad(file, table.line_num, "", CellCount(len(cells), width))
        if len(rows) == most:
            raise _bad(file, table.line_num, "", OverLimit(most))
        row = _row(cells, places, columns, file, table.line_num)
        name = row[columns[0].name]
        if name in seen:
            raise _bad(file, table.line_num, _cell(columns[0].name, places), Repeated(name, f"line {seen[name]}"))
        seen[name] = table.line_num
        rows.append(row)
    if not width:
        raise _bad(file, 0, "", Empty())
    return rows


def _lines(data: bytes, file: str) -> list[str]:
    if len(data) > MOST_BYTES:
        raise _bad(file, 0, "", TooLarge(MOST_BYTES))
    found = []
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        if len(line) > _LONGEST_LINE:
            raise _bad(file, number, "", TooLarge(_LONGEST_LINE))
        if b"\0" in line:
            raise _bad(file, number, "", NotUtf8())
        try:
            found.append(line.decode())
        except UnicodeDecodeError:
            raise _bad(file, number, "", NotUtf8()) from None
    return found


def _places(cells: Sequence[str], columns: tuple[Column, ...], file: str, line: int) -> dict[str, int]:
    """Where each known column stands; others are not read."""
    names = [cell.strip() for cell in cells]
    known = {column.name for column in columns}
    if len(names) > _MOST_COLUMNS:
        raise _bad(file, line, "", TooMany(len(names), _MOST_COLUMNS))
    for number, name in enumerate(names):
        if name in known and name in names[:number]:
            raise _bad(file, line, f"column {number + 1} ({name})", Repeated(name))
    for column in columns:
        if not column.may_be_missing and column.name not in names:
            raise _bad(file, line, "", MissingField(column.name))
    return {name: number for number, name in enumerate(names) if name in known}


def _row(cells: list[str], places: dict[str, int], columns: tuple[Column, ...], file: str, line: int) -> Row:
    try:
        row = dict(_values(cells, places, columns))
        if columns is POD_COLUMNS:
            check_pod(row)
    except CellError as error:
        raise _bad(file, line, _cell(error.path, places), error.problem) from None
    return row


def _values(cells: list[str], places: dict[str, int], columns: tuple[Column, ...]) -> Iterator[tuple[str, Any]]:
    for column in columns:
        if column.name not in places:
            continue
        text = cells[places[column.name]].strip()
        value: str | int | None = text or None
        if column.kind is CellKind.NUMBER and (number := _NUMBER.fullmatch(text)):
            value = int(number[1])
        check(column, {column.name: value})
        yield column.name, value


def _cell(column: str, places: dict[str, int]) -> str:
    return f"column {places[column] + 1} ({column})" if column in places else column


def _bad(file: str, line: int, cell: str, problem: Problem) -> BadInput:
    place = ", ".join(part for part in (f"line {line}" if line else "", cell) if part)
    return BadInput(problem, file=file, field=place)
