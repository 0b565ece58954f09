"""What a plugin answers about a pod and a node, errors that end a cycle, and the scheduler's own sentences."""

from __future__ import annotations

import enum
import re
from collections import Counter
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# What a plugin answers about a pod and a node: a code and its reasons.
#
# Upstream: kube-scheduler v1.34.1, ``kube-scheduler/framework/interface.go`` (Status).

Mask = NDArray[np.bool_]
Ints = NDArray[np.int64]
Index = NDArray[np.intp]


class Code(enum.StrEnum):
    """The outcomes a plugin can report, spelled as kube-scheduler spells them."""

    SUCCESS = "Success"
    UNSCHEDULABLE = "Unschedulable"
    UNRESOLVABLE = "UnschedulableAndUnresolvable"
    ERROR = "Error"
    SKIP = "Skip"


class Reason(Struct, frozen=True):
    """Why a node or a pod is turned down, in a plugin's own terms; ``str()`` is what kube-scheduler prints of it.

    ``kind`` names the type in documents and stays the same from version to version. ``plugin``: whose reason it is,
    empty where several give it.
    """

    kind: ClassVar[str]
    plugin: ClassVar[str] = ""
    text: ClassVar[str] = ""

    def __str__(self) -> str:
        return self.text


class QuotedReason(Reason, frozen=True):
    """What only its words tell: an error, or what an extender answers."""

    kind = "quoted"

    message: str

    def __str__(self) -> str:
        return self.message


class Status(Struct, frozen=True):
    """A code with the reasons that kube-scheduler would print, in its order."""

    code: Code = Code.SUCCESS
    reasons: tuple[Reason, ...] = ()

    @property
    def ok(self) -> bool:
        return self.code is Code.SUCCESS

    @property
    def texts(self) -> tuple[str, ...]:
        """The reasons as kube-scheduler prints them."""
        return tuple(map(str, self.reasons))

    @property
    def said(self) -> str:
        """The reasons in one text, as kube-scheduler joins them."""
        return ", ".join(self.texts)

    @property
    def reported(self) -> str:
        """What is told of it: the reasons as kube-scheduler joins them, or the code where there are none."""
        return self.said or str(self.code)

    @property
    def stated(self) -> tuple[Reason, ...]:
        """The reasons, or the code in their place where there are none."""
        return self.reasons or (QuotedReason(str(self.code)),)


SUCCESS = Status()
SKIP = Status(Code.SKIP)


def unschedulable(*reasons: Reason) -> Status:
    """A rejection that removing pods could resolve."""
    return Status(Code.UNSCHEDULABLE, reasons)


def unresolvable(*reasons: Reason) -> Status:
    """A rejection that preemption cannot resolve."""
    return Status(Code.UNRESOLVABLE, reasons)


def failure(message: str) -> Status:
    """A failure of a plugin, in the scheduler's words."""
    return Status(Code.ERROR, (QuotedReason(message),))


class Rejection(Struct, frozen=True):
    """A rejection that the scheduler would record: by which plugin (or plugins, separated by commas), and how."""

    plugin: str
    status: Status

    @property
    def plugins(self) -> tuple[str, ...]:
        """The plugins one by one; several leave a node out before it is looked at, none a node that is gone."""
        return tuple(self.plugin.split(",")) if self.plugin else ()


class FilterAnswer(Struct, frozen=True):
    """One filter's answer for all N nodes: a small table of statuses and an index into it.

    ``statuses[0]`` is always Success. ``index`` has shape (N,), or is None when every node passes.
    """

    statuses: tuple[Status, ...] = (SUCCESS,)
    index: Index | None = None

    @classmethod
    def everywhere(cls, status: Status, nodes: int) -> FilterAnswer:
        """The same status on every node."""
        return cls((SUCCESS, status), np.ones(nodes, np.intp))

    @classmethod
    def first_of(cls, *cases: tuple[Mask, Status]) -> FilterAnswer:
        """On each node the status of the first mask that holds; Success where none does."""
        held = [(mask, status) for mask, status in cases if mask.any()]
        if not held:
            return PASS
        index = held[-1][0] * len(held)
        for number in range(len(held) - 1, 0, -1):
            index[held[number - 1][0]] = number
        return cls((SUCCESS, *(status for _, status in held)), index)

    @classmethod
    def by_table(cls, statuses: Sequence[Status], index: Index) -> FilterAnswer:
        """``statuses[k]`` on every node whose ``index`` is k; Success entries are merged into 0."""
        table: list[Status] = [SUCCESS]
        position = {SUCCESS: 0}
        translate = np.empty(max(len(statuses), 1), np.intp)
        for number, status in enumerate(statuses):
            if status not in position:
                position[status] = len(table)
                table.append(status)
            translate[number] = position[status]
        if len(table) == 1:
            return PASS
        translated = translate[index]
        return cls(tuple(table), translated) if translated.any() else PASS

    @property
    def failed(self) -> Mask | None:
        """Shape (N,): where the filter rejects; None when it rejects nowhere."""
        return None if self.index is None else self.index > 0

    def at(self, node: int) -> Status:
        """The status of one node."""
        return SUCCESS if self.index is None else self.statuses[self.index[node]]


