"""Makes the plan: drains nodes in a copy of the cluster, batch by batch, until all are done or none can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.disruption.drain import DrainOptions, Treatment, replacement_of
from clusters.engine.disruption.drain_ledger import Ledger
from clusters.engine.disruption.drain_plan import (
    Batch,
    Block,
    BlockedNode,
    Blocker,
    DrainedNode,
    Eviction,
    Plan,
    Resident,
    first_answers,
    residents_of,
)
from clusters.engine.disruption.drain_world import PREEMPTIONS, DrainWorld
from clusters.engine.objects import Pod

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.disruption.eviction import EvictionAnswer
    from clusters.engine.failure import Note
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class DrainCase:
    """What a plan is made from: ``pods`` run on the chosen ``nodes``, ``others`` are pending or have finished.

    ``lasting``: budgets, as ``namespace/name``, that block until somebody changes them. ``daemon_sets``: as in
    ``handling_of``. ``most_placements``: after so many placements nothing more is computed. ``note``: told
    of replacements whose place cannot be computed.
    """

    nodes: Sequence[str]
    pods: Sequence[Document]
    others: Sequence[Document] = ()
    lasting: frozenset[str] = frozenset()
    daemon_sets: frozenset[str] | None = None
    most_placements: int = 50_000
    note: Note | None = None


def alone_blockers(
    snapshot: Snapshot, configuration: SchedulerConfiguration, case: DrainCase
) -> dict[str, tuple[Blocker, ...]]:
    """What blocks each node as the plan of it alone says, without --force; empty where nothing does.

    The snapshot stays as it is.
    """
    return _Planner(snapshot, configuration, case, DrainOptions(), None, preemptions=0).alone()


def drain_plan(
    snapshot: Snapshot,
    configuration: SchedulerConfiguration,
    case: DrainCase,
    options: DrainOptions,
    progress: Callable[[int], object] | None = None,
) -> Plan:
    """How the nodes can be drained, greedily and in the order given; the snapshot stays as it is.

    A batch takes every node in turn whose pods are all granted at once and all fit, beside those of the nodes
    before it. Where there is none, nodes are taken that have to ask again until others took the places of their pods,
    as long as no budget is waited for by two of them. ``progress`` is told how many nodes are done.
    """
    return _Planner(snapshot, configuration, case, options, progress).plan()


class _StuckError(Exception):
    """A node cannot be drained now."""

    def __init__(self, *blockers: Blocker) -> None:
        super().__init__()
        self.blockers = blockers


class _Planner:
    def __init__(
        self,
        snapshot: Snapshot,
        configuration: SchedulerConfiguration,
        case: DrainCase,
        options: DrainOptions,
        progress: Callable[[int], object] | None,
        preemptions: int = PREEMPTIONS,
    ) -> None:
        self._origin, self._case, self._options, self._progress = snapshot, case, options, progress
        self._chosen = frozenset(case.nodes)
        self._world = DrainWorld(snapshot, configuration, preemptions=preemptions, note=case.note)
        self._ledger = Ledger(snapshot, case.others)
        self._residents = residents_of(case.pods, options, case.daemon_sets)
        self._blockers: dict[str, tuple[Blocker, ...]] = {}
        # With how many nodes done a node was tried without success: it waits for others then.
        self._tried: dict[str, int] = {}
        self._numbers = 0
        self._done = 0
        self._keys = {key for node in self._residents for key in self._budgets_on(node)}

    def plan(self) -> Plan:
        nodes = tuple(self._case.nodes)
        asked = first_answers(self._origin, nodes, self._residents, self._case.others)
        remaining = [node for node in nodes if not self._is_hopeless(node)]
        if not self._options.uncordon:
            for node in nodes:
                self._world.cordon(node)
        batches: list[Batch] = []
        while remaining and not self._is_over:
            batch = self._next_batch(remaining)
            if not batch:
                break
            batches.append(Batch(tuple(batch)))
            drained = {node.name for node in batch}
            remaining = [node for node in remaining if node not in drained]
            self._done += len(batch)
            if self._progress is not None:
                self._progress(self._done)
        drained = {node.name for batch in batches for node in batch.nodes}
        blocked = tuple(BlockedNode(node, self._blockers.get(node, ())) for node in nodes if node not in drained)
        return Plan(nodes, tuple(asked), tuple(batches), blocked)

    def alone(self) -> dict[str, tuple[Blocker, ...]]:
        """Drain each node by itself, note what blocks it, and take all of it back."""
        found: dict[str, tuple[Blocker, ...]] = {}
        mark, balance = self._world.mark(), self._ledger.balance()
        for node in self._case.nodes:
            self._chosen, self._keys, self._numbers = frozenset({node}), self._budgets_on(node), 0
            if not self._is_hopeless(node) and any(
                self._tried_node(node, waits=waits) is not None for waits in (False, True)
            ):
                self._blockers.pop(node, None)
            self._world.back_to(mark)
            self._ledger.restore(balance)
            found[node] = self._blockers.get(node, ())
        return found

    @property
    def _is_over(self) -> bool:
        return self._world.placements >= self._case.most_placements

    def _is_hopeless(self, node: str) -> bool:
        """Whether something is in the way that no eviction of another pod changes; notes what."""
        found = []
        for resident in self._residents.get(node, ()):
            if resident.handling.treatment is Treatment.HELD:
                found.append(Blocker(resident.pod.key, Block.FLAG, resident.handling))
            elif resident.handling.treatment is Treatment.EVICTED:
                answer = self._ledger.peek(resident.pod)
                if answer.code == 500:
                    found.append(Blocker(resident.pod.key, Block.TWO_BUDGETS, resident.handling, answer))
                elif not answer.is_granted and self._case.lasting.intersection(self._ledger.keys_of(resident.pod)):
                    found.append(Blocker(resident.pod.key, Block.NEVER, resident.handling, answer))
        if found:
            self._blockers[node] = tuple(found)
        return bool(found)

    # -- batches -----------------------------------------------------------------------------------------

    def _next_batch(self, remaining: Sequence[str]) -> list[DrainedNode]:
        """The next batch: at once where any node can be, with waiting otherwise; empty where nothing goes."""
        fresh = [node for node in remaining if node not in self._tried]
        again = [node for node in remaining if self._tried.get(node, self._done) < self._done]
        # A rolling upgrade gives room back with every batch, so trying again is worth it at once, and in order.
        either = [node for node in remaining if self._tried.get(node, -1) < self._done]
        stages = (either,) if self._options.uncordon else (fresh, again)
        for candidates in stages:
            for waits in (False, True):
                batch = self._gather(candidates, waits=waits)
                if batch:
                    self._close(batch)
                    return batch
            self._tried.update(dict.fromkeys(candidates, self._done))
        return []

    def _gather(self, candidates: Sequence[str], *, waits: bool) -> list[DrainedNode]:
        """Drain as many of the nodes together as possible."""
        most = self._options.at_a_time or len(candidates)
        is_rolling = self._options.uncordon
        ahead = set(candidates[:most]) if is_rolling and self._options.at_a_time else set()
        for node in ahead:
            self._world.cordon(node)
        batch: list[DrainedNode] = []
        received: set[str] = set()
        waited_for: set[str] = set()
        for node in candidates:
            if len(batch) == most or self._is_over:
                break
            # What has just moved there is not moved again at once.
            if node in received or (waits and waited_for & self._budgets_on(node)):
                continue
            drained = self._tried_node(node, waits=waits)
            if drained is None:
                ahead.discard(node)
                if is_rolling:
                    self._world.reopen(node)
                continue
            ahead.discard(node)
            batch.append(drained)
            waited_for |= self._budgets_on(node)
            received.update(each.landing.node for each in drained.evictions if each.landing is not None)
        for node in ahead:
            self._world.reopen(node)
        return batch

    def _close(self, batch: Sequence[DrainedNode]) -> None:
        """Let what the batch did stand, and the controller catch up."""
        for node in batch:
            self._residents.pop(node.name, None)
            self._blockers.pop(node.name, None)
        for node in batch:
            if self._options.uncordon:
                self._world.uncordon(node.name)
        self._ledger.settle(self._world.snapshot, self._keys)
        self._world.keep()

    def _budgets_on(self, node: str) -> set[str]:
        return {key for resident in self._residents.get(node, ()) for key in self._ledger.keys_of(resident.pod)}

    # -- one node ----------------------------------------------------------------------------------------

    def _tried_node(self, node: str, *, waits: bool) -> DrainedNode | None:
        """Drain a node; where that is not possible nothing has happened, and what was in the way is noted."""
        mark, balance, numbers = self._world.mark(), self._ledger.balance(), self._numbers
        self._world.cordon(node)
        try:
            evictions, moved = self._drained(node, waits=waits)
        except _StuckError as error:
            self._world.back_to(mark)
            self._ledger.restore(balance)
            self._numbers = numbers
            self._blockers[node] = error.blockers
            if any(blocker.kind is Block.NO_ROOM for blocker in error.blockers):
                # Placing its pods again is dear, so others are tried first.
                self._tried[node] = self._done
            return None
        for target, resident in moved:
            if target in self._chosen:
                self._residents.setdefault(target, []).append(resident)
        staying = sum(resident.handling.treatment.stays for resident in self._residents.get(node, ()))
        rounds = max((eviction.round for eviction in evictions), default=1)
        return DrainedNode(node, tuple(evictions), staying, rounds)

    def _drained(self, node: str, *, waits: bool) -> tuple[list[Eviction], list[tuple[str, Resident]]]:
        """Evict a node's pods, asking again for those that were refused if that is worth it. Raises _StuckError."""
        left = [each for each in self._residents.get(node, ()) if each.handling.treatment is Treatment.EVICTED]
        evictions: list[Eviction] = []
        moved: list[tuple[str, Resident]] = []
        asking = 0
        while left:
            asking += 1
            if waits:
                self._ledger.settle(self._world.snapshot, self._keys)
            refused: list[tuple[Resident, EvictionAnswer]] = []
            granted: list[tuple[Resident, EvictionAnswer]] = []
            for resident in left:
                answer = self._ledger.ask(resident.pod)
                (granted if answer.is_granted else refused).append((resident, answer))
                if refused and not waits:
                    break
            if refused and (not waits or not granted):
                raise _StuckError(*(self._refusal(resident, answer) for resident, answer in refused))
            for resident, _ in granted:
                self._world.remove(resident.pod.document)
            homeless = []
            for resident, answer in granted:
                eviction, after = self._replaced(node, resident, answer, asking)
                evictions.append(eviction)
                if after is not None and eviction.landing is not None:
                    moved.append((eviction.landing.node, after))
                if eviction.landing is not None and not eviction.landing.node:
                    homeless.append(Blocker(eviction.pod, Block.NO_ROOM, eviction.handling, answer, eviction.landing))
            if homeless:
                raise _StuckError(*homeless, *(self._refusal(each, answer) for each, answer in refused))
            left = [resident for resident, _ in refused]
        return evictions, moved

    def _replaced(
        self, node: str, resident: Resident, answer: EvictionAnswer, asking: int
    ) -> tuple[Eviction, Resident | None]:
        """Place the replacement that the pod's controller creates."""
        self._numbers += 1
        replacement = replacement_of(resident.pod, self._numbers)
        landing = None if replacement is None else self._world.place(replacement)
        eviction = Eviction(node, resident.pod.key, asking, answer, landing, resident.handling, resident.moved)
        if replacement is None or landing is None:
            return eviction, None
        spec = {**replacement["spec"], "nodeName": landing.node}
        after = Resident(Pod({**replacement, "spec": spec}), resident.handling, resident.moved + 1)
        return eviction, after

    def _refusal(self, resident: Resident, answer: EvictionAnswer) -> Blocker:
        kind = Block.TWO_BUDGETS if answer.code == 500 else Block.BUDGET
        if kind is Block.BUDGET and self._case.lasting.intersection(self._ledger.keys_of(resident.pod)):
            kind = Block.NEVER
        return Blocker(resident.pod.key, kind, resident.handling, answer)
