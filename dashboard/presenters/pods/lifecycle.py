"""The states that a pod goes through, as a picture in which its own is marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.kubelet import rejection_of
from clusters.wording import states

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.models import Pod


@dataclass(frozen=True, slots=True)
class PodStateView:
    """One state; ``is_passed_by``: pods without scheduling gates do not come to it."""

    name: str
    is_current: bool
    is_passed_by: bool = False


def lifecycle(pod: Pod) -> list[PodStateView]:
    """Present the states from creation on; of a pod that has ended up to how it ended."""
    has_gates = bool(pod.object["spec"].get("schedulingGates"))
    end = states.OF_PHASE.get(pod.phase) if pod.phase in ("Succeeded", "Failed") else None
    if end is not None:
        current = end
    elif pod.node_name:
        current = states.OF_PHASE.get(pod.phase, states.SCHEDULED)
    else:
        current = states.GATED if has_gates else states.READY
    return [
        PodStateView(str(each), each == current, is_passed_by=each == states.GATED and not has_gates)
        for each in (*_states(pod), *(() if end is None else (end,)))
    ]


def _states(pod: Pod) -> Iterator[object]:
    yield from (states.CREATED, states.GATED, states.READY, states.SCHEDULED)
    # What a kubelet rejected has never run.
    if rejection_of(pod.object) is None:
        yield states.RUNNING
