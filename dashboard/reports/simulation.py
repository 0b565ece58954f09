"""The simulation that a review is about as tables: its changes in words, and the pods left over by cause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.documents.causes import read_cause
from clusters.wording.amounts import grouped
from dashboard.presenters.pending.causes import cause_name
from dashboard.presenters.runs.changes import change_sentence
from dashboard.reports.blocks import Column, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    Data = Mapping[str, Any]

_EXAMPLES = 3
_QUOTED = 3


def simulation_tables(section: Data) -> list[Table]:
    """Return the tables of the section on the simulation."""
    changes = [(grouped(number), said(change)) for number, change in enumerate(section["facts"]["changes"], start=1)]
    causes = next((table["rows"] for table in section["tables"] if table["name"] == "left_over_causes"), ())
    found = []
    if changes:
        found.append(Table("run_changes", "What was changed", (Column("No.", True), Column("Change")), tuple(changes)))
    if causes:
        heads = (Column("Pods", True), Column("Left over"), Column("For example", is_name=True))
        rows = tuple(
            (grouped(row["pods"]), cause_phrase(row), ", ".join(row["examples"][:_EXAMPLES])) for row in causes
        )
        rest = "The CSV files name each pod." if any(row["pods"] > _EXAMPLES for row in causes) else ""
        found.append(Table("left_over_causes", "Pods that were left over, by cause", heads, rows, rest=rest))
    if uncertain := next((table["rows"] for table in section["tables"] if table["name"] == "uncertain"), ()):
        heads = (Column("Pods", True), Column("Why"), Column("For example", is_name=True))
        rows = tuple((grouped(row["pods"]), row["why"], ", ".join(row["examples"][:_EXAMPLES])) for row in uncertain)
        found.append(Table("uncertain", "Pods that are uncertain, and placed by all that is computed", heads, rows))
    # Messages are long, and most of their words are the same: those of the causes of most pods are enough.
    if quoted := tuple((cause_phrase(row), row["message"]) for row in causes[:_QUOTED] if row["message"]):
        columns = (Column("Left over"), Column("Message of the first such pod"))
        found.append(Table("left_over_messages", "In the scheduler's words", columns, quoted))
    return found


def said(change: Data) -> str:
    """Say a change of a review's document, which has of traces only how many pods and nodes they have."""
    if change.get("change") == "trace":
        numbers = {key: range(change[key]) for key in ("pods", "nodes") if isinstance(change.get(key), int)}
        return change_sentence({**change, **numbers})
    return change_sentence(change)


def cause_phrase(row: Data) -> str:
    """Name what keeps the pods of a row pending."""
    return cause_name(read_cause(row))
