"""Nodes more or fewer: how many a workload needs, and which one more would take pending pods or a group."""

from __future__ import annotations

import marshal
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.group_states import held_groups
from clusters.engine.nodes import node_health, pool_of
from clusters.engine.objects import Document, Node, Pod, key_of, labels_of, metadata, name_of, namespace_of
from clusters.engine.plugin import ClusterEvent, Reads
from clusters.engine.registry import PLUGINS, requeue_events
from clusters.engine.resources import CPU, EPHEMERAL_STORAGE, MEMORY, PODS
from clusters.engine.scheduling.cycle import Verb, run_cycle
from clusters.engine.scheduling.explanation import Explanation, explain
from clusters.engine.scheduling.groups import GroupAttempt, GroupVerdict, attempt_group
from clusters.engine.simulation.case import Case, Origin, Outcome, Step, Wanted
from clusters.engine.simulation.kinds import PodRequests
from clusters.engine.simulation.measures import Stop, is_plain, nodes_in_use, resource_amounts, stop_of
from clusters.engine.simulation.removable import CONTROL_PLANE
from clusters.engine.simulation.run import Simulation
from clusters.engine.spreading.constraints import HOSTNAME, ZONE
from clusters.engine.taints import Taint, TaintMeaning, meaning_of, says_state

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.configuration import Profile, SchedulerConfiguration
    from clusters.engine.snapshot import Snapshot

# A cluster with many nodes more or fewer at once, where the snapshot changes them one by one.

# How many nodes of one making a cluster needs more so that a workload fits.


def with_nodes(snapshot: Snapshot, added: Iterable[Document]) -> Snapshot:
    """A copy with nodes more, without pods yet; their names are new to the snapshot and its pods."""
    return snapshot.copy().replace_nodes([*snapshot.nodes.nodes, *map(Node.from_dict, added)])


MOST_NODES = 5_000


class Trial(Struct, frozen=True):
    """A simulation with so many nodes more: whether everything fitted, and on how many of them pods were placed.

    One that does not fit ends with the first pod that no later one can help, so that ``used`` says little then.
    """

    nodes: int
    fits: bool
    used: int


class NodesNeeded(Struct, frozen=True):
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


class _Played(Struct, frozen=True):
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
            if (
                not leaves
                and step.outcome is Outcome.UNSCHEDULABLE
                and not any(ClusterEvent.POD_ADD in requeue_events(plugin) for plugin in step.plugins)
            ):
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


# A node that does not exist yet, after the likeness of one that does.

_READY = {"type": "Ready", "status": "True"}


def twin_of(node: Document, name: str) -> dict[str, Any]:
    """A new node with the labels, resources and taints of another one: ready, open to pods, and without images yet."""
    spec, status = node.get("spec") or {}, node.get("status") or {}
    amounts = {role: status.get(role) or {} for role in ("allocatable", "capacity") if role in status}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": f"imagined:node/{name}", "labels": {**labels_of(node), HOSTNAME: name}},
        "spec": {"taints": [each for each in spec.get("taints") or () if not says_state(Taint.from_dict(each))]},
        "status": {**amounts, "conditions": [_READY]},
    }


# One more node like one that there is: which pending pods it would take, tried and not guessed.
#
# A new node is a twin of one of its pool: the same labels, resources and taints, and the pods of DaemonSets that run
# on that one. Nodes that differ in their names alone are tried once.

# So many shapes of nodes are tried.
MOST_SHAPES: Final = 24
# Of so many of them a pod that looks at pods elsewhere is tried once more, each node added alone.
_MOST_ALONE: Final = 3
# So many pods are placed in a simulation: few nodes take more.
MOST_PODS: Final = 500


def all_are_tried(pods: int) -> bool:
    """Whether so many pods are all tried on a node more."""
    return pods <= MOST_PODS


# A label with more values than a cluster has zones, pools and sizes is the node's own, like its name.
_FEW_VALUES: Final = 64
# And so few values tell something even where no two nodes share one.
_HANDFUL: Final = 8
# What taints say of nodes that nobody adds for a pod.
_NOT_ADDED: Final = (TaintMeaning.LEAVING, TaintMeaning.VIRTUAL)
_ORDINARY: Final = frozenset({CPU, MEMORY, EPHEMERAL_STORAGE, PODS})


class NodeLikeness(Struct, frozen=True):
    """A node that a new one would be like, and the pods of DaemonSets on it."""

    node: Document
    daemons: tuple[Document, ...] = ()


class OneMoreNode(Struct, frozen=True):
    """A new node like the one named ``like``, of the same ``pool`` (empty where nodes do not say)."""

    like: str
    pool: str = ""


