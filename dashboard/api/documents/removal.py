# ruff: noqa: UP013 - names in camel case are no attributes of classes here
"""What would remove running pods, as the API answers it; docs/api.md explains every field."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from dashboard.api.documents.mirror import State

Preemptor = TypedDict(
    "Preemptor",
    {
        "workload": dict[str, str],
        "pods": list[dict[str, str]],
        "number": int,
        "priority": int,
        "priorityClass": str | None,
        "outcome": str,
        "reference": str | None,
        "candidates": int,
        "selected": dict[str, Any] | None,
        "sample": int,
        "potentialNodes": int,
        "uncertain": bool,
        "threat": NotRequired[str],
        "notes": NotRequired[list[str]],
    },
)
WorkloadAtRisk = TypedDict(
    "WorkloadAtRisk",
    {
        "workload": dict[str, str],
        "removed": int,
        "removedPods": list[str],
        "possible": int,
        "preemptors": list[str],
    },
)


class Preemption(TypedDict):
    """What preemption would do for the pending pods, and to whom."""

    cluster: State
    preemptors: list[Preemptor]
    workloads: list[WorkloadAtRisk]
    evaluating: int
    page: str


class PodPreemption(TypedDict):
    """What each pending pod's preemption means for one running pod, the gravest first."""

    sentence: str
    preemptors: list[Preemptor]
    evaluating: int


Removal = TypedDict(
    "Removal",
    {
        "cluster": State,
        "pod": dict[str, str],
        "node": str,
        "preemption": PodPreemption,
        "taints": dict[str, Any],
        "faults": dict[str, list[dict[str, Any]]],
        "exclusiveVolumes": list[dict[str, Any]],
        "page": str,
    },
)
