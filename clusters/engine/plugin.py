"""What a scheduler plugin offers, and what it is given to answer with.

Upstream: ``kube-scheduler/framework/interface.go`` v1.34.1. One object serves one pod's cycle, so that what a
plugin prepares for filtering and scoring lives in its attributes."""

from __future__ import annotations

import enum
from contextlib import suppress
from enum import Flag, StrEnum, auto
from functools import cache, cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, Self, TypeVar, cast

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.evidence import ByMaximum, Comparison, Normalisation, ScorePart, Subject
from clusters.engine.matching import required_node_affinity, tolerated_taint_sets
from clusters.engine.objects import Pod
from clusters.engine.resources import DEFERRED, RESIZE_PENDING
from clusters.engine.selectors import SelectorError
from clusters.engine.status import (
    PASS,
    SKIP,
    SUCCESS,
    CycleError,
    FilterAnswer,
    Index,
    Ints,
    Mask,
    Phase,
    Status,
    failure,
)
from clusters.engine.versions import Gate, Release

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from clusters.engine.configuration import Arguments
    from clusters.engine.edits import Edit
    from clusters.engine.objects import PodAffinity
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.taints import Toleration
    from clusters.engine.world import World

# What a plugin says of itself, so that nobody has to know it by name: what it reads, and what requeues pods.


class Reads(Flag):
    """What a plugin looks at when it judges or scores a node for a pod, besides the pod itself."""

    NOTHING = 0
    NODES = auto()
    """What a node is: its name, labels, taints and images. No pod that comes or goes changes it."""
    AMOUNTS = auto()
    """How much the pods on the node request together, and how many they are."""
    PODS = auto()
    """Which pods there are, on the node or elsewhere."""
    VOLUMES = auto()
    """Claims, volumes, storage classes and drivers."""
    DEVICES = auto()
    """Resource claims, device classes and the devices that drivers offer."""


class ClusterEvent(StrEnum):
    """A change for which the scheduler's queue asks plugins whether a pod that they rejected is worth another attempt.

    Upstream: the labels of ``ClusterEvent`` in ``kube-scheduler/framework/events.go`` v1.34.1. From v1.37.2 those of
    pods tell the pod itself from pods on nodes; what happens is the same.
    """

    NODE_ADD = "Node/Add"
    NODE_DELETE = "Node/Delete"
    NODE_ALLOCATABLE = "Node/UpdateNodeAllocatable"
    NODE_DECLARED_FEATURE = "Node/UpdateNodeDeclaredFeature"
    NODE_LABEL = "Node/UpdateNodeLabel"
    NODE_PREEMPTION_POLICY = "Node/UpdateNodePreemptionPolicy"
    NODE_TAINT = "Node/UpdateNodeTaint"
    POD_ADD = "Pod/Add"
    POD_UPDATE = "Pod/Update"
    POD_DELETE = "Pod/Delete"
    POD_LABEL = "Pod/UpdatePodLabel"
    POD_SCALE_DOWN = "Pod/UpdatePodScaleDown"
    POD_SCALE_UP = "Pod/UpdatePodScaleUp"
    POD_TOLERATION = "Pod/UpdatePodToleration"
    POD_GATES_ELIMINATED = "Pod/UpdatePodSchedulingGatesEliminated"
    POD_GENERATED_RESOURCE_CLAIM = "Pod/UpdatePodGeneratedResourceClaim"
    CLAIM_ADD = "PersistentVolumeClaim/Add"
    CLAIM_UPDATE = "PersistentVolumeClaim/Update"
    VOLUME_ADD = "PersistentVolume/Add"
    VOLUME_UPDATE = "PersistentVolume/Update"
    STORAGE_CLASS_ADD = "StorageClass/Add"
    STORAGE_CLASS_UPDATE = "StorageClass/Update"
    STORAGE_CAPACITY_ADD = "CSIStorageCapacity/Add"
    STORAGE_CAPACITY_UPDATE = "CSIStorageCapacity/Update"
    VOLUME_ATTACHMENT_DELETE = "VolumeAttachment/Delete"
    CSI_NODE_ADD = "CSINode/Add"
    CSI_NODE_UPDATE = "CSINode/Update"
    CSI_DRIVER_UPDATE = "CSIDriver/Update"
    RESOURCE_CLAIM_ADD = "ResourceClaim/Add"
    RESOURCE_CLAIM_UPDATE = "ResourceClaim/Update"
    RESOURCE_CLAIM_DELETE = "ResourceClaim/Delete"
    RESOURCE_SLICE_ADD = "ResourceSlice/Add"
    RESOURCE_SLICE_UPDATE = "ResourceSlice/Update"
    DEVICE_CLASS_ADD = "DeviceClass/Add"
    DEVICE_CLASS_UPDATE = "DeviceClass/Update"
    WORKLOAD_ADD = "Workload/Add"
    POD_GROUP_ADD = "PodGroup/Add"
    POD_GROUP_UPDATE = "PodGroup/Update"
    COMPOSITE_POD_GROUP_ADD = "CompositePodGroup/Add"
    COMPOSITE_POD_GROUP_UPDATE = "CompositePodGroup/Update"


