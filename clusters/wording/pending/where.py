"""Which nodes the cause of one pending pod is about."""

from __future__ import annotations

from clusters.engine.analysis import Kind, PendingFinding
from clusters.wording.messages import message, plural

_NOMINATED = message("Nominated for %(node)s, waiting for victims to terminate.")
_NOMINATED_IN_VAIN = message("Nominated for %(node)s; no victim is terminating.")
_VICTIMS = plural(
    "Preempting %(pods)s pod on %(node)s would make room.",
    "Preempting %(pods)s pods on %(node)s would make room.",
    by="pods",
)
_VICTIMS_FOR_GROUP = plural(
    "Preempting %(pods)s pod would make room for its group.",
    "Preempting %(pods)s pods would make room for its group.",
    by="pods",
)
_VOLUME = message("Its volume is being provisioned for %(node)s.")
_FITS = plural("Fits on %(feasible)s of %(nodes)s node.", "Fits on %(feasible)s of %(nodes)s nodes.", by="nodes")
_UNSCHEDULABLE_IN_QUEUE = message("In the queue it would be unschedulable.")
_FITS_IN_QUEUE = plural(
    "In the queue it would fit on %(nodes)s node.", "In the queue it would fit on %(nodes)s nodes.", by="nodes"
)
_UNSCHEDULABLE_WITHOUT_GATES = message("Without its gates it would be unschedulable.")
_FITS_WITHOUT_GATES = plural(
    "Without its gates it would fit on %(nodes)s node.",
    "Without its gates it would fit on %(nodes)s nodes.",
    by="nodes",
)


def where(finding: PendingFinding) -> str:
    """Say it by the kind of the cause; empty where its name says all."""
    match finding.cause.kind:
        case Kind.NOMINATED:
            return (_NOMINATED if finding.is_leaving else _NOMINATED_IN_VAIN)(node=finding.node)
        case Kind.PREEMPTS if finding.node:
            return _VICTIMS(pods=finding.victims, node=finding.node)
        case Kind.PREEMPTS:
            return _VICTIMS_FOR_GROUP(pods=finding.victims)
        case Kind.VOLUME:
            return _VOLUME(node=finding.node)
        case Kind.FITS:
            return _FITS(feasible=finding.feasible, nodes=finding.node_count)
        case Kind.GATED if finding.cause.plugins:
            return in_the_queue(finding.feasible)
        case Kind.GATED:
            return without_gates(finding.feasible)
        case _:
            return ""


def in_the_queue(nodes: int) -> str:
    """Say on how many nodes a pod would fit that waits for its group."""
    return _FITS_IN_QUEUE(nodes=nodes) if nodes else _UNSCHEDULABLE_IN_QUEUE()


def without_gates(nodes: int) -> str:
    """Say on how many nodes a pod would fit without its gates."""
    return _FITS_WITHOUT_GATES(nodes=nodes) if nodes else _UNSCHEDULABLE_WITHOUT_GATES()
