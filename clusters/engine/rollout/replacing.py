"""The updates of StatefulSets and DaemonSets: each pod gives way to the next one of its own place.

Upstream: ``updateStatefulSet`` in ``pkg/controller/statefulset/stateful_set_control.go`` and ``rollingUpdate`` in
``pkg/controller/daemon/update.go``, v1.34.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.rollout.plan import Way
from clusters.engine.rollout.rounds import OldPod, Progress, RolloutSnapshot, Round

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.rollout.plan import RolloutPlan
    from clusters.engine.simulation.admission import PodAdmission
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.workloads.pod_copies import PodCopy


def replacing(
    snapshot: Snapshot,
    configuration: SchedulerConfiguration,
    plan: RolloutPlan,
    old: Sequence[OldPod],
    make: Callable[[OldPod], PodCopy],
    admission: PodAdmission | None = None,
) -> Iterator[Round]:
    """The rounds of an update, which change the snapshot; ``make`` returns the new pod in the place of an old one.

    ``admission`` is asked for each that is created; None asks nobody. Raises UnknownScheduler.
    """
    return _Replacement(snapshot, configuration, plan, old, make, admission).rounds()


class _Replacement:
    def __init__(
        self,
        snapshot: Snapshot,
        configuration: SchedulerConfiguration,
        plan: RolloutPlan,
        old: Sequence[OldPod],
        make: Callable[[OldPod], PodCopy],
        admission: PodAdmission | None,
    ) -> None:
        self._stage = RolloutSnapshot(snapshot, configuration, admission)
        self._plan = plan
        self._make = make
        self._old = self._in_order(old)
        replaced = set(self._old)
        self._kept = [pod for pod in old if pod not in replaced]
        self._new = 0
        self._waiting: list[tuple[OldPod, PodCopy]] = []
        # New pods of this round without a node, whose old ones stay.
        self._beside_old: list[PodCopy] = []

    def _in_order(self, old: Sequence[OldPod]) -> list[OldPod]:
        """The pods that are replaced: those of a StatefulSet from the highest ordinal down to the partition."""
        if self._plan.way is Way.NODES:
            return sorted(old, key=lambda pod: (pod.is_ready, pod.node, pod.name))
        chosen = [pod for pod in old if pod.ordinal >= self._plan.partition]
        return sorted(chosen, key=lambda pod: -pod.ordinal)

    def rounds(self) -> Iterator[Round]:
        for number in range(1, 2 + len(self._old)):
            found = self._round(number)
            yield found
            if found.progress is not Progress.GOES_ON:
                return

    def _round(self, number: int) -> Round:
        stage = self._stage
        stage.begin()
        self._beside_old = []
        # What is pending is tried again; that pods went since may have made room.
        settled = self._settle()
        held_up = self._held_up_by() if self._plan.way is Way.ORDINALS else ""
        going = [] if held_up else self._next()
        surge = self._plan.surge if self._plan.way is Way.NODES else 0
        fewest, most = self._available, self._total
        stays: list[OldPod] = []
        if going:
            self._old = self._old[len(going) :]
            made = [self._make(pod) for pod in going]
            placed, stays = self._beside(going, made) if surge else self._instead(going, made)
            # An old pod whose successor does not fit beside it stays.
            self._old = [*stays, *self._old]
            fewest = min(fewest, self._available if surge else self._available - len(placed))
            most += sum(pod.is_ready for pod in going) if surge else 0
            settled = [*settled, *placed]
            stage.look(made[0])
        staying = set(stays)
        without_node = [*(copy for _, copy in self._waiting), *self._beside_old]
        uncreated = sum(not stage.exists(copy) for copy in without_node)
        removed = [pod for pod in going if pod not in staying]
        if not self._old and not self._waiting:
            progress = Progress.DONE
        else:
            progress = Progress.GOES_ON if settled or removed else Progress.STALLED
        return Round(
            number=number,
            created=stage.created,
            nodes=tuple(settled),
            waiting=len(without_node) - uncreated,
            removed=tuple(pod.name for pod in removed),
            old=len(self._old) + len(self._kept),
            new=self._new + len(without_node) - uncreated,
            most=most,
            fewest=fewest,
            skews=stage.skews,
            progress=progress,
            message=stage.message,
            would_preempt=stage.would_preempt,
            refused_by=self._refused_by(stays),
            held_up_by=held_up,
            uncreated=uncreated,
            forbidden=stage.forbidden,
        )

    @property
    def _available(self) -> int:
        return sum(pod.is_ready for pod in (*self._old, *self._kept)) + self._new

    @property
    def _total(self) -> int:
        return len(self._old) + len(self._kept) + self._new + len(self._waiting)

    def _settle(self) -> list[str]:
        """Place what waits, each by itself, as each may be meant for another node."""
        settled, waiting = [], []
        for pod, copy in self._waiting:
            nodes = self._put(copy)
            settled += nodes
            if not nodes:
                waiting.append((pod, copy))
        self._waiting = waiting
        self._new += len(settled)
        return settled

    def _put(self, copy: PodCopy) -> list[str]:
        """Create a pod if it does not exist, and place it; the node that takes it, if any does."""
        self._stage.create([copy])
        return self._stage.put([copy]) if self._stage.exists(copy) else []

    def _held_up_by(self) -> str:
        """The old pod that an ordered StatefulSet waits for before it does anything."""
        if not self._plan.is_ordered:
            return ""
        return next((pod.name for pod in (*self._old, *self._kept) if not pod.is_ready), "")

    def _refused_by(self, stays: list[OldPod]) -> str:
        """The node of the first pod that does not fit beside its predecessor, or in its stead."""
        if self._plan.way is not Way.NODES:
            return ""
        return next((pod.node for pod in (*(pod for pod, _ in self._waiting), *stays)), "")

    def _next(self) -> list[OldPod]:
        """The old pods whose turn it is."""
        unready = [pod for pod in self._old if not pod.is_ready]
        if self._plan.way is Way.NODES:
            # Those that are not ready go at once; they are missing already.
            window = self._plan.surge or self._plan.unavailable - len(self._waiting) - len(unready)
            return self._old[: len(unready) + max(0, window)]
        if self._plan.is_ordered and self._waiting:
            return []
        missing = len(self._waiting) + sum(not pod.is_ready for pod in (*self._old, *self._kept))
        if self._plan.unavailable == 1:
            # One at a time: what was replaced has to be there again, whatever else is missing.
            return [] if self._waiting else self._old[:1]
        return self._old[: max(0, self._plan.unavailable - missing)]

    def _instead(self, going: list[OldPod], made: list[PodCopy]) -> tuple[list[str], list[OldPod]]:
        """Take old pods away, then place the new ones."""
        self._stage.remove(going)
        placed = []
        for pod, copy in zip(going, made, strict=True):
            nodes = self._put(copy)
            placed += nodes
            if not nodes:
                self._waiting.append((pod, copy))
        self._new += len(placed)
        return placed, []

    def _beside(self, going: list[OldPod], made: list[PodCopy]) -> tuple[list[str], list[OldPod]]:
        """Place new pods beside the old ones, which go only when the new ones are there."""
        placed, stays = [], []
        for pod, copy in zip(going, made, strict=True):
            if not pod.is_ready:
                self._stage.remove([pod])
            nodes = self._put(copy)
            if nodes:
                self._stage.remove([pod])
                placed += nodes
            elif pod.is_ready:
                stays.append(pod)
                self._beside_old.append(copy)
            else:
                self._waiting.append((pod, copy))
        self._new += len(placed)
        return placed, stays
