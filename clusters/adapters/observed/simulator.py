"""The results that kube-scheduler-simulator writes into a pod's annotations.

Each result is a JSON text of its own, scores are decimal texts, and the history is a list of all attempts' annotations:
JSON texts within a JSON text. Releases before 0.4 wrote another prefix and no history.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from clusters.adapters.bad_input import printable, shown
from clusters.adapters.observed.attempt import SIMULATOR, Attempt, cells_in
from clusters.models.observation import packed
from clusters.problems.skips import (
    HistoryNotAList,
    LargeResults,
    LongHistory,
    OtherResult,
    ResultNotAScore,
    ResultNotAText,
    ResultNotJson,
    ResultNotNamed,
    ResultNotNodes,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusters.engine.problems import Problem

PREFIXES = ("kube-scheduler-simulator.sigs.k8s.io/", "scheduler-simulator/")
_HISTORY = "result-history"
# An API server takes 256 KiB of annotations an object; an export that was written by hand may have some more.
MOST_CHARACTERS = 1024 * 1024
MOST_ATTEMPTS = 1_000
_LONGEST_NAME = 253
_LONGEST_TEXT = 4_096
_SCORE = re.compile(r"-?[0-9]{1,18}")
# The key of an attempt without a number: what the annotations say now.
LATEST = "latest"


class UnreadableResultError(Exception):
    """A result that does not have the simulator's form; the problem says how."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(repr(problem))
        self.problem = problem


@dataclass(slots=True)
class Results:
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
            Attempt(SIMULATOR, namespace, name, uid, key, number, None, cells_in(document), packed(document))
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
        problems.append(HistoryNotAList(_HISTORY))
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
        raise UnreadableResultError(ResultNotJson(result)) from None


def _named(result: str, value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if type(value) is not dict or any(not name or len(name) > _LONGEST_NAME for name in value):
        raise UnreadableResultError(ResultNotNamed(result))
    return {printable(name): content for name, content in value.items()}


def _text(result: str, value: Any) -> str:
    if type(value) is not str:
        raise UnreadableResultError(ResultNotAText(result))
    return printable(value[:_LONGEST_TEXT])


def _score(result: str, value: Any) -> int:
    if type(value) is not str or not _SCORE.fullmatch(value):
        raise UnreadableResultError(ResultNotAScore(result, shown(value)))
    return int(value)


def _names(result: str, value: Any) -> list[str]:
    if type(value) is not list:
        raise UnreadableResultError(ResultNotNodes(result))
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
