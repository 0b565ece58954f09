"""How much pods need by what their workloads use, to tell requests that can be lowered from those that cannot."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from clusters.engine.objects import labels_of, namespace_of
from clusters.engine.usage.workload_sizing import needed_by_usage
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, Controller, Workload
from clusters.services.usage.history import usage_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.models import Cluster
    from clusters.services.usage.history import ClusterUsage


class Needs:
    """Answers for the pods of one cluster; its usage is read when the first pod is asked about."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    @cached_property
    def _usage(self) -> ClusterUsage | None:
        return usage_of(cluster=self._cluster)

    def of(self, pod: Mapping[str, Any]) -> dict[str, int]:
        """Return how much CPU and memory a pod would request by its workload's usage; empty where that is not known."""
        workload = Workload.of(namespace_of(pod), Controller.of(pod), labels_of(pod).get(TEMPLATE_HASH, ""))
        statistics = None if self._usage is None else self._usage.workloads.get(workload)
        return {} if statistics is None else needed_by_usage(workload, pod, statistics)