# Pods that run and ask for more than their node has left: from 1.37 the scheduler may make room for them there.
#
# Upstream: ``IsPodResizeDeferred`` of ``k8s.io/component-helpers/resource`` v0.37.2, and what the plugins do where it
# holds: all but those that have a say in it skip the pod.


def is_resize_attempt(pod: Pod, release: Release) -> bool:
    """Whether the scheduler tries a pod only to resize it on its node, as the kubelet could not yet."""
    if not release.enables(Gate.RESIZE_PREEMPTION):
        return False
    conditions = pod.status.get("conditions") or ()
    reasons = (str(each.get("reason") or "") for each in conditions if each.get("type") == RESIZE_PENDING)
    return next(reasons, "") == DEFERRED


# What somebody would have to do so that a pod becomes schedulable.


class Effort(enum.IntEnum):
    """What somebody would have to do so that a requirement no longer stands, the easiest first."""

    REQUIREMENT = 0
    """Change what the pod, or a neighbour of it, says."""
    NODE = 1
    """Change a node that is well: uncordon it, or raise its limit."""
    HEALTH = 2
    """Mend a node."""
    SYSTEM = 3
    """Let the pod run on nodes of the control plane, which few should."""
    RESOURCE = 4
    """Request nothing of a resource, which few pods can; to request less is a Reduction."""


Kind = TypeVar("Kind")

MAX_NODE_SCORE = 100
NOTHING_LIFTED: frozenset[int] = frozenset()


class Follows(Protocol):
    """Something that is made of a snapshot, and brought forward as pods come and go."""

    def follow(self) -> bool:
        """Take in what has changed; False where it has to be made anew."""


Followed = TypeVar("Followed", bound=Follows)


