"""What is kept of a plan of a drain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.disruption.drain_plan import Plan


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """A plan, and the revision whose state it is about.

    ``workloads``: what the plan does to them, a document of ``clusters/documents/drained_workloads.py``.
    """

    revision: int
    plan: Plan
    workloads: Mapping[str, Any]
