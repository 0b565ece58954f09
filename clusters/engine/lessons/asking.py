"""What a lesson asks about a decision: where the pod goes, what becomes of it, and what stands in its way."""

from __future__ import annotations

import enum
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from difflib import get_close_matches
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Self, TypeAlias

from msgspec import Struct

from clusters.engine.configuration import UnknownScheduler
from clusters.engine.kubelet.containers import OomScore, oom_order, pressure_order
from clusters.engine.lessons.problems import CapacityUnknown, QueueOrderUnknown, UsageUnknown
from clusters.engine.objects import NOT_STARTED, Document, Pod, metadata, name_of
from clusters.engine.problems import (
    InvalidValue,
    Missing,
    NotABoolean,
    NotAList,
    NotAMap,
    NotAText,
    NotOneOf,
    PlacedError,
    ProblemError,
    TooMany,
    UnknownField,
    shown,
)
from clusters.engine.queueing import order
from clusters.engine.registry import PLUGINS, held_back
from clusters.engine.scheduling.explanation import place
from clusters.engine.simulation.changes.change import ChangeFields
from clusters.engine.simulation.controllers import PodAdmission
from clusters.engine.simulation.problems import ChangeError

if TYPE_CHECKING:
    from clusters.engine.lessons.lesson import Mistake, MistakeKind
    from clusters.engine.lessons.situation import Situation
    from clusters.engine.scheduling.cycle import Candidate
    from clusters.engine.scheduling.explanation import Explanation
    from clusters.engine.snapshot import Snapshot

# The words of scheduling that steps of lessons may name as theirs, so that they are explained beside the text.


class Term(StrEnum):
    """A word as `lesson.yaml` names it; what each means is said in ``clusters/wording/lessons/terms.py``."""

    ADMISSION_PLUGIN = "admission-plugin"
    ALLOCATABLE = "allocatable"
    API_SERVER = "api-server"
    AUTOSCALER = "autoscaler"
    BIN_PACKING = "bin-packing"
    BUDGET = "budget"
    CONDITION = "condition"
    CONTROL_PLANE = "control-plane"
    CONTROLLER = "controller"
    CORDON = "cordon"
    DAEMON_SET = "daemonset"
    DRAIN = "drain"
    EVICTION = "eviction"
    EXTENDED_RESOURCE = "extended-resource"
    FEASIBLE = "feasible"
    FILTER = "filter"
    GRACE_PERIOD = "grace-period"
    KUBELET = "kubelet"
    LABEL = "label"
    LIMIT = "limit"
    LIMIT_RANGE = "limitrange"
    NODE_AFFINITY = "node-affinity"
    NODE_SELECTOR = "node-selector"
    NOMINATED = "nominated"
    OVERHEAD = "overhead"
    PENDING = "pending"
    PLUGIN = "plugin"
    POD_AFFINITY = "pod-affinity"
    PREEMPTION = "preemption"
    PRIORITY = "priority"
    PROFILE = "profile"
    QOS_CLASS = "qos-class"
    QUEUE = "queue"
    REPLICA = "replica"
    REQUEST = "request"
    RESOURCE_CLAIM = "resourceclaim"
    RESOURCE_QUOTA = "resourcequota"
    SCHEDULING_GATE = "scheduling-gate"
    SCORE = "score"
    SKEW = "skew"
    SPREAD_CONSTRAINT = "spread-constraint"
    TAINT = "taint"
    TOLERATION = "toleration"
    TOPOLOGY_DOMAIN = "topology-domain"
    VICTIM = "victim"
    WEIGHT = "weight"
    ZONE = "zone"


# Each node is a question of its own: more of them are a chore.
_MOST_REJECTIONS: Final = 12


class StepKind(enum.StrEnum):
    """A step of a lesson that is made of a decision; its value is the step's name."""

    WHERE = "where"
    OUTCOME = "outcome"
    VICTIMS = "victims"
    REJECTED = "rejected"
    EACH_NODE = "each-node"


