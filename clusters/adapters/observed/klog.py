"""Lines of a Kubernetes component's log: klog's text, and the JSON that `--logging-format=json` writes.

Upstream: ``k8s.io/klog/v2`` and ``k8s.io/component-base/logs/json`` v0.34. Text lines carry neither a year nor a time
zone; they are taken for UTC, as a scheduler in a container writes them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

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


@dataclass(frozen=True, slots=True)
class LogLine:
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
