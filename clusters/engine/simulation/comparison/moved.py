"""Where the pods of two runs ended that ended elsewhere: on a node, pending, or nowhere, with what they belong to."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.objects import labels_of
from clusters.engine.simulation.affected import named_workload
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, Controller, Workload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.objects import Node
    from clusters.engine.simulation.comparison.finished import Finished
    from clusters.engine.simulation.comparison.placements import PlacementChange


class PodEnding(enum.StrEnum):
    """How a run ended for a pod: it runs on a node, it is pending, or it is gone or was never part of the run."""

    ON_NODE = "on-node"
    PENDING = "pending"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class MovedPod:
    """A pod that ended elsewhere; ``left`` and ``right`` are names of nodes, empty where it ended on none."""

    pod: str
    workload: Workload
    left: str
    right: str
    left_end: PodEnding
    right_end: PodEnding


@dataclass(frozen=True, slots=True)
class MovedPods:
    """The pods that ended elsewhere, and the nodes that either run has ever had, in order of name.

    ``not_left`` and ``not_right``: names of those that a run has not got in the end.
    """

    pods: tuple[MovedPod, ...]
    nodes: tuple[Node, ...]
    not_left: frozenset[str]
    not_right: frozenset[str]


def moved_pods(left: Finished, right: Finished, changes: Sequence[PlacementChange]) -> MovedPods:
    """Tell of each of these pods how either run ended for it."""
    mine, theirs = ({node.name: node for node in run.simulation.snapshot.nodes.nodes} for run in (left, right))
    before = {node.name: node for run in (right, left) for node in run.case.snapshot.nodes.nodes}
    nodes = {**before, **theirs, **mine}
    return MovedPods(
        pods=tuple(
            MovedPod(
                change.pod,
                _workload(change.pod, left, right),
                change.left,
                change.right,
                _end(left, change.pod, change.left),
                _end(right, change.pod, change.right),
            )
            for change in changes
        ),
        nodes=tuple(nodes[name] for name in sorted(nodes)),
        not_left=frozenset(nodes.keys() - mine.keys()),
        not_right=frozenset(nodes.keys() - theirs.keys()),
    )


def _end(run: Finished, pod: str, node: str) -> PodEnding:
    if node:
        return PodEnding.ON_NODE
    return PodEnding.PENDING if pod in run.pending else PodEnding.ABSENT


def _workload(pod: str, *runs: Finished) -> Workload:
    """What a pod belongs to, by whichever run knows it: as it was placed, at the beginning or the end, or as wanted."""
    for run in runs:
        for snapshot in (run.simulation.snapshot, run.case.snapshot):
            slot = snapshot.pods.slot_of.get(pod)
            if slot is not None:
                return named_workload(pod, snapshot.pods.templates[int(snapshot.pods.template[slot])].workload)
        document = run.wanted.get(pod)
        if document is not None:
            workload = Workload.of(
                pod.partition("/")[0], Controller.of(document), labels_of(document).get(TEMPLATE_HASH, "")
            )
            return named_workload(pod, workload)
    return Workload(pod.partition("/")[0], "Pod", pod.partition("/")[2])