# The words that the texts of each kind of step use; clusters/wording/lessons/taken.py has the texts.
TERMS: Final[Mapping[StepKind, tuple[Term, ...]]] = {
    StepKind.WHERE: (Term.PENDING, Term.FILTER, Term.TAINT, Term.REQUEST, Term.NODE_AFFINITY, Term.SCORE),
    StepKind.OUTCOME: (Term.PENDING, Term.FILTER, Term.PRIORITY, Term.PREEMPTION, Term.SCHEDULING_GATE),
    StepKind.VICTIMS: (Term.PENDING, Term.PREEMPTION, Term.PRIORITY, Term.BUDGET, Term.VICTIM),
    StepKind.REJECTED: (Term.PENDING, Term.PLUGIN),
    StepKind.EACH_NODE: (Term.PENDING, Term.PLUGIN),
}


class AskedStep(NamedTuple):
    """A step, and its question as the files of lessons have it; ``plugin`` is the one that is asked about."""

    kind: StepKind
    question: dict[str, Any]
    plugin: str = ""


def steps_for(explanation: Explanation) -> tuple[AskedStep, ...]:
    """Return the steps for a decision by what happened in it."""
    outcome = AskedStep(StepKind.OUTCOME, {"outcome": {}})
    if explanation.held_back is not None:
        return (outcome,)
    if explanation.fits:
        return (AskedStep(StepKind.WHERE, {"node": {}}), *_about_rejections(explanation))
    preemption = explanation.preemption
    if preemption is not None and preemption.candidates:
        return outcome, AskedStep(StepKind.VICTIMS, {"pods": {"which": "victims"}})
    return (outcome, *_about_rejections(explanation))


def _about_rejections(explanation: Explanation) -> tuple[AskedStep, ...]:
    verdicts = [explanation.verdict_of(row) for row in range(explanation.node_count)]
    rejected = Counter(verdict.plugin for verdict in verdicts if verdict is not None)
    if not rejected:
        return ()
    if explanation.node_count <= _MOST_REJECTIONS:
        return (AskedStep(StepKind.EACH_NODE, {"rejections": {}}),)
    plugin = min(rejected, key=lambda name: (-rejected[name], name))
    return (AskedStep(StepKind.REJECTED, {"nodes": {"which": {"rejectedBy": plugin}}}, plugin),)


# What every kind of question offers: the engine's own answer, and what is wrong with another one.

# What a learner gives, as JSON: a text, none, a list of texts, or a map of texts.
RawAnswer: TypeAlias = Any


class UnsolvableError(ProblemError, ValueError):
    """The engine has no certain answer: the question asks for what is not there, or something else decides."""


class UnreadableAnswerError(ProblemError, ValueError):
    """An answer that is none to this question."""


class Judgement(Struct, frozen=True):
    """What an answer is worth. Right answers have no mistakes."""

    mistakes: tuple[Mistake, ...] = ()

    @property
    def is_right(self) -> bool:
        return not self.mistakes


class Question(ABC):
    """A question about a situation. ``kind`` is its key in the files of lessons, and names the way it is answered.

    ``mistakes``: the kinds of mistakes that its judgements may hold.
    """

    __slots__ = ()
    kind: ClassVar[str]
    mistakes: ClassVar[frozenset[MistakeKind]]

    @classmethod
    @abstractmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        """Read a question from what stands under its key. Raises ChangeError, which ``read_question`` passes on."""

    @property
    def keys(self) -> frozenset[str]:
        """Every key that the texts of a lesson may have a hint for here, such as ``missed`` and ``missed/NodeName``."""
        special = (f"{kind}/{word}" for kind in self.mistakes for word in self.special_words(kind))
        return frozenset((*map(str, self.mistakes), *special))

    def special_words(self, kind: MistakeKind) -> Collection[str]:
        """What a key of this kind may name behind a slash, nothing by default."""
        return ()

    def check(self, situation: Situation) -> None:
        """Find out whether the question can be asked here. Raises UnsolvableError where it has no certain answer."""
        self.solution(situation)

    @abstractmethod
    def solution(self, situation: Situation) -> RawAnswer:
        """Return an answer that is right, as a learner would give it. Raises UnsolvableError."""

    @abstractmethod
    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        """Compare an answer with what the engine finds. Raises UnreadableAnswerError and UnsolvableError."""