class InStep:
    """What plugins bring forward from one attempt to the next, instead of counting all pods again; for one thread.

    So much is kept as ``most`` says.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._numbers: dict[Hashable, int] = {}
        self._kept: dict[Hashable, Follows] = {}

    def number(self, asked: Hashable) -> int:
        """A number for what is asked, which is quicker to look up."""
        return self._numbers.setdefault(asked, len(self._numbers))

    def of(self, asked: Hashable, make: Callable[[], Followed]) -> Followed:
        """What was made before, brought forward, or what ``make`` returns."""
        known = cast("Followed | None", self._kept.get(asked))
        if known is None or not known.follow():
            if known is None and len(self._kept) >= self._most:
                del self._kept[next(iter(self._kept))]
            known = self._kept[asked] = make()
        return known


class Context:
    """What all plugins of one cycle share: the snapshot, the pod, and the arguments of the profile.

    ``in_step``: where the same pods are asked about again and again, what is brought forward between the attempts.
    """

    def __init__(
        self, snapshot: Snapshot, pod: Pod, arguments: Mapping[str, Arguments], in_step: InStep | None = None
    ) -> None:
        self.snapshot, self.in_step = snapshot, in_step
        counting = snapshot.pods.counting
        # Of amounts beyond int64 releases make another number.
        self.pod = pod if pod.counting is counting or not counting.saturates else Pod(pod.document, counting)
        self.arguments = arguments

    def arguments_of(self, plugin: str, kind: type[Kind]) -> Kind:
        """The arguments of one plugin, which are of this kind."""
        found = self.arguments[plugin]
        if not isinstance(found, kind):
            raise TypeError(f"{plugin} was given {type(found).__name__}, not {kind.__name__}")
        return found

    @cached_property
    def node_affinity(self) -> Mask:
        """Shape (N,): nodes that the pod's node selector and required node affinity admit."""
        return required_node_affinity(self.snapshot.nodes, self.pod)

    @cached_property
    def tolerated(self) -> Mask:
        """Shape (N,): nodes whose NoSchedule and NoExecute taints the pod tolerates."""
        nodes = self.snapshot.nodes
        return tolerated_taint_sets(nodes.taint_sets, self.tolerations)[nodes.taint_set]

    @cached_property
    def is_resize(self) -> bool:
        """Whether the attempt is about nothing but resizing the pod on the node that it has."""
        return is_resize_attempt(self.pod, self.snapshot.release)

    @cached_property
    def tolerations(self) -> tuple[Toleration, ...]:
        """The pod's tolerations that the scheduler goes by: those that compare numbers unless their gate is set off."""
        release, given = self.snapshot.release, self.pod.tolerations
        if release.enables(Gate.TAINT_COMPARISON_OPERATORS) or not release.decides(Gate.TAINT_COMPARISON_OPERATORS):
            return given
        return tuple(each for each in given if not each.compares_numbers)

    @property
    def is_comparison_open(self) -> bool:
        """Whether tolerations of the pod compare numbers, and it is not known if the scheduler does too."""
        is_known = self.snapshot.release.decides(Gate.TAINT_COMPARISON_OPERATORS)
        return not is_known and any(each.compares_numbers for each in self.pod.tolerations)


class PreFilter(Struct, frozen=True):
    """What PreFilter returned: a status, and the only nodes that need a look (None: all)."""

    status: Status = SUCCESS
    node_names: frozenset[str] | None = None


PROCEED = PreFilter()
SKIP_FILTER = PreFilter(SKIP)


class Constraint(Struct, frozen=True):
    """A requirement that could be lifted by itself, named by its content.

    ``subject`` is what it requires; None: the whole filter. ``edit`` is the change of the pod's manifest that lifts it;
    None where that is not the pod's to change. ``is_fixed``: nobody should lift it, so it gains no node.
    """

    plugin: str
    subject: Subject | None = None
    edit: Edit | None = None
    is_fixed: bool = False


