"""What an update of a workload would meet: its rounds, simulated on a snapshot of their own.

A disruption budget has no say in it: controllers delete pods, they do not evict them."""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.devices.claims import release_by_name
from clusters.engine.disruption.budgets import scaled
from clusters.engine.objects import Document, key_of
from clusters.engine.scheduling.explanation import place
from clusters.engine.spreading.constraints import Skew, skews_of, widest
from clusters.engine.volumes import spec_of
from clusters.engine.workloads.pods import Ordinals, PodCopy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from clusters.engine.admission.creation import CreationRefusal
    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.scheduling.explanation import Explanation
    from clusters.engine.snapshot import Snapshot

# How a controller goes about replacing its pods: how many at a time, and which.
#
# Upstream: ``ResolveFenceposts`` and ``MaxUnavailable`` in ``pkg/controller/deployment/util``,
# ``getStatefulSetMaxUnavailable`` in ``pkg/controller/statefulset``, ``SurgeCount`` and ``UnavailableCount`` in
# ``pkg/controller/daemon/util``, and the defaults of ``pkg/apis/apps/v1``, v1.34.1.

_PROGRESS_SECONDS: Final = 600
# So much in progressDeadlineSeconds stands for no deadline.
_NO_DEADLINE: Final = 2**31 - 1


class RolloutWay(enum.StrEnum):
    """What becomes of the old pods."""

    SURGE = "surge"
    """New pods are created beside old ones."""
    RECREATE = "recreate"
    """All old pods are deleted first, then the new ones are created."""
    ORDINALS = "ordinals"
    """Each pod is replaced in its turn, from the highest ordinal down."""
    NODES = "nodes"
    """Each node's pod is replaced by itself."""
    ON_DELETE = "on-delete"
    """A pod is replaced when somebody deletes it."""


class RolloutPlan(Struct, frozen=True):
    """An update of ``desired`` pods: at most ``surge`` more of them, at most ``unavailable`` of them missing.

    ``max_surge`` and ``max_unavailable`` are as written, or the defaults. ``partition``: the ordinal from which on pods
    are replaced. ``is_ordered``: nothing goes on while any pod is not ready. ``is_paused``: nothing goes on at all.
    ``is_assumed``: the object does not say how, so the defaults count. ``deadline``: the seconds without progress after
    which a Deployment says that it makes none; None where nothing says so.
    """

    way: RolloutWay
    desired: int
    surge: int = 0
    unavailable: int = 0
    max_surge: int | str = 0
    max_unavailable: int | str = 0
    partition: int = 0
    is_ordered: bool = False
    is_paused: bool = False
    is_assumed: bool = False
    deadline: int | None = None

    @property
    def most(self) -> int:
        """The number of pods that is never exceeded."""
        return self.desired + self.surge

    @property
    def fewest(self) -> int:
        """The number of available pods below which the controller takes none away."""
        return max(0, self.desired - self.unavailable)


def plan_of(document: Document, kind: str, desired: int) -> RolloutPlan | None:
    """How a Deployment, StatefulSet or DaemonSet updates; None for what has no updates. Raises PercentageError.

    ``document`` may be without a spec, as where only the pods are known: the defaults of the API count then.
    """
    spec = spec_of(document)
    if kind == "Deployment":
        return replace(_deployment(spec, desired), is_assumed="strategy" not in spec, deadline=_deadline(spec))
    if kind == "StatefulSet":
        return replace(_stateful_set(spec, desired), is_assumed="updateStrategy" not in spec)
    if kind == "DaemonSet":
        return replace(_daemon_set(spec, desired), is_assumed="updateStrategy" not in spec)
    return None


def _strategy(spec: Mapping[str, Any], field: str) -> tuple[str, Mapping[str, Any]]:
    strategy = spec.get(field) or {}
    return str(strategy.get("type") or "RollingUpdate"), strategy.get("rollingUpdate") or {}


def _deployment(spec: Mapping[str, Any], desired: int) -> RolloutPlan:
    kind, pace = _strategy(spec, "strategy")
    paused = bool(spec.get("paused"))
    if kind == "Recreate":
        return RolloutPlan(RolloutWay.RECREATE, desired, unavailable=desired, is_paused=paused)
    max_surge, max_unavailable = pace.get("maxSurge", "25%"), pace.get("maxUnavailable", "25%")
    surge, unavailable = scaled(max_surge, desired), scaled_down(max_unavailable, desired)
    if not surge and not unavailable:
        unavailable = 1
    return RolloutPlan(
        RolloutWay.SURGE, desired, surge, min(unavailable, desired), max_surge, max_unavailable, is_paused=paused
    )


def _deadline(spec: Mapping[str, Any]) -> int | None:
    """The seconds after which a Deployment without progress says so; one that is paused never does."""
    seconds = spec.get("progressDeadlineSeconds")
    seconds = _PROGRESS_SECONDS if seconds is None else int(seconds)
    return None if spec.get("paused") or seconds == _NO_DEADLINE else seconds


