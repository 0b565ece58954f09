"""The rounds of an update: what its controller does until it has to wait for pods, and what then is there."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.devices.claim_lifecycle import release_by_name
from clusters.engine.placement import place
from clusters.engine.spreading.skew import skews_of, widest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.explanation import Explanation
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

    ``node`` is empty for one that waits, but for a DaemonSet's: that waits for one node.
    """

    namespace: str
    name: str
    node: str
    is_ready: bool
    since: int = 0

    @property
    def ordinal(self) -> int:
        """The number at the end of a StatefulSet's pod's name; -1 where there is none."""
        number = self.name.rpartition("-")[2]
        return int(number) if number.isdecimal() else -1


@dataclass(frozen=True, slots=True)
class Round:
    """One round. A pod that finds a node counts as available at its end.

    ``created``: new pods that are made; ``nodes``: where new pods go, those made earlier among them; ``waiting``: new
    ones that are pending at its end. ``removed``: names of old pods that are taken away; ``old`` and ``new``: pods
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


class RolloutSnapshot:
    """A snapshot of its own that pods come to and go from."""

    def __init__(self, snapshot: Snapshot, configuration: SchedulerConfiguration) -> None:
        self._snapshot = snapshot
        self._configuration = configuration
        self._skews: tuple[Skew, ...] = ()
        self.message = ""
        self.would_preempt = False

    def begin(self) -> None:
        """Forget what the last round saw."""
        self._skews, self.message, self.would_preempt = (), "", False

    @property
    def skews(self) -> tuple[Skew, ...]:
        """The skew of each constraint at the worst moment since the beginning of the round."""
        return self._skews

    def remove(self, pods: Iterable[OldPod]) -> None:
        """Take pods away."""
        for pod in pods:
            fields = {"namespace": pod.namespace, "name": pod.name}
            self._snapshot.delete({"kind": "Pod", "metadata": fields})
            release_by_name(self._snapshot, pod.namespace, pod.name)

    def put(self, copies: Iterable[PodCopy]) -> list[str]:
        """Place pods one after another; the first unschedulable one ends it. Returns the nodes of those before it.

        Raises UnknownScheduler.
        """
        nodes: list[str] = []
        for copy in copies:
            for claim in copy.claims:
                self._snapshot.upsert(claim)
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