class Plugin:
    """The extension points that Berth evaluates; a plugin overrides those that it takes part in."""

    name: ClassVar[str]
    reads: ClassVar[Reads]
    """What its answers depend on besides the pod; whoever keeps answers goes by it."""
    requeue_on: ClassVar[tuple[ClusterEvent, ...]] = ()
    """For which events the queue asks it, in any release, whether to try a pod again that it rejected."""
    colour: ClassVar[str]
    """Its colour wherever it is drawn: ``blue`` is the design token ``--plugin-blue``. No two plugins have the same."""
    lasting: ClassVar[frozenset[str]] = frozenset()
    """What it reads of the pod and of nodes and keeps, by name: it stays the same whatever other pods come or go."""
    skips_for_good: ClassVar[bool] = False
    """Whether it is the pod that decides if PreFilter and PreScore return Skip, whatever other pods come or go."""
    scores_what_it_filters: ClassVar[bool] = False
    """Whether a pod for which PreFilter returns Skip gets 0 points from it on every node."""
    scores_in_step: ClassVar[bool] = False
    """Whether what it scores by is brought forward, so that it can be asked for ``points`` again as it is."""
    is_lifted_on_nodes: ClassVar[bool] = False
    """Whether what it checks is lifted by a change of nodes rather than of the pod."""
    is_lifted_by_adding: ClassVar[bool] = False
    """Whether an entry that the pod's manifest lacks lifts what it checks, rather than the loss of one that it has."""
    has_reasons_by_node: ClassVar[bool] = False
    """Whether its reasons name what is on the node, so that they differ from node to node."""
    preempts: ClassVar[bool] = False
    """Whether its PostFilter removes pods to make room, as ``clusters.engine.scheduling.preemption`` computes."""
    judges_resizes: ClassVar[bool] = False
    """Whether it has a say in a pod that is to be resized on its node; all others skip that."""
    asks_for_group: ClassVar[bool] = False
    """Whether its Permit goes by the group of the pod, as ``clusters.engine.scheduling.groups`` computes."""
    whole: ClassVar[tuple[Edit, ...]] = ()
    """Edits of the pod's manifest that leave ``filter`` nothing of the pod's own to check."""
    unprepared: ClassVar[str | None] = None
    """The error that ``filter`` is where a profile runs it without its PreFilter; None: it does without."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.snapshot = context.snapshot
        self.pod = context.pod
        self.release = context.snapshot.release

    def again(self) -> Self:
        """The same plugin, to be asked once other pods have come or gone."""
        twin = type(self)(self.context)
        twin.__dict__.update((name, self.__dict__[name]) for name in self.lasting if name in self.__dict__)
        return twin

    def settle(self) -> None:
        """Find what lasts, so that it is found once for all who are made of this one by ``again``."""
        for name in sorted(self.lasting):
            # Whoever asks for what cannot be read says so.
            with suppress(SelectorError):
                getattr(self, name)

    @classmethod
    @cache
    def is_fixed(cls) -> bool:
        """Whether it judges and scores nodes by what no pod that comes or goes changes."""
        return not cls.reads & ~Reads.NODES

    @classmethod
    @cache
    def is_local(cls) -> bool:
        """Whether its answer for a node stays the same until the amounts on that very node change."""
        return not cls.reads & ~(Reads.NODES | Reads.AMOUNTS)

    @classmethod
    def registers(cls, event: ClusterEvent, release: Release) -> bool:
        """Whether the queue of a release asks it about an event of ``requeue_on``; upstream's EventsToRegister."""
        return True

    @property
    def reads_pods(self) -> bool:
        """Whether ``filter`` depends on the pods around, and so on the world it is asked about."""
        return bool(self.reads & (Reads.AMOUNTS | Reads.PODS))

    @property
    def counts_together(self) -> bool:
        """Whether a constraint can keep nodes out through others: lifted, it opens nodes that it does not reject."""
        return False

    @property
    def uncomputed(self) -> str:
        """The field of this pod that the plugin decides by and Berth does not compute; it then counts as passing."""
        return ""

    @property
    def unprepared_score(self) -> str | None:
        """The error that ``score`` is where a profile runs it without its PreScore; None: it does without."""
        return None

    @property
    def score_fault(self) -> str | None:
        """The error that ``score`` is on every node; None: it has points for them."""
        return None

    @classmethod
    def pre_enqueue(cls, pod: Pod, snapshot: Snapshot, queue: frozenset[str]) -> Status | None:
        """Whether the pod may enter the queue; None where that is not computed."""
        return None

    def said(self, error: SelectorError) -> str:
        """What the scheduler says of a selector that cannot be read."""
        return error.said(in_bytes=self.release.rules.counts_label_bytes)

    def is_concerned(self, affinities: Iterable[PodAffinity]) -> bool:
        """Whether it may have anything to say of the pod once pods with these affinity rules have come."""
        return True

    def pre_filter(self) -> PreFilter:
        """Prepare filtering; Skip says that the filter has nothing to check for this pod."""
        return PROCEED

    def joining(self, row: int, world: World | None) -> list[int]:
        """Slots of the nominated pods that a world adds to one node."""
        return [] if world is None else world.joining(row).tolist()

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        """Judge every node, each in its own ``world``, without the constraints at these places of ``constraints``."""
        return PASS

    def constraints(self) -> tuple[Constraint, ...]:
        """The separate requirements that ``filter`` checks; lifting all of them lifts the filter.

        A list can say the same thing twice: such constraints are equal, and are lifted together.
        """
        return (Constraint(self.name),)

    @classmethod
    def effort_of(cls, subject: Subject | None) -> Effort:
        """What it takes to lift a constraint about this subject; None: the whole filter."""
        return Effort.NODE if cls.is_lifted_on_nodes else Effort.REQUIREMENT

    def blocking(self, world: World | None = None) -> Iterator[Mask]:
        """For each constraint the nodes that it rejects by itself, each shape (N,); one after the other."""
        for number in (numbers := range(len(self.constraints()))):
            failed = self.filter(world, frozenset(numbers) - {number}).failed
            yield np.zeros(len(self.snapshot.nodes), np.bool_) if failed is None else failed

    def adjustments(self, reachable: Mask) -> Iterable[Constraint]:
        """Requirements that could say less and keep the rest, each with the edit that does it.

        ``reachable``, shape (N,): nodes that every other filter lets pass.
        """
        return ()

    def checked_amounts(self) -> Sequence[tuple[str, int]]:
        """The pod's requests that ``filter`` compares with what is free on a node: resource and amount."""
        return ()

    def is_helped_by(self, placed: Pod) -> bool:
        """Whether a pod that was placed may let the pod in, which the filter rejected: upstream's queueing hint."""
        return False

    def permit(self) -> Status | None:
        """What Permit answers once a node is chosen; None where that is not computed."""
        return None

    def post_filter(self, *, has_run: bool, rejected: Mapping[Status, Mask]) -> Status | None:
        """What PostFilter answers; None where that is not computed.

        ``has_run``: PreFilter did. ``rejected``: the nodes, shape (N,), that it was the first to reject, by answer.
        """
        return None

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        """What filtering compared on one node, in its own ``world``."""
        return ()

    def pre_score(self, feasible: Index) -> Status:
        """Prepare scoring over the rows of the feasible nodes; Skip leaves the plugin out."""
        return SUCCESS

    def score(self, feasible: Index) -> Ints:
        """Raw scores of the feasible nodes, shape (F,)."""
        return np.zeros(len(feasible), np.int64)

    def scored_by(self, found: Index) -> Hashable:
        """What raw scores depend on of the nodes that a search found: where it is equal, so are they."""
        return None

    def normalise(self, scores: Ints) -> Ints:
        """Raw scores brought to 0..100, shape (F,); pure but for what ``pre_score`` was told."""
        return scores

    def points(self, feasible: Index) -> tuple[Ints, Index | None]:
        """What ``normalise`` makes of the raw scores of the rows that ``pre_score`` was told of, shape (F,).

        Or, with a number for each of the rows, shape (F,), what it makes of all with this number.
        """
        return self.normalise(self.score(feasible)), None

    def score_evidence(self, row: int) -> tuple[ScorePart, ...]:
        """What the raw score of one feasible node was made from."""
        return ()

    def normalisation(self, scores: Ints, number: int) -> Normalisation | None:
        """How ``normalise`` brought the raw score at one place to 0..100; None where raw scores stay as they are."""
        return None


