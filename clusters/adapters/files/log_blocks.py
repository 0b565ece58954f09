"""`kubectl cluster-info dump` to the terminal: lists of objects with the logs of every container between them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusters.adapters.files.buffers import Buffer

# Only a line of its own can hold it: within JSON a line break is escaped, within YAML the text is indented.
_START = re.compile(rb"^==== START logs for container ", re.MULTILINE)
_END = re.compile(rb"^==== END logs for container [^\n]*(?:\n|\Z)", re.MULTILINE)


def without_logs(data: Buffer) -> tuple[Buffer, int]:
    """Return the text without its log blocks, and their number; logs may hold anything, and nothing that is needed."""
    start = _START.search(data)
    if start is None:
        return data, 0
    parts = []
    position = count = 0
    while start is not None:
        parts.append(data[position : start.start()])
        count += 1
        end = _END.search(data, start.end())
        # A block that was cut off takes the rest of the file with it.
        position = end.end() if end else len(data)
        start = _START.search(data, position)
    parts.append(data[position:])
    return b"".join(parts), count
