"""What capacity reviews stored, whichever release wrote it, in the form of the present one."""

from __future__ import annotations

from typing import Any, Final

from clusters.documents.explanation import read_kind

# Of the form that `read_review` returns, and that reviews are stored in.
REVIEW_VERSION: Final = 2

_TABLES: Final = {"left_over": "pending_pods", "left_over_causes": "pending_causes", "stuck_nodes": "not_drained_nodes"}
_CAUSES: Final = ("causes", "pending_causes")
# By section: the facts that have another name now.
_FACTS: Final = {"run": {"left_over": "pending"}, "pending": {"waiting": "pending"}}


def read_review(stored: dict[str, Any]) -> dict[str, Any]:
    """Return the document of a review."""
    if stored["version"] != 1:
        return stored
    return {**stored, "version": REVIEW_VERSION, "sections": [_section(each) for each in stored["sections"]]}


def _section(section: dict[str, Any]) -> dict[str, Any]:
    key = section["key"]
    facts = _renamed(section["facts"], _FACTS.get(key, {}))
    if key == "maintenance" and facts["plan"] is not None:
        facts["plan"] = _renamed(facts["plan"], {"stuck": "not_drained"})
    if key == "recommendations":
        facts["made"] = [
            {**made, **{when: _renamed(made[when], {"waiting": "pending"}) for when in ("before", "after")}}
            for made in facts["made"]
        ]
    return {**section, "facts": facts, "tables": list(map(_table, section["tables"]))}


def _table(table: dict[str, Any]) -> dict[str, Any]:
    name = _TABLES.get(table["name"], table["name"])
    if name not in _CAUSES:
        return {**table, "name": name}
    return {**table, "name": name, "rows": [{**row, "kind": read_kind(row["kind"]).value} for row in table["rows"]]}


def _renamed(values: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {names.get(name, name): value for name, value in values.items()}
