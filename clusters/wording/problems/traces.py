"""Words for what can be wrong with the CSV files of a trace."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.problems.inputs import (
    CellCount,
    ColumnTwice,
    EmptyTable,
    LargeTable,
    LongLine,
    ManyColumns,
    ManyRows,
    NameTwice,
    NoColumn,
    NotCsv,
    NulByte,
    TableNotUtf8,
)
from clusters.wording.amounts import grouped
from clusters.wording.problems.registry import Words, words


@words.register(NotCsv)
def not_csv(problem: NotCsv) -> Words:
    """Say why a line cannot be read."""
    said = _("It cannot be read as CSV: %(reason)s.") % {"reason": problem.reason}
    return Words(said, _("Close every quote on the line that opens it."))


@words.register(CellCount)
def cell_count(problem: CellCount) -> Words:
    """Count the cells."""
    said = _("It has %(found)s cells, and the first line %(first)s.") % {
        "found": grouped(problem.found),
        "first": grouped(problem.first),
    }
    return Words(said, _("Write one cell for each column."))


@words.register(ManyRows)
def many_rows(problem: ManyRows) -> Words:
    """Say how many rows are read."""
    said = _("There are more than %(most)s rows.") % {"most": grouped(problem.most)}
    return Words(said, _("Take a part of the list."))


@words.register(NameTwice)
def name_twice(problem: NameTwice) -> Words:
    """Name the other line."""
    said = _("%(name)s is on line %(line)s already.") % {"name": problem.name, "line": problem.line}
    return Words(said, _("Give each row a name of its own."))


@words.register(EmptyTable)
def empty_table(problem: EmptyTable) -> Words:
    """Say that a file is empty."""
    said = _("It is empty.")
    return Words(said, _("Begin it with a line %(columns)s.") % {"columns": problem.columns})


@words.register(LargeTable)
def large_table(problem: LargeTable) -> Words:
    """Say how large a file is and may be."""
    said = _("It has %(found)s bytes.") % {"found": grouped(problem.found)}
    return Words(said, _("At most %(most)s are taken: take a part of the list.") % {"most": grouped(problem.most)})


@words.register(LongLine)
def long_line(problem: LongLine) -> Words:
    """Say how long a line is and may be."""
    said = _("The line has %(found)s bytes, and %(most)s are the most.") % {
        "found": grouped(problem.found),
        "most": grouped(problem.most),
    }
    return Words(said, _("Write one row a line."))


@words.register(NulByte)
def nul_byte(problem: NulByte) -> Words:
    """Say that there is a NUL byte."""
    said = _("It holds a NUL byte.")
    return Words(said, _("Save the list as CSV in UTF-8."))


@words.register(TableNotUtf8)
def table_not_utf8(problem: TableNotUtf8) -> Words:
    """Say that the encoding is another."""
    said = _("It is not UTF-8.")
    return Words(said, _("Save the list as CSV in UTF-8."))


@words.register(ManyColumns)
def many_columns(problem: ManyColumns) -> Words:
    """Count the columns."""
    said = _("It has %(found)s columns.") % {"found": grouped(problem.found)}
    return Words(said, _("Write at most %(most)s.") % {"most": grouped(problem.most)})


@words.register(ColumnTwice)
def column_twice(problem: ColumnTwice) -> Words:
    """Say that a column is there twice."""
    said = _("The column is there twice.")
    return Words(said, _("Remove one of them."))


@words.register(NoColumn)
def no_column(problem: NoColumn) -> Words:
    """Name the column."""
    said = _("There is no column %(name)s.") % {"name": problem.name}
    return Words(said, _("The first line has to name %(wanted)s.") % {"wanted": problem.wanted})
