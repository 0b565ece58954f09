"""The conditions of a node, each with what it means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.wording.nodes import CONDITIONS

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition as the kubelet reported it; `kind` is the badge's kind, `meaning` what follows if it is bad."""

    type: str
    status: str
    kind: str
    reason: str
    message: str
    meaning: str


def conditions(node: Mapping[str, Any]) -> list[Condition]:
    """Present the conditions of a pruned Node object; Ready is good when True, every other one when False."""
    found = []
    for condition in node.get("status", {}).get("conditions") or ():
        kind, status = str(condition.get("type", "")), str(condition.get("status", ""))
        good = "True" if kind == "Ready" else "False"
        badge = "good" if status == good else "warn" if status == "Unknown" else "bad"
        found.append(
            Condition(
                type=kind,
                status=status,
                kind=badge,
                reason=str(condition.get("reason", "")),
                message=str(condition.get("message", "")),
                meaning="" if badge == "good" else str(CONDITIONS.get(kind, "")),
            )
        )
    return sorted(found, key=lambda condition: condition.kind == "good")
