"""Pods placed one after another, each one seeing those before it.

Upstream: ``scheduleOne`` and ``assume`` in ``pkg/scheduler/schedule_one.go`` (v1.34.1). All nodes are looked at, from
the first on; where the scheduler takes any of equally good ones, it is the first in the snapshot's order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.configuration import PodTopologySpreadArgs, Profile, SchedulerConfiguration
from clusters.engine.objects import Document, Pod
from clusters.engine.scheduling.cycle import NONE_RESERVED, ReservedClaims, reserve_devices
from clusters.engine.scheduling.explanation import Explanation, explain
from clusters.engine.scheduling.search import first_row
from clusters.engine.spreading.constraints import PLUGIN as SPREADING, has_constraints
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.snapshot import Snapshot

# Opportunistic batching: pods that are alike may share one evaluation of the nodes.


def may_share_an_evaluation(explanation: Explanation) -> bool:
    """Whether the pod may get the next best node of the one before it, without a search.

    Upstream: ``SignPod`` of ``pkg/scheduler/framework/plugins/podtopologyspread/plugin.go`` v1.37.2. Pods that spread,
    by themselves or by default, never do; which of the others are alike nobody outside has to know.
    """
    if not explanation.snapshot.release.enables(Gate.OPPORTUNISTIC_BATCHING):
        return False
    profile = explanation.profile
    arguments = profile.args.get(SPREADING)
    is_asked = SPREADING in (*profile.filter, *profile.score)
    return not (
        is_asked and isinstance(arguments, PodTopologySpreadArgs) and has_constraints(explanation.pod, arguments)
    )


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a pod went: the name of a node, or empty where none would take it or gates hold it back.

    The explanation reads the snapshot that the next pod will change: what it computes on demand has to be asked for
    before the next placement is.
    """

    pod: Document
    node: str
    explanation: Explanation
    reserved: ReservedClaims = NONE_RESERVED


def place(snapshot: Snapshot, pods: Iterable[Document], configuration: SchedulerConfiguration) -> Iterator[Placement]:
    """Place pods in the given order, and change the snapshot accordingly; nobody is preempted.

    A pod that already has a node is placed anew; the caller takes it out of the snapshot where it should not stand in
    its own way. Raises UnknownScheduler at a pod that no profile is for.
    """
    for pod in pods:
        free = _free(pod)
        explanation = explain(snapshot, free, configuration.profile_for(free))
        is_placed = explanation.fits and explanation.gates.ok
        row = first_row(explanation.cycle) if is_placed else None
        profile, node = explanation.profile, "" if row is None else snapshot.nodes.names[row]
        reserved = NONE_RESERVED if row is None else reserve_devices(snapshot, explanation.pod, profile, row)
        yield Placement(pod, node, explanation, reserved)
        if node:
            snapshot.assume(reserved.counted(free), node)


def place_on(snapshot: Snapshot, pod: Document, profile: Profile, node: str) -> None:
    """Change a snapshot as `place` does where it places a pod on a node, which is known from an earlier time."""
    free = _free(pod)
    reserved = reserve_devices(snapshot, Pod(free), profile, snapshot.nodes.index[node])
    snapshot.assume(reserved.counted(free), node)


def _free(pod: Document) -> Document:
    return {**pod, "spec": {name: part for name, part in (pod.get("spec") or {}).items() if name != "nodeName"}}


# One pod after the other, each placed before the next is tried, as a scheduler with nothing else to do would.


def replay(
    snapshot: Snapshot, pods: Iterable[Document], configuration: SchedulerConfiguration
) -> Iterator[Explanation]:
    """Explain pods in turn and place each that any node has the highest total for on the first of those by name.

    So recordings go on, also where the scheduler would take a nominated node or end in an error. ``snapshot`` is
    brought forward while the pods are walked, so what is wanted of an explanation must be taken before the next one.
    Nothing is reserved for volumes. Raises UnknownScheduler.
    """
    for pod in pods:
        explanation = explain(snapshot, pod, configuration.profile_for(pod))
        yield explanation
        if explanation.best:
            snapshot.assume(pod, explanation.best[0])
