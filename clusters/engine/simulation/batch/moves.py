"""Moves of running pods to other nodes, where a move makes room for another pod or gains points.

What a move costs is said in points of the total: as much as one plugin of weight 1 has to give. Nothing moves that no
controller would recreate, that a DaemonSet or a file pins to its node, whose Job would count it as failed, or that its
budget keeps. A pod that moved is ready at once, but its budget is charged until the next moment all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.disruption.drain_ledger import Ledger
from clusters.engine.objects import Pod, PodShape
from clusters.engine.simulation.batch.lots import Applicant
from clusters.engine.simulation.batch.rounds import Evicted
from clusters.engine.simulation.job_pods import job_of
from clusters.engine.workloads.job_failures import FailureAction, disrupted_pods
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from clusters.engine.cycle import Cycle
    from clusters.engine.objects import Document
    from clusters.engine.resources.requests import Counting
    from clusters.engine.simulation.batch.rounds import Filling
    from clusters.engine.simulation.course import Course
    from clusters.engine.simulation.kinds import PodKinds
    from clusters.engine.simulation.successors import Successors
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index

MOVE_COST: Final = 100
# How many nodes are tried to be cleared for one pod, and how many pods may have to go from one.
_MOST_NODES: Final = 16
_MOST_VICTIMS: Final = 16
# How many running pods are looked at one by one for a better place, at one moment.
_MOST_LOOKED_AT: Final = 200
_PINNED: Final = frozenset({"DaemonSet", "Node"})


@dataclass(slots=True, eq=False)
class Moves:
    """The pods that may move at one moment, by key; ``successors`` and ``is_taken`` name those that replace them."""

    kinds: PodKinds
    movable: dict[str, Document]
    successors: Successors
    is_taken: Callable[[str], bool]
    ledger: Ledger
    counting: Counting

    @classmethod
    def at(
        cls, course: Course, documents: Mapping[str, Document], others: Iterable[Document], kinds: PodKinds
    ) -> Moves:
        """Look at the pods on nodes; ``documents`` are theirs, ``others`` those of pending pods."""
        ledger = Ledger(course.snapshot, others)
        movable = {
            key: pod
            for key, pod in documents.items()
            if _may_move(pod, kinds) and not _is_counted(course.snapshot, pod)
        }
        ledger.settle(course.snapshot, {budget for pod in movable.values() for budget in ledger.keys_of(Pod(pod))})
        return cls(kinds, movable, course.successors(), course.is_taken, ledger, course.snapshot.release.counting)

    # -- room for one more -------------------------------------------------------------------------------

    def let_in(self, filling: Filling, left: Sequence[Applicant]) -> tuple[Filling, list[Applicant]]:
        """Make room for pods that found none, one after another; returns those that still have none."""
        still, hopeless = [], set[int]()
        for applicant in left:
            found = None if applicant.kind.number in hopeless else self._with_room(filling, applicant)
            if found is None:
                hopeless.add(applicant.kind.number)
                still.append(applicant)
            else:
                filling = found
        return filling, still

    def _with_room(self, filling: Filling, applicant: Applicant) -> Filling | None:
        """The filling with the pod in it and all who made way for it elsewhere; None where no node can be cleared."""
        bare = filling.copy()
        for key in self._here(filling):
            bare.snapshot.delete({**self.movable[key], "kind": "Pod"})
        possible = bare.cycle_of(applicant).feasible
        if not len(possible):
            return None
        for row in self._by_lack(filling, applicant, possible)[:_MOST_NODES]:
            balance, successors = self.ledger.balance(), self.successors.copy()
            trial = filling.copy()
            if self._cleared(trial, applicant, row):
                for act in trial.acts[len(filling.acts) :]:
                    if isinstance(act, Evicted):
                        del self.movable[act.key]
                return trial
            self.ledger.restore(balance)
            self.successors = successors
        return None

    def _here(self, filling: Filling) -> list[str]:
        return [key for key in self.movable if filling.snapshot.placed_on(key)]

    @staticmethod
    def _by_lack(filling: Filling, applicant: Applicant, rows: Index) -> list[int]:
        """Rows in order of what they lack for the pod: those first that are nearly free enough."""
        nodes = filling.snapshot.nodes
        vector = nodes.vector(PodShape.of(applicant.kind.pod).requests)
        lack = np.maximum(0, vector - (nodes.allocatable - nodes.requested)[rows])
        share = (lack * 1_000_000 // np.maximum(1, nodes.allocatable[rows])).sum(1)
        found: list[int] = rows[np.lexsort((filling.order[rows], share))].tolist()
        return found

    def _cleared(self, trial: Filling, applicant: Applicant, row: int) -> bool:
        """Clear a node for a pod as far as needed, and place those that went elsewhere; False where that fails."""
        nodes = trial.snapshot.nodes
        name, homeless = nodes.names[row], []
        on_node = [trial.snapshot.pods.keys[slot] for slot in trial.snapshot.pods.on_node(row)]
        going = sorted((key for key in on_node if key in self.movable), key=self._order_of_going)
        for key in going[:_MOST_VICTIMS]:
            pod = self.movable[key]
            if not self.ledger.ask(Pod(pod)).is_granted:
                continue
            successor = self._evict(trial, Evicted(key, pod, name, applicant.key))
            if successor is not None:
                homeless.append(successor)
            cycle = trial.cycle_of(applicant)
            among = np.flatnonzero(cycle.feasible == row)
            if len(among) and len(cycle.choices):
                trial.put(trial.chosen(applicant, cycle, among))
                return all(self._put_anywhere(trial, each) for each in homeless)
        return False

    def _order_of_going(self, key: str) -> tuple[int, int, str]:
        """Less important pods first, of those the ones that free most."""
        shape = PodShape.of(Pod(self.movable[key]), self.counting)
        return Pod(self.movable[key]).priority, -shape.non_zero_cpu - (shape.non_zero_memory >> 20), key

    def _evict(self, filling: Filling, evicted: Evicted) -> Applicant | None:
        """Take a pod off its node, and return the replacement that its controller creates."""
        filling.take(evicted)
        copied = self.successors.of(filling.snapshot, evicted.document, self.is_taken)
        if copied is None:
            return None
        for claim in copied.claims:
            filling.snapshot.upsert(claim)
        key = Pod(copied.pod).key
        return Applicant(key, copied.pod, self.kinds.of(copied.pod), -len(filling.acts))

    @staticmethod
    def _put_anywhere(filling: Filling, applicant: Applicant) -> bool:
        cycle = filling.cycle_of(applicant)
        if not len(cycle.choices):
            return False
        filling.put(filling.chosen(applicant, cycle, np.arange(len(cycle.feasible))))
        return True

    # -- better places -----------------------------------------------------------------------------------

    def improve(self, filling: Filling) -> Filling:
        """Move pods whose total rises by more than a move costs, those with the most to gain first."""
        for key in self._promising(filling)[:_MOST_LOOKED_AT]:
            balance, successors = self.ledger.balance(), self.successors.copy()
            trial = filling.copy()
            if self._moved(trial, key):
                del self.movable[key]
                filling = trial
            else:
                self.ledger.restore(balance)
                self.successors = successors
        return filling

    def _promising(self, filling: Filling) -> list[str]:
        """Keys of pods for which another node promises more, as it looks while they still lie where they lie."""
        snapshot = filling.snapshot
        cycles: dict[int, Cycle] = {}
        gains = []
        for key in self._here(filling):
            kind = self.kinds.of(self._free(key))
            cycle = cycles.get(kind.number)
            if cycle is None:
                cycle = cycles[kind.number] = filling.cycle_of(Applicant(key, kind.pod.document, kind, 0))
            own = np.flatnonzero(cycle.feasible == snapshot.pods.node[snapshot.pods.slot_of[key]])
            if len(cycle.choices) and len(own):
                gain = int(cycle.totals.max()) - int(cycle.totals[own[0]])
                if gain > MOVE_COST // 2:
                    gains.append((-gain, key))
        return [key for _, key in sorted(gains)]

    def _free(self, key: str) -> Document:
        pod = self.movable[key]
        spec = {field: value for field, value in (pod.get("spec") or {}).items() if field != "nodeName"}
        return {**pod, "spec": spec, "status": {}}

    def _moved(self, trial: Filling, key: str) -> bool:
        pod, node = self.movable[key], trial.snapshot.placed_on(key) or ""
        if not self.ledger.ask(Pod(pod)).is_granted:
            return False
        position = len(trial.acts)
        successor = self._evict(trial, Evicted(key, pod, node))
        if successor is None:
            return False
        cycle = trial.cycle_of(successor)
        own = np.flatnonzero(cycle.feasible == trial.snapshot.nodes.index[node])
        if not len(cycle.choices) or not len(own):
            return False
        here, there = int(cycle.totals[own[0]]), int(cycle.totals.max())
        if there - here <= MOVE_COST:
            return False
        trial.acts[position] = Evicted(key, pod, node, total=here)
        trial.put(trial.chosen(successor, cycle, np.arange(len(cycle.feasible))))
        return True


def _is_counted(snapshot: Snapshot, pod: Document) -> bool:
    """Whether the Job of a pod counts it as failed when it is evicted."""
    key = job_of(pod)
    job = None if key is None else snapshot.object("Job", key[1], key[0])
    return job is not None and disrupted_pods(job.get("spec") or {}).action is not FailureAction.IGNORE


def _may_move(pod: Document, kinds: PodKinds) -> bool:
    controller, kind = Controller.of(pod), kinds.of(pod)
    return (
        controller is not None
        and controller.kind not in _PINNED
        and kind.profile is not None
        and not kind.pod.terminating
        and not kind.pod.finished
    )