PASS = FilterAnswer()

# Errors that end a scheduling cycle: the pod is not scheduled, whatever other plugins or nodes say.
#
# Upstream: ``RunPreFilterPlugins``, ``RunFilterPlugins``, ``RunPreScorePlugins`` and ``RunScorePlugins`` in
# ``framework/runtime/framework.go`` v1.34.1, which word the error, and ``schedulePod`` in ``schedule_one.go``, which
# returns it instead of a node.


class Phase(enum.StrEnum):
    """In what part of a cycle an error came up."""

    PRE_FILTER = "preFilter"
    FILTER = "filter"
    PRE_SCORE = "preScore"
    SCORE = "score"
    WEIGHING = "weighing"
    """Scores were brought to 0..100 and one of them is not in that range."""

    @property
    def is_scoring(self) -> bool:
        """Whether the nodes that fit were known already."""
        return self in (Phase.PRE_SCORE, Phase.SCORE, Phase.WEIGHING)


class CycleError(Struct, frozen=True):
    """What a plugin failed with. ``message`` is the text of the FailedScheduling event.

    ``node`` is where, empty where the plugin looked at no single node.
    """

    phase: Phase
    plugin: str
    message: str
    node: str = ""

    @classmethod
    def of(cls, phase: Phase, plugin: str, reason: str) -> CycleError:
        """Word an error as the scheduler does."""
        return cls(phase, plugin, _worded(phase, plugin, reason))


def filter_error(plugin: str, reason: str) -> str:
    """How the scheduler words the error of a filter on a node."""
    return _worded(Phase.FILTER, plugin, reason)


def _worded(phase: Phase, plugin: str, reason: str) -> str:
    match phase:
        case Phase.PRE_FILTER:
            return f'running PreFilter plugin "{plugin}": {reason}'
        case Phase.FILTER:
            return f'running "{plugin}" filter plugin: {reason}'
        case Phase.PRE_SCORE:
            return f'running PreScore plugin "{plugin}": {reason}'
        case Phase.SCORE:
            return f'running Score plugins: plugin "{plugin}" failed with: {reason}'
        case Phase.WEIGHING:
            return f'applying score defaultWeights on Score plugins: plugin "{plugin}" {reason}'


# The scheduler's own sentences.
#
# Upstream: ``FitError`` in ``pkg/scheduler/framework/types.go`` v1.34.1.

NO_NODES = "no nodes available to schedule pods"
# Upstream: ``RunPreBindPlugins`` and ``RunBindPlugins`` of ``pkg/scheduler/framework/runtime/framework.go`` v1.37.2.
_BINDING_FAILED = ("running PreBind plugin ", "running Bind plugin ")
# As in: 0/60 nodes are available: 3 Insufficient cpu, 57 node(s) were unschedulable. preemption: 0/60 nodes are ...
_FILTERED = re.compile(
    r"\A\d+/\d+ nodes are available: (?P<said>.*?)"
    r"\.(?: preemption:| no new claims| still not schedulable| deallocation of ResourceClaim|\Z)",
    re.DOTALL,
)
# As schedulers wrote it until 1.7: No nodes are available that match all of the predicates: MatchNodeSelector (2).
_PREDICATES = re.compile(
    r"(?:\ANo nodes are available that match all of the (?:following )?predicates::? |"
    r"\Apod \(.*?\) failed to fit in any node\s+fit failure summary on nodes : )(?P<said>.*?)\.?\s*\Z",
    re.DOTALL,
)
# Earlier ones counted no nodes: Failed for reason PodExceedsFreeCPU and possibly others.
_ONE_REASON = re.compile(r"\AFailed for reason (?P<reason>\w+)(?: and possibly others)?\.?\s*\Z")
_OLD_ENTRY = re.compile(r"(?:\A|, )(?P<reason>.+?) \((?P<nodes>\d{1,9})\)(?=, |\Z)", re.DOTALL)
# What schedulers until 1.13 called what they call otherwise today.
# NodeUnschedulable by name: it was the name of that reason, too.
_TODAY: Final = {
    "PodExceedsFreeCPU": "Insufficient cpu",
    "PodExceedsFreeMemory": "Insufficient memory",
    "PodExceedsMaxPodNumber": "Too many pods",
    "Insufficient pods": "Too many pods",
    "HostName": "node(s) didn't match the requested node name",
    "PodFitsHostPorts": "node(s) didn't have free ports for the requested pod ports",
    "MatchNodeSelector": "node(s) didn't match Pod's node affinity/selector",
    "node(s) didn't match node selector": "node(s) didn't match Pod's node affinity/selector",
    "PodToleratesNodeTaints": "node(s) had untolerated taint(s)",
    "node(s) had taints that the pod didn't tolerate": "node(s) had untolerated taint(s)",
    "MatchInterPodAffinity": "node(s) didn't match pod affinity rules",
    "node(s) didn't match pod affinity/anti-affinity": "node(s) didn't match pod affinity rules",
    "NoDiskConflict": "node(s) had no available disk",
    "NoVolumeZoneConflict": "node(s) had no available volume zone",
    "VolumeNodeAffinityConflict": "node(s) didn't match PersistentVolume's node affinity",
    "node(s) had volume node affinity conflict": "node(s) didn't match PersistentVolume's node affinity",
    "VolumeBindingNoMatch": "node(s) didn't find available persistent volumes to bind",
    "MaxVolumeCount": "node(s) exceed max volume count",
    "NodeUnschedulable": "node(s) were unschedulable",
}
_TAINTED: Final = "node(s) had untolerated taint"
_PREEMPTION = re.compile(r"[ .,]preemption: \d+/\d+ nodes are available: (?P<said>.*?)\.(?:, |\Z)", re.DOTALL)
_ENTRY = re.compile(r"(?:\A|, )(?P<nodes>\d{1,9}) (?P<reason>.+?)(?=, \d{1,9} |\Z)", re.DOTALL)


