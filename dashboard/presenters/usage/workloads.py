"""Workloads with what they request and use, and what they should request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.qos import QualityOfService
from clusters.engine.resources import CPU
from clusters.engine.usage import Sizing
from clusters.wording import columns, states
from clusters.wording.amounts import as_in_manifests, at_least, at_most, cpu, size
from clusters.wording.overview import cards as resource_words
from clusters.wording.usage import page as words
from dashboard.presenters.usage.patch import patch_command, without_command
from dashboard.presenters.workloads.summary import full_name, kind_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.owners import Workload
    from clusters.engine.usage import ContainerSizing, ResourceSizing, WorkloadSizing

KINDS = {Sizing.OVER: "warn", Sizing.UNDER: "bad", Sizing.NOT_REQUESTED: "bad", Sizing.FITTING: "good"}
# A bar is so long.
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class SizingBar:
    """Requested and used as lengths of 100, and where the recommended request is marked."""

    label: str
    requested: float
    used: float
    recommended: float


@dataclass(frozen=True, slots=True)
class ResourceSizingView:
    """One resource of a container in words; ``recommended`` is empty where the request fits."""

    requested: str
    used: str
    recommended: str
    badge: tuple[str, str]
    bar: SizingBar


@dataclass(frozen=True, slots=True)
class ContainerSizingView:
    """A container with its CPU and its memory, in the order of the table's columns."""

    name: str
    samples: str
    resources: tuple[tuple[str, ResourceSizingView], ...]


@dataclass(frozen=True, slots=True)
class WorkloadSizingView:
    """A workload; ``command`` patches its template, and is empty where none can."""

    workload: Workload
    title: str
    kind: str
    pods: str
    freed: str
    badges: tuple[tuple[str, str], ...]
    caption: str
    containers: tuple[ContainerSizingView, ...]
    notes: tuple[str, ...]
    command: str


def workload_sizing_view(sizing: WorkloadSizing, *, killed: int = 0) -> WorkloadSizingView:
    """Present a workload's requests beside what it uses; ``killed``: its pods that had a container OOMKilled."""
    found = [each for each in Sizing if sizing.has(each)]
    badges = [
        (str(words.SIZINGS[each]), KINDS[each]) for each in found if each is not Sizing.FITTING or len(found) == 1
    ]
    if any(each.is_from_few for each in sizing.containers):
        badges.append((str(words.FEW_SAMPLES), ""))
    if killed:
        badges.append((str(states.OOM_KILLED), "bad"))
    return WorkloadSizingView(
        workload=sizing.workload,
        title=full_name(sizing.workload),
        kind=kind_text(sizing.workload),
        pods=words.REPLICAS(pods=sizing.pods),
        freed=words.freed(*sizing.freed) if sizing.changes else "",
        badges=tuple(badges),
        caption=words.CONTAINERS_OF(workload=full_name(sizing.workload)),
        containers=tuple(map(_container, sizing.containers)),
        notes=(*((words.KILLED(pods=killed),) if killed else ()), *_notes(sizing)),
        command=patch_command(sizing),
    )


def _container(sizing: ContainerSizing) -> ContainerSizingView:
    return ContainerSizingView(
        name=sizing.name or str(words.WHOLE_POD),
        samples=words.COUNTED_SAMPLES(samples=sizing.statistics.samples, hours=sizing.statistics.hours),
        resources=(
            (str(columns.CPU_REQUEST), _resource(sizing.cpu, str(resource_words.CPU))),
            (str(columns.MEMORY_REQUEST), _resource(sizing.memory, str(resource_words.MEMORY))),
        ),
    )


def _resource(sizing: ResourceSizing, name: str) -> ResourceSizingView:
    write = cpu if sizing.resource == CPU else size
    requested = write(sizing.requested) if sizing.requested else str(words.NO_REQUEST)
    # A request that a limit keeps down must not read as more than the limit.
    used, enough = write(sizing.used), at_most if sizing.is_capped else at_least
    recommended = enough(sizing.resource, sizing.recommended)
    whole = max(sizing.requested or 0, sizing.used, sizing.recommended, 1)
    return ResourceSizingView(
        requested=requested,
        used=used,
        recommended="" if sizing.sizing is Sizing.FITTING else recommended,
        badge=(str(words.SIZINGS[sizing.sizing]), KINDS[sizing.sizing]),
        bar=SizingBar(
            words.BAR(resource=name, requested=requested, used=used, recommended=recommended),
            requested=_WIDTH * (sizing.requested or 0) / whole,
            used=_WIDTH * sizing.used / whole,
            recommended=_WIDTH * sizing.recommended / whole,
        ),
    )


def _notes(sizing: WorkloadSizing) -> Iterator[str]:
    if sizing.measures_pod_level:
        yield str(words.POD_LEVEL)
    if any(not each.name for each in sizing.containers):
        yield words.whole_pod()
    for container in sizing.containers:
        for each in (container.cpu, container.memory):
            if each.is_capped and each.limit and each.sizing is not Sizing.FITTING:
                yield words.CAPPED(limit=as_in_manifests(each.resource, each.limit))
    if sizing.quality is QualityOfService.GUARANTEED and sizing.quality_after is not sizing.quality:
        yield str(words.LOSES_GUARANTEE)
    instead = without_command(sizing)
    if instead:
        yield instead


def cells(sizings: Iterable[WorkloadSizing]) -> Iterator[list[str | int]]:
    """A row for each container and resource, for a file; amounts in milli-CPU and bytes."""
    for sizing in sizings:
        workload = sizing.workload
        for container in sizing.containers:
            for each, usage in (
                (container.cpu, container.statistics.cpu),
                (container.memory, container.statistics.memory),
            ):
                yield [
                    workload.namespace,
                    workload.kind,
                    workload.name,
                    sizing.pods,
                    container.name,
                    each.resource,
                    "" if each.requested is None else each.requested,
                    "" if each.limit is None else each.limit,
                    usage.mean,
                    usage.median,
                    usage.high,
                    usage.maximum,
                    each.recommended,
                    each.sizing.value,
                    container.statistics.samples,
                    container.statistics.hours,
                ]
