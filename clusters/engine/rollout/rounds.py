"""The rounds of an update: what its controller does until it has to wait for pods, and what then is there."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clusters.engine.devices.claim_lifecycle import release_by_name
from clusters.engine.objects import key_of
from clusters.engine.placement import place
from clusters.engine.spreading.skew import skews_of, widest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.admission.creation import CreationRefusal
    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.explanation import Explanation
    from clusters.engine.objects import Document
    from clusters.engine.simulation.admission import PodAdmission
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.spreading.skew import Skew
    from clusters.engine.workloads.pod_copies import PodCopy


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


@dataclass(frozen=True, slots=True)
class Round:
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


class RolloutSnapshot:
    """A snapshot of its own that pods come to and go from; ``admission`` may refuse to create them.

    Since the beginning of a round: ``message`` and ``would_preempt`` of the first unschedulable pod, how many pods were
    ``created``, and why the first one was not (``forbidden``).
    """

    def __init__(
        self, snapshot: Snapshot, configuration: SchedulerConfiguration, admission: PodAdmission | None
    ) -> None:
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
            fields = {"namespace": pod.namespace, "name": pod.name}
            self._snapshot.delete({"kind": "Pod", "metadata": fields})
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
