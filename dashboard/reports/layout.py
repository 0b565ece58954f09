"""From a review's document to the blocks that its page and its files are made of."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

from clusters.documents.problems import worded_gap
from clusters.engine.versions import match_release
from clusters.wording.amounts import at_least, at_most, cpu, grouped, size
from clusters.wording.lists import first_of
from clusters.wording.releases import written_gates
from clusters.wording.reviews import document as cover
from clusters.wording.reviews.document import NO, REST, TOTAL, YES
from clusters.wording.reviews.sections import SIMULATION, priced
from dashboard.reports import upgrade, words
from dashboard.reports.blocks import (
    Block,
    Callout,
    Column,
    Findings,
    Heading,
    KeyFigures,
    Notes,
    Paragraph,
    Recommendation,
    Table,
)
from dashboard.reports.pictures import charts_of, figures_of
from dashboard.reports.words import cause_phrase, in_short, simulation_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Data = Mapping[str, Any]

_BLANK_LINES = re.compile(r"\n\s*\n")
# A longer table is for a spreadsheet: the CSV files have it whole.
ROWS_SHOWN = 25
# Of a list of names within a cell.
_NAMES_SHOWN = 5
# Of the nodes that can be drained, and of those that cannot.
_NODES_SHOWN = 20
_NUMBERS = frozenset({"number", "cpu", "memory", "share", "amount", "money"})
_NAMES = frozenset({"name", "names"})
_NOTHING = "–"
# The section of recommendations, and its table of all of them, the best first.
RANKED, RANKING = "recommendations", "ranking"
# Tables that stand in the files alone, where a section has a table that says the same in fewer rows.
_IN_FILES = {
    "budgets": "drain_blockers",
    "shared_budgets": "drain_blockers",
    "blocked_nodes": "drain_blockers",
    "not_drained_nodes": "not_drained",
}
# Tables that stand before the charts of their section.
_FIRST = frozenset({"zone_effects", "zone_workloads", "zone_budgets"})
# Tables of amounts of several resources in one column.
_BY_RESOURCE = frozenset({"resources", "zones_other", "pools_other", "namespaces_other"})


def blocks_of(document: Data) -> list[Block]:
    """Lay a review out: the reviewer's notes, then each section's sentences, figures, charts and tables."""
    blocks: list[Block] = []
    if findings := in_short(document):
        blocks += [Heading(str(cover.IN_SHORT), "in-short"), Findings(findings)]
    if paragraphs := tuple(" ".join(each.split()) for each in _BLANK_LINES.split(document["notes"]) if each.strip()):
        blocks += [Heading(str(cover.NOTES), "notes"), Notes(paragraphs)]
    # Who has one page reads what to do.
    first = [section for section in document["sections"] if section["key"] == RANKED]
    for section in (*first, *(section for section in document["sections"] if section not in first)):
        blocks += _section(section)
    if document["gaps"]:
        blocks += _gaps(document["gaps"])
    return blocks


def facts_of(document: Data) -> list[tuple[str, str]]:
    """Return what the cover says about the review: pairs of a term and its value."""
    cluster, period, run = document["cluster"], document["period"], document["run"]
    as_of = cover.STATE_AT(at=moment(document["as_of"]), revision=cluster["revision"]) if document["as_of"] else ""
    begin, end = day(period["from"]), day(period["to"])
    facts = [
        (cover.CLUSTER, cluster["name"]),
        (cover.SIMULATION, cover.RUN(title=run["title"], run=str(run["id"])) if run else ""),
        (cover.KUBERNETES, cluster["kube_version"]),
        (cover.ANSWERED_AS, match_release(cluster["kube_version"]).release.compared),
        (cover.FEATURE_GATES, written_gates(cluster["feature_gates"])),
        (cover.PERIOD, begin if begin == end else f"{begin} – {end}"),
        (cover.STATE_OF, as_of),
        (cover.WRITTEN, cover.MOMENT(at=moment(document["made_at"]))),
        (cover.BY, document["made_by"] or str(cover.FROM_TERMINAL)),
    ]
    return [(str(name), value) for name, value in facts if value]


def _section(section: Data) -> list[Block]:
    key = section["key"]
    blocks: list[Block] = [
        Heading(words.section_title(key), f"section-{key}"),
        Paragraph(words.lead(section), is_lead=True),
    ]
    if figures := figures_of(section):
        blocks.append(KeyFigures(figures))
    blocks += [Paragraph(paragraph) for paragraph in words.paragraphs(section)]
    blocks += [Callout(kind, title, text) for kind, title, text in words.callouts(section)]
    # Who asks what a loss does asks first which workloads it affects.
    first = [table for table in section["tables"] if table["name"] in _FIRST]
    blocks += [_table(table, table["rows"]) for table in first if table["rows"]]
    blocks += charts_of(section)
    if key == RANKED:
        # Each is a block of its own, which says all that the tables do.
        return blocks + _recommendations(section["facts"]["made"])
    if key == "run":
        return blocks + simulation_tables(section)
    names = {table["name"] for table in section["tables"]}
    shown = [
        _narrow(table, section["facts"])
        for table in section["tables"]
        if table["name"] not in _FIRST and _IN_FILES.get(table["name"]) not in names
    ]
    return blocks + [_table(table, rows) for table in shown if (rows := _telling(table))]


def _telling(table: Data) -> Sequence[Data]:
    """Return the rows that say something: full domains, resources that somebody requests, other results."""
    rows: Sequence[Data] = table["rows"]
    if table["name"] == "domains":
        return [row for row in rows if row["excess"]]
    if table["name"] in _BY_RESOURCE:
        asked = {row["resource"] for row in rows if row["requested"]}
        return [row for row in rows if row["resource"] in asked]
    if table["name"] in upgrade.DIFFERENCES:
        return upgrade.results_first(rows)
    return rows


def _narrow(table: Data, facts: Data) -> Data:
    """Return a table as it is read, where the files have several columns for one word or name, or few words."""
    if table["name"] == "causes" and all("cause" in row for row in table["rows"]):
        rows = [{**row, "why": cause_phrase(row)} for row in table["rows"]]
        return _with_column(table, rows, {"key": "why", "kind": "text"}, ("kind", "plugin", "reason"))
    if table["name"] == "drain_outlooks":
        columns = [{**each, "kind": "name"} if each["key"] == "names" else each for each in table["columns"]]
        rows = [{**row, "names": first_of(row["names"], most=_NODES_SHOWN)} for row in table["rows"]]
        return {**table, "columns": columns, "rows": rows}
    if table["name"] == "usage":
        rows = [{**row, "workload": f"{row['kind']} {row['namespace']}/{row['name']}"} for row in table["rows"]]
        return _with_column(table, rows, {"key": "workload", "kind": "name"}, ("namespace", "kind", "name"))
    if table["name"] == "upgrade_pod_groups":
        return {**table, "rows": upgrade.pod_group_rows(facts)}
    return table


def _with_column(table: Data, rows: Sequence[Data], column: Data, instead: Sequence[str]) -> Data:
    kept = [each for each in table["columns"] if each["key"] not in instead]
    return {**table, "columns": [column, *kept], "rows": rows}


def _recommendations(made: Sequence[Data]) -> list[Block]:
    found = [words.recommendation(each) for each in made]
    columns = (
        Column(words.column_title({"key": "number"}), is_number=True),
        *(Column(words.column_title({"key": key})) for key in ("change", "brings", "costs")),
    )
    rows = tuple(
        (str(number), f"{each.title}. {each.beside}" if each.beside else each.title, each.brings, each.costs)
        for number, each in enumerate(found, start=1)
    )
    ranking: list[Block] = (
        [Table(RANKING, words.caption(RANKING), columns, rows)] if any(each.brings for each in found) else []
    )
    return ranking + [
        Recommendation(
            number,
            each.title,
            each.change,
            each.reason,
            each.evidence,
            each.run,
            "" if each.run is None else SIMULATION(run=str(each.run)),
        )
        for number, each in enumerate(found, start=1)
    ]


def _table(table: Data, rows: Sequence[Data]) -> Table:
    # Amounts have their unit beside them.
    columns = [column for column in table["columns"] if column["key"] != "unit"]
    is_cut = len(table["rows"]) > min(len(rows), ROWS_SHOWN)
    return Table(
        name=table["name"],
        caption=words.caption(table["name"]),
        columns=tuple(
            Column(words.column_title(column), column["kind"] in _NUMBERS, column["kind"] in _NAMES)
            for column in columns
        ),
        rows=tuple(_row(words.said(table["name"], row), columns) for row in rows[:ROWS_SHOWN]),
        total=(str(TOTAL), *_row(table["total"], columns)[1:]) if table.get("total") else None,
        rest=REST(rows=len(table["rows"])) if is_cut else "",
    )


def _gaps(gaps: Sequence[Data]) -> list[Block]:
    """Name what was not read, and which answers are uncertain for it."""
    worded = [worded_gap(gap) for gap in gaps]
    columns = (Column(str(cover.NOT_READ)), Column(str(cover.WHY)), Column(str(cover.UNCERTAIN)))
    return [
        Heading(str(cover.INCOMPLETE_DATA), "gaps"),
        Paragraph(cover.UNCERTAIN_ANSWERS(gaps=len(gaps)), is_lead=True),
        Table("gaps", str(cover.GAPS), columns, tuple((gap.label, gap.why, gap.affects) for gap in worded)),
    ]


def _row(row: Data, columns: Sequence[Data]) -> tuple[str, ...]:
    return tuple(_recommended(column, row) or cell(row.get(column["key"]), column["kind"], row) for column in columns)


def _recommended(column: Data, row: Data) -> str:
    """Write a recommended request as the page about usage does: never less, or never more where a limit caps it."""
    if column.get("measure") != "recommended":
        return ""
    resource = column["resource"]
    return (at_most if row.get(f"{resource}_capped") else at_least)(resource, row[column["key"]])


def cell(value: Any, kind: str, row: Data) -> str:
    """Write a raw value of a review's table with its unit, which `amount` takes from its row; a dash for nothing."""
    if value is None or value in ("", []):
        return _NOTHING
    if kind == "amount":
        return _UNITS.get(row["unit"], grouped)(value)
    return _WRITERS.get(kind, str)(value)


def _names(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= _NAMES_SHOWN else first_of(names, most=_NAMES_SHOWN)


def _share(value: float) -> str:
    percents = 100 * value
    return "< 1 %" if 0 < percents < 1 else f"{percents:.0f} %"


def moment(text: str) -> str:
    """Write a moment of the document, which is of UTC, as people do: `21 Nov 2026, 16:40`."""
    at = datetime.fromisoformat(text)
    return f"{at.day} {at:%b %Y}, {at:%H:%M}"


def day(text: str) -> str:
    """Write the day of a moment of the document."""
    at = datetime.fromisoformat(text)
    return f"{at.day} {at:%B %Y}"


_UNITS = {"millicores": cpu, "bytes": size}
_WRITERS: dict[str, Callable[[Any], str]] = {
    "number": grouped,
    "cpu": cpu,
    "memory": size,
    "share": _share,
    "money": priced,
    "time": moment,
    "yes": lambda value: str(YES if value else NO),
    "names": _names,
}