def _stateful_set(spec: Mapping[str, Any], desired: int) -> RolloutPlan:
    kind, pace = _strategy(spec, "updateStrategy")
    ordered = (spec.get("podManagementPolicy") or "OrderedReady") == "OrderedReady"
    if kind == "OnDelete":
        return RolloutPlan(RolloutWay.ON_DELETE, desired, is_ordered=ordered)
    written, partition = pace.get("maxUnavailable", 1), int(pace.get("partition") or 0)
    return RolloutPlan(
        RolloutWay.ORDINALS,
        desired,
        unavailable=max(1, scaled_down(written, desired)),
        max_unavailable=written,
        partition=Ordinals.of({"spec": spec}).start + partition if partition else 0,
        is_ordered=ordered,
    )


def _daemon_set(spec: Mapping[str, Any], desired: int) -> RolloutPlan:
    kind, pace = _strategy(spec, "updateStrategy")
    if kind == "OnDelete":
        return RolloutPlan(RolloutWay.ON_DELETE, desired)
    max_surge, max_unavailable = pace.get("maxSurge", 0), pace.get("maxUnavailable", 1)
    surge, unavailable = scaled(max_surge, desired), scaled(max_unavailable, desired)
    if not surge and not unavailable:
        unavailable = 1
    return RolloutPlan(RolloutWay.NODES, desired, surge, unavailable, max_surge, max_unavailable)


def scaled_down(amount: int | str, total: int) -> int:
    """A count as it is, a percentage of ``total`` rounded down. Raises PercentageError."""
    # Rounding up is the checked way; what it has read is a percentage.
    up = scaled(amount, total)
    return up if isinstance(amount, int) else int(amount[:-1]) * total // 100


# The rounds of an update: what its controller does until it has to wait for pods, and what then is there.


class Progress(enum.StrEnum):
    """How an update stands after a round."""

    GOES_ON = "goes-on"
    DONE = "done"
    STALLED = "stalled"


@dataclass(frozen=True, slots=True)
class OldPod:
    """A pod of the old revision; ``since`` sorts like its start.

    ``node`` is empty for one that waits, but for a DaemonSet's: that waits for one node. ``document``: what quotas are
    freed of when it goes; None where nothing is charged.
    """

    namespace: str
    name: str
    node: str
    is_ready: bool
    since: int = 0
    document: Document | None = field(default=None, compare=False, repr=False)

    @property
    def ordinal(self) -> int:
        """The number at the end of a StatefulSet's pod's name; -1 where there is none."""
        number = self.name.rpartition("-")[2]
        return int(number) if number.isdecimal() else -1


class Round(Struct, frozen=True):
    """One round. A pod that finds a node counts as available at its end.

    ``created``: new pods that are made; ``nodes``: where new pods go, those made earlier among them; ``waiting``: new
    ones that are pending at its end; ``uncreated``: those that the controller asked for and the API server refused, the
    first of them for ``forbidden``. ``removed``: names of old pods that are taken away; ``old`` and ``new``: pods
    at its end. ``most``: pods at once, ``fewest``: available pods at the worst moment. ``skews``: each constraint's at
    its worst moment. ``message``: what the scheduler says of the first unschedulable pod; ``refused_by``: the node
    that it is meant for, where it is meant for one; ``held_up_by``: the old pod that the controller waits for.
    ``would_preempt``: the scheduler would make room for the unschedulable pod, which is not tried here.
    """

    number: int
    created: int
    nodes: tuple[str, ...]
    waiting: int
    removed: tuple[str, ...]
    old: int
    new: int
    most: int
    fewest: int
    skews: tuple[Skew, ...]
    progress: Progress
    message: str = ""
    refused_by: str = ""
    held_up_by: str = ""
    would_preempt: bool = False
    uncreated: int = 0
    forbidden: CreationRefusal | None = None


class ApiServer(Protocol):
    """The API server as pods are created and deleted, as far as a rollout asks it."""

    def admit(self, pod: Document) -> CreationRefusal | None:
        """Create a pod, or return why it is refused."""

    def release(self, pod: Document) -> None:
        """Delete a pod: what it was charged is free."""


