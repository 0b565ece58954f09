"""The drains that an upgrade is tried on, pool by pool, and those that differ under each minor and rule."""

from __future__ import annotations

import enum
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from clusters.engine.configuration import ConfigurationError, SchedulerConfiguration
from clusters.engine.disruption.drains import Block, BlockedNode, DrainCase, DrainedNode, DrainOptions, drain_plan
from clusters.engine.nodes import pool_of
from clusters.engine.scheduling.cost import Failure, Note, attempt
from clusters.engine.upgrading.rules import Amendment, amended, amendments_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.versions import Release

# The drains that an upgrade is tried on: the nodes of each pool one after another, and what each of them meets.

# So many pods on nodes that are drained, of all pools together, and so many pairs of a pod and a node that it is tried
# on: each is placed under every release, and every rule that brings a difference.
MOST_PODS = 2_000
MOST_PAIRS = 10_000_000
MOST_POOLS = 50
# Nodes that cannot be drained at first are tried again, which places their pods again.
_PLACEMENTS_PER_POD = 2
# As in an upgrade of nodes: one at a time, which accepts pods again once it is done.
_OPTIONS = DrainOptions(at_a_time=1, uncordon=True)


class DrainAspect(enum.StrEnum):
    """In what the drain of a node differs, the gravest first."""

    VERDICT = "verdict"
    NODES = "nodes"
    MESSAGE = "message"


class SampledPool(Struct, frozen=True):
    """A pool, empty for nodes without one, and those of its nodes that are drained; ``node_count``: how many it has."""

    name: str
    nodes: tuple[str, ...]
    node_count: int


class SampledDrains(Struct, frozen=True):
    """What pools are drained with. ``pods``: those on the nodes of the pools; the rest as in ``DrainCase``.

    ``pools_left_out``: pools of which no node is drained.
    """

    pools: tuple[SampledPool, ...] = ()
    pods: Sequence[Document] = ()
    others: Sequence[Document] = ()
    lasting: frozenset[str] = frozenset()
    daemon_sets: frozenset[str] | None = None
    pools_left_out: int = 0


class ReplacedPod(Struct, frozen=True):
    """An evicted pod and the node of its replacement; ``is_certain``: nothing could reject it that is not computed."""

    pod: str
    node: str
    is_certain: bool


class PodLeftPending(Struct, frozen=True):
    """A pod whose replacement would have no node, with the scheduler's message."""

    pod: str
    message: str


class NodeDrainAnswer(Struct, frozen=True):
    """What the drain of one node meets. ``block``: what keeps it from being drained, None where it is drained.

    ``refused``: pods whose eviction is not granted; ``budgets``: those that refuse them.
    """

    block: Block | None
    replaced: tuple[ReplacedPod, ...] = ()
    pending: tuple[PodLeftPending, ...] = ()
    refused: tuple[str, ...] = ()
    budgets: tuple[str, ...] = ()


