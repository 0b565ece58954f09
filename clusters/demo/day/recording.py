"""What the demo's day leaves behind: decisions and changes of nodes, in the order in which they happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from clusters.demo.events import cut, preempted_note
from clusters.demo.identity import Document, uid

if TYPE_CHECKING:
    from datetime import datetime

    from clusters.demo.day.happenings import Happening

Kept = TypeVar("Kept")


class DayError(Exception):
    """The day does not lead to the demo's present: its tables ask for something that the engine decides otherwise."""


@dataclass(slots=True)
class RecordedDecision(Generic[Kept]):
    """A decision about a pod; ``kind`` as in the journal.

    ``last_at`` and ``attempts`` count those that ended the same way. ``by`` is the pod that preempted this one, as
    ``namespace/name``. ``kept`` is what was kept of the explanation, None where nothing was computed.
    """

    kind: str
    pod: Document
    at: datetime
    last_at: datetime
    node: str = ""
    message: str = ""
    by: str = ""
    attempts: int = 1
    kept: Kept | None = None

    @property
    def event(self) -> Document | None:
        """The event that came with it, as the journal keeps events; None of what nobody reports."""
        namespace, name = self.pod["metadata"]["namespace"], self.pod["metadata"]["name"]
        match self.kind:
            case "bound":
                reason, note = "Scheduled", f"Successfully assigned {namespace}/{name} to {self.node}"
            case "unschedulable":
                reason, note = "FailedScheduling", cut(self.message)
            case "preempted":
                reason, note = "Preempted", preempted_note(self.preemptor_uid, self.node)
            case _:
                return None
        return {"reason": reason, "note": note, "component": "default-scheduler", "time": self.last_at.isoformat()}

    @property
    def preemptor_uid(self) -> str:
        """The UID of the pod that preempted this one; empty where none did."""
        return uid("Pod", *self.by.split("/")) if self.by else ""


@dataclass(frozen=True, slots=True)
class RecordedDeparture:
    """A node or a pod that went at a moment, as it was."""

    document: Document
    at: datetime


@dataclass(slots=True)
class Day(Generic[Kept]):
    """Everything that was recorded, by time."""

    beginning: datetime
    decisions: list[RecordedDecision[Kept]] = field(default_factory=list)
    departures: list[RecordedDeparture] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)