class Skipped(Plugin):
    """A plugin that has no say in the attempt: its PreFilter and PreScore return Skip."""

    reads = Reads.NOTHING

    def pre_filter(self) -> PreFilter:
        return SKIP_FILTER

    def constraints(self) -> tuple[Constraint, ...]:
        return ()

    def pre_score(self, feasible: Index) -> Status:
        return SKIP


class Unprepared(Plugin):
    """A filter that a profile runs without the PreFilter it builds on: an error on every node."""

    reads = Reads.NOTHING

    def __init__(self, plugin: Plugin, error: str) -> None:
        super().__init__(plugin.context)
        self._plugin = plugin.name
        self._status = failure(error)

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        return PASS if lifted else FilterAnswer.everywhere(self._status, len(self.snapshot.nodes))

    def constraints(self) -> tuple[Constraint, ...]:
        return (Constraint(self._plugin),)


class Lifted(Plugin):
    """A filter with some of its constraints lifted, or, where one of them is the whole filter, all of it."""

    def __init__(self, name: str, plugin: Plugin, lifted: frozenset[Constraint]) -> None:
        super().__init__(plugin.context)
        self._plugin = plugin
        self._lifted = lifted
        self._is_whole = Constraint(name) in lifted

    @property
    def reads_pods(self) -> bool:
        return self._plugin.reads_pods

    def pre_filter(self) -> PreFilter:
        return SKIP_FILTER if self._is_whole else self._plugin.pre_filter()

    @cached_property
    def _own(self) -> tuple[Constraint, ...]:
        """All constraints of the filter."""
        return () if self._is_whole else self._plugin.constraints()

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        if self._is_whole:
            return PASS
        kept = [place for place, each in enumerate(self._own) if each not in self._lifted]
        standing = {place for number, place in enumerate(kept) if number not in lifted}
        return self._plugin.filter(world, frozenset(range(len(self._own))) - standing)

    def constraints(self) -> tuple[Constraint, ...]:
        return tuple(each for each in self._own if each not in self._lifted)

    @classmethod
    def effort_of(cls, subject: Subject | None) -> Effort:
        """What it takes to lift a constraint about this subject; None: the whole filter."""
        return Effort.NODE if cls.is_lifted_on_nodes else Effort.REQUIREMENT

    def blocking(self, world: World | None = None) -> Iterator[Mask]:
        """What a constraint rejects by itself does not depend on which others stand."""
        every = self._plugin.blocking(world) if self._own else ()
        yield from (mask for each, mask in zip(self._own, every, strict=True) if each not in self._lifted)

    def pre_score(self, feasible: Index) -> Status:
        return self._plugin.pre_score(feasible)

    def score(self, feasible: Index) -> Ints:
        return self._plugin.score(feasible)

    def normalise(self, scores: Ints) -> Ints:
        return self._plugin.normalise(scores)