def node_shapes(snapshot: Snapshot, most: int = MOST_SHAPES) -> list[str]:
    """Name a node of each shape: labels, resources and taints, apart from what is each node's own.

    Of more shapes than ``most`` every pool and size is there before a second of its zones is. A node of the shape that
    is well speaks for it, if there is one. Nodes of the control plane, virtual ones and those that are about to be
    removed are left out: nobody adds those for a pod.
    """
    nodes, usable = snapshot.nodes, node_health(snapshot).usable
    told = _telling(nodes.nodes)
    alike: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    amounts = np.ascontiguousarray(nodes.allocatable)
    for row, (node, taints) in enumerate(zip(nodes.nodes, nodes.taint_set.tolist(), strict=True)):
        labels = tuple([node.labels.get(key) for key in told])
        alike[labels, taints, amounts[row].tobytes(), int(nodes.allowed_pods[row])].append(row)
    members: dict[tuple[Any, ...], dict[Any, list[int]]] = defaultdict(lambda: defaultdict(list))
    for (labels, _, sums, pods), rows in alike.items():
        node = nodes.nodes[rows[0]]
        is_leaving = any(meaning_of(taint.key, taint.value) in _NOT_ADDED for taint in node.taints)
        if not is_leaving and not any(key in node.labels for key in CONTROL_PLANE):
            lasting = tuple(taint for taint in node.taints if not says_state(taint))
            members[pool_of(node.labels), sums, pods, lasting][labels].extend(rows)
    ranked = []
    for shapes in members.values():
        for place, rows in enumerate(sorted(map(sorted, shapes.values()), key=lambda rows: (-len(rows), rows[0]))):
            ranked.append((place, -len(rows), next((row for row in rows if usable[row]), rows[0])))
    return [nodes.names[row] for _, _, row in sorted(ranked)[:most]]


def _telling(nodes: Sequence[Node]) -> tuple[str, ...]:
    """The label keys that tell kinds of nodes: those of few values, and not of another one on each node."""
    values: dict[str, set[str]] = defaultdict(set)
    counts: dict[str, int] = defaultdict(int)
    for node in nodes:
        for key, value in node.labels.items():
            values[key].add(value)
            counts[key] += 1
    few = {key for key, found in values.items() if len(found) <= _HANDFUL or len(found) < min(counts[key], _FEW_VALUES)}
    return tuple(sorted(few - {HOSTNAME}))


class MoreNodes:
    """A cluster with one more node of each shape, to find out which of them would take a pod.

    ``likenesses``: nodes of the snapshot, at most one of each shape.
    """

    def __init__(self, snapshot: Snapshot, likenesses: Iterable[NodeLikeness]) -> None:
        self._before = snapshot
        self._likenesses = {name_of(each.node): each for each in sorted(likenesses, key=_size)}
        # A name for a new node like each, that neither a node nor a pod's node has.
        stem = "one-more"
        while any(name.startswith(stem) for name in [*snapshot.nodes.names, *snapshot.pods.homes.values()]):
            stem = f"{stem}-more"
        self._names = {like: f"{stem}-{number}" for number, like in enumerate(self._likenesses)}

    @cached_property
    def _snapshot(self) -> Snapshot:
        """The cluster with one more of each; of a large one it takes long to make, and much memory."""
        return self._with(self._names.items())

    def taking(self, explanation: Explanation) -> tuple[OneMoreNode, ...]:
        """The nodes of which one more would take the pod as it is, the smallest first; none of a pod that fits.

        None either where no node was looked at, and where an extender would have to be asked about the new one.
        """
        cycle = explanation.cycle
        is_extended = any(call.verb is Verb.FILTER for call in cycle.calls)
        if explanation.fits or explanation.error is not None or cycle.stopped_by is not None or is_extended:
            return ()
        then = run_cycle(self._snapshot, explanation.pod, explanation.profile)
        feasible = frozenset(then.feasible.tolist()) if len(then.choices) else frozenset()
        index = self._snapshot.nodes.index
        found = [like for like, name in self._names.items() if index[name] in feasible]
        found.sort(key=list(self._likenesses).index)
        if any(Reads.PODS in PLUGINS[name].reads for name in then.filters if name in PLUGINS):
            # What is elsewhere counts for it, other new nodes too.
            found = [like for like in found[:_MOST_ALONE] if self._takes_alone(like, explanation)]
        named = {each.like: each for each in self.each}
        return tuple(named[like] for like in found)

    def freed(
        self, more: OneMoreNode, pods: Sequence[Document], configuration: SchedulerConfiguration
    ) -> frozenset[str]:
        """Which of some pending pods, as ``namespace/name``, get a node when the one node is added.

        They are placed one after another in the order of the scheduler's queue, and preempt nobody.
        """
        wanted = [
            Wanted(
                {**pod, "spec": {**(pod.get("spec") or {}), "preemptionPolicy": "Never"}}, origin=Origin.PENDING_BEFORE
            )
            for pod in pods[:MOST_PODS]
        ]
        simulation = Simulation(Case(self.with_several(more.like, 1), configuration, wanted))
        for _ in simulation:
            pass
        return frozenset(key_of(each.pod) for each in wanted) - simulation.waiting.keys()

    def _takes_alone(self, like: str, explanation: Explanation) -> bool:
        snapshot = self.with_several(like, 1)
        then = run_cycle(snapshot, explanation.pod, explanation.profile)
        return len(then.choices) > 0 and snapshot.nodes.index[self._names[like]] in then.feasible.tolist()

    @property
    def each(self) -> tuple[OneMoreNode, ...]:
        """All nodes of which one more can be tried, the smallest first."""
        return tuple(OneMoreNode(like, pool_of(labels_of(each.node))) for like, each in self._likenesses.items())

    def with_several(self, like: str, number: int) -> Snapshot:
        """The cluster with so many new nodes like one, which `each` has, and the pods of DaemonSets on them."""
        first = self._names[like]
        return self._with((like, first if not further else f"{first}-{further}") for further in range(number))

    def _with(self, named: Iterable[tuple[str, str]]) -> Snapshot:
        """The cluster with new nodes like some, by their names, and the pods of DaemonSets on them."""
        chosen = [(self._likenesses[like], name) for like, name in named]
        snapshot = with_nodes(self._before, [twin_of(each.node, name) for each, name in chosen])
        for each, name in chosen:
            limits = snapshot.object("CSINode", name_of(each.node))
            if limits is not None:
                snapshot.upsert({**limits, "metadata": {**metadata(limits), "name": name}})
            for pod in each.daemons:
                key = f"{name_of(pod)}-{name}"
                twin = {**pod, "metadata": {**metadata(pod), "name": key, "uid": f"imagined:pod/{key}"}}
                snapshot.assume(twin, name)
        return snapshot


