"""A review's document in which everything that others write is written by somebody who means harm."""

from __future__ import annotations

import copy
from typing import Any

from tests.dashboard.rows import a_gap

# What nobody but Berth writes.
_OURS = ("unit", "resource", "kind")
EVIL = "=cmd|' /C calc'!A0 | [x](javascript:alert(1)) `</td><script>alert(2)</script>` @everybody"


def hostile(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with such a text in the place of every title, note, name and word of its tables."""
    found = copy.deepcopy(document)
    found["title"] = found["notes"] = found["made_by"] = found["cluster"]["name"] = EVIL
    found["notes"] = f"{EVIL}\n# {EVIL}\n- {EVIL}"
    found["gaps"] = [a_gap(EVIL, EVIL)]
    for section in found["sections"]:
        for table in section["tables"]:
            for row in table["rows"]:
                for column in table["columns"]:
                    if column["kind"] in ("text", "name") and column["key"] not in _OURS:
                        row[column["key"]] = EVIL
                    elif column["kind"] == "names":
                        row[column["key"]] = [EVIL, EVIL]
        for made in section["facts"].get("made", ()):
            made["object"] = {"kind": EVIL, "namespace": EVIL, "name": EVIL}
    return found
