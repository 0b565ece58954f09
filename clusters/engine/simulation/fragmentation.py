"""What is left of a cluster for the pods that are asked for most: the same numbers as headroom's, for bare pods."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from clusters.engine.explanation import explain
from clusters.engine.failure import Failure, attempt
from clusters.engine.registry import reads_amounts
from clusters.engine.resources.requests import CPU, MEMORY
from clusters.engine.simulation.headroom import Portion, headroom
from clusters.engine.simulation.measures import moving_slots, resource_amounts
from clusters.engine.simulation.pod_requests import PodRequests

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.explanation import Explanation
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Mask

# So many of the shapes that are wanted most say how fragmented a cluster is.
REFERENCE_SHAPES = 3
# Where constraints by default have pods placed one by one, they are counted up to here.
_MOST_PODS = 2_000


@dataclass(frozen=True, slots=True)
class Fragmentation:
    """What a shape leaves of the free resources.

    ``requests``: one pod's, which asks for nothing else and tolerates no taint. ``pods``: how many more fit, on how
    many ``nodes``. Of what is ``free`` of each requested resource on the nodes that are open to it, so much is
    ``unusable``: it is on nodes where not one more fits.
    """

    requests: Mapping[str, int]
    pods: int
    nodes: int
    free: Mapping[str, int]
    unusable: Mapping[str, int]


def fragmentation_of(
    snapshot: Snapshot, configuration: SchedulerConfiguration, shapes: Sequence[Mapping[str, int]]
) -> tuple[Fragmentation, ...]:
    """Judge the free resources of a snapshot by some requests.

    Those that cannot be computed are left out: the pods that have them are told of by themselves.
    """
    found = (attempt(partial(_fragmentation, snapshot, configuration, shape)) for shape in shapes)
    return tuple(each for each in found if not isinstance(each, Failure))


def _fragmentation(
    snapshot: Snapshot, configuration: SchedulerConfiguration, shape: Mapping[str, int]
) -> Fragmentation:
    pod = _bare_pod(shape, configuration.profiles[0].scheduler_name)
    found = headroom(snapshot, configuration, [Portion(pod)], most=_MOST_PODS)
    is_open = _open(explain(snapshot, pod, configuration.profile_for(pod)))
    takes = np.array([name in found.nodes for name in snapshot.nodes.names], np.bool_)
    amounts, nothing = resource_amounts(snapshot), np.zeros(len(takes), np.int64)
    free, unusable = {}, {}
    for resource in shape:
        left = amounts[resource].left if resource in amounts else nothing
        free[resource] = int(left[is_open].sum())
        unusable[resource] = int(left[is_open & ~takes].sum())
    return Fragmentation(dict(shape), found.count, len(found.nodes), free, unusable)


def _bare_pod(shape: Mapping[str, int], scheduler: str) -> dict[str, Any]:
    requests = {name: f"{number}m" if name == CPU else str(number) for name, number in shape.items()}
    return {
        "kind": "Pod",
        "metadata": {"namespace": "default", "name": "shape"},
        "spec": {
            "schedulerName": scheduler,
            "containers": [{"name": "main", "resources": {"requests": requests}}],
        },
    }


def _open(explanation: Explanation) -> Mask:
    """Shape (N,): nodes that let the pod in, but for what they have left."""
    found = np.zeros(len(explanation.snapshot.nodes), np.bool_)
    for group in explanation.groups:
        found[group.rows] = group.verdict is None or reads_amounts(group.verdict.plugin)
    return found


def reference_shapes(snapshot: Snapshot, waiting: Iterable[Document] = ()) -> tuple[Mapping[str, int], ...]:
    """The requests of most of the pending pods; without any, the median request of the pods on nodes."""
    times: dict[tuple[tuple[str, int], ...], int] = {}
    reading = PodRequests()
    for pod in waiting:
        shape = tuple(sorted((resource, number) for resource, number in reading.of(pod).items() if number > 0))
        times[shape] = times.get(shape, 0) + 1
    if times:
        most = sorted(times, key=lambda shape: (-times[shape], shape))
        return tuple(dict(shape) for shape in most[:REFERENCE_SHAPES])
    median = _median(snapshot)
    return (median,) if median else ()


def _median(snapshot: Snapshot) -> dict[str, int]:
    """The lower medians of CPU and memory over the pods on nodes that may go elsewhere; empty without any."""
    pods, moving = snapshot.pods, moving_slots(snapshot)
    if not len(moving):
        return {}
    found = {}
    for resource in (CPU, MEMORY):
        by_shape = np.array([dict(shape.requests).get(resource, 0) for shape in pods.shapes], np.int64)
        numbers = by_shape[pods.shape[moving]]
        middle = (len(numbers) - 1) // 2
        median = int(np.partition(numbers, middle)[middle])
        if median:
            found[resource] = median
    return found