def sampled_pools(snapshot: Snapshot, most_pods: int = MOST_PODS) -> tuple[tuple[SampledPool, ...], int]:
    """Return the first nodes by name of each pool, and how many pools are left out.

    Pools have equal shares of the pods, and what small ones leave is the others'; each has one node at least.
    """
    rows = snapshot.pods.node
    pods = np.bincount(rows[rows >= 0], minlength=len(snapshot.nodes))
    members: dict[str, list[tuple[str, int]]] = {}
    for node, number in zip(snapshot.nodes.nodes, pods.tolist(), strict=True):
        members.setdefault(pool_of(node.labels), []).append((node.name, number))
    names = sorted(members, key=lambda name: (not name, name))
    chosen = names[:MOST_POOLS]
    most = min(most_pods, MOST_PAIRS // max(1, len(pods)))
    shares = _shares({name: sum(number for _, number in members[name]) for name in chosen}, most)
    found = tuple(_sampled(name, sorted(members[name]), shares[name]) for name in chosen)
    return found, len(names) - len(found)


def drain_answers(
    snapshot: Snapshot,
    configuration: SchedulerConfiguration,
    pool: SampledPool,
    sampled: SampledDrains,
    note: Note | None = None,
) -> dict[str, NodeDrainAnswer]:
    """Drain the nodes of a pool one after another; those that took too long are missing."""
    nodes = frozenset(pool.nodes)
    pods = [each for each in sampled.pods if (each.get("spec") or {}).get("nodeName") in nodes]
    case = DrainCase(
        nodes=pool.nodes,
        pods=pods,
        others=sampled.others,
        lasting=sampled.lasting,
        daemon_sets=sampled.daemon_sets,
        most_placements=_PLACEMENTS_PER_POD * max(1, len(pods)),
        note=note,
    )
    plan = drain_plan(snapshot, configuration, case, _OPTIONS)
    drained = {node.name: _drained(node) for batch in plan.batches for node in batch.nodes}
    return drained | {node.name: _blocked(node) for node in plan.blocked if node.kind is not Block.NOT_COMPUTED}


def drain_aspects_between(before: NodeDrainAnswer, after: NodeDrainAnswer) -> tuple[DrainAspect, ...]:
    """Return in what two drains of a node differ; where the verdict does, the rest follows from it and is not told."""
    if _verdict(before) != _verdict(after):
        return (DrainAspect.VERDICT,)
    found = []
    if before.replaced != after.replaced:
        found.append(DrainAspect.NODES)
    if before.pending != after.pending:
        found.append(DrainAspect.MESSAGE)
    return tuple(found)


def _shares(pods: Mapping[str, int], most: int) -> dict[str, int]:
    """Return how many pods of each pool there is room for."""
    shares: dict[str, int] = {}
    left = most
    for name in sorted(pods, key=lambda name: pods[name]):
        shares[name] = left // (len(pods) - len(shares))
        left -= min(shares[name], pods[name])
    return shares


def _sampled(name: str, nodes: Sequence[tuple[str, int]], share: int) -> SampledPool:
    chosen: list[str] = []
    pods = 0
    for node, number in nodes:
        pods += number
        if chosen and pods > share:
            break
        chosen.append(node)
    return SampledPool(name, tuple(chosen), len(nodes))


def _verdict(answer: NodeDrainAnswer) -> tuple[Block | None, tuple[str, ...], tuple[str, ...]]:
    return answer.block, tuple(each.pod for each in answer.pending), answer.refused


def _drained(node: DrainedNode) -> NodeDrainAnswer:
    landings = {each.pod: each.landing for each in node.evictions if each.landing is not None}
    return NodeDrainAnswer(
        None, tuple(ReplacedPod(pod, each.node, not each.uncertain) for pod, each in sorted(landings.items()))
    )


def _blocked(node: BlockedNode) -> NodeDrainAnswer:
    pending = [
        PodLeftPending(each.pod, each.landing.message)
        for each in node.blockers
        if each.kind is Block.NO_ROOM and each.landing is not None
    ]
    refused = [each for each in node.blockers if each.answer is not None and not each.answer.is_granted]
    budgets: Mapping[str, None] = {
        budget: None for each in refused if each.answer is not None for budget in each.answer.budgets
    }
    return NodeDrainAnswer(
        node.kind,
        pending=tuple(sorted(pending, key=lambda each: each.pod)),
        refused=tuple(sorted(each.pod for each in refused)),
        budgets=tuple(sorted(budgets)),
    )


# Drains each pool under both releases, and those that differ under each minor and rule between them.

if TYPE_CHECKING:
    World = tuple[Snapshot, SchedulerConfiguration]
    Answers = Mapping[str, NodeDrainAnswer]


class DrainChange(Struct, frozen=True):
    """One thing that the drain of a node meets otherwise under a release than under the minor before it.

    ``amendments``: the rules each of which brings this alone; none where it takes several of them together, or there
    was no time.
    """

    node: str
    aspect: DrainAspect
    minor: str
    amendments: tuple[Amendment, ...]
    before: NodeDrainAnswer
    after: NodeDrainAnswer


class PoolDrain(Struct, frozen=True):
    """The drain of a pool. ``nodes``: those that were drained under both releases, out of ``node_count``."""

    name: str
    nodes: tuple[str, ...]
    node_count: int
    changes: tuple[DrainChange, ...]

    @property
    def changed_nodes(self) -> frozenset[str]:
        """The nodes of which anything changes."""
        return frozenset(each.node for each in self.changes)


class DrainComparison(Struct, frozen=True):
    """The pools that were drained, and how many were not."""

    pools: tuple[PoolDrain, ...] = ()
    left_out: int = 0


class DrainsUnderReleases:
    """Drains pools of one cluster under releases; ``world``: the cluster under one."""

    def __init__(
        self,
        sampled: SampledDrains,
        world: Callable[[Release], World],
        alive: Callable[[], object],
        note: Note | None,
    ) -> None:
        self._sampled, self._world, self._alive, self._note = sampled, world, alive, note

    def compared(self, releases: Sequence[Release]) -> DrainComparison:
        """Drain every pool; ``releases``: those from one to the other, in order."""
        pools = {pool.name: pool for pool in self._sampled.pools}
        # Each release once for all pools: making its state of a large cluster takes longer than a drain.
        before = self._answers(pools.values(), releases[0])
        after = before if len(releases) == 1 else self._answers([pools[name] for name in before], releases[-1])
        nodes = {
            name: tuple(node for node in pools[name].nodes if node in before[name] and node in found)
            for name, found in after.items()
        }
        unlike = [
            pools[name]
            for name, chosen in nodes.items()
            if any(drain_aspects_between(before[name][node], after[name][node]) for node in chosen)
        ]
        answers = [before, *(self._answers(unlike, each) for each in releases[1:-1]), after]
        known = [pool for pool in unlike if all(pool.name in found for found in answers)]
        changes: dict[str, list[DrainChange]] = {pool.name: [] for pool in known}
        for (earlier, later), pair in zip(pairwise(releases), pairwise(answers), strict=False):
            for name, change in self._changes(known, nodes, (earlier, later), pair):
                changes[name].append(change)
        # Of a pool without an answer under some minor in between nobody knows which of them brings the difference.
        lost = {pool.name for pool in unlike} - changes.keys()
        found = [
            PoolDrain(name, chosen, pools[name].node_count, tuple(changes.get(name, ())))
            for name, chosen in nodes.items()
            if chosen and name not in lost
        ]
        return DrainComparison(tuple(found), self._sampled.pools_left_out + len(pools) - len(found))

    def _changes(
        self,
        pools: Sequence[SampledPool],
        nodes: Mapping[str, Sequence[str]],
        releases: tuple[Release, Release],
        answers: tuple[Mapping[str, Answers], Mapping[str, Answers]],
    ) -> Iterator[tuple[str, DrainChange]]:
        """Yield what a minor's drains meet otherwise than those of the one before it, by the name of the pool."""
        before, after = answers
        unlike = {
            (pool.name, node): aspects
            for pool in pools
            for node in nodes[pool.name]
            if node in before[pool.name]
            and node in after[pool.name]
            and (aspects := drain_aspects_between(before[pool.name][node], after[pool.name][node]))
        }
        causes = self._causes(pools, releases, answers, unlike)
        for (name, node), aspects in unlike.items():
            for aspect in aspects:
                amendments = tuple(causes.get((name, node, aspect), ()))
                yield (
                    name,
                    DrainChange(node, aspect, releases[1].minor, amendments, before[name][node], after[name][node]),
                )

    def _causes(
        self,
        pools: Sequence[SampledPool],
        releases: tuple[Release, Release],
        answers: tuple[Mapping[str, Answers], Mapping[str, Answers]],
        unlike: Mapping[tuple[str, str], Sequence[DrainAspect]],
    ) -> dict[tuple[str, str, DrainAspect], list[Amendment]]:
        """Apply one rule at a time, until the whole difference is there."""
        before, after = answers
        causes: dict[tuple[str, str, DrainAspect], list[Amendment]] = {}
        unexplained = set(unlike)
        for amendment in amendments_of(*releases):
            if not unexplained:
                break
            names = {name for name, _ in unexplained}
            found = self._answers([pool for pool in pools if pool.name in names], amended(*releases, amendment))
            for name, node in sorted(unexplained):
                answer = found.get(name, {}).get(node)
                if answer is None:
                    continue
                brought = set(drain_aspects_between(before[name][node], answer)) & set(unlike[name, node])
                for aspect in brought:
                    causes.setdefault((name, node, aspect), []).append(amendment)
                if answer == after[name][node]:
                    unexplained.discard((name, node))
        return causes

    def _answers(self, pools: Iterable[SampledPool], release: Release) -> dict[str, Answers]:
        """Drain pools under a release, by name; those without an answer are missing."""
        found: dict[str, Answers] = {}
        world: World | None = None
        for pool in pools:
            self._alive()
            try:
                snapshot, configuration = world = world or self._world(release)
            except ConfigurationError:
                # What one rule needs of another, such as arguments of a gate: it says nothing alone.
                break
            answers = attempt(partial(drain_answers, snapshot, configuration, pool, self._sampled, self._note))
            if not isinstance(answers, Failure):
                found[pool.name] = answers
            elif self._note is not None:
                self._note(f"Drain of pool {pool.name}", answers)
        return found