# The arguments of a question as a file has them, read strictly: what is unknown or of another type names its field.

_LONGEST: Final = 253


class QuestionError(PlacedError):
    """A question that cannot be read: where, as in ``question.nodes.which``, and what is wrong."""


class QuestionArguments:
    """What stands under the key of a question; ``path`` leads to it. Nothing at all is a map without entries."""

    def __init__(self, entry: object, path: str) -> None:
        self.path = path
        self.entry: object = {} if entry is None else entry

    def fields(self, *known: str) -> ArgumentFields:
        """The entries, none of which may have another name. Raises ChangeError."""
        return ArgumentFields(self.entry, self.path, known)


class ArgumentFields(ChangeFields):
    """The entries of one map of a question. Every method raises ChangeError."""

    def given(self, name: str) -> object:
        """An entry as it is written, None where it is not given."""
        return self._entry.get(name)

    def only(self, *names: str) -> None:
        """Raise ChangeError for an entry that is none of these, though it is known beside other ones."""
        for name in self._entry:
            if name not in names:
                raise ChangeError(self.path, UnknownField(shown(name), names))

    def names(self, name: str) -> tuple[str, ...]:
        """A list of at least one text."""
        found = self.texts(name)
        if not found:
            raise self.bad(name, Missing())
        return found

    def inner(self, name: str, *known: str) -> ArgumentFields:
        """The entries of a map below this one."""
        return ArgumentFields(self.given(name), f"{self.path}.{name}", known)

    def flag(self, name: str) -> bool:
        """Whether something is so, which it is not where nothing is said."""
        value = self.given(name)
        if value is None:
            return False
        if not isinstance(value, bool):
            raise self.bad(name, NotABoolean(shown(value)))
        return value

    def choice(self, name: str, words: Collection[str]) -> str:
        """One of several words; of another one the closest is told."""
        value = self.given(name)
        if value is None:
            raise self.bad(name, Missing(tuple(words)))
        if not isinstance(value, str):
            raise self.bad(name, NotAText(shown(value)))
        if value not in words:
            raise self.bad(name, not_one_of(value, words))
        return value

    def plugin(self, name: str) -> str:
        """The name of a plugin of kube-scheduler."""
        return self.choice(name, tuple(sorted(PLUGINS)))

    def plugins(self, name: str) -> tuple[str, ...]:
        """A list of plugins of kube-scheduler, empty where it is not given."""
        known = tuple(sorted(PLUGINS))
        for number, value in enumerate(found := self.texts(name)):
            if value not in PLUGINS:
                raise self.bad(f"{name}[{number}]", not_one_of(value, known))
        return found

    def key(self, name: str) -> str:
        """An object as ``namespace/name``; without a namespace it is in ``default``."""
        value = self.text(name)
        return value if "/" in value else f"default/{value}"


def not_one_of(found: str, known: Collection[str]) -> NotOneOf:
    """A word that is none of the known ones, with the closest of those."""
    close = get_close_matches(found[:_LONGEST], known, n=1)
    return NotOneOf(shown(found), tuple(known), close[0] if close else "")


# Reads what learners give. Every function raises UnreadableAnswerError for what is no answer to its question.


def read_word(answer: RawAnswer, known: Collection[str]) -> str:
    """One of the known texts."""
    if not isinstance(answer, str):
        raise UnreadableAnswerError(NotAText(shown(answer)))
    if answer not in known:
        raise UnreadableAnswerError(not_one_of(answer, known))
    return answer


def read_words(answer: RawAnswer, known: Collection[str]) -> list[str]:
    """A list of known texts in its order, none of them twice; what stands there again is passed over."""
    if not isinstance(answer, list | tuple):
        raise UnreadableAnswerError(NotAList(shown(answer)))
    if len(answer) > len(known):
        raise UnreadableAnswerError(TooMany(len(answer), len(known)))
    return list(dict.fromkeys(read_word(each, known) for each in answer))


def read_words_by(answer: RawAnswer, keys: Collection[str], known: Collection[str]) -> dict[str, str | None]:
    """A map from known texts to other known texts or to nothing."""
    if not isinstance(answer, Mapping):
        raise UnreadableAnswerError(NotAMap(shown(answer)))
    return {read_word(key, keys): None if value is None else read_word(value, known) for key, value in answer.items()}


