"""What a simulation begins with. The same case always takes the same steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot


def copied_again(namespace: str, controller: str, number: int) -> str:
    """Name the pod that a controller makes in place of one that is gone, so that it is seen to be such a pod."""
    return f"{controller}-again-{number}"


class Origin(StrEnum):
    """Why a pod is wanted: the question brings it, it lost its node to the question, or it was pending before."""

    ADDED = "added"
    DISPLACED = "displaced"
    PENDING_BEFORE = "pending_before"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A pod that is to be placed: when it arrives, and when it leaves, in nanoseconds from the beginning.

    A pod leaves ``until`` whether or not it was placed; None: it stays.
    """

    pod: Document
    at: int = 0
    until: int | None = None
    origin: Origin = Origin.ADDED


@dataclass(frozen=True, slots=True)
class Case:
    """The inputs of a simulation.

    ``snapshot`` is the cluster after all changes that happen at once; the simulation works on a copy. ``wanted``
    are the pods to be placed; those of one time in the order in which they enter the queue. ``drained`` are nodes
    that are drained by eviction, one after another and each as far as budgets allow before the next;
    ``unreachable`` are nodes that stop reporting at time 0, ``not_ready`` nodes that report not to be ready from
    time 0 on. ``samples``: whether the search for nodes ends early as the scheduler's does
    (percentageOfNodesToScore, from a start that rotates, zones in turn), or looks at every node. ``seed`` decides
    among equally good nodes where the release takes any. ``placed``: documents of the pods on nodes from the beginning,
    by ``namespace/name``, for the copies that controllers make of those that have to go; what is missing there does not
    come back.
    ``replaced``: pods that came in the place of others before the beginning, by those, both as ``namespace/name``.
    ``admits_pods``: whether pods that are created have to keep the snapshot's LimitRanges and are charged in its
    quotas, whose status says what is used; otherwise pods to which a quota applies are uncertain. ``orders_ordinals``:
    whether added pods of a StatefulSet with the policy OrderedReady are created only once those before have nodes.
    ``is_graceful``: whether pods that are deleted take their grace period, if the case has times.
    ``leaving``: when pods leave that are on nodes from the beginning, by ``namespace/name``, in nanoseconds.
    ``replaces``: whether controllers make pods in place of those that had to go, and Jobs fail of them.
    ``preferred``: which of equally good nodes is taken, by ``namespace/name``, whatever the seed.
    ``copy_name``: what the pod is called that a controller makes, the so many-th, by namespace, controller and number.
    """

    snapshot: Snapshot
    configuration: SchedulerConfiguration
    wanted: Sequence[Wanted] = ()
    drained: Sequence[str] = ()
    unreachable: Sequence[str] = ()
    not_ready: Sequence[str] = ()
    samples: bool = False
    seed: int = 0
    placed: Mapping[str, Document] = field(default_factory=dict)
    replaced: Mapping[str, str] = field(default_factory=dict)
    admits_pods: bool = False
    orders_ordinals: bool = False
    is_graceful: bool = False
    leaving: Mapping[str, int] = field(default_factory=dict)
    replaces: bool = True
    preferred: Mapping[str, str] = field(default_factory=dict)
    copy_name: Callable[[str, str, int], str] = copied_again

    @property
    def has_times(self) -> bool:
        """Whether things happen at more than one time."""
        is_timed = any(each.at or each.until is not None for each in self.wanted)
        return is_timed or bool(self.unreachable or self.not_ready or self.leaving)
