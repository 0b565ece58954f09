"""How many nodes of one making a cluster needs more so that a workload fits."""

from __future__ import annotations

import marshal
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from clusters.engine.explanation import explain
from clusters.engine.objects import Node, labels_of, metadata, name_of, namespace_of
from clusters.engine.registry import requeue_events
from clusters.engine.resources.requests import PODS
from clusters.engine.simulation.case import Case
from clusters.engine.simulation.headroom import Stop, is_plain, stop_of
from clusters.engine.simulation.measures import nodes_in_use, resource_amounts
from clusters.engine.simulation.node_sets import with_nodes
from clusters.engine.simulation.pod_requests import PodRequests
from clusters.engine.simulation.run import Simulation
from clusters.engine.simulation.steps import Outcome
from clusters.engine.spreading.constraints import HOSTNAME, ZONE
from clusters.engine.traits import ClusterEvent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.objects import Document
    from clusters.engine.simulation.case import Wanted
    from clusters.engine.simulation.steps import Step
    from clusters.engine.snapshot import Snapshot

MOST_NODES = 5_000


@dataclass(frozen=True, slots=True)
class Trial:
    """A simulation with so many nodes more: whether everything fitted, and on how many of them pods were placed.

    One that does not fit ends with the first pod that no later one can help, so that ``used`` says little then.
    """

    nodes: int
    fits: bool
    used: int


@dataclass(frozen=True, slots=True)
class NodesNeeded:
    """The workload fits with ``count`` nodes more, and not with one less; None: not with the most that were asked for.

    Both were simulated, as ``trials`` tell in their order. ``is_least``: that no smaller number would do either is
    certain, as all pods are alike and nodes fill up independently of each other; otherwise a smaller one may, because
    with more nodes the scheduler can choose less luckily. ``stop``: what a pod that did not fit was told, with one node
    less than ``count`` or with the most. ``never``: more nodes of this making do not help, as that pod is rejected even
    by those of them that are empty, or the API server does not create it.
    """

    count: int | None
    is_least: bool
    never: bool
    stop: Stop | None
    trials: tuple[Trial, ...]


@dataclass(frozen=True, slots=True)
class _Played:
    """What became of a trial; ``hopeless``: in each zone of the new nodes one is empty and rejects the pending pod."""

    trial: Trial
    stop: Stop | None
    hopeless: bool


def nodes_needed(
    snapshot: Snapshot,
    configuration: SchedulerConfiguration,
    template: Document,
    wanted: Sequence[Wanted],
    *,
    zones: Sequence[str] = (),
    most: int = MOST_NODES,
    seed: int = 0,
    samples: bool = False,
    admits: bool = False,
) -> NodesNeeded:
    """How many nodes like ``template`` have to be added, at most ``most``, so that all pods are placed.

    Nobody is preempted. ``zones``: the new nodes lie in these, one after another; without them, where the template
    says. ``admits``: LimitRanges and quotas are asked about each pod. Raises UnknownScheduler.
    """
    patient = [
        replace(each, pod={**each.pod, "spec": {**(each.pod.get("spec") or {}), "preemptionPolicy": "Never"}})
        for each in wanted
    ]
    case = Case(snapshot, configuration, patient, samples=samples, seed=seed, admits_pods=admits)
    return _Search(case, template, zones, most).found()