def as_one(errors: Iterable[str]) -> str:
    """Several errors as one, each only once, as an ``Aggregate`` of k8s.io/apimachinery is printed."""
    texts = tuple(dict.fromkeys(errors))
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def no_node_available(nodes: int, reasons: Mapping[Reason, int] | Mapping[str, int], pre_filter: str = "") -> str:
    """The FailedScheduling text: how many nodes there are, and how often each reason was given.

    Reasons of the same text count together, whoever gives them.

    Entries are sorted as text, so "10 ..." stands before "2 ...". A PreFilter's message replaces the reasons.
    """
    message = f"0/{nodes} nodes are available:"
    if pre_filter:
        return f"{message} {pre_filter}."
    entries = sorted(f"{times} {text}" for text, times in by_text(reasons).items() if times)
    return f"{message} {', '.join(entries)}." if entries else message


def by_text(reasons: Mapping[Reason, int] | Mapping[str, int]) -> Counter[str]:
    """How often each text was given, whoever gave it."""
    times: Counter[str] = Counter()
    for reason, number in reasons.items():
        times[str(reason)] += number
    return times


def tells_failed_binding(message: str) -> bool:
    """Whether a text says that a pod was not bound to the node that was chosen for it."""
    return message.startswith(_BINDING_FAILED)


def room_made(node: str, victims: int) -> str:
    """What PostFilter says of the node where preemption makes room, from 1.37 on."""
    return f"preemption: found a potential placement for pod on node {node}, preempting {victims} victims"


class SchedulerRefusal(NamedTuple):
    """What a scheduler's FailedScheduling text says: the number of nodes by reason, for filters and for preemption.

    ``said`` is what it says of the nodes, which of a PreFilter's message is all that there is.
    """

    said: str
    reasons: Counter[str]
    preemption: Counter[str]


def read_refusal(message: str) -> SchedulerRefusal | None:
    """Read what ``no_node_available`` and preemption write, or wrote once; None for a message of another form.

    Reasons are named as they are today.
    """
    found = _FILTERED.match(message)
    if found is None:
        return _read_old(message)
    preemption = _PREEMPTION.search(message)
    return SchedulerRefusal(
        found["said"], _counted(found["said"]), Counter() if preemption is None else _counted(preemption["said"])
    )


def has_same_reasons(message: str, refusal: str) -> bool:
    """Whether a text of an earlier form says the same of the nodes as a ``refusal`` of today.

    One that names one reason and possibly others agrees where that is one of them.
    """
    said, computed = _read_old(message), _FILTERED.match(refusal)
    if said is None or computed is None:
        return False
    theirs, ours = _without_taints(said.reasons), _without_taints(_counted(computed["said"]))
    return theirs.keys() <= ours.keys() if _ONE_REASON.match(message) else theirs == ours


def _without_taints(reasons: Counter[str]) -> Counter[str]:
    """Earlier forms do not say which taint is not tolerated."""
    found: Counter[str] = Counter()
    for reason, nodes in reasons.items():
        found[_TAINTED if reason.startswith(_TAINTED) else reason] += nodes
    return found


def _read_old(message: str) -> SchedulerRefusal | None:
    if (found := _PREDICATES.match(message)) is not None:
        return SchedulerRefusal(found["said"], _counted(found["said"], _OLD_ENTRY), Counter())
    if (found := _ONE_REASON.match(message)) is not None:
        return SchedulerRefusal(message, Counter({_TODAY.get(found["reason"], found["reason"]): 1}), Counter())
    return None


def _counted(said: str, form: re.Pattern[str] = _ENTRY) -> Counter[str]:
    counts: Counter[str] = Counter()
    for entry in form.finditer(said):
        counts[_TODAY.get(entry["reason"], entry["reason"])] += int(entry["nodes"])
    return counts
