"""What `manage.py report` does: order a capacity review, write it, and save it in a form."""

from __future__ import annotations

import copy
import sys
from typing import TYPE_CHECKING, Any

import orjson

from clusters.engine.problems import Malformed, NotAMap, TooLarge, shown
from clusters.management.terminal.output import BAD_INPUT, AnsweringCommand, NoAnswer
from clusters.models import Report
from clusters.problems.inputs import UnreadableFile
from clusters.services.reports import OrderError, delete_report, stored_report, write
from clusters.wording.problems import placed_sentence
from clusters.wording.reviews.pages import CANNOT_WRITE
from dashboard.presenters.reviews import reported_failure
from dashboard.reports.data_files import csv_zip_of, json_of
from dashboard.reports.html import html_of
from dashboard.reports.markdown import markdown_of
from dashboard.reports.pdf import pdf_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


_WRITTEN, _FAILED = 0, 1
_MOST_BYTES = 1024 * 1024
_FORMATS: Mapping[str, Callable[[Mapping[str, Any]], bytes]] = {
    "html": lambda document: html_of(document).encode(),
    "pdf": pdf_of,
    "md": lambda document: markdown_of(document).encode(),
    "csv": csv_zip_of,
    "json": json_of,
}


class Reporting(AnsweringCommand):
    """manage.py report --cluster NAME --format pdf --output FILE."""

    def no_answer(self, error: Exception) -> NoAnswer | None:
        if isinstance(error, OrderError):
            return NoAnswer(BAD_INPUT, placed_sentence(error.problem, error.field))
        return super().no_answer(error)

    def answer(self, options: dict[str, Any]) -> int:
        report = stored_report(order=_order(options), user=None)
        write(report.pk)
        report.refresh_from_db()
        document = report.document
        if options["discard"]:
            delete_report(report)
            document = document and _without_runs(document)
        if report.state != Report.State.DONE or document is None:
            said = reported_failure(report)
            return self._end(f"{said['problem']} {said['remedy']}", _FAILED)
        return self._save(options["output"], _FORMATS[options["format"]](document))

    def _save(self, path: Path, content: bytes) -> int:
        if str(path) == "-":
            sys.stdout.buffer.write(content)
            return _WRITTEN
        try:
            path.write_bytes(content)
        except OSError as error:
            return self._end(CANNOT_WRITE(path=str(path), error=error.strerror or ""), BAD_INPUT)
        return _WRITTEN

    def _end(self, message: str, status: int) -> int:
        self.stderr.write(self.style.ERROR(message))
        return status


def _order(options: Mapping[str, Any]) -> dict[str, Any]:
    """Read the order's file, and put what the options say in its place. Raises OrderError."""
    order: dict[str, Any] = {}
    if options["order"] is not None:
        try:
            order = orjson.loads(_read(options["order"], "--order"))
        except orjson.JSONDecodeError as error:
            raise OrderError("--order", Malformed("JSON", str(error))) from None
        if not isinstance(order, dict):
            raise OrderError("--order", NotAMap(shown(order)))
    if options["cluster"] is not None or options["run"] is not None:
        order = {key: value for key, value in order.items() if key not in ("cluster", "run")}
    given = {
        "cluster": options["cluster"],
        "run": options["run"],
        "title": options["title"],
        "period": None if options["days"] is None else {"days": options["days"]},
        "sections": options["section"],
        "upgrade_to": options["upgrade_to"],
        "notes": None if options["notes"] is None else _read(options["notes"], "--notes").decode(errors="replace"),
    }
    return {**order, **{key: value for key, value in given.items() if value is not None}}


def _without_runs(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a review that links to no simulations, as they are gone."""
    found: dict[str, Any] = copy.deepcopy(dict(document))
    for section in found["sections"]:
        if section["key"] == "recommendations":
            linking = [*section["facts"]["made"], *(row for table in section["tables"] for row in table["rows"])]
            for each in linking:
                each.update({key: None for key in ("run", "base_run") if key in each})
    return found


def _read(path: Path, option: str) -> bytes:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise OrderError(option, TooLarge(_MOST_BYTES))
        return path.read_bytes()
    except OSError as error:
        raise OrderError(option, UnreadableFile(error.strerror or "", str(path))) from None