class _Search:
    """Doubles the number of nodes until the workload fits, then halves the interval."""

    def __init__(self, case: Case, template: Document, zones: Sequence[str], most: int) -> None:
        self._case, self._template, self._zones, self._most = case, template, zones, most
        self._played: dict[int, _Played] = {}

    def found(self) -> NodesNeeded:
        start = min(_least(self._case, self._template), self._most)
        if self._fits(start):
            if start == 0 or not self._fits(start - 1):
                return self._answer(start)
            fits, fails = start - 1, -1
        elif self._is_forbidden(start):
            return self._answer(None, start)
        else:
            fits, fails = self._above(start)
            if fits < 0:
                return self._answer(None)
        while fits - fails > 1:
            middle = (fits + fails) // 2
            if self._fits(middle):
                fits = middle
            else:
                fails = middle
        return self._answer(fits)

    def _above(self, fails: int) -> tuple[int, int]:
        """A number with which it fits, -1 where there is none, and a smaller one with which it does not."""
        step = 1
        while fails < self._most:
            number = self._most if self._played[fails].hopeless else min(fails + step, self._most)
            if self._fits(number):
                return number, fails
            fails, step = number, 2 * step
        return -1, fails

    def _is_forbidden(self, number: int) -> bool:
        """Whether the API server does not create a pod, however many nodes there are."""
        stop = self._played[number].stop
        return stop is not None and stop.is_forbidden

    def _answer(self, count: int | None, failed: int | None = None) -> NodesNeeded:
        """The answer; ``failed``: the number with which it did not fit, one less than ``count`` or the most."""
        before = self._most if count is None else count - 1
        last = self._played.get(before if failed is None else failed)
        return NodesNeeded(
            count=count,
            is_least=count == 0 or (count is not None and _is_uniform(self._case)),
            never=count is None and last is not None and last.hopeless,
            stop=None if last is None else last.stop,
            trials=tuple(played.trial for played in self._played.values()),
        )

    def _fits(self, number: int) -> bool:
        if number not in self._played:
            self._played[number] = self._play(number)
        return self._played[number].trial.fits

    def _play(self, number: int) -> _Played:
        added = _nodes(self._case.snapshot, self._template, self._zones, number)
        case = replace(self._case, snapshot=with_nodes(self._case.snapshot, added))
        leaves = any(each.until is not None for each in case.wanted)
        simulation = Simulation(case)
        for step in simulation:
            if not leaves and step.outcome is Outcome.UNSCHEDULABLE and not _may_be_helped(step):
                break
            if not leaves and step.outcome is Outcome.FORBIDDEN:
                break
        rows = np.array([simulation.snapshot.nodes.index[name_of(node)] for node in added], np.intp)
        in_use = nodes_in_use(simulation.snapshot)
        waiting = next(iter(simulation.waiting.values()), None)
        refusal = next(simulation.refusals, None)
        trial = Trial(number, waiting is None and refusal is None, int(in_use[rows].sum()))
        if refusal is not None:
            return _Played(trial, Stop(0, refusal.message, (), is_forbidden=True), hopeless=True)
        if waiting is None:
            return _Played(trial, None, hopeless=False)
        idle = {added[place].get("metadata", {}).get("labels", {}).get(ZONE) for place in np.flatnonzero(~in_use[rows])}
        places = {node["metadata"]["labels"].get(ZONE) for node in added}
        return _Played(trial, _told(case, simulation, waiting), hopeless=number > 0 and idle == places)


def _told(case: Case, simulation: Simulation, waiting: Step) -> Stop:
    """Why a pending pod is rejected by every node now."""
    pod = simulation.document_of(waiting.pod)
    return stop_of(explain(simulation.snapshot, pod, case.configuration.profile_for(pod)), 0)


def _may_be_helped(step: Step) -> bool:
    """Whether a pod that is placed later could let this one in."""
    return any(ClusterEvent.POD_ADD in requeue_events(plugin) for plugin in step.plugins)


def _nodes(snapshot: Snapshot, template: Document, zones: Sequence[str], number: int) -> list[dict[str, Any]]:
    """New nodes like the template, each with a host name and a name of its own."""
    stem = f"{name_of(template) or 'node'}-more"
    while any(name.startswith(stem) for name in (*snapshot.nodes.names, *snapshot.pods.homes.values())):
        stem = f"{stem}-more"
    found = []
    for place in range(number):
        name = f"{stem}-{place:05d}"
        zone = {ZONE: zones[place % len(zones)]} if zones else {}
        labels = {**labels_of(template), HOSTNAME: name, **zone}
        found.append({**template, "kind": "Node", "metadata": {**metadata(template), "name": name, "labels": labels}})
    return found


def _least(case: Case, template: Document) -> int:
    """So many nodes are needed at least, by the sums of what is asked for and what is free."""
    if any(each.until is not None for each in case.wanted):
        return 0
    amounts, asked = resource_amounts(case.snapshot), PodRequests()
    wanted: dict[str, int] = {PODS: len(case.wanted)}
    for each in case.wanted:
        for resource, number in asked.of(each.pod).items():
            wanted[resource] = wanted.get(resource, 0) + number
    has = Node.from_dict(template).allocatable
    least = 0
    for resource, number in wanted.items():
        free = int(amounts[resource].left.sum()) if resource in amounts else 0
        if number > free and has.get(resource, 0) > 0:
            least = max(least, -(-(number - free) // has[resource]))
    return least


def _is_uniform(case: Case) -> bool:
    """Whether all pods are alike and nodes fill up with them independently of each other."""
    sources = {
        marshal.dumps((namespace_of(each.pod), labels_of(each.pod), each.pod.get("spec"), each.until), 0)
        for each in case.wanted
    }
    if len(sources) != 1 or case.wanted[0].until is not None:
        return False
    pod = case.wanted[0].pod
    return is_plain(explain(case.snapshot, pod, case.configuration.profile_for(pod)))
