"""The simulation that a review is about as tables: its changes in words, and the pending pods by cause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.documents.explanation import read_cause
from clusters.wording.amounts import grouped
from clusters.wording.pending import cause_name
from clusters.wording.reviews import simulation as words
from dashboard.presenters.runs.listing import change_sentence
from dashboard.reports.blocks import Column, Table
from dashboard.reports.words import caption, column_title

if TYPE_CHECKING:
    from collections.abc import Mapping

    Data = Mapping[str, Any]

_EXAMPLES = 3
_QUOTED = 3


def simulation_tables(section: Data) -> list[Table]:
    """Return the tables of the section on the simulation."""
    changes = [(grouped(number), said(change)) for number, change in enumerate(section["facts"]["changes"], start=1)]
    causes = next((table["rows"] for table in section["tables"] if table["name"] == "pending_causes"), ())
    found = []
    pods, examples = _head("pods", is_number=True), _head("examples", is_name=True)
    if changes:
        heads = (_head("number", is_number=True), _head("change"))
        found.append(Table("run_changes", caption("run_changes"), heads, tuple(changes)))
    if causes:
        causes_heads = (pods, _head("cause"), examples)
        rows = tuple(
            (grouped(row["pods"]), cause_phrase(row), ", ".join(row["examples"][:_EXAMPLES])) for row in causes
        )
        rest = str(words.PODS_IN_FILES) if any(row["pods"] > _EXAMPLES for row in causes) else ""
        found.append(Table("pending_causes", caption("pending_causes"), causes_heads, rows, rest=rest))
    if uncertain := next((table["rows"] for table in section["tables"] if table["name"] == "uncertain"), ()):
        uncertain_heads = (pods, _head("why"), examples)
        rows = tuple((grouped(row["pods"]), row["why"], ", ".join(row["examples"][:_EXAMPLES])) for row in uncertain)
        found.append(Table("uncertain", caption("uncertain"), uncertain_heads, rows))
    # Messages are long, and most of their words are the same: those of the causes of most pods are enough.
    if quoted := tuple((cause_phrase(row), row["message"]) for row in causes[:_QUOTED] if row["message"]):
        columns = (_head("cause"), Column(str(words.FIRST_MESSAGE)))
        found.append(Table("pending_messages", str(words.MESSAGES), columns, quoted))
    return found


def _head(key: str, *, is_number: bool = False, is_name: bool = False) -> Column:
    return Column(column_title({"key": key}), is_number, is_name)


def said(change: Data) -> str:
    """Say a change of a review's document, which has of traces only how many pods and nodes they have."""
    if change.get("change") == "trace":
        numbers = {key: range(change[key]) for key in ("pods", "nodes") if isinstance(change.get(key), int)}
        return change_sentence({**change, **numbers})
    return change_sentence(change)


def cause_phrase(row: Data) -> str:
    """Name what keeps the pods of a row pending."""
    return cause_name(read_cause(row))
