"""What others recorded of scheduling attempts: kube-scheduler-simulator in annotations, kube-scheduler in its log."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
from msgspec import Struct, field

from clusters.adapters.bad_input import Limits, printable
from clusters.engine.problems import Problem, ProblemError
from clusters.engine.status import NO_NODES
from clusters.models.decision import Observation, packed_file, unpacked_file
from clusters.problems.skips import (
    LargeResults,
    LongHistory,
    OtherResult,
    ResultUnreadable,
)

# One attempt to schedule one pod, as somebody else recorded it: the normal form of every source.
#
# A document holds what was recorded, and of these keys only those:
#
# - ``preFilter``, ``preScore``, ``reserve``, ``permit``, ``permitTimeout``, ``preBind``, ``bind``: {plugin: text}
# - ``preFilterNodes``: {plugin: [node]}, the nodes that PreFilter narrowed the search to
# - ``filters``: {node: {plugin: "passed" or the reasons}}, ``postFilter``: {node: {plugin: text}}
# - ``scores``: {node: {plugin: raw}}, ``finalScores``: {node: {plugin: normalised × weight}}
# - ``extenders``: {node: {extender: score}}, ``totals``: {node: score}
# - ``preFilterMessage``, ``postFilterMessage``, ``message``: texts; the last is why the pod was unschedulable
# - ``selectedNode``, ``nominatedNode``: names; ``evaluatedNodes``, ``feasibleNodes``: counts

SIMULATOR, LOG = Observation.Source.SIMULATOR, Observation.Source.LOG
PASSED = "passed"
SUCCESS = "success"

# Kinds of cells: what was said about a node by a plugin or an extender, or summed up over them.
_BY_NODE_AND_PLUGIN = ("filters", "scores", "finalScores", "extenders")


class Attempt(Struct, frozen=True):
    """An attempt ready to be kept; `key` tells it from the other attempts of its pod, the same on every reading.

    `uid` is empty where the source names the pod only; `number` counts from 1 where the source numbers attempts.
    """

    source: str
    namespace: str
    name: str
    uid: str
    key: str
    number: int | None
    observed_at: datetime | None
    cells: int
    packed: bytes

    @property
    def document(self) -> dict[str, Any]:
        """What was recorded, in the normal form."""
        return unpacked_file(self.packed)


def cells_in(document: dict[str, Any]) -> int:
    """Return how many cells a document holds."""
    by_plugin = sum(len(cells) for kind in _BY_NODE_AND_PLUGIN for cells in document.get(kind, {}).values())
    return by_plugin + len(document.get("totals", ()))


# The attempts of one source, held until all of it is read.


class Held:
    """Attempts without duplicates, as many as the limits allow; `left_out` counts the others."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._attempts: dict[tuple[str, str, str, str], Attempt] = {}
        self._bytes = 0
        self.left_out = 0

    def __len__(self) -> int:
        return len(self._attempts)

    def __iter__(self) -> Iterator[Attempt]:
        return iter(self._attempts.values())

    def add(self, attempt: Attempt) -> None:
        """Take an attempt; of two readings of the same one the fuller, and of equally full ones the later."""
        identity = (attempt.namespace, attempt.name, attempt.uid, attempt.key)
        before = self._attempts.get(identity)
        if before is not None and attempt.cells < before.cells:
            return
        size = self._bytes + len(attempt.packed) - (len(before.packed) if before is not None else 0)
        is_one_more = before is None and len(self) >= self._limits.attempts
        if is_one_more or size > self._limits.attempt_bytes:
            self.left_out += 1
            return
        self._bytes = size
        self._attempts[identity] = attempt


# Lines of a Kubernetes component's log: klog's text, and the JSON that `--logging-format=json` writes.
#
# Upstream: ``k8s.io/klog/v2`` and ``k8s.io/component-base/logs/json`` v0.34. Text lines carry neither a year nor a
# time zone; they are taken for UTC, as a scheduler in a container writes them.

