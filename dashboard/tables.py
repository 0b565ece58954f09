"""Tables as files that spreadsheets open."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from django.http import HttpResponse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# A spreadsheet takes a text that starts so for a formula, and what is mirrored was written by others.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def csv_file(name: str, columns: Sequence[str], rows: Iterable[Sequence[str | int]]) -> HttpResponse:
    """Return a table as a download; texts that would be formulas get an apostrophe in front."""
    response = HttpResponse(
        content_type="text/csv; charset=utf-8", headers={"Content-Disposition": f'attachment; filename="{name}.csv"'}
    )
    writer = csv.writer(response)
    writer.writerow(columns)
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return response


def _harmless(cell: str | int) -> str | int:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA_STARTS) else cell