def normalise_by_maximum(scores: Ints, *, reverse: bool = False) -> Ints:
    """Scale by the highest score to 0..100; ``reverse`` makes the highest raw score the worst.

    Upstream: ``plugins/helper/normalize_score.go``.
    """
    highest = int(scores.max(initial=0))
    if highest <= 0:
        return np.full_like(scores, MAX_NODE_SCORE) if reverse else scores
    scaled = scores * MAX_NODE_SCORE // highest
    return MAX_NODE_SCORE - scaled if reverse else scaled


def by_maximum(scores: Ints, number: int, *, reverse: bool = False) -> ByMaximum:
    """How ``normalise_by_maximum`` scaled one score."""
    normalised = int(normalise_by_maximum(scores, reverse=reverse)[number])
    return ByMaximum(int(scores[number]), normalised, int(scores.max(initial=0)), reverse)


# One plugin's scores in a cycle, and what the scheduler makes of one out of range.
#
# Upstream: ``RunScorePlugins`` in ``framework/runtime/framework.go`` v1.34.1.


class PluginScore(NamedTuple):
    """One plugin's scores of the feasible nodes, each array of shape (F,)."""

    plugin: str
    weight: int
    raw: Ints
    normalised: Ints

    @property
    def weighted(self) -> Ints:
        return self.normalised if self.weight == 1 else self.normalised * self.weight


def out_of_range(scores: Sequence[PluginScore], feasible: Index, names: Sequence[str]) -> CycleError | None:
    """The first score, by node, not in 0..100: arithmetic that left int64 behind can come to one.

    ``feasible`` holds the rows (F,) of the scored nodes among all ``names`` (N,).
    """
    found: tuple[int, PluginScore] | None = None
    for score in scores:
        # Without their sign negative scores are the largest: one pass instead of two.
        if np.maximum.reduce(score.normalised.view(np.uint64)) <= MAX_NODE_SCORE:
            continue
        outside = np.flatnonzero((score.normalised < 0) | (score.normalised > MAX_NODE_SCORE))
        if found is None or outside[0] < found[0]:
            found = int(outside[0]), score
    if found is None:
        return None
    place, score = found
    reason = (
        f"returns an invalid score {score.normalised[place]}, "
        f"it should in the range of [0, {MAX_NODE_SCORE}] after normalizing"
    )
    node = names[feasible[place]]
    return replace(CycleError.of(Phase.WEIGHING, score.plugin, reason), node=node)