# Anything may stand before the header: journald's own, or the time that `kubectl logs --timestamps` adds.
_BEFORE = 300
_HEADER = re.compile(
    r"(?:^|[\s>:])[IWEF](?P<month>[0-9]{2})(?P<day>[0-9]{2}) "
    r"(?P<time>[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}) +[0-9]{1,10} [^\s\]]{1,120}:[0-9]{1,6}\] ",
    re.ASCII,
)
_YEAR = re.compile(r"(?:^|\s)([0-9]{4})-[0-9]{2}-[0-9]{2}T", re.ASCII)
_QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# A quoted text, a text over several lines, or a bare word; blanks separate the pairs.
_PAIR = re.compile(
    r"(?:^|\s)(?P<key>[A-Za-z_][\w.\-/]{0,100})="
    r'(?:"(?P<quoted>(?:[^"\\\n]|\\.)*)"|<\n(?P<lines>.*?)\n >|(?P<bare>[^\s"<][^\s]*))',
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_SINGLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_STAMP = "%m%d %H:%M:%S.%f"
_YEARS_TRIED = 8
_A_DAY = timedelta(days=1)
_EPOCH = datetime.fromtimestamp(0, UTC)
_HIGHEST_MILLISECONDS = 253_402_300_799_000
MULTI_LINE_START = "=<"
MULTI_LINE_END = " >"


class LogLine(Struct, frozen=True):
    """A structured line: its message and values, all as texts.

    `stamp` is month, day and time of day; `year` is 0 where the line does not tell it, and `now` bounds it then.
    """

    message: str
    values: dict[str, str]
    stamp: str
    year: int
    now: datetime

    @property
    def at(self) -> datetime | None:
        """The line's moment, None for a day that the calendar does not have. Not for every line: it takes a while."""
        years = [self.year] if self.year else range(self.now.year + 1, self.now.year - _YEARS_TRIED, -1)
        for year in years:
            try:
                at = datetime.strptime(f"{year:04d}{self.stamp}", f"%Y{_STAMP}").replace(tzinfo=UTC)
            except ValueError:
                continue
            if self.year or at <= self.now + _A_DAY:
                return at
        return None


def parsed_line(text: str, now: datetime) -> LogLine | None:
    """Return a line in parts, or None for one that is not structured. Never raises.

    `now` tells the year of a line without one: the latest that does not put it into the future.
    """
    start = text.find("{", 0, _BEFORE)
    header = _HEADER.search(text, 0, _BEFORE)
    if header is not None:
        return _text_line(text, header, now)
    return _json_line(text[start:], now) if start >= 0 else None


def is_structured(text: str) -> bool:
    """Tell whether a line looks like one of a component's log, whatever it says."""
    start = text.find("{", 0, _BEFORE)
    return _HEADER.search(text, 0, _BEFORE) is not None or (start >= 0 and _json_line(text[start:], _EPOCH) is not None)


def _text_line(text: str, header: re.Match[str], now: datetime) -> LogLine | None:
    message = _QUOTED.match(text, header.end())
    if message is None:
        return None
    values = {}
    for pair in _PAIR.finditer(text, message.end()):
        quoted, lines, bare = pair.group("quoted", "lines", "bare")
        if quoted is not None:
            values[pair["key"]] = _unquoted(quoted)
        elif lines is not None:
            values[pair["key"]] = "\n".join(line.removeprefix("\t") for line in lines.split("\n"))
        else:
            values[pair["key"]] = bare
    stamp = f"{header['month']}{header['day']} {header['time']}"
    year = _YEAR.search(text, 0, header.start() + 1)
    return LogLine(_unquoted(message[1]), values, stamp, int(year[1]) if year else 0, now)


def _json_line(text: str, now: datetime) -> LogLine | None:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    if type(value) is not dict or type(value.get("msg")) is not str or type(value.get("ts")) not in {int, float}:
        return None
    if not 0 <= value["ts"] <= _HIGHEST_MILLISECONDS:
        return None
    at = _EPOCH + timedelta(microseconds=round(value["ts"] * 1000))
    texts = {key: _as_text(content) for key, content in value.items() if key not in {"msg", "ts"}}
    return LogLine(value["msg"], texts, at.strftime(_STAMP), at.year, now)


def _as_text(value: Any) -> str:
    """Return a value as the text format would show it; an object's reference becomes namespace/name."""
    if type(value) is str:
        return value
    if type(value) is dict and type(value.get("name")) is str:
        namespace = value.get("namespace")
        return f"{namespace}/{value['name']}" if type(namespace) is str and namespace else value["name"]
    return str(value) if type(value) in {int, float, bool} else ""


def _unquoted(text: str) -> str:
    """Undo Go's quoting."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    *codes, single = match.groups()
    code = next((code for code in codes if code), "")
    if code:
        number = int(code, 16)
        # Halves of surrogate pairs and numbers beyond the last character cannot be stored.
        return chr(number) if number < 0xD800 or 0xE000 <= number <= 0x10FFFF else "\N{REPLACEMENT CHARACTER}"
    return _SINGLE.get(single, single)


# kube-scheduler's log, line by line: from lines about pods to whole attempts.
#
# Upstream: ``pkg/scheduler/schedule_one.go`` and ``framework/preemption`` v1.34.1. One pod is scheduled at a time,
# but the lines of bindings fall between those of the pods that come next. Scores in the log are normalised and
# weighted already; filters' answers per node are in no line.

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


class _Open(Struct):
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
            if not line.startswith(MULTI_LINE_END) and (
                len(self._joined) < _MOST_LINES_JOINED and self._joined_characters < _MOST_CHARACTERS_JOINED
            ):
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
                packed=packed_file(found.document),
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

# The results that kube-scheduler-simulator writes into a pod's annotations.
#
# Each result is a JSON text of its own, scores are decimal texts, and the history is a list of all attempts'
# annotations:
# JSON texts within a JSON text. Releases before 0.4 wrote another prefix and no history.

PREFIXES = ("kube-scheduler-simulator.sigs.k8s.io/", "scheduler-simulator/")
_HISTORY = "result-history"
# An API server takes 256 KiB of annotations an object; an export that was written by hand may have some more.
MOST_CHARACTERS = 1024 * 1024
MOST_ATTEMPTS = 1_000
_SIMULATOR_LONGEST_TEXT = 4_096
_SCORE = re.compile(r"-?[0-9]{1,18}")
# The key of an attempt without a number: what the annotations say now.
LATEST = "latest"


class UnreadableResultError(ProblemError):
    """A result that does not have the simulator's form; the problem says how."""


class Results(Struct):
    """The attempts of one pod, oldest first, and how often what could not be read."""

    attempts: list[Attempt] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def results_of(annotations: Any, *, namespace: str, name: str, uid: str) -> Results:
    """Return what the simulator recorded about a pod. What cannot be read is named among the problems."""
    results = Results()
    found = _texts_of_simulator(annotations)
    if not found:
        return results
    if sum(map(len, found.values())) > MOST_CHARACTERS:
        results.problems.append(LargeResults())
        return results

    def keep(key: str, number: int | None, document: dict[str, Any]) -> None:
        results.attempts.append(
            Attempt(SIMULATOR, namespace, name, uid, key, number, None, cells_in(document), packed_file(document))
        )

    last: dict[str, Any] = {}
    for number, texts in _history(found.pop(_HISTORY, ""), results.problems):
        document = _document(texts, results.problems)
        if document:
            last = document
            keep(str(number), number, document)
    document = _document(found, results.problems)
    if document and document != last:
        keep(LATEST, None, document)
    return results


def _texts_of_simulator(annotations: Any) -> dict[str, str]:
    """Return the simulator's annotations without their prefix; those of the newer prefix win."""
    found: dict[str, str] = {}
    if type(annotations) is dict:
        for prefix in reversed(PREFIXES):
            for key, text in annotations.items():
                if type(key) is str and type(text) is str and key.startswith(prefix):
                    found[key.removeprefix(prefix)] = text
    return found


def _history(text: str, problems: list[Problem]) -> list[tuple[int, dict[str, str]]]:
    """Return the attempts of a history with their numbers, from 1."""
    if not text:
        return []
    try:
        entries = orjson.loads(text)
    except orjson.JSONDecodeError:
        entries = None
    if type(entries) is not list:
        problems.append(ResultUnreadable(_HISTORY))
        return []
    numbered = list(enumerate(entries, 1))
    if len(numbered) > MOST_ATTEMPTS:
        problems.append(LongHistory(_HISTORY, MOST_ATTEMPTS))
    return [(number, _texts_of_simulator(entry)) for number, entry in numbered[-MOST_ATTEMPTS:]]


def _document(texts: Mapping[str, str], problems: list[Problem]) -> dict[str, Any]:
    """Return one attempt in the normal form, empty where nothing was recorded."""
    document: dict[str, Any] = {}
    for suffix, text in texts.items():
        if suffix not in _READERS:
            problems.append(OtherResult())
            continue
        key, read = _READERS[suffix]
        try:
            value = read(suffix, text)
        except UnreadableResultError as error:
            problems.append(error.problem)
            continue
        if value:
            document[key] = value
    return document


def _parsed(result: str, text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        raise UnreadableResultError(ResultUnreadable(result)) from None


def _named(result: str, value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if type(value) is not dict or any(not name or len(name) > _LONGEST_NAME for name in value):
        raise UnreadableResultError(ResultUnreadable(result))
    return {printable(name): content for name, content in value.items()}


def _text(result: str, value: Any) -> str:
    if type(value) is not str:
        raise UnreadableResultError(ResultUnreadable(result))
    return printable(value[:_SIMULATOR_LONGEST_TEXT])


def _score(result: str, value: Any) -> int:
    if type(value) is not str or not _SCORE.fullmatch(value):
        raise UnreadableResultError(ResultUnreadable(result))
    return int(value)


def _names(result: str, value: Any) -> list[str]:
    if type(value) is not list:
        raise UnreadableResultError(ResultUnreadable(result))
    return [_text(result, name) for name in value]


def _by_plugin(leaf: Callable[[str, Any], Any]) -> Callable[[str, str], dict[str, Any]]:
    return lambda result, text: {
        plugin: leaf(result, value) for plugin, value in _named(result, _parsed(result, text)).items()
    }


def _by_node(leaf: Callable[[str, Any], Any]) -> Callable[[str, str], dict[str, Any]]:
    return lambda result, text: {
        node: {plugin: leaf(result, value) for plugin, value in _named(result, by_plugin).items()}
        for node, by_plugin in _named(result, _parsed(result, text)).items()
    }


# By the annotation's name: the key in the normal form, and how its text is read, given that name.
_READERS: dict[str, tuple[str, Callable[[str, str], Any]]] = {
    "prefilter-result-status": ("preFilter", _by_plugin(_text)),
    "prefilter-result": ("preFilterNodes", _by_plugin(_names)),
    "filter-result": ("filters", _by_node(_text)),
    "postfilter-result": ("postFilter", _by_node(_text)),
    "prescore-result": ("preScore", _by_plugin(_text)),
    "score-result": ("scores", _by_node(_score)),
    "finalscore-result": ("finalScores", _by_node(_score)),
    "reserve-result": ("reserve", _by_plugin(_text)),
    "permit-result": ("permit", _by_plugin(_text)),
    "permit-result-timeout": ("permitTimeout", _by_plugin(_text)),
    "prebind-result": ("preBind", _by_plugin(_text)),
    "bind-result": ("bind", _by_plugin(_text)),
    "selected-node": ("selectedNode", lambda result, text: _text(result, text)[:_LONGEST_NAME]),
}
