"""Drains each pool under both releases, and those that differ under each minor and rule between them."""

from __future__ import annotations

from dataclasses import dataclass
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
    from collections.abc import Callable, Mapping, Sequence

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
        is_over: Callable[[], bool],
        note: Note | None,
    ) -> None:
        self._sampled, self._world, self._is_over, self._note = sampled, world, is_over, note

    def compared(self, releases: Sequence[Release]) -> DrainComparison:
        """Drain every pool for which there is time; ``releases``: those from one to the other, in order."""
        found: list[PoolDrain] = []
        for pool in self._sampled.pools:
            drained = self._pool(pool, releases)
            if drained is not None:
                found.append(drained)
        return DrainComparison(tuple(found), self._sampled.pools_left_out + len(self._sampled.pools) - len(found))

    def _pool(self, pool: SampledPool, releases: Sequence[Release]) -> PoolDrain | None:
        before = self._answers(pool, releases[0])
        after = before if len(releases) == 1 else self._answers(pool, releases[-1])
        if before is None or after is None:
            return None
        nodes = tuple(node for node in pool.nodes if node in before and node in after)
        if not nodes:
            return None
        changes: list[DrainChange] = []
        if any(drain_aspects_between(before[node], after[node]) for node in nodes):
            middle = [self._answers(pool, each) for each in releases[1:-1]]
            answers = [before, *(each for each in middle if each is not None), after]
            if len(answers) < len(releases):
                return None
            for (earlier, later), pair in zip(pairwise(releases), pairwise(answers), strict=True):
                changes += self._changes(pool, nodes, earlier, later, *pair)
        return PoolDrain(pool.name, nodes, pool.node_count, tuple(changes))

    def _changes(
        self,
        pool: SampledPool,
        nodes: Sequence[str],
        earlier: Release,
        later: Release,
        before: Answers,
        after: Answers,
    ) -> list[DrainChange]:
        """Return what a minor's drains meet otherwise than those of the one before it."""
        unlike = {
            node: aspects
            for node in nodes
            if node in before and node in after and (aspects := drain_aspects_between(before[node], after[node]))
        }
        causes: dict[tuple[str, DrainAspect], list[Amendment]] = {}
        unexplained = set(unlike)
        for amendment in amendments_of(earlier, later):
            if not unexplained:
                break
            found = self._answers(pool, amended(earlier, later, amendment)) or {}
            for node in sorted(unexplained & found.keys()):
                for aspect in set(drain_aspects_between(before[node], found[node])) & set(unlike[node]):
                    causes.setdefault((node, aspect), []).append(amendment)
                if found[node] == after[node]:
                    unexplained.discard(node)
        return [
            DrainChange(node, aspect, later.minor, tuple(causes.get((node, aspect), ())), before[node], after[node])
            for node, aspects in unlike.items()
            for aspect in aspects
        ]

    def _answers(self, pool: SampledPool, release: Release) -> dict[str, NodeDrainAnswer] | None:
        """Drain a pool under a release; None where there is no time, or no answer."""
        if self._is_over():
            return None
        try:
            snapshot, configuration = self._world(release)
        except ConfigurationError:
            # What one rule needs of another, such as arguments of a gate: it says nothing alone.
            return None
        answers = attempt(lambda: drain_answers(snapshot, configuration, pool, self._sampled, self._note))
        if isinstance(answers, Failure):
            if self._note is not None:
                self._note(f"Drain of pool {pool.name}", answers)
            return None
        return answers
