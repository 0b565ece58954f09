"""Drains each pool under both releases, and those that differ under each minor and rule between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from clusters.engine.configuration import ConfigurationError
from clusters.engine.failure import Failure, attempt
from clusters.engine.upgrading.amendments import Amendment, amended, amendments_of
from clusters.engine.upgrading.drains import (
    DrainAspect,
    NodeDrainAnswer,
    SampledDrains,
    SampledPool,
    drain_answers,
    drain_aspects_between,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.failure import Note
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.versions import Release

    World = tuple[Snapshot, SchedulerConfiguration]
    Answers = Mapping[str, NodeDrainAnswer]


@dataclass(frozen=True, slots=True)
class DrainChange:
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


@dataclass(frozen=True, slots=True)
class PoolDrain:
    """The drain of a pool. ``nodes``: those that were drained under both releases, out of ``node_count``."""

    name: str
    nodes: tuple[str, ...]
    node_count: int
    changes: tuple[DrainChange, ...]

    @property
    def changed_nodes(self) -> frozenset[str]:
        """The nodes of which anything changes."""
        return frozenset(each.node for each in self.changes)


@dataclass(frozen=True, slots=True)
class DrainComparison:
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
