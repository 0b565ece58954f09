"""What workloads fail at, as their controllers report it."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusters.engine.workloads.pod_template import Workload


class FailureKind(enum.StrEnum):
    """What a controller cannot do, the gravest first."""

    CREATE = "create"
    DELETE = "delete"
    PROGRESS = "progress"
    JOB = "job"


@dataclass(frozen=True, slots=True)
class WorkloadFailure:
    """What a workload's controller reports. ``missing``: pods that it should have and has not, None where not known.

    ``reason`` and ``message`` are the controller's own words; the message may be empty.
    """

    workload: Workload
    kind: FailureKind
    reason: str
    message: str
    missing: int | None


# By workload, the gravest first; of each kind one.
Failures = dict["Workload", tuple[WorkloadFailure, ...]]