# Copies of the pod in question, created and scheduled one after the other in a copy of the cluster.


class PlacedCopies(NamedTuple):
    """The node of each copy that got one, in their order, and the cluster with them."""

    nodes: tuple[str, ...]
    snapshot: Snapshot

    @property
    def placed(self) -> int:
        """How many copies got a node."""
        return len(self.nodes)


def place_copies(situation: Situation, most: int) -> PlacedCopies:
    """Place up to so many copies, until one is refused or finds no node. Raises UnsolvableError.

    Nothing is preempted for them. Of nodes that tie each takes the first of the search; the first by name, where the
    scheduler takes any.
    """
    attempt = situation.attempt()
    snapshot = situation.snapshot.copy()
    nodes: list[str] = []
    admission = PodAdmission(snapshot)
    copies = (_copy(attempt.pod.document, number) for number in range(most))
    created = (copy for copy in copies if admission.admit(copy) is None)
    for placement in place(snapshot, created, situation.configuration):
        if not placement.node:
            break
        nodes.append(placement.node)
    return PlacedCopies(tuple(nodes), snapshot)


def _copy(pod: Document, number: int) -> Document:
    copied = deepcopy(dict(pod))
    kept = {key: value for key, value in metadata(pod).items() if key != "uid"}
    return {**copied, "metadata": {**kept, "name": f"{name_of(pod)}-copy-{number}"}, "status": {}}


# Paths of fields, and what stands there.

_STEP: Final = re.compile(r"""\.?([^.\[\]"]+)|\[([0-9]{1,4})\]|\["([^"]+)"\]""")


class FieldPath(Struct, frozen=True):
    """A path such as ``spec.containers[0].resources`` or ``metadata.labels["example.com/app"]``."""

    text: str
    steps: tuple[str | int, ...]

    @classmethod
    def read(cls, text: str, path: str) -> FieldPath:
        """Read a path, which itself stands at ``path``. Raises ChangeError."""
        steps: list[str | int] = []
        position = 0
        for match in _STEP.finditer(text):
            if match.start() != position:
                break
            key, number, quoted = match.groups()
            steps.append(int(number) if number else key or quoted)
            position = match.end()
        if not steps or position != len(text) or text.startswith("."):
            raise ChangeError(path, InvalidValue(shown(text), ("spec.containers[0].resources",)))
        return cls(text, tuple(steps))

    def of(self, document: Document) -> Any:
        """What stands there, None where nothing does."""
        found: Any = document
        for step in self.steps:
            if isinstance(step, str) and isinstance(found, Mapping):
                found = found.get(step)
            elif isinstance(step, int) and isinstance(found, list | tuple) and step < len(found):
                found = found[step]
            else:
                return None
        return found


# What an explanation says of a node by its name.


def deciders_on(explanation: Explanation, node: str) -> tuple[str, ...]:
    """The plugins that the scheduler records for a node, several where they leave it out together; none if it fits."""
    rejection = explanation.verdict_of(explanation.snapshot.nodes.index[node])
    if rejection is None:
        return ()
    return rejection.plugins or explanation.cycle.restricting


def decider_on(explanation: Explanation, node: str) -> str:
    """The first of the plugins that the scheduler records for a node, empty where the pod fits."""
    return next(iter(deciders_on(explanation, node)), "")


def rejecting_on(explanation: Explanation, node: str) -> tuple[str, ...]:
    """Every plugin whose filter rejects the pod on a node, whether the scheduler comes to ask it or not."""
    row = explanation.snapshot.nodes.index[node]
    return tuple(dict.fromkeys((*explanation.rejections_of(row), *explanation.rejections_with_nominated(row))))


def total_on(explanation: Explanation, node: str) -> int | None:
    """The weighted total of a node; None where the pod does not fit."""
    return explanation.total_of(explanation.snapshot.nodes.index[node])


# In which order things come, as numbers that rank them: the lower first, equals in any order.
#
# All functions raise UnsolvableError where that is not certain.

