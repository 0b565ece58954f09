"""Rounds of flow and repair: what the flow proposes is done pod by pod under the real filters, and the rest again.

A flow knows how many pods of a kind a node would hold alone. It knows neither that several resources run out at once,
nor what pods mean to each other: anti-affinity, hard spreading, host ports, volumes. So the proposal is carried out
kind by kind, each pod in a full cycle on the state that those before it left; what does not hold any more is taken
back, and the next round's flow starts from there. Before a pod of higher priority, or a larger one that another
resource kept out, has had its next chance, nobody behind it is placed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.cycle import Cycle, run_cycle
from clusters.engine.devices.claim_lifecycle import release
from clusters.engine.objects import Pod
from clusters.engine.refusal import rejecting
from clusters.engine.registry import reads_amounts, requeue_events
from clusters.engine.simulation.batch.lots import Applicant, Lot, lots_of
from clusters.engine.simulation.batch.network import targets_of
from clusters.engine.simulation.binding import bind_claims, has_claims
from clusters.engine.simulation.successors import running
from clusters.engine.traits import ClusterEvent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.objects import Document
    from clusters.engine.simulation.batch.problem import Solve
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Ints

# After so many rounds those who are left are tried one by one.
MOST_ROUNDS: Final = 12
_NONE: Final[Mapping[int, Iterable[str]]] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A pod on its node: with which total, which ``ties`` others have, and of how many feasible nodes.

    ``refused_by``: plugins because of which the pod was taken back from nodes that a flow had proposed before.
    """

    applicant: Applicant
    node: str
    total: int
    ties: int
    feasible: int
    refused_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Evicted:
    """A pod that was taken off its node: ``by`` which pod, if for one, and otherwise its ``total`` there."""

    key: str
    document: Document
    node: str
    by: str = ""
    total: int | None = None


@dataclass(slots=True, eq=False)
class Filling:
    """A snapshot that is being filled, and what was done in order. ``order`` (N,) ranks nodes that are equally good."""

    snapshot: Snapshot
    order: Ints
    acts: list[Placed | Evicted] = field(default_factory=list)

    def copy(self) -> Filling:
        """An independent one that starts equal to this one."""
        return Filling(self.snapshot.copy(), self.order, list(self.acts))

    @property
    def placed(self) -> list[Placed]:
        return [act for act in self.acts if isinstance(act, Placed)]

    def cycle_of(self, applicant: Applicant) -> Cycle:
        profile = applicant.kind.profile
        assert profile is not None  # noqa: S101 - a pod that no profile is for never applies
        return run_cycle(self.snapshot, Pod(applicant.document), profile)

    def chosen(self, applicant: Applicant, cycle: Cycle, among: Index, refused_by: Iterable[str] = ()) -> Placed:
        """The best for a pod of some of its feasible nodes, which ``among`` indexes."""
        totals = cycle.totals[among]
        best = among[totals == totals.max()]
        place = int(best[np.argmin(self.order[cycle.feasible[best]])])
        node, total = self.snapshot.nodes.names[int(cycle.feasible[place])], int(cycle.totals[place])
        ties = int((cycle.totals == total).sum())
        return Placed(applicant, node, total, ties, len(cycle.feasible), tuple(sorted(refused_by)))

    def put(self, placed: Placed) -> None:
        """Place a pod."""
        kind, document = placed.applicant.kind, placed.applicant.document
        self.acts.append(placed)
        if has_claims(self.snapshot, kind.pod) and kind.profile is not None:
            row = self.snapshot.nodes.index[placed.node]
            document = bind_claims(self.snapshot, Pod(document), kind.profile, row).counted(document)
        self.snapshot.assume(running(document), placed.node)

    def take(self, evicted: Evicted) -> None:
        """Take a pod off its node."""
        self.acts.append(evicted)
        self.snapshot.delete({**evicted.document, "kind": "Pod"})
        release(self.snapshot, Pod(evicted.document))


