"""What the cluster's own scheduler reported, beside what follows from the mirrored state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from clusters.engine.nodes import is_autoscaler
from clusters.engine.status import has_same_reasons
from clusters.wording.decisions import reported as words

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from clusters.engine import Explanation
    from clusters.engine.status import Status
    from clusters.models import Event, Pod

_CUT = "..."
_FAILED = "FailedScheduling"


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
    return ReportView(str(words.CONDITION), pod.unschedulable_message, None, kind, sentence, is_same)


def unexplained_reports(pod: Pod, events: Iterable[Event]) -> list[ReportView]:
    """Present the PodScheduled condition and the events of a pod with which nothing can be compared."""
    condition = ReportView(str(words.CONDITION), pod.unschedulable_message, None, "info", "", is_same=False)
    return [
        *((condition,) if pod.unschedulable_message else ()),
        *(
            ReportView(
                words.event(event.reason, event.reporting_component),
                event.message,
                event.last_seen,
                "info",
                "",
                is_same=False,
            )
            for event in events
        ),
    ]


def autoscaler_sentences(events: Iterable[Event]) -> list[str]:
    """Quote the latest event of each reason that those who add nodes reported; events come the latest first."""
    latest: dict[tuple[str, str], str] = {}
    for event in events:
        if is_autoscaler(event.reporting_component):
            latest.setdefault((event.reporting_component, event.reason), event.message)
    return [
        words.recorded(component=component, reason=reason, message=message)
        for (component, reason), message in latest.items()
    ]


def event_reports(events: Iterable[Event], explanation: Explanation) -> list[ReportView]:
    """Present the pod's events; only those of a failed attempt of a scheduler can be compared."""
    reports = []
    for event in events:
        is_attempt = event.reason == _FAILED and not is_autoscaler(event.reporting_component)
        kind, sentence = compared(event.message, explanation) if is_attempt else ("info", "")
        source = words.event(event.reason, event.reporting_component)
        is_same = is_attempt and event.message == explanation.message
        reports.append(ReportView(source, event.message, event.last_seen, kind, sentence, is_same))
    return reports


def compared(recorded: str, explanation: Computed) -> tuple[str, str]:
    """Say whether a recorded message agrees with the computed one: an alert's kind and a sentence."""
    computed, refusal = explanation.message, explanation.refusal
    if computed is None or refusal is None:
        if explanation.gates.ok:
            return "warning", str(words.FITS_NOW)
        return "info", str(words.OF_GATES)
    if recorded == computed:
        return "success", str(words.SAME)
    if recorded.endswith(_CUT) and computed.startswith(recorded.removesuffix(_CUT)):
        return "success", str(words.SAME_AS_FAR)
    if recorded.startswith(refusal):
        return "success", str(words.SAME_FOR_NODES)
    if has_same_reasons(recorded, refusal):
        return "success", str(words.SAME_REASONS)
    return "warning", str(words.DIFFERS)
