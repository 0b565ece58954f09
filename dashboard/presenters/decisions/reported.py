"""What the cluster's own scheduler reported, beside what follows from the mirrored state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from clusters.engine import Explanation
    from clusters.engine.status import Status
    from clusters.models import Event, Pod

_CUT = "..."
_FAILED = "FailedScheduling"
_DIFFERS = (
    "Differs from what is computed here: the cluster has changed since then, or the answer depends on something that "
    "the mirror does not hold."
)


class Computed(Protocol):
    """What a recorded message is compared with: an explanation, or what a list keeps of one."""

    @property
    def message(self) -> str | None: ...

    @property
    def refusal(self) -> str | None: ...

    @property
    def gates(self) -> Status: ...


@dataclass(frozen=True, slots=True)
class ReportView:
    """One recorded message; `kind` is an alert's kind, `sentence` says whether it agrees with the computed one.

    `is_same` where it does so letter for letter: it need not be shown twice.
    """

    source: str
    message: str
    at: datetime | None
    kind: str
    sentence: str
    is_same: bool


def condition_report(pod: Pod, explanation: Explanation) -> ReportView | None:
    """Present the PodScheduled condition while it is False."""
    if not pod.unschedulable_message:
        return None
    kind, sentence = compared(pod.unschedulable_message, explanation)
    is_same = pod.unschedulable_message == explanation.message
    return ReportView("PodScheduled condition", pod.unschedulable_message, None, kind, sentence, is_same)


def event_reports(events: Iterable[Event], explanation: Explanation) -> list[ReportView]:
    """Present the pod's events; only those of a failed attempt can be compared."""
    reports = []
    for event in events:
        kind, sentence = compared(event.message, explanation) if event.reason == _FAILED else ("info", "")
        source = f"{event.reason or 'Event'} by {event.reporting_component or 'an unnamed component'}"
        is_same = event.reason == _FAILED and event.message == explanation.message
        reports.append(ReportView(source, event.message, event.last_seen, kind, sentence, is_same))
    return reports


def compared(recorded: str, explanation: Computed) -> tuple[str, str]:
    """Say whether a recorded message agrees with the computed one: an alert's kind and a sentence."""
    computed, refusal = explanation.message, explanation.refusal
    if computed is None or refusal is None:
        if explanation.gates.ok:
            return "warning", "Differs: the pod fits in the mirrored state. The cluster has changed since then."
        return "info", "Written for the gates; the rest of this page looks beyond them."
    if recorded == computed:
        return "success", "It is the same as what is computed here, letter for letter."
    if recorded.endswith(_CUT) and computed.startswith(recorded.removesuffix(_CUT)):
        return "success", "Agrees with what is computed here, as far as the event was kept."
    if recorded.startswith(refusal):
        return "success", "Agrees about the nodes; what it says about preemption is worded otherwise."
    return "warning", _DIFFERS
