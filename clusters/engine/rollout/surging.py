"""A Deployment's update: new pods come while old ones stay, or after all of them have gone.

Upstream: ``rolloutRolling``, ``rolloutRecreate`` and ``NewRSNewReplicas`` in ``pkg/controller/deployment``, and the
order in which a ReplicaSet deletes pods, ``ActivePodsWithRanks`` in ``pkg/controller/controller_utils.go``, v1.34.1.
"""

from __future__ import annotations

from collections import Counter
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


def surging(
    snapshot: Snapshot,
    configuration: SchedulerConfiguration,
    plan: RolloutPlan,
    old: Sequence[OldPod],
    make: Callable[[int], PodCopy],
    admission: PodAdmission | None = None,
) -> Iterator[Round]:
    """The rounds of an update, which change the snapshot; ``make`` returns the new pod of a number, from 0.

    All new pods are alike: where one is unschedulable or refused, those after it are not tried. ``admission`` is asked
    for each that is created; None asks nobody. Raises UnknownScheduler.
    """
    return _Surge(snapshot, configuration, plan, old, make, admission).rounds()


class _Surge:
    def __init__(
        self,
        snapshot: Snapshot,
        configuration: SchedulerConfiguration,
        plan: RolloutPlan,
        old: Sequence[OldPod],
        make: Callable[[int], PodCopy],
        admission: PodAdmission | None,
    ) -> None:
        self._stage = RolloutSnapshot(snapshot, configuration, admission)
        self._plan = plan
        self._old = list(old)
        self._make = make
        self._nodes: list[str] = []
        # Those that the API server refused come last: the controller counts them as if they were there.
        self._waiting: list[PodCopy] = []

    def rounds(self) -> Iterator[Round]:
        for number in range(1, 2 + 2 * (len(self._old) + self._plan.desired)):
            found = self._round(number)
            yield found
            if found.progress is not Progress.GOES_ON:
                return

    def _round(self, number: int) -> Round:
        stage = self._stage
        stage.begin()
        available = self._available
        self._ask_for_more()
        stage.create(self._waiting)
        most = self._total - self._uncreated
        placed = stage.put([copy for copy in self._waiting if stage.exists(copy)])
        self._waiting = self._waiting[len(placed) :]
        self._nodes += placed
        if placed:
            stage.look(self._sample)
        removed = self._scale_down()
        stage.remove(removed)
        if removed and not self._is_done:
            stage.look(self._sample)
        uncreated = self._uncreated
        progress = Progress.DONE if self._is_done else Progress.GOES_ON if placed or removed else Progress.STALLED
        return Round(
            number=number,
            created=stage.created,
            nodes=tuple(placed),
            waiting=len(self._waiting) - uncreated,
            removed=tuple(pod.name for pod in removed),
            old=len(self._old),
            new=len(self._nodes) + len(self._waiting) - uncreated,
            most=most,
            fewest=min(available, self._available),
            skews=stage.skews,
            progress=progress,
            message=stage.message,
            would_preempt=stage.would_preempt,
            uncreated=uncreated,
            forbidden=stage.forbidden,
        )

    @property
    def _sample(self) -> PodCopy:
        return self._waiting[0] if self._waiting else self._make(0)

    @property
    def _uncreated(self) -> int:
        return sum(not self._stage.exists(copy) for copy in self._waiting)

    @property
    def _total(self) -> int:
        return len(self._old) + len(self._nodes) + len(self._waiting)

    @property
    def _available(self) -> int:
        return sum(pod.is_ready for pod in self._old) + len(self._nodes)

    @property
    def _is_done(self) -> bool:
        return not self._old and not self._waiting and len(self._nodes) >= self._plan.desired

    def _ask_for_more(self) -> None:
        """Want as many new pods as the surge leaves room for; of a Recreate none before the old ones are gone."""
        plan, there = self._plan, len(self._nodes) + len(self._waiting)
        if plan.way is Way.RECREATE and self._old:
            return
        more = max(0, min(plan.most - self._total, plan.desired - there))
        self._waiting += [self._make(there + number) for number in range(more)]

    def _scale_down(self) -> list[OldPod]:
        """Take old pods from the list: first those that are not ready, then what the new ones make up for."""
        if self._plan.way is Way.RECREATE:
            removed, self._old = self._old, []
            return removed
        room = self._total - self._plan.fewest - len(self._waiting)
        if room <= 0 or not self._old:
            return []
        ranked = self._in_order_of_deletion()
        unready = min(room, sum(not pod.is_ready for pod in ranked))
        spare = max(0, self._available - self._plan.fewest)
        going = min(len(ranked), unready + spare)
        self._old = ranked[going:]
        return ranked[:going]

    def _in_order_of_deletion(self) -> list[OldPod]:
        """Waiting before placed, not ready before ready, then where most pods share a node, then the newest."""
        crowd = Counter([pod.node for pod in self._old] + self._nodes)
        return sorted(self._old, key=lambda pod: (bool(pod.node), pod.is_ready, -crowd[pod.node], -pod.since, pod.name))
