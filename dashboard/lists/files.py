"""Tables as files that spreadsheets open."""

from __future__ import annotations

import csv
import re
from io import StringIO
from typing import TYPE_CHECKING

import msgspec
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence

    from django.utils.functional import _StrOrPromise


_TYPE = "text/csv; charset=utf-8"
# A spreadsheet takes a text that starts so for a formula, and what is mirrored was written by others.
# Some leave blanks out first, and some read the broad signs of East Asian keyboards as the usual ones.
_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")


def csv_file(name: str, columns: Sequence[_StrOrPromise], rows: Iterable[Sequence[str | int]]) -> HttpResponse:
    """Return a table as a download; texts that would be formulas get an apostrophe in front."""
    return HttpResponse(csv_text(columns, rows), content_type=_TYPE, headers=_headers(name))


def streamed_csv_file(
    request: HttpRequest, name: str, columns: Sequence[_StrOrPromise], chunks: Iterable[Iterable[Sequence[str | int]]]
) -> StreamingHttpResponse:
    """Return a table too long for memory as a download; each chunk of rows is made when the last one was sent."""
    texts = _texts(columns, chunks)
    # Whoever serves asynchronously would gather all of an ordinary iterator first.
    content = _asynchronous(texts) if isinstance(request, ASGIRequest) else texts
    return StreamingHttpResponse(content, content_type=_TYPE, headers=_headers(name))


def streamed_json_lines(request: HttpRequest, name: str, rows: Iterable[Mapping[str, object]]) -> StreamingHttpResponse:
    """Return rows as a download of one JSON object a line; each is written when those before it were sent."""
    lines = (msgspec.json.encode(row).decode() + "\n" for row in rows)
    content = _asynchronous(lines) if isinstance(request, ASGIRequest) else lines
    headers = {"Content-Disposition": f'attachment; filename="{name}.jsonl"'}
    return StreamingHttpResponse(content, content_type="application/jsonl", headers=headers)


async def _asynchronous(texts: Iterator[str]) -> AsyncIterator[str]:
    following = sync_to_async(lambda: next(texts, None))
    while (text := await following()) is not None:
        yield text


def _texts(columns: Sequence[_StrOrPromise], chunks: Iterable[Iterable[Sequence[str | int]]]) -> Iterator[str]:
    yield csv_text(columns, ())
    for rows in chunks:
        yield csv_text((), rows)


def csv_text(columns: Sequence[_StrOrPromise], rows: Iterable[Sequence[str | int]]) -> str:
    """Write rows as CSV, below the columns where there are any; texts that would be formulas get an apostrophe."""
    written = StringIO(newline="")
    writer = csv.writer(written)
    if columns:
        writer.writerow([_harmless(str(column)) for column in columns])
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return written.getvalue()


def _headers(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}.csv"'}


def _harmless(cell: str | int) -> str | int:
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell
