"""Recommended requests of a workload's containers, and what its pods request once they have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.engine.disruption.qos import QualityOfService, quality_of_service
from clusters.engine.resources.quantity import NANO, QuantityFormat, canonical_text
from clusters.engine.resources.requests import CPU, MEMORY, amount, has_pod_level, pod_amounts
from clusters.engine.usage.sample import WHOLE_POD, UsedAmounts
from clusters.engine.usage.sizing import FEW_HOURS, ResourceSizing, Sizing, resource_sizing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.objects import Document
    from clusters.engine.usage.history import UsageStatistics
    from clusters.engine.workloads.pod_template import Workload

# Requests by container, then by resource, in milli-CPU and bytes.
Requests = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class ContainerSizing:
    """One container: what it uses, and how its requests compare. The name is empty where only pods' sums are known."""

    name: str
    is_sidecar: bool
    statistics: UsageStatistics
    cpu: ResourceSizing
    memory: ResourceSizing

    @property
    def is_from_few(self) -> bool:
        """Whether there is less than a day of samples."""
        return self.statistics.hours < FEW_HOURS

    @property
    def changes(self) -> dict[str, int]:
        """The requests that should be others, by resource."""
        return {
            each.resource: each.recommended
            for each in (self.cpu, self.memory)
            if each.sizing is not Sizing.FITTING and each.recommended != each.requested
        }


@dataclass(frozen=True, slots=True)
class WorkloadSizing:
    """A workload: its containers, and what all its pods request now and would with the recommended requests.

    ``measures_pod_level``: the pods request at their own level, which the scheduler counts instead of their containers'
    requests, so that nothing is recommended. ``quality`` and ``quality_after``: the pods' class of service.
    """

    workload: Workload
    pods: int
    containers: tuple[ContainerSizing, ...]
    requested: UsedAmounts
    after: UsedAmounts
    measures_pod_level: bool
    quality: QualityOfService
    quality_after: QualityOfService

    @property
    def freed(self) -> UsedAmounts:
        """How much less is requested; negative where more is."""
        return UsedAmounts(
            self.requested.cpu_milli - self.after.cpu_milli, self.requested.memory_bytes - self.after.memory_bytes
        )

    @property
    def changes(self) -> Requests:
        """The requests that should be others, by container."""
        if self.measures_pod_level:
            return {}
        return {each.name: changes for each in self.containers if each.name and (changes := each.changes)}

    def has(self, sizing: Sizing) -> bool:
        """Whether any request of any container compares so."""
        return any(sizing in (each.cpu.sizing, each.memory.sizing) for each in self.containers)


def workload_sizing(
    workload: Workload,
    pod: Document,
    pods: int,
    requested: UsedAmounts,
    statistics: Mapping[str, UsageStatistics],
) -> WorkloadSizing:
    """Compare what is requested with what is used.

    ``pod``: one of the present template; ``requested``: by all pods, of which there are ``pods``; ``statistics``: by
    container. What is known of containers that the template does not have any more is left out.
    """
    sized = tuple(_containers(pod, statistics))
    found = WorkloadSizing(
        workload,
        pods,
        sized,
        requested,
        requested,
        has_pod_level(pod.get("spec") or {}),
        quality_of_service(_unreported(pod)),
        quality_of_service(_unreported(pod)),
    )
    if not found.changes:
        return found
    resized = with_requests(pod, found.changes)
    amounts = pod_amounts(resized)
    after = UsedAmounts(amounts.get(CPU, 0) * pods, amounts.get(MEMORY, 0) * pods)
    quality = quality_of_service(resized)
    return WorkloadSizing(workload, pods, sized, requested, after, False, found.quality, quality)


def needed_by_usage(workload: Workload, pod: Document, statistics: Mapping[str, UsageStatistics]) -> dict[str, int]:
    """How much of CPU and memory a pod would request by what its workload's pods use; empty where that is not known.

    Not known is it where a container has no usage, or less than a day of it, and where the pod requests at its own
    level.
    """
    amounts = pod_amounts(pod)
    sizing = workload_sizing(workload, pod, 1, UsedAmounts(amounts.get(CPU, 0), amounts.get(MEMORY, 0)), statistics)
    sized = {each.name for each in sizing.containers}
    names = {str(each.get("name") or "") for each in running_containers(pod)}
    if sizing.measures_pod_level or not names <= sized or any(each.is_from_few for each in sizing.containers):
        return {}
    return {CPU: sizing.after.cpu_milli, MEMORY: sizing.after.memory_bytes}


def _containers(pod: Document, statistics: Mapping[str, UsageStatistics]) -> Iterator[ContainerSizing]:
    running = list(running_containers(pod))
    for container in running:
        name = str(container.get("name") or "")
        if name in statistics:
            is_sidecar = container.get("restartPolicy") == "Always"
            yield _container(name, [container], statistics[name], is_sidecar=is_sidecar)
    if WHOLE_POD in statistics:
        yield _container(WHOLE_POD, running, statistics[WHOLE_POD], is_sidecar=False)


def running_containers(pod: Document) -> Iterator[Document]:
    """The containers that run as long as their pod: sidecars among them, other init containers not."""
    spec = pod.get("spec") or {}
    yield from (each for each in spec.get("initContainers") or () if each.get("restartPolicy") == "Always")
    yield from spec.get("containers") or ()


def _container(
    name: str, containers: list[Document], statistics: UsageStatistics, *, is_sidecar: bool
) -> ContainerSizing:
    def total(kind: str, resource: str) -> int | None:
        given = [((each.get("resources") or {}).get(kind) or {}).get(resource) for each in containers]
        # A sum of limits bounds something only where each container has one.
        if not any(given) or (kind == "limits" and not all(given)):
            return None
        return sum(amount(resource, each) for each in given if each)

    cpu, memory = (
        resource_sizing(resource, total("requests", resource), total("limits", resource), statistics)
        for resource in (CPU, MEMORY)
    )
    return ContainerSizing(name, is_sidecar, statistics, cpu, memory)


def with_requests(pod: Document, requests: Mapping[str, Mapping[str, int]]) -> Document:
    """The pod as its controller would make it with these requests by container; none is above the container's limit.

    What the kubelet reports of the present pod's resources is left out: the new one has another.
    """
    spec = dict(pod.get("spec") or {})
    for kind in ("initContainers", "containers"):
        if spec.get(kind):
            spec[kind] = [_with_requests(each, requests.get(str(each.get("name")), {})) for each in spec[kind]]
    return {**_unreported(pod), "spec": spec}


def _with_requests(container: Document, requests: Mapping[str, int]) -> Document:
    if not requests:
        return container
    resources = container.get("resources") or {}
    limits = resources.get("limits") or {}
    given: dict[str, Any] = dict(resources.get("requests") or {})
    for resource, number in requests.items():
        limit = amount(resource, limits[resource]) if limits.get(resource) else number
        given[resource] = quantity_text(resource, min(number, limit))
    return {**container, "resources": {**resources, "requests": given}}


def quantity_text(resource: str, number: int) -> str:
    """Write milli-CPU or bytes as manifests do: ``150m``, ``128Mi``."""
    if resource == CPU:
        return canonical_text(number * 10 ** (NANO - 3), QuantityFormat.DECIMAL_SI)
    return canonical_text(number * 10**NANO, QuantityFormat.BINARY_SI)


def _unreported(pod: Document) -> Document:
    """The pod without what the kubelet and the API server say of its resources and class."""
    status = dict(pod.get("status") or {})
    for field in ("qosClass", "containerStatuses", "initContainerStatuses"):
        status.pop(field, None)
    if status.get("conditions"):
        status["conditions"] = [each for each in status["conditions"] if each.get("type") != "PodResizePending"]
    return {**pod, "status": status}
