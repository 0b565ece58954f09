"""A review as data: its JSON document, and its tables as CSV files in one archive, whole and in base units."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from clusters.wording.nodes import NO, YES
from clusters.wording.releases import written_gates
from clusters.wording.reviews import document as cover
from dashboard.lists.files import csv_text
from dashboard.reports import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Data = Mapping[str, Any]


SCHEMA_FILE = Path(__file__).parent / "schema-v2.json"


def json_of(document: Mapping[str, Any]) -> bytes:
    """Return the document, indented."""
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def schema() -> bytes:
    """Return the JSON schema of the documents that are written now."""
    return SCHEMA_FILE.read_bytes()


# The same review is the same bytes: an archive must not tell when it was packed.
_PACKED = (1980, 1, 1, 0, 0, 0)
_READABLE = 0o100644 << 16
_HEAD = "review.csv"


def csv_zip_of(document: Data) -> bytes:
    """Return the archive: one file for each table, named after its section, and one about the review itself."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _files(document):
            info = zipfile.ZipInfo(name, _PACKED)
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, _READABLE, 3
            archive.writestr(info, text.encode())
    return packed.getvalue()


def _files(document: Data) -> Iterator[tuple[str, str]]:
    yield _HEAD, csv_text(("what", "value"), _head(document))
    for section in document["sections"]:
        for table in section["tables"]:
            columns = [_title(column) for column in table["columns"]]
            given = map(words.with_reason, table["rows"])
            rows = [[_cell(row[column["key"]]) for column in table["columns"]] for row in given]
            yield f"{section['key']}-{table['name']}.csv", csv_text(columns, rows)


def _head(document: Data) -> Iterator[tuple[str, str | int]]:
    cluster, run = document["cluster"], document["run"]
    yield "title", document["title"]
    yield "cluster", cluster["name"]
    yield "kubernetes", cluster["kube_version"]
    yield "feature gates", written_gates(cluster["feature_gates"])
    yield "revision", cluster["revision"]
    yield "run", "" if run is None else run["id"]
    yield "period from", document["period"]["from"]
    yield "period to", document["period"]["to"]
    yield "state of", document["as_of"]
    yield "made at", document["made_at"]
    yield "made by", document["made_by"]
    yield "notes", document["notes"]


def _title(column: Data) -> str:
    title, unit = words.column_title(column), cover.UNITS.get(column["kind"])
    return unit(title=title) if unit else title


def _cell(value: Any) -> str | int:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(YES if value else NO)
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return value if isinstance(value, int) else str(value)
