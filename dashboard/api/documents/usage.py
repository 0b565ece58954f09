# ruff: noqa: UP013 - names in camel case are no attributes of classes here
"""Usage as the API answers it; docs/api.md explains every field."""

from __future__ import annotations

from typing_extensions import TypedDict

from dashboard.api.documents.mirror import State  # noqa: TC001 - read when operations are declared


class BaseAmounts(TypedDict):
    """Milli-CPU and bytes."""

    cpu: int
    memory: int


SizedResource = TypedDict(
    "SizedResource",
    {
        "requested": int | None,
        "limit": int | None,
        "usedMean": int,
        "usedP50": int,
        "usedP95": int,
        "usedMaximum": int,
        "recommended": int,
        "state": str,
        "isCapped": bool,
    },
)


class SizedContainer(TypedDict):
    """A container; the name is null where only the sum of each pod's containers is known."""

    name: str | None
    hours: int
    samples: int
    cpu: SizedResource
    memory: SizedResource


SizedWorkload = TypedDict(
    "SizedWorkload",
    {
        "workload": dict[str, str],
        "pods": int,
        "requested": BaseAmounts,
        "freed": BaseAmounts,
        "requestsAtPodLevel": bool,
        "qosClass": str,
        "qosClassAfter": str,
        "containers": list[SizedContainer],
        "patch": str | None,
        "page": str | None,
    },
)
ComparedUsage = TypedDict(
    "ComparedUsage",
    {
        "sampledAt": str,
        "source": str,
        "hours": int,
        "requested": BaseAmounts,
        "allocatable": BaseAmounts,
        "usedP95": BaseAmounts,
        "freed": BaseAmounts,
        "withoutSamples": int,
        "total": int,
        "workloads": list[SizedWorkload],
        "page": str,
    },
)


class Usage(TypedDict):
    """Requests beside usage; null where no sample has been taken."""

    cluster: State
    usage: ComparedUsage | None
