"""What a simulator and a scheduler would have written about an answer: annotations, and lines of a log."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clusters.engine import Explanation

PREFIX = "kube-scheduler-simulator.sigs.k8s.io/"
BEGIN = datetime(2026, 5, 7, 12, 0, 0, 250_000, UTC)
Result = dict[str, Any]


def simulator_annotations(result: Result, explanation: Explanation, *, history: int = 0) -> dict[str, str]:
    """Return the simulator's annotations for an answer in the shape of the corpus.

    The explanation tells the order of plugins, and which of them had nothing to check. `history` repeats the attempt
    that many times in the history.
    """
    texts = {
        "prefilter-result-status": _pre_filter(result, explanation),
        "prefilter-result": {
            plugin: sorted(found.node_names)
            for plugin, found in explanation.cycle.pre_filters.items()
            if found.node_names is not None and explanation.cycle.stopped_by is None
        },
        "filter-result": _filters(result, explanation),
        "postfilter-result": _post_filter(result),
        "prescore-result": _pre_score(result, explanation),
        "score-result": _scores(result, 0),
        "finalscore-result": _scores(result, 2),
        "reserve-result": {"VolumeBinding": "success"} if "chosen" in result else {},
        "permit-result": {},
        "permit-result-timeout": {},
        "prebind-result": {},
        "bind-result": {"DefaultBinder": "success"} if "chosen" in result else {},
    }
    written = {PREFIX + suffix: json.dumps(value) for suffix, value in texts.items()}
    written[PREFIX + "selected-node"] = result.get("chosen", "")
    return {**written, PREFIX + "result-history": json.dumps([written] * history)} if history else written


def _pre_filter(result: Result, explanation: Explanation) -> dict[str, str]:
    said: dict[str, str] = {}
    for plugin in explanation.cycle.pre_filters:
        status = result["preFilter"].get(plugin, {"code": "Success"})
        said[plugin] = "success" if status["code"] == "Success" else ", ".join(status.get("reasons") or ())
        if status["code"] not in {"Success", "Skip", "Unschedulable"}:
            break
    return said


def _filters(result: Result, explanation: Explanation) -> dict[str, dict[str, str]]:
    """Return what was asked of each node: filters in their order, up to the first that rejects."""
    cycle = explanation.cycle
    if cycle.stopped_by is not None:
        return {}
    said: dict[str, dict[str, str]] = {}
    for row, name in enumerate(explanation.snapshot.nodes.names):
        if not cycle.considered[row]:
            continue
        node, asked = result["nodes"][name], said.setdefault(name, {})
        verdict = node.get("verdict") or {"plugin": ""}
        for plugin in cycle.filters:
            if plugin == verdict["plugin"]:
                alone = (node.get("filters") or {}).get(plugin)
                counts_nominated = explanation.decided_by_nominated(row)
                asked[plugin] = ", ".join((verdict if counts_nominated or not alone else alone)["reasons"])
                break
            asked[plugin] = "passed"
    return said


def _post_filter(result: Result) -> dict[str, dict[str, str]]:
    found = result.get("preemption") or {}
    selected = found.get("selected")
    name = selected if isinstance(selected, str) or selected is None else selected["node"]
    return {
        candidate["node"]: {"DefaultPreemption": "preemption victim"} if candidate["node"] == name else {}
        for candidate in found.get("candidates") or ()
    }


def _pre_score(result: Result, explanation: Explanation) -> dict[str, str]:
    if len(result["feasible"]) < 2:
        return {}
    skipped = result.get("preScore") or {}
    return {
        plugin: "" if plugin in skipped else "success"
        for plugin in explanation.profile.pre_score
        if plugin in explanation.profile.score
    }


def _scores(result: Result, which: int) -> dict[str, dict[str, str]]:
    """Return raw (0) or weighted (2) scores; of a single feasible node the scheduler makes none."""
    if len(result["feasible"]) < 2:
        return {}
    return {
        name: {plugin: str(numbers[which]) for plugin, numbers in (result["nodes"][name].get("scores") or {}).items()}
        for name in result["feasible"]
    }


def log_lines(result: Result, explanation: Explanation, *, as_json: bool = False, begin: datetime = BEGIN) -> list[str]:
    """Return the lines that kube-scheduler writes at -v=10 about an answer in the shape of the corpus."""
    pod = result["pod"]
    said: list[tuple[int, str, dict[str, Any]]] = [(3, "Attempting to schedule pod", {})]
    if result["feasible"]:
        if len(result["feasible"]) > 1:
            for name in result["feasible"]:
                for plugin, (_, _, weighted) in (result["nodes"][name].get("scores") or {}).items():
                    values = {"plugin": plugin, "node": name, "score": weighted}
                    said.append((10, "Plugin scored node for pod", values))
            for name in result["feasible"]:
                total = {"node": name, "score": result["nodes"][name].get("total", 0)}
                said.append((10, "Calculated node's final score for pod", total))
        if "chosen" in result:
            counts = {"evaluatedNodes": len(result["nodes"]), "feasibleNodes": len(result["feasible"])}
            said.append((2, "Successfully bound pod to node", {"node": result["chosen"], **counts}))
    else:
        said.append((2, "Unable to schedule pod; no fit; waiting", {"err": explanation.message}))
    return [
        (json_line if as_json else text_line)(message, {"pod": pod, **values}, level, begin + index * _STEP)
        for index, (level, message, values) in enumerate(said)
    ]


_STEP = timedelta(microseconds=137)


def text_line(message: str, values: dict[str, Any], level: int = 2, at: datetime = BEGIN) -> str:
    """Write a line as klog does."""
    pairs = "".join(
        f" {key}={value if isinstance(value, int) else json.dumps(value, ensure_ascii=False)}"
        for key, value in values.items()
    )
    return f'I{at:%m%d %H:%M:%S.%f}       1 schedule_one.go:{100 + level}] "{message}"{pairs}'


def json_line(message: str, values: dict[str, Any], level: int = 2, at: datetime = BEGIN) -> str:
    """Write a line as a component does with --logging-format=json."""
    namespace, _, name = values["pod"].partition("/")
    head = {
        "ts": at.timestamp() * 1000,
        "caller": f"scheduler/schedule_one.go:{100 + level}",
        "msg": message,
        "v": level,
    }
    return json.dumps({**head, **values, "pod": {"name": name, "namespace": namespace}}, separators=(",", ":"))