def _size(likeness: NodeLikeness) -> tuple[int, int, int, str]:
    """What a node costs, as far as its size tells: devices and the like first, then CPU and memory."""
    node = Node.from_dict(likeness.node)
    rare = sum(1 for name, number in node.allocatable.items() if number and name not in _ORDINARY)
    return rare, node.allocatable.get(CPU, 0), node.allocatable.get(MEMORY, 0), node.name


# How many more nodes like one that there is let a whole group of pods in, tried and not guessed.

# So many nodes are added, and so many shapes of them are tried.
MOST_GROUP_NODES: Final = 16
MOST_GROUP_SHAPES: Final = 6
# Nodes times pods that all attempts together may evaluate.
MOST_EVALUATED: Final = 500_000


class NodesForGroup(Struct, frozen=True):
    """So many new ``nodes`` like the one named ``like``, of the same ``pool`` (empty where nodes do not say).

    With them ``found`` pods of the group have a node or find one, of which ``gained`` find none without, and the group
    is scheduled.
    """

    like: str
    pool: str
    nodes: int
    found: int
    gained: int


def nodes_for_group(more: MoreNodes, pod: Pod, profile: Profile, refused: GroupAttempt) -> NodesForGroup | None:
    """Return the fewest nodes of one shape that let the group of a pod in, the smallest of those that do.

    ``refused``: the attempt without them, which is no success. None where no number up to MOST_NODES does it, or where
    more would have to be evaluated than MOST_EVALUATED.
    """
    helping = list(more.each[:MOST_GROUP_SHAPES])
    pods = max(1, len(refused.members))
    left = MOST_EVALUATED
    terms = held_groups(refused.snapshot).terms_of(refused.key)
    # In one domain of several a node may help although the first domain has as few pods as before.
    has_domains = terms is not None and bool(terms.topology_keys)
    for number in range(1, MOST_GROUP_NODES + 1):
        for each in list(helping):
            snapshot = more.with_several(each.like, number)
            left -= len(snapshot.nodes) * pods
            if left < 0:
                return None
            found = attempt_group(snapshot, pod, profile, settles=True)
            if found is None or found.is_open:
                helping.remove(each)
            elif found.verdict is GroupVerdict.SCHEDULED:
                return NodesForGroup(each.like, each.pool, number, found.found, found.found - refused.found)
            elif found.found <= refused.found and not has_domains:
                helping.remove(each)
        if not helping:
            return None
    return None
