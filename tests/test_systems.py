"""The documentation's list of everything that decides names modules, pages and tests that there are."""

from __future__ import annotations

import re

import pytest
from django.conf import settings

ROOT = settings.BASE_DIR
PAGE = ROOT / "docs" / "systems.md"
LAST = 104
ROW = re.compile(
    r"^\| (?P<number>S\d+) \| (?P<what>[^|]+) \| `(?P<module>[^`]+)` \| \[[^]]+\]\((?P<page>[^)]+)\) "
    r"\| `(?P<test>[^`]+)` \| (?P<remark>[^|]*)\|$",
    re.MULTILINE,
)
NAMED = re.compile(r"`([a-z_]+/[\w/.]+)`")
ROWS = [found.groupdict() for found in ROW.finditer(PAGE.read_text(encoding="utf-8"))]


def test_every_system_stands_there_once_in_order() -> None:
    assert [row["number"] for row in ROWS] == [f"S{number:02}" for number in range(1, LAST + 1)]
    assert PAGE.read_text(encoding="utf-8").count("\n| S") == LAST


@pytest.mark.parametrize("row", ROWS, ids=[row["number"] for row in ROWS])
def test_what_a_row_names_is_there(row: dict[str, str]) -> None:
    assert (ROOT / row["module"]).exists()
    assert (PAGE.parent / row["page"]).is_file()
    assert (ROOT / row["test"]).exists()
    assert [path for path in NAMED.findall(row["remark"]) if not (ROOT / path).exists()] == []
