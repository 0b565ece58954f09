"""What kubectl top prints: tables of pods, of their containers, and of nodes.

Upstream: ``pkg/metricsutil/metrics_printer.go`` of ``k8s.io/kubectl`` v0.34.1; until v1.33 headings had ``CPU%`` for
``CPU(%)``. CPU is in thousandths, rounded up, and memory in whole MiB, rounded down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.adapters.bad_input import BadInput, shown
from clusters.adapters.files.buffers import opened
from clusters.adapters.observed.log_files import first_lines
from clusters.adapters.prune.shapes import WrongField, quantity
from clusters.adapters.usage.found import used_amount
from clusters.engine.resources.requests import CPU, MEMORY
from clusters.engine.usage.sample import WHOLE_POD, PodUsage, UsedAmounts
from clusters.problems.objects import ManyObjects
from clusters.problems.skips import NodeNotMeasured
from clusters.problems.usage import (
    TopAmount,
    TopColumnUnknown,
    TopLineTooLong,
    TopRowLength,
    TopWithoutNames,
    TopWithoutNamespaces,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from clusters.adapters.files.meter import Meter
    from clusters.adapters.usage.found import UsageFound
    from clusters.engine.problems import Problem

_CPU, _MEMORY = "CPU(cores)", "MEMORY(bytes)"
_NAMESPACE, _POD, _NAME = "NAMESPACE", "POD", "NAME"
_OF_NODES = frozenset({"CPU%", "CPU(%)"})
_KNOWN = frozenset(
    {_NAMESPACE, _POD, _NAME, _CPU, _MEMORY, *_OF_NODES, "MEMORY%", "MEMORY(%)", "SWAP(bytes)", "SWAP(%)"}
)
_UNKNOWN: Final = "<unknown>"
_LONGEST_LINE: Final = 4096
_LINES_BETWEEN_REPORTS: Final = 1000


def begins_with_top(start: bytes) -> bool:
    """Tell the output of kubectl top by its heading."""
    return any(_is_heading(line.split()) for line in first_lines(start)[:1])


def _is_heading(cells: list[str]) -> bool:
    return _CPU in cells and _MEMORY in cells


class TopText:
    """The output of one or more runs of kubectl top, one after the other, which is being read."""

    def __init__(self, found: UsageFound, *, at: datetime, most: int) -> None:
        self._found = found
        self._at = at
        self._most = most
        self._columns: list[str] = []
        self._pods: dict[tuple[str, str], dict[str, UsedAmounts]] = {}
        self._is_sum = False
        self.lines = 0
        self.rows = 0
        # Nodes of which the output says that they were not measured.
        self.unmeasured = 0

    @property
    def skipped(self) -> dict[Problem, int]:
        """What was left out, and why."""
        return {NodeNotMeasured(): self.unmeasured} if self.unmeasured else {}

    def read(self, path: Path, meter: Meter, *, name: str) -> Iterator[None]:
        """Read a file; yield now and then, so that the caller may report progress. Raises BadInput."""
        meter.open_file(meter.bytes_total)
        data = opened(path, meter)[:]
        try:
            lines = data.decode("utf-8", "replace").splitlines()
            for number, line in enumerate(lines, 1):
                self._take(number, line)
                if not number % _LINES_BETWEEN_REPORTS:
                    meter.at(number / len(lines))
                    yield
            for (namespace, pod), containers in self._pods.items():
                self._found.add_pod(self._at, PodUsage(namespace, pod, containers))
        except BadInput as error:
            raise error.at(file=name) from None

    def _take(self, number: int, line: str) -> None:
        self.lines += 1
        if len(line) > _LONGEST_LINE:
            raise BadInput(TopLineTooLong(number, _LONGEST_LINE))
        cells = line.split()
        if _is_heading(cells):
            self._begin(number, cells)
        elif cells and not cells[0].strip("_"):
            # With --sum two lines follow: one that is drawn, and the sums.
            self._is_sum = True
        elif cells and self._is_sum:
            self._is_sum = False
        elif cells:
            self._row(number, line, cells)

    def _begin(self, number: int, cells: list[str]) -> None:
        unknown = next((cell for cell in cells if cell not in _KNOWN), None)
        if unknown is not None:
            raise BadInput(TopColumnUnknown(number, shown(unknown)))
        if _NAME not in cells:
            raise BadInput(TopWithoutNames(number))
        if _NAMESPACE not in cells and _OF_NODES.isdisjoint(cells):
            raise BadInput(TopWithoutNamespaces(number))
        self._columns, self._is_sum = cells, False

    def _row(self, number: int, line: str, cells: list[str]) -> None:
        if len(cells) != len(self._columns):
            raise BadInput(TopRowLength(number, shown(line.strip()), len(cells), len(self._columns)))
        if self.rows >= self._most:
            raise BadInput(ManyObjects(self._most))
        row = dict(zip(self._columns, cells, strict=True))
        if _UNKNOWN in (row[_CPU], row[_MEMORY]):
            self.unmeasured += 1
            return
        self.rows += 1
        used = UsedAmounts(self._amount(number, row, CPU, _CPU), self._amount(number, row, MEMORY, _MEMORY))
        if _NAMESPACE in row:
            pod = row.get(_POD, row[_NAME])
            container = row[_NAME] if _POD in row else WHOLE_POD
            self._pods.setdefault((row[_NAMESPACE], pod), {})[container] = used
        else:
            self._found.add_node(self._at, row[_NAME], used)

    def _amount(self, number: int, row: dict[str, str], resource: str, column: str) -> int:
        try:
            return used_amount(resource, quantity(row[column]))
        except WrongField as error:
            raise BadInput(TopAmount(number, column, error.problem)) from None
