"""Write a capacity review from the terminal."""

from __future__ import annotations

import copy
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import orjson
from django.core.management.base import BaseCommand, CommandParser

from clusters.engine.problems import Malformed, NotAMap, TooLarge, shown
from clusters.management.terminal.output import READER_GONE, closed_pipe_is_no_error
from clusters.models import Report
from clusters.problems.inputs import UnreadableFile
from clusters.services.reports import OrderError, delete_report, stored_report, write
from clusters.services.reports.order import DEFAULT_DAYS, SECTIONS
from clusters.wording.problems import placed_sentence
from clusters.wording.reviews.pages import CANNOT_WRITE
from dashboard.presenters.reviews import reported_failure
from dashboard.reports.data_files import csv_zip_of, json_of
from dashboard.reports.html import html_of
from dashboard.reports.markdown import markdown_of
from dashboard.reports.pdf import pdf_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


_FAILED = 1
_BAD_INPUT = 2
_MOST_BYTES = 1024 * 1024
_FORMATS: Mapping[str, Callable[[Mapping[str, Any]], bytes]] = {
    "html": lambda document: html_of(document).encode(),
    "pdf": pdf_of,
    "md": lambda document: markdown_of(document).encode(),
    "csv": csv_zip_of,
    "json": json_of,
}


class Command(BaseCommand):
    """manage.py report --cluster NAME --format pdf --output FILE."""

    help = (
        "Write a capacity review of a cluster, or of a finished simulation, to a file. The review is also kept, with "
        "the simulations that back its recommendations, unless --discard is given. "
        "Exit status: 0 it was written, 1 it could not be made, 2 the input is at fault."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        about = parser.add_mutually_exclusive_group()
        about.add_argument("--cluster", metavar="NAME", help="the cluster that the review is about")
        about.add_argument("--run", type=int, metavar="NUMBER", help="the finished simulation that it is about")
        parser.add_argument("--order", type=Path, metavar="FILE", help="an order as JSON; options go before it")
        parser.add_argument("--title", metavar="TEXT")
        parser.add_argument("--days", type=int, metavar="N", help=f"the last N days, {DEFAULT_DAYS} by default")
        parser.add_argument("--section", action="append", choices=SECTIONS, help="only this section; repeatable")
        parser.add_argument("--upgrade-to", metavar="MINOR", help="with the upgrade preview to a minor, such as 1.37")
        parser.add_argument("--notes", type=Path, metavar="FILE", help="the reviewer's notes, plain text")
        parser.add_argument("--format", choices=tuple(_FORMATS), default="md", help="md by default; csv is a zip")
        parser.add_argument("--output", type=Path, metavar="FILE", default=Path("-"), help="- is standard output")
        parser.add_argument("--discard", action="store_true", help="keep neither the review nor its simulations")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = stored_report(order=_order(options), user=None)
        except OrderError as error:
            self._end(placed_sentence(error.problem, error.field), _BAD_INPUT)
        write(report.pk)
        report.refresh_from_db()
        document = report.document
        if options["discard"]:
            delete_report(report)
            document = document and _without_runs(document)
        if report.state != Report.State.DONE or document is None:
            said = reported_failure(report)
            self._end(f"{said['problem']} {said['remedy']}", _FAILED)
        content = _FORMATS[options["format"]](document)
        status = READER_GONE
        with closed_pipe_is_no_error():
            self._save(options["output"], content)
            status = 0
        if status:
            sys.exit(status)

    def _save(self, path: Path, content: bytes) -> None:
        if str(path) == "-":
            sys.stdout.buffer.write(content)
            return
        try:
            path.write_bytes(content)
        except OSError as error:
            self._end(CANNOT_WRITE(path=str(path), error=error.strerror or ""), _BAD_INPUT)

    def _end(self, message: str, status: int) -> NoReturn:
        self.stderr.write(self.style.ERROR(message))
        sys.exit(status)


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
