"""What workloads fail at, as their controllers report it."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusters.engine.workloads.next_try import NextTry
    from clusters.engine.workloads.pod_template import Workload
    from clusters.engine.workloads.refusals import CreationRefusal


class FailureKind(enum.StrEnum):
    """What a controller cannot do, or has not done, the gravest first."""

    CREATE = "create"
    DELETE = "delete"
    PROGRESS = "progress"
    STARTS = "starts"
    JOB = "job"


@dataclass(frozen=True, slots=True)
class MissedStarts:
    """How many starts a CronJob has missed. ``is_put_off``: one of its Jobs is active, and it forbids another."""

    starts: int
    is_put_off: bool


@dataclass(frozen=True, slots=True)
class WorkloadFailure:
    """What a workload's controller reports. ``missing``: pods that it should have and has not, None where not known.

    ``reason`` and ``message`` are the controller's own words; the message may be empty. ``since``: when it failed
    first (RFC 3339), empty where that is not told. ``refusal``: what the API server answered, of what cannot be
    created; ``next_try``: what it would answer now, None where that is not known. ``missed``: of a CronJob whose
    controller reports nothing by which to tell, what its schedule tells.
    """

    workload: Workload
    kind: FailureKind
    reason: str
    message: str
    missing: int | None
    since: str = ""
    refusal: CreationRefusal | None = None
    next_try: NextTry | None = None
    missed: MissedStarts | None = None


# By workload, the gravest first; of each kind one.
Failures = dict["Workload", tuple[WorkloadFailure, ...]]
