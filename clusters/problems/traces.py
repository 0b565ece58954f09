"""What can be wrong with the CSV files of a trace."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class NotCsv(Problem):
    """A line that is no CSV; ``reason`` is the word of the library that reads it."""

    reason: str


@dataclass(frozen=True, slots=True)
class CellCount(Problem):
    """A line with more or fewer cells than the first."""

    found: int
    first: int


@dataclass(frozen=True, slots=True)
class ManyRows(Problem):
    """A list of more rows than are read."""

    most: int


@dataclass(frozen=True, slots=True)
class NameTwice(Problem):
    """A name that an earlier line has already."""

    name: str
    line: int


@dataclass(frozen=True, slots=True)
class EmptyTable(Problem):
    """A file without a line; ``columns`` are those that it must have."""

    columns: str


@dataclass(frozen=True, slots=True)
class LargeTable(Problem):
    """A file of more bytes than are read."""

    found: int
    most: int


@dataclass(frozen=True, slots=True)
class LongLine(Problem):
    """A line of more bytes than are read."""

    found: int
    most: int


@dataclass(frozen=True, slots=True)
class NulByte(Problem):
    """A line with a NUL byte."""


@dataclass(frozen=True, slots=True)
class TableNotUtf8(Problem):
    """A line that is not UTF-8."""


@dataclass(frozen=True, slots=True)
class ManyColumns(Problem):
    """A first line that names more columns than are read."""

    found: int
    most: int


@dataclass(frozen=True, slots=True)
class ColumnTwice(Problem):
    """A column that the first line names twice."""


@dataclass(frozen=True, slots=True)
class NoColumn(Problem):
    """A column that the first line does not name; ``wanted`` are all that it must name."""

    name: str
    wanted: str
