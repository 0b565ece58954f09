"""Reading the corpus of kube-scheduler's own answers, and bringing both sides into comparable form."""

from __future__ import annotations

import gzip
import os
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import orjson
from msgspec import Struct
from msgspec.json import Decoder

from clusters.engine import SchedulerConfiguration
from clusters.engine.versions import release_with

CORPORA = ("general", "wider", "minimal", "examples", "dra")
CORPUS = Path(__file__).parents[1] / "data" / "oracle"

Case = dict[str, Any]


class _Named(Struct):
    name: str


_NAMED = Decoder(_Named)


@cache
def written_cases(name: str) -> dict[str, bytes]:
    """The cases of one file of the corpus by name, as they are written.

    As objects all of them together would make every collection of garbage take long, in whichever test.
    """
    with gzip.open(CORPUS / f"{name}.jsonl.gz") as lines:
        return {_NAMED.decode(line).name: line for line in lines}


@lru_cache(maxsize=1)
def cases(name: str) -> dict[str, Case]:
    """The cases of one file of the corpus by name."""
    return {named: orjson.loads(line) for named, line in written_cases(name).items()}


def some_cases(name: str, *, every: int) -> dict[str, Case]:
    """Every so many-th case of a file, for what reads answers that the oracle itself compares whole; or all of them."""
    written = [*written_cases(name).items()][:: 1 if os.environ.get("BERTH_TEST_WHOLE") == "1" else every]
    return {named: orjson.loads(line) for named, line in written}


def asked_of(case: Case) -> SchedulerConfiguration:
    """The configuration of a case, as the release that answered it reads it with the case's gates."""
    release = release_with(case.get("kubernetes", ""), case.get("featureGates") or {})
    config = case.get("config")
    return SchedulerConfiguration.from_dict(config, release) if config else SchedulerConfiguration.default(release)


def importance_of_pods(case: Case) -> dict[str, tuple[int, str]]:
    """Priority and start time of every pod of a case."""
    return {
        f"{pod['metadata'].get('namespace', 'default')}/{pod['metadata']['name']}": (
            (pod.get("spec") or {}).get("priority") or 0,
            pod.get("status", {}).get("startTime", ""),
        )
        for pod in (*case["objects"], *case["pods"])
        if pod["kind"] == "Pod"
    }


def comparable(result: dict[str, Any], priorities: dict[str, tuple[int, str]]) -> dict[str, Any]:
    """A result with everything that has no order sorted, and chance choices reduced to what decides them.

    ``priorities`` gives priority and start time of every pod: of preemption candidates that rank alike the scheduler
    takes any. After an error that ended the cycle there is no choice, and no text about nodes; where it ended before
    any node was looked at, none about a single one. A single feasible node is taken without a score: none can fail.
    """
    is_scored = len(result.get("feasible") or ()) != 1
    error = result.get("cycleError") or (result.get("scoreError") if is_scored else None)
    if error is not None:
        ended = result.get("preFilterVerdict")
        unsaid: dict[str, Any] = {"scores": {}, "total": None, **({"verdict": None} if ended else {})}
        return {
            "error": error,
            "PreFilter": {plugin: _status(status) for plugin, status in result["preFilter"].items()},
            "PreFilter verdict": ended and (ended["code"], ended["plugin"]),
            "nodes": {name: {**_node(node), **unsaid} for name, node in result["nodes"].items()},
        }
    return {
        "feasible": sorted(result["feasible"]),
        "best": sorted(result["best"]),
        "fit error": result.get("fitError"),
        "PreFilter": {plugin: _status(status) for plugin, status in result["preFilter"].items()},
        "PreFilter verdict": _status(result.get("preFilterVerdict")),
        "unscored": result.get("preScore") or {},
        "nodes": {name: _node(node) for name, node in result["nodes"].items()},
        "preemption": _preemption(result.get("preemption"), priorities),
    }


def _status(status: dict[str, Any] | None) -> tuple[str, list[str]] | None:
    return None if status is None else (status["code"], sorted(status.get("reasons") or ()))


def _node(node: dict[str, Any]) -> dict[str, Any]:
    verdict = node.get("verdict")
    return {
        "filters": {plugin: _status(status) for plugin, status in (node.get("filters") or {}).items()},
        "verdict": verdict and (verdict["plugin"], _status(verdict)),
        "scores": node.get("scores") or {},
        "total": node.get("total"),
    }


def _preemption(found: dict[str, Any] | None, priorities: dict[str, tuple[int, str]]) -> Any:
    if found is None:
        return None
    candidates = {
        candidate["node"]: (sorted(candidate["victims"]), candidate["pdbViolations"])
        for candidate in found["candidates"]
    }
    selected = found.get("selected")
    return found["eligible"], found.get("message"), candidates, selected and rank(selected, priorities)


def rank(candidate: dict[str, Any], priorities: dict[str, tuple[int, str]]) -> tuple[Any, ...]:
    """What decides between a candidate of preemption and others: equal for those of which the scheduler takes any."""
    victims = [priorities[victim] for victim in candidate["victims"]]
    highest = max(priority for priority, _ in victims)
    started = min(start for priority, start in victims if priority == highest)
    return candidate["pdbViolations"], highest, sum(priority for priority, _ in victims), len(victims), started
