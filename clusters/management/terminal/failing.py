"""Workloads that fail, as plain text: what a controller cannot do, its own words, why, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.adapters.bad_input import printable
from clusters.management.terminal.layout import wrapped
from clusters.wording import refusals, workload_failures as words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.workloads import Failures


def failing_lines(failures: Failures, width: int) -> Iterator[str]:
    """Yield a paragraph for each failure and an empty line behind each; nothing where none fails."""
    for found in failures.values():
        for failure in found:
            yield from wrapped(printable(words.sentence(failure)), width)
            yield from wrapped(printable(words.quoted(failure)), width, indent="  ")
            for said in filter(None, (refusals.because(failure), refusals.outlook(failure))):
                yield from wrapped(printable(said), width, indent="  ")
            yield from wrapped(printable(words.remedy(failure, found)), width, indent="  ")
            yield ""
