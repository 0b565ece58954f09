"""What workloads request beside what they use, and what they should request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from ninja import Query

from clusters.engine import ConfigurationError
from clusters.engine.resources import CPU
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.usage.history import sizing_of
from clusters.wording.problems import problem_sentence, remedy_sentence
from dashboard.api.clusters import cluster_dict, cluster_of
from dashboard.api.documents.clusters import Usage
from dashboard.api.documents.mirror import Error
from dashboard.api.site import ERRORS, api
from dashboard.http import (
    ApiError,
    PageRequest,
    answer,
)
from dashboard.presenters.shared.page import page_url
from dashboard.presenters.usage import patch_command

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clusters.engine.usage import ContainerSizing, ResourceSizing, UsedAmounts, WorkloadSizing
    from clusters.models import Cluster

USUAL, MOST = 100, 1000


@api.get(
    "/clusters/{slug:cluster}/usage",
    response={200: Usage, **ERRORS, 409: Error},
    tags=["clusters"],
    operation_id="read_usage",
)
def usage(
    request: PageRequest,
    cluster: str,
    limit: Annotated[int, Query(ge=1, le=MOST, description="How many workloads at most.")] = USUAL,
    offset: Annotated[int, Query(ge=0, le=1_000_000, description="How many workloads to leave out first.")] = 0,
) -> HttpResponse:
    """Compare requests with usage, the workloads first whose requests are off by most; null without any sample."""
    found = cluster_of(cluster)
    try:
        sizing = sizing_of(cluster=found)
    except (ChangingTooFastError, ConfigurationError) as error:
        what, remedy = problem_sentence(error.problem), remedy_sentence(error.problem)
        raise ApiError(409, what=what, where=cluster, remedy=remedy) from None
    told = (
        None
        if sizing is None
        else {
            "sampledAt": sizing.usage.sampled_at.isoformat(),
            "source": str(sizing.usage.source),
            "hours": len(sizing.usage.totals),
            "requested": _amounts(sizing.requested),
            "allocatable": _amounts(sizing.allocatable),
            "usedP95": _amounts(sizing.usage.high),
            "freed": _amounts(sizing.freed),
            "withoutSamples": sizing.without,
            "total": len(sizing.workloads),
            "workloads": [_workload(found, each) for each in sizing.workloads[offset : offset + limit]],
            "page": page_url("usage", found),
        }
    )
    return answer({"cluster": cluster_dict(found), "usage": told})


def _workload(cluster: Cluster, sizing: WorkloadSizing) -> dict[str, Any]:
    workload = sizing.workload
    place = {"kind": workload.kind, "namespace": workload.namespace, "name": workload.name}
    return {
        "workload": place,
        "pods": sizing.pods,
        "requested": _amounts(sizing.requested),
        "freed": _amounts(sizing.freed),
        "requestsAtPodLevel": sizing.measures_pod_level,
        "qosClass": str(sizing.quality),
        "qosClassAfter": str(sizing.quality_after),
        "containers": [_container(each) for each in sizing.containers],
        "patch": patch_command(sizing) or None,
        "page": page_url("workload", cluster, **place) or None,
    }


def _container(sizing: ContainerSizing) -> dict[str, Any]:
    return {
        "name": sizing.name or None,
        "hours": sizing.statistics.hours,
        "samples": sizing.statistics.samples,
        "cpu": _resource(sizing, sizing.cpu),
        "memory": _resource(sizing, sizing.memory),
    }


def _resource(container: ContainerSizing, sizing: ResourceSizing) -> dict[str, Any]:
    used = container.statistics.cpu if sizing.resource == CPU else container.statistics.memory
    return {
        "requested": sizing.requested,
        "limit": sizing.limit,
        "usedMean": used.mean,
        "usedP50": used.median,
        "usedP95": used.high,
        "usedMaximum": used.maximum,
        "recommended": sizing.recommended,
        "state": str(sizing.sizing),
        "isCapped": sizing.is_capped,
    }


def _amounts(amounts: UsedAmounts) -> dict[str, int]:
    return {"cpu": amounts.cpu_milli, "memory": amounts.memory_bytes}
