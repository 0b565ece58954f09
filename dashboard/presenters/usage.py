"""Requests against what is used: of a cluster over the hours, and of workloads, with what they should request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from clusters.documents.stored_problems import problem_of_text
from clusters.engine.qos import QualityOfService
from clusters.engine.resources import CPU
from clusters.engine.usage import FEW_HOURS, ContainerSizing, ResourceSizing, Sizing, WorkloadSizing, quantity_text
from clusters.wording import columns, counts, overview as overview_words, states, usage as words, workloads
from clusters.wording.amounts import as_in_manifests, at_least, at_most, cpu, moment, size
from clusters.wording.problems import problem_sentence, remedy_sentence
from dashboard.pictures.figure import Figure
from dashboard.pictures.meter import Meter, meter
from dashboard.pictures.specs import Series, TrendSpec
from dashboard.presenters.shared.page import TEMPLATES, template_command
from dashboard.presenters.workloads.detail import full_name, kind_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from clusters.engine.owners import Workload
    from clusters.models import Cluster, UsageReading
    from clusters.services.usage.history import ClusterSizing

_BY_HAND = ("Pod", "Node")


def patch_command(sizing: WorkloadSizing) -> str:
    """Return the command, empty where nothing should change or where a command cannot do it."""
    lists: dict[str, list[dict[str, Any]]] = {}
    for container in sizing.containers:
        requests = {name: quantity_text(name, each) for name, each in sizing.changes.get(container.name, {}).items()}
        if requests:
            entry = {"name": container.name, "resources": {"requests": requests}}
            lists.setdefault("initContainers" if container.is_sidecar else "containers", []).append(entry)
    return template_command(sizing.workload, lists)


def without_command(sizing: WorkloadSizing) -> str:
    """Say what to do where a command cannot, empty where one can or nothing should change."""
    kind = sizing.workload.kind
    if not sizing.changes or kind in TEMPLATES:
        return ""
    if kind in _BY_HAND:
        return str(words.MADE_BY_HAND)
    return words.IMMUTABLE_TEMPLATE(kind=kind) if kind == "Job" else words.OTHER_CONTROLLER(kind=kind)


_GIB = 1024**3
# Rows of a table that people read.
_MOST_ROWS = 48


def usage_glance(found: ClusterSizing) -> dict[str, Any]:
    """Sum up what is requested, what is used, and what recommended requests would change."""
    requested, allocatable, used = found.requested, found.allocatable, found.usage.high
    hours = len(found.usage.totals)
    warnings = [words.FEW(hours=hours)] if hours < FEW_HOURS else []
    if found.without:
        warnings.append(words.WITHOUT(workloads=found.without))
    return {
        "freed": (
            words.freed(*found.freed) if any(each.changes for each in found.workloads) else str(words.NOTHING_TO_CHANGE)
        ),
        "rows": (
            (
                str(workloads.COLUMN_CPU),
                _meters(requested.cpu_milli, used.cpu_milli, found.freed.cpu_milli, allocatable.cpu_milli, cpu),
            ),
            (
                str(workloads.COLUMN_MEMORY),
                _meters(
                    requested.memory_bytes,
                    used.memory_bytes,
                    found.freed.memory_bytes,
                    allocatable.memory_bytes,
                    size,
                ),
            ),
        ),
        "samples": words.SAMPLES(hours=hours, source=str(words.SOURCES[found.usage.source])),
        "sampled_at": found.usage.sampled_at,
        "warnings": tuple(warnings),
    }


def reading_view(cluster: Cluster, reading: UsageReading | None) -> dict[str, Any] | None:
    """Say that a cluster's usage is going to be read, or why it was not the last time, and what to do.

    None of a cluster that is not read by itself, and while all is well.
    """
    if reading is None:
        return {"sentence": words.NOT_READ_YET} if cluster.is_live else None
    problem = problem_of_text(reading.problem)
    if problem is None:
        return None
    return {
        "sentence": problem_sentence(problem),
        "remedy": remedy_sentence(problem),
        "is_failed": True,
        "at": reading.tried_at,
    }


def _meters(
    requested: int, used: int, freed: int, allocatable: int, write: Callable[[int], str]
) -> tuple[Meter, Meter, Meter]:
    return (
        meter(str(words.REQUESTED), requested, allocatable, write),
        meter(str(words.USED), used, allocatable, write),
        meter(str(words.RIGHT_SIZED), requested - freed, allocatable, write),
    )


def usage_figures(found: ClusterSizing) -> tuple[Figure, ...]:
    """Draw what was used hour by hour below what is requested now; nothing of a single hour."""
    totals = found.usage.totals
    if len(totals) < 2:
        return ()
    times = [each.at for each in totals]
    right_sized_cpu = found.requested.cpu_milli - found.freed.cpu_milli
    right_sized_memory = found.requested.memory_bytes - found.freed.memory_bytes
    return (
        _figure(
            "usage-cpu",
            str(words.CPU_TITLE),
            "CPU",
            times,
            [each.used.cpu_milli for each in totals],
            (found.requested.cpu_milli, right_sized_cpu, found.allocatable.cpu_milli),
            cpu,
            1000,
        ),
        _figure(
            "usage-memory",
            str(words.MEMORY_TITLE),
            "GiB",
            times,
            [each.used.memory_bytes for each in totals],
            (found.requested.memory_bytes, right_sized_memory, found.allocatable.memory_bytes),
            size,
            _GIB,
        ),
    )


def _figure(
    name: str,
    title: str,
    unit: str,
    times: Sequence[datetime],
    used: Sequence[int],
    levels: tuple[int, int, int],
    write: Callable[[int], str],
    divisor: int,
) -> Figure:
    requested, right_sized, allocatable = levels
    lines = (
        (str(words.USED), "zone-1", used, False),
        (str(words.REQUESTED), "zone-2", [requested] * len(times), True),
        (str(words.RIGHT_SIZED), "zone-3", [right_sized] * len(times), True),
        (str(words.ALLOCATABLE), "zone-8", [allocatable] * len(times), False),
    )
    return Figure(
        id=name,
        title=title,
        summary=words.TREND_SUMMARY(used=write(used[-1]), requested=write(requested), allocatable=write(allocatable)),
        spec=TrendSpec(
            unit,
            tuple(at.timestamp() for at in times),
            tuple(
                Series(label, colour, tuple(value / divisor for value in values), is_dashed=is_dashed)
                for label, colour, values, is_dashed in lines
            ),
        ),
        columns=(str(words.HOUR), str(words.USED)),
        rows=[(moment(at), write(value)) for at, value in list(zip(times, used, strict=True))[-_MOST_ROWS:]],
    )


KINDS = {Sizing.OVER: "warn", Sizing.UNDER: "bad", Sizing.NOT_REQUESTED: "bad", Sizing.FITTING: "good"}
# A bar is so long.
_WIDTH = 100


class ResourceSizingView(Struct, frozen=True):
    """One resource of a container in words; ``recommended`` is empty where the request fits.

    ``bar``: requested and used as lengths of 100, and where the recommended request is marked; ``label`` says it.
    """

    requested: str
    used: str
    recommended: str
    badge: tuple[str, str]
    bar: dict[str, Any]


class WorkloadSizingView(Struct, frozen=True):
    """A workload; ``command`` patches its template, and is empty where none can.

    A container has its name, its samples, and its CPU and its memory in the order of the table's columns.
    """

    workload: Workload
    title: str
    kind: str
    pods: str
    freed: str
    badges: tuple[tuple[str, str], ...]
    caption: str
    containers: tuple[tuple[str, str, tuple[tuple[str, ResourceSizingView], ...]], ...]
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
        pods=counts.PODS(number=sizing.pods),
        freed=words.freed(*sizing.freed) if sizing.changes else "",
        badges=tuple(badges),
        caption=words.CONTAINERS_OF(workload=full_name(sizing.workload)),
        containers=tuple(map(_container, sizing.containers)),
        notes=(*((words.KILLED(pods=killed),) if killed else ()), *_notes(sizing)),
        command=patch_command(sizing),
    )


def _container(sizing: ContainerSizing) -> tuple[str, str, tuple[tuple[str, ResourceSizingView], ...]]:
    return (
        sizing.name or str(words.WHOLE_POD),
        words.COUNTED_SAMPLES(samples=sizing.statistics.samples, hours=sizing.statistics.hours),
        (
            (str(columns.CPU_REQUEST), _resource(sizing.cpu, str(overview_words.CPU))),
            (str(columns.MEMORY_REQUEST), _resource(sizing.memory, str(overview_words.MEMORY))),
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
        bar={
            "label": words.BAR(resource=name, requested=requested, used=used, recommended=recommended),
            "requested": _WIDTH * (sizing.requested or 0) / whole,
            "used": _WIDTH * sizing.used / whole,
            "recommended": _WIDTH * sizing.recommended / whole,
        },
    )


def _notes(sizing: WorkloadSizing) -> Iterator[str]:
    if sizing.measures_pod_level:
        yield str(words.POD_LEVEL)
    if any(not each.name for each in sizing.containers):
        yield str(words.WHOLE_POD_ONLY)
    for container in sizing.containers:
        for each in (container.cpu, container.memory):
            if each.is_capped and each.limit and each.sizing is not Sizing.FITTING:
                yield words.CAPPED(limit=as_in_manifests(each.resource, each.limit))
    if sizing.quality is QualityOfService.GUARANTEED and sizing.quality_after is not sizing.quality:
        yield str(words.LOSES_GUARANTEE)
    instead = without_command(sizing)
    if instead:
        yield instead


FILE_COLUMNS = (
    "namespace",
    "kind",
    "workload",
    "pods",
    "container",
    "resource (CPU in milli-CPU, memory in bytes)",
    "requested",
    "limit",
    "mean used",
    "p50 used",
    "p95 used",
    "maximum used",
    "recommended request",
    "state",
    "samples",
    "hours",
)


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