# Anything that sorts: ranks of one order are compared with each other alone.
Rank = Any


def oom_ranks(situation: Situation, node: str) -> dict[str, Rank]:
    """The pods of a node by the highest oom_score_adj of their containers, which the kernel kills first."""
    ranks: dict[str, Rank] = {}
    for each, score in known_scores(oom_order(situation.pods_on(node), situation.capacity_of(node)), node):
        ranks.setdefault(each.pod, -score)
    return ranks


def known_scores(containers: Iterable[OomScore], node: str) -> Iterator[tuple[OomScore, int]]:
    """Yield containers with their oom_score_adj. Raises UnsolvableError where a node reports no memory to score by."""
    for each in containers:
        if each.score is None:
            raise UnsolvableError(CapacityUnknown(node, "oom_score_adj"))
        yield each, each.score


def pressure_ranks(situation: Situation, node: str) -> dict[str, Rank]:
    """The pods of a node as its kubelet evicts them when memory runs out, without those that it passes over."""
    usage = {Pod(pod).uid: situation.parts.usage.get(key) for key, pod in situation.pods.items()}
    found = [each for each in pressure_order(situation.pods_on(node), usage) if not each.standing.is_exempt]
    for each in found:
        if each.used is None:
            raise UnsolvableError(UsageUnknown(each.key))
    return {each.key: each.earliest for each in found}


def search_ranks(situation: Situation) -> dict[str, Rank]:
    """The nodes as a scheduler looks at them that begins with the first, and knew all of them when it started."""
    rows = situation.snapshot.nodes.search_order.tolist()
    return {situation.node_names[row]: place for place, row in enumerate(rows)}


def queue_ranks(situation: Situation) -> dict[str, Rank]:
    """The pending pods that are in the scheduling queue, as it tries those that it has not tried yet."""
    ranks: dict[str, Rank] = {}
    times: dict[int, set[bool]] = {}
    for document in situation.waiting:
        pod = Pod(document)
        try:
            profile = situation.configuration.profile_for(document)
        except UnknownScheduler:
            continue
        if held_back(pod, profile, situation.snapshot) is not None:
            continue
        told = times.setdefault(pod.priority, set())
        told.add(pod.created == NOT_STARTED)
        if len(told) > 1:
            raise UnsolvableError(QueueOrderUnknown(pod.key))
        ranks[pod.key] = order(pod.priority, pod.created)
    return ranks


def ranking(situation: Situation) -> dict[str, Rank]:
    """The feasible nodes by their total, the highest first."""
    attempt = situation.attempt()
    names = situation.node_names
    return {names[row]: -(attempt.total_of(row) or 0) for row in attempt.ranking().tolist()}


def victim_ranks(situation: Situation, candidate: Candidate) -> dict[str, Rank]:
    """The victims of a candidate by importance: higher priority first, then who started earlier."""
    started = {key: Pod(situation.pods[key]).start_time for key in candidate.victims}
    priorities: Mapping[str, int] = dict(zip(candidate.victims, candidate.priorities, strict=True))
    return {key: (-priorities[key], started[key]) for key in candidate.victims}


# What becomes of the pod in question.


class PodOutcome(enum.StrEnum):
    """What becomes of the pod in question; the values are the answers, and keys in the texts of a lesson."""

    SCHEDULED = "scheduled"
    """It is scheduled to a node."""
    PREEMPTS = "preempts"
    """Other pods are removed for it, and it is nominated for their node."""
    UNSCHEDULABLE = "unschedulable"
    """It stays pending."""
    GATED = "gated"
    """The scheduler does not try it: scheduling gates, or its group, hold it back."""
    REFUSED = "refused"
    """The API server does not create it."""


def outcome_of(situation: Situation) -> PodOutcome:
    """What becomes of the pod in question. Raises UnsolvableError."""
    if not situation.is_tried:
        return PodOutcome.GATED if situation.refusal is None else PodOutcome.REFUSED
    if situation.attempt().fits:
        return PodOutcome.SCHEDULED
    return PodOutcome.UNSCHEDULABLE if situation.preemption() is None else PodOutcome.PREEMPTS