def fill(filling: Filling, applicants: Iterable[Applicant], solve: Solve, *, keen: bool = False) -> list[Applicant]:
    """Place as many pods as the rounds find room for; returns the others. ``keen`` is as in `Lot.rank`."""
    waiting = list(applicants)
    refused: dict[int, set[str]] = {}
    for _ in range(MOST_ROUNDS):
        done = _round(filling, lots_of(waiting, filling.snapshot.nodes, keen=keen), refused, solve)
        waiting = [each for each in waiting if each.turn not in done]
        if not done or not waiting:
            break
    rest = [each for lot in lots_of(waiting, filling.snapshot.nodes, keen=keen) for each in lot.members]
    return one_by_one(filling, rest, refused)


def one_by_one(
    filling: Filling, applicants: Iterable[Applicant], refused: Mapping[int, Iterable[str]] = _NONE
) -> list[Applicant]:
    """Place pods in the given order, each where it is best; returns the others.

    Who found no node is tried again once others have come, where that may help.
    """
    waiting = list(applicants)
    left: list[Applicant] = []
    while waiting:
        before = len(filling.acts)
        again: list[Applicant] = []
        # Of kinds that failed: after how many placements, and whether the coming of others may help.
        failed: dict[int, tuple[int, bool]] = {}
        for applicant in waiting:
            kind = applicant.kind.number
            if failed.get(kind, (-1,))[0] != len(filling.acts):
                cycle = filling.cycle_of(applicant)
                if len(cycle.choices):
                    among = np.arange(len(cycle.feasible))
                    filling.put(filling.chosen(applicant, cycle, among, refused.get(applicant.turn, ())))
                    continue
                plugins = rejecting(cycle)
                helps = any(ClusterEvent.POD_ADD in requeue_events(plugin) for plugin in plugins)
                failed[kind] = (len(filling.acts), helps)
            (again if failed[kind][1] else left).append(applicant)
        if len(filling.acts) == before:
            return left + again
        waiting = again
    return left


def _round(filling: Filling, lots: Sequence[Lot], refused: dict[int, set[str]], solve: Solve) -> set[int]:
    """One flow and its repair; returns the turns of the pods that were placed."""
    targets = targets_of(filling.snapshot, lots, filling.order, solve)
    done: set[int] = set()
    overtaken: int | None = None
    for lot in lots:
        if overtaken is not None and lot.pod.priority < overtaken:
            break
        placed, reasons = _carry_out(filling, lot, Counter(targets.get(lot.number, {})), refused)
        done.update(placed)
        if not reasons:
            continue
        overtaken = lot.pod.priority
        if any(map(reads_amounts, reasons)):
            break
    return done


def _carry_out(
    filling: Filling, lot: Lot, targets: Counter[int], refused: dict[int, set[str]]
) -> tuple[list[int], set[str]]:
    """Place pods of a kind where the flow sends them, as long as a filter lets one in.

    Returns the turns of those placed, and the plugins that kept others from the nodes they were sent to.
    """
    placed: list[int] = []
    for applicant in lot.members[: targets.total()]:
        cycle = filling.cycle_of(applicant)
        wanted = np.fromiter(targets, np.intp, len(targets))
        among = np.flatnonzero(np.isin(cycle.feasible, wanted))
        if not len(among) or not len(cycle.choices):
            left = lot.members[len(placed) : len(placed) + targets.total()]
            reasons = _blamed(cycle, wanted)
            for each in left:
                refused.setdefault(each.turn, set()).update(reasons)
            return placed, reasons
        chosen = filling.chosen(applicant, cycle, among, refused.get(applicant.turn, ()))
        filling.put(chosen)
        placed.append(applicant.turn)
        row = filling.snapshot.nodes.index[chosen.node]
        targets[row] -= 1
        if not targets[row]:
            del targets[row]
    return placed, set()


def _blamed(cycle: Cycle, rows: Index) -> set[str]:
    """The plugins whose rejection of some of these nodes the scheduler would record."""
    numbers = np.unique(cycle.rejected_by[rows]).tolist()
    return {cycle.rejections[number].plugin for number in numbers if number >= 0}
