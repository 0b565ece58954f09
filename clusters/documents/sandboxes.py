"""The history of a sandbox as it is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.lessons import ObjectName
from clusters.engine.sandbox import Act, ActKind, ObjectsChange, PodAttempt, SandboxHistory, named
from clusters.engine.simulation import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping


def encoded(history: SandboxHistory) -> dict[str, Any]:
    """Write a history as plain values."""
    return {"base": list(history.base.values()), "acts": [_act(each) for each in history.acts]}


def decoded(stored: Mapping[str, Any]) -> SandboxHistory:
    """Read a history that was written."""
    return SandboxHistory(named(stored["base"]), tuple(_read_act(each) for each in stored["acts"]))


def _act(act: Act) -> dict[str, Any]:
    return {
        "kind": act.kind,
        "subject": act.subject,
        "put": list(act.change.put),
        "gone": [list(name) for name in act.change.gone],
        "attempts": [
            [each.number, each.pod, each.outcome, each.node, each.message, each.victims] for each in act.attempts
        ],
    }


def _read_act(stored: Mapping[str, Any]) -> Act:
    return Act(
        ActKind(stored["kind"]),
        stored["subject"],
        ObjectsChange(tuple(stored["put"]), tuple(ObjectName(*name) for name in stored["gone"])),
        tuple(
            PodAttempt(number, pod, Outcome(outcome), node, message, tuple(victims))
            for number, pod, outcome, node, message, victims in stored["attempts"]
        ),
    )
