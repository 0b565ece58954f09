"""What a node and its pods use, beside what is requested of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.resources import CPU, MEMORY
from clusters.wording.amounts import cpu, percent, size
from clusters.wording.nodes import usage as words
from dashboard.presenters.pods.listing import amounts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from clusters.engine import Snapshot
    from clusters.models import Pod
    from clusters.services.usage.history import NodeHistory, PodSample


@dataclass(frozen=True, slots=True)
class PodUsageRow:
    """A pod on the node; ``is_over``: it uses more memory than it requests."""

    namespace: str
    name: str
    cpu_used: str
    cpu_requested: str
    memory_used: str
    memory_requested: str
    is_over: bool


@dataclass(frozen=True, slots=True)
class NodeUsageView:
    """Sentences about the node, and its pods: those first that use most memory beyond what they request."""

    sentences: tuple[str, ...]
    at: datetime | None
    rows: tuple[PodUsageRow, ...]


def node_usage(
    snapshot: Snapshot, name: str, history: NodeHistory | None, pods: Iterable[Pod], samples: Mapping[str, PodSample]
) -> NodeUsageView:
    """Present what is used on a node; ``pods`` are those on it, ``samples`` what pods use, by ``namespace/name``."""
    nodes = snapshot.nodes
    row = nodes.index[name]
    columns = [nodes.resources.index(resource) for resource in (CPU, MEMORY)]
    allocatable = [int(nodes.allocatable[row, column]) for column in columns]
    requested = [int(nodes.requested[row, column]) for column in columns]
    measured = [
        (pod, sample.usage.total)
        for pod in pods
        if (sample := samples.get(f"{pod.namespace}/{pod.name}")) is not None and sample.uid == pod.uid
    ]
    asked = {pod.pk: amounts_of(pod, snapshot.release.counting) for pod, _ in measured}
    measured.sort(key=lambda each: (asked[each[0].pk][1] - each[1].memory_bytes, each[0].namespace, each[0].name))
    return NodeUsageView(
        sentences=() if history is None else tuple(_sentences(history, requested, allocatable)),
        at=None if history is None else history.at,
        rows=tuple(
            PodUsageRow(
                namespace=pod.namespace,
                name=pod.name,
                cpu_used=cpu(used.cpu_milli),
                cpu_requested=cpu(asked[pod.pk][0]),
                memory_used=size(used.memory_bytes),
                memory_requested=size(asked[pod.pk][1]),
                is_over=used.memory_bytes > asked[pod.pk][1],
            )
            for pod, used in measured
        ),
    )


def _sentences(history: NodeHistory, requested: list[int], allocatable: list[int]) -> Iterable[str]:
    latest, high = history.latest, history.high
    yield words.CPU_USED(
        used=cpu(latest.cpu_milli),
        share=percent(latest.cpu_milli, allocatable[0]),
        requested=cpu(requested[0]),
        allocatable=cpu(allocatable[0]),
    )
    yield words.MEMORY_USED(
        used=size(latest.memory_bytes),
        share=percent(latest.memory_bytes, allocatable[1]),
        requested=size(requested[1]),
        allocatable=size(allocatable[1]),
    )
    yield words.OVER_HOURS(hours=history.hours, cpu=cpu(high.cpu_milli), memory=size(high.memory_bytes))
