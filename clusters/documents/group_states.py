"""Groups of pods as the API writes them: how far each is, and what becomes of one at the next attempt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET, to_builtins

from clusters.documents.explanation import pod_group_document

if TYPE_CHECKING:
    from clusters.engine.group_states import PodGroupState
    from clusters.engine.scheduling import GroupAttempt


def group_state_document(state: PodGroupState) -> dict[str, Any]:
    """Return how far a group is; ``policy`` is null where no object of it is held."""
    return {
        "namespace": state.key.namespace,
        "name": str(state.key).partition("/")[2],
        "state": state.phase.value,
        "policy": None if state.terms is None else "gang" if state.is_gang else "basic",
        "minCount": state.quorum if state.is_gang else None,
        "pods": len(state.members),
        "scheduled": state.scheduled,
        "pending": state.pending,
        "missing": state.missing,
        "workload": state.workload or None,
        "controller": None if state.controller is None else dict(zip(("kind", "name"), state.controller, strict=True)),
    }


def attempt_document(attempt: GroupAttempt | None) -> dict[str, Any] | None:
    """Return what an attempt for a group comes to, as explanations of its pods have it; None without one."""
    found = pod_group_document(attempt, lambda text: text, lambda message: message)
    if found is UNSET:
        return None
    document: dict[str, Any] = to_builtins(found)
    return document
