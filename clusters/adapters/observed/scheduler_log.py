"""kube-scheduler's log, line by line: from lines about pods to whole attempts.

Upstream: ``pkg/scheduler/schedule_one.go`` and ``framework/preemption`` v1.34.1. One pod is scheduled at a time, but
the lines of bindings fall between those of the pods that come next. Scores in the log are normalised and weighted
already; filters' answers per node are in no line.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from clusters.adapters.bad_input import printable
from clusters.adapters.observed.attempt import LOG, Attempt, cells_in
from clusters.adapters.observed.klog import MULTI_LINE_END, MULTI_LINE_START, parsed_line
from clusters.engine.messages import NO_NODES
from clusters.models.observation import packed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from clusters.adapters.observed.klog import LogLine

_Telling = Callable[[dict[str, Any], dict[str, str]], int]

_POD = re.compile(r"(?P<namespace>[a-z0-9][-a-z0-9]{0,62})/(?P<name>[a-z0-9][-a-z0-9.]{0,252})")
_WHOLE = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_LONGEST_NAME = 253
_LONGEST_UID = 128
_LONGEST_TEXT = 64 * 1024
# Attempts whose end has not been read, and what they hold together: a log may begin pods and never end them.
_MOST_OPEN = 10_000
_MOST_OPEN_CELLS = 500_000
# A text over several lines that does not end is given up here, so that it does not take the rest of the log with it.
_MOST_LINES_JOINED = 1_000
_MOST_CHARACTERS_JOINED = 1024 * 1024

_STARTS = ("About to try and schedule pod", "Attempting to schedule pod")
_BOUND = "Successfully bound pod to node"
_NO_FIT = "Unable to schedule pod; no fit; waiting"
_NO_NODES_THERE = "Unable to schedule pod; no nodes are registered to the cluster; waiting"
_PLUGIN_SCORED = "Plugin scored node for pod"
_EXTENDER_SCORED = "Extender scored node for pod"
_TOTAL = "Calculated node's final score for pod"
_PRE_FILTER = "Status after running PreFilter plugins for pod"
_POST_FILTER = "Status after running PostFilter plugins for pod"
_PREEMPTION_TARGET = "the target node for the preemption is determined"
_BINDING = "Attempting to bind pod to node"


@dataclass(slots=True)
class _Open:
    """An attempt whose lines are being read."""

    stamp: str
    at: datetime | None
    uid: str = ""
    document: dict[str, Any] = field(default_factory=dict)
    cells: int = 0


class SchedulerLog:
    """Takes lines and gives attempts as they end.

    ``understood`` counts the lines that told something, ``unreadable`` those that named no pod, node or number.
    """

    def __init__(self, *, now: datetime) -> None:
        self._now = now
        self._open: OrderedDict[tuple[str, str], _Open] = OrderedDict()
        self._open_cells = 0
        self._joined: list[str] = []
        self._joined_characters = 0
        self.understood = 0
        self.unreadable = 0

    def take(self, line: str) -> Iterator[Attempt]:
        """Read one line, without its line break; yield the attempts that end with it."""
        if self._joined:
            self._joined.append(line)
            self._joined_characters += len(line)
            if not line.startswith(MULTI_LINE_END) and self._may_join_more:
                return
            line = "\n".join(self._joined)
            self._joined = []
        elif line.endswith(MULTI_LINE_START):
            self._joined.append(line)
            self._joined_characters = len(line)
            return
        if _TOLD.search(line) is None:
            return
        parsed = parsed_line(line, self._now)
        if parsed is not None and (parsed.message in _STARTS or parsed.message in _TELLING):
            yield from self._told(parsed)

    @property
    def _may_join_more(self) -> bool:
        return len(self._joined) < _MOST_LINES_JOINED and self._joined_characters < _MOST_CHARACTERS_JOINED

    def end(self) -> Iterator[Attempt]:
        """Yield the attempts whose end is not in the log."""
        while self._open:
            yield from self._close(next(iter(self._open)))

    def _told(self, line: LogLine) -> Iterator[Attempt]:
        pod = _POD.fullmatch(line.values.get("pod", ""))
        if pod is None:
            self.unreadable += 1
            return
        identity = (pod["namespace"], pod["name"])
        found = self._open.get(identity)
        if line.message in _STARTS:
            self.understood += 1
            if found is not None and found.document:
                yield from self._close(identity)
            if identity not in self._open:
                self._open[identity] = _Open(line.stamp, line.at)
        else:
            found = found or _Open(line.stamp, line.at)
            try:
                cells = _TELLING[line.message](found.document, line.values)
            except _UnreadableLineError:
                self.unreadable += 1
                return
            self.understood += 1
            self._open[identity] = found
            found.uid = found.uid or printable(line.values.get("podUID", ""))[:_LONGEST_UID]
            found.cells += cells
            self._open_cells += cells
            if line.message in _ENDS:
                yield from self._close(identity)
        while len(self._open) > _MOST_OPEN or (self._open and self._open_cells > _MOST_OPEN_CELLS):
            yield from self._close(next(iter(self._open)))

    def _close(self, identity: tuple[str, str]) -> Iterator[Attempt]:
        found = self._open.pop(identity)
        self._open_cells -= found.cells
        if found.document:
            yield Attempt(
                source=LOG,
                namespace=identity[0],
                name=identity[1],
                uid=found.uid,
                key=found.stamp,
                number=None,
                observed_at=found.at,
                cells=cells_in(found.document),
                packed=packed(found.document),
            )


class _UnreadableLineError(Exception):
    """A line of a known message that lacks what it should tell."""


def _plugin_scored(document: dict[str, Any], values: dict[str, str]) -> int:
    return _cell(document.setdefault("finalScores", {}), _name(values, "node"), _name(values, "plugin"), values)


def _extender_scored(document: dict[str, Any], values: dict[str, str]) -> int:
    return _cell(document.setdefault("extenders", {}), _name(values, "node"), _name(values, "extender"), values)


def _cell(kind: dict[str, Any], node: str, column: str, values: dict[str, str]) -> int:
    kind.setdefault(node, {})[column] = _number(values, "score")
    return 1


def _total(document: dict[str, Any], values: dict[str, str]) -> int:
    node, score = _name(values, "node"), _number(values, "score")
    document.setdefault("totals", {})[node] = score
    return 1


def _bound(document: dict[str, Any], values: dict[str, str]) -> int:
    document["selectedNode"] = _name(values, "node")
    for key in ("evaluatedNodes", "feasibleNodes"):
        if _WHOLE.fullmatch(values.get(key, "")):
            document[key] = int(values[key])
    return 0


def _nominated(document: dict[str, Any], values: dict[str, str]) -> int:
    document["nominatedNode"] = _name(values, "node")
    return 0


def _no_nodes(document: dict[str, Any], values: dict[str, str]) -> int:
    document["message"] = NO_NODES
    return 0


def _says(key: str, value: str) -> _Telling:
    """Return what takes one of a line's values as a text."""

    def take(document: dict[str, Any], values: dict[str, str]) -> int:
        text = values.get(value, "")
        if not text:
            raise _UnreadableLineError
        document[key] = printable(text[:_LONGEST_TEXT])
        return 0

    return take


def _name(values: dict[str, str], key: str) -> str:
    name = values.get(key, "")
    if not name or len(name) > _LONGEST_NAME:
        raise _UnreadableLineError
    return printable(name)


def _number(values: dict[str, str], key: str) -> int:
    if not _WHOLE.fullmatch(values.get(key, "")):
        raise _UnreadableLineError
    return int(values[key])


# What each message adds to an attempt's document; each returns how many cells came with it.
_TELLING: dict[str, _Telling] = {
    _PLUGIN_SCORED: _plugin_scored,
    _EXTENDER_SCORED: _extender_scored,
    _TOTAL: _total,
    _PRE_FILTER: _says("preFilterMessage", "status"),
    _POST_FILTER: _says("postFilterMessage", "status"),
    _PREEMPTION_TARGET: _nominated,
    _BINDING: _bound,
    _BOUND: _bound,
    _NO_FIT: _says("message", "err"),
    _NO_NODES_THERE: _no_nodes,
}
_ENDS = frozenset({_BOUND, _NO_FIT, _NO_NODES_THERE})
# Most lines of a verbose log say something else; finding that out must cost next to nothing.
_TOLD = re.compile("|".join(map(re.escape, (*_STARTS, *_TELLING))))