class RolloutSnapshot:
    """A snapshot of its own that pods come to and go from; ``admission`` may refuse to create them.

    Since the beginning of a round: ``message`` and ``would_preempt`` of the first unschedulable pod, how many pods were
    ``created``, and why the first one was not (``forbidden``).
    """

    def __init__(self, snapshot: Snapshot, configuration: SchedulerConfiguration, admission: ApiServer | None) -> None:
        self._snapshot = snapshot
        self._configuration = configuration
        self._admission = admission
        self._skews: tuple[Skew, ...] = ()
        self._exist: set[str] = set()
        self.begin()

    def begin(self) -> None:
        """Forget what the last round saw."""
        self._skews, self.message, self.would_preempt = (), "", False
        self.created = 0
        self.forbidden: CreationRefusal | None = None

    @property
    def skews(self) -> tuple[Skew, ...]:
        """The skew of each constraint at the worst moment since the beginning of the round."""
        return self._skews

    def remove(self, pods: Iterable[OldPod]) -> None:
        """Take pods away."""
        for pod in pods:
            self._snapshot.delete({"kind": "Pod", "metadata": {"namespace": pod.namespace, "name": pod.name}})
            if self._admission is not None and pod.document is not None:
                self._admission.release(pod.document)
            release_by_name(self._snapshot, pod.namespace, pod.name)

    def create(self, copies: Iterable[PodCopy]) -> None:
        """Create those of the pods that do not exist, with their claims; the first that is refused ends it."""
        for copy in copies:
            key = key_of(copy.pod)
            if key in self._exist:
                continue
            for claim in copy.claims:
                self._snapshot.upsert(claim)
            refusal = None if self._admission is None else self._admission.admit(copy.pod)
            if refusal is not None:
                self.forbidden = self.forbidden or refusal
                return
            self._exist.add(key)
            self.created += 1

    def exists(self, copy: PodCopy) -> bool:
        """Whether a new pod was created."""
        return key_of(copy.pod) in self._exist

    def put(self, copies: Iterable[PodCopy]) -> list[str]:
        """Place pods that exist, one after another; the first unschedulable one ends it.

        Returns the nodes of those before it. Raises UnknownScheduler.
        """
        nodes: list[str] = []
        for copy in copies:
            (placement,) = place(self._snapshot, [copy.pod], self._configuration)
            if not placement.node:
                self._note(placement.explanation)
                break
            nodes.append(placement.node)
        return nodes

    def _note(self, refused: Explanation) -> None:
        """Keep what is said of the first unschedulable pod of the round."""
        if not self.message:
            self.message = refused.message or ""
            self.would_preempt = refused.preemption is not None and refused.preemption.selected is not None

    def look(self, copy: PodCopy) -> None:
        """Note the skew that the constraints of a pod have now."""
        profile = self._configuration.profile_for(copy.pod)
        self._skews = widest(self._skews, skews_of(self._snapshot, copy.pod, profile))


# The updates of StatefulSets and DaemonSets: each pod gives way to the next one of its own place.
#
# Upstream: ``updateStatefulSet`` in ``pkg/controller/statefulset/stateful_set_control.go`` and ``rollingUpdate`` in
# ``pkg/controller/daemon/update.go``, v1.34.1.


def replacing(
    snapshot: Snapshot,
    configuration: SchedulerConfiguration,
    plan: RolloutPlan,
    old: Sequence[OldPod],
    make: Callable[[OldPod], PodCopy],
    admission: ApiServer | None = None,
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
        admission: ApiServer | None,
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
        if self._plan.way is RolloutWay.NODES:
            return sorted(old, key=lambda pod: (pod.is_ready, pod.node, pod.name))
        return sorted([pod for pod in old if pod.ordinal >= self._plan.partition], key=lambda pod: -pod.ordinal)

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
        held_up = self._held_up_by() if self._plan.way is RolloutWay.ORDINALS else ""
        going = [] if held_up else self._next()
        surge = self._plan.surge if self._plan.way is RolloutWay.NODES else 0
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
        if self._plan.way is not RolloutWay.NODES:
            return ""
        return next((pod.node for pod in (*(pod for pod, _ in self._waiting), *stays)), "")

    def _next(self) -> list[OldPod]:
        """The old pods whose turn it is."""
        unready = [pod for pod in self._old if not pod.is_ready]
        if self._plan.way is RolloutWay.NODES:
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


# A Deployment's update: new pods come while old ones stay, or after all of them have gone.
#
# Upstream: ``rolloutRolling``, ``rolloutRecreate`` and ``NewRSNewReplicas`` in ``pkg/controller/deployment``, and the
# order in which a ReplicaSet deletes pods, ``ActivePodsWithRanks`` in ``pkg/controller/controller_utils.go``,
# v1.34.1.


def surging(
    snapshot: Snapshot,
    configuration: SchedulerConfiguration,
    plan: RolloutPlan,
    old: Sequence[OldPod],
    make: Callable[[int], PodCopy],
    admission: ApiServer | None = None,
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
        admission: ApiServer | None,
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
        if plan.way is RolloutWay.RECREATE and self._old:
            return
        more = max(0, min(plan.most - self._total, plan.desired - there))
        self._waiting += [self._make(there + number) for number in range(more)]

    def _scale_down(self) -> list[OldPod]:
        """Take old pods from the list: first those that are not ready, then what the new ones make up for."""
        if self._plan.way is RolloutWay.RECREATE:
            removed, self._old = self._old, []
            return removed
        room = self._total - self._plan.fewest - len(self._waiting)
        if room <= 0 or not self._old:
            return []
        # Waiting before placed, not ready before ready, then where most pods share a node, then the newest.
        crowd = Counter([pod.node for pod in self._old] + self._nodes)
        ranked = sorted(
            self._old, key=lambda pod: (bool(pod.node), pod.is_ready, -crowd[pod.node], -pod.since, pod.name)
        )
        unready = min(room, sum(not pod.is_ready for pod in ranked))
        going = min(len(ranked), unready + max(0, self._available - self._plan.fewest))
        self._old = ranked[going:]
        return ranked[:going]
