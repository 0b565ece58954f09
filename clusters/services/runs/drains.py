"""What became of the drains of a run: which nodes keep pods, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.simulation import Outcome
from clusters.engine.simulation.steps import STAYED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.simulation import Step

_MOST_NODES: Final = 20
_EXAMPLES: Final = 20


def drains_of(nodes: Sequence[str], steps: Iterable[Step]) -> dict[str, Any]:
    """Return how many nodes were drained, how many of these keep pods, and of the first of those which, and why.

    Each has ``node``; ``held``, pods that nothing controls; ``refused``, pods whose eviction budgets refuse, and what
    the API server says of the first. Both are a number of ``pods`` and the first few by name.
    """
    kept: dict[str, dict[str, Any]] = {}
    drained = frozenset(nodes)
    for step in steps:
        if step.outcome not in STAYED or step.by not in drained:
            continue
        usual = {"node": step.by, "held": _none(), "refused": {**_none(), "message": ""}}
        part = kept.setdefault(step.by, usual)["held" if step.outcome is Outcome.HELD else "refused"]
        part["pods"] += 1
        if len(part["examples"]) < _EXAMPLES:
            part["examples"].append(step.pod)
        if part.get("message") == "":
            part["message"] = step.message
    return {"nodes": len(nodes), "kept": len(kept), "first": list(kept.values())[:_MOST_NODES]}


def _none() -> dict[str, Any]:
    return {"pods": 0, "examples": []}


def kept_pods(summary: Mapping[str, Any]) -> list[str]:
    """Return the first pods that keep a node from being drained."""
    first = (summary.get("drains") or {}).get("first", ())
    return [pod for node in first for why in ("held", "refused") for pod in node[why]["examples"]][:_EXAMPLES]
