"""The kinds of questions, by the key under which the files of lessons have them."""

from __future__ import annotations

import enum
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise
from string import ascii_letters
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Final, Self

from clusters.engine.configuration.problems import NoScheduler
from clusters.engine.disruption.budgets import EvictionAnswer, Ground, eviction_answer
from clusters.engine.disruption.drains import DrainOptions, PlannedPod, first_answers, residents_of
from clusters.engine.disruption.failing_nodes import driven_out
from clusters.engine.edits import Edit, RemoveGates
from clusters.engine.lessons.asking import (
    FieldPath,
    Judgement,
    PodOutcome,
    Question,
    QuestionArguments,
    QuestionError,
    Rank,
    RawAnswer,
    UnreadableAnswerError,
    UnsolvableError,
    decider_on,
    deciders_on,
    oom_ranks,
    outcome_of,
    pressure_ranks,
    queue_ranks,
    ranking,
    read_word,
    read_words,
    read_words_by,
    rejecting_on,
    search_ranks,
    total_on,
    victim_ranks,
)
from clusters.engine.lessons.lesson import Goal, Mistake, MistakeKind, ObjectName, read_goal
from clusters.engine.lessons.problems import (
    DrainOrderUnknown,
    GoalsMet,
    NoKnownEdit,
    OnePluginOffered,
    PodIsHeldBack,
    PodIsRefused,
    SolutionIsWrong,
)
from clusters.engine.lessons.situation import Situation, SituationError, object_name
from clusters.engine.lessons.values import VALUES, NumberUnit, NumberValue, Operand, outcome
from clusters.engine.objects import Document, Pod, key_of
from clusters.engine.problems import (
    Empty,
    InvalidValue,
    MustBe,
    NeedsOneOf,
    NotAMap,
    NotAnObject,
    NotAText,
    NotOneOf,
    shown,
)
from clusters.engine.quantity import NANO, NotAQuantity, QuantityError, QuantityFormat, canonical_text, parsed
from clusters.engine.registry import PLUGINS
from clusters.engine.scheduling.relaxations import remedy_for_node, requested_resource
from clusters.engine.scheduling.search import likely_row
from clusters.engine.simulation.problems import ChangeError
from clusters.engine.snapshot import CLUSTER_SCOPED

if TYPE_CHECKING:
    from clusters.engine.scheduling.explanation import Explanation

# What does the Eviction API answer?


# The kinds of questions, one module each, by the key under which the files of lessons have them.


class EvictionResult(enum.StrEnum):
    """What the Eviction API makes of a request; the values are the answers, and keys in the texts of a lesson."""

    ALLOWED = "allowed"
    """200: the pod is deleted."""
    REFUSED = "refused"
    """429: a budget allows no disruption now."""
    ERROR = "error"
    """500 or 403: the budgets of the pod are such that the API server cannot allow it."""

    @classmethod
    def of(cls, answer: EvictionAnswer) -> EvictionResult:
        """The result that an answer comes to."""
        if answer.is_granted:
            return cls.ALLOWED
        return cls.REFUSED if answer.code == _TOO_MANY_REQUESTS else cls.ERROR


_TOO_MANY_REQUESTS = 429


@dataclass(frozen=True, slots=True)
class EvictionQuestion(Question):
    """What the API server answers to the eviction of ``pod`` (``namespace/name``). The answer is an EvictionResult."""

    pod: str

    kind: ClassVar[str] = "eviction"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset({MistakeKind.OTHER_OUTCOME})

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        return cls(arguments.fields("pod").key("pod"))

    def special_words(self, kind: MistakeKind) -> Collection[str]:
        return tuple(EvictionResult)

    def solution(self, situation: Situation) -> RawAnswer:
        return str(EvictionResult.of(eviction_answer(situation.snapshot, situation.pod(self.pod))))

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        right, given = self.solution(situation), read_word(answer, [str(each) for each in EvictionResult])
        if given == right:
            return Judgement()
        return Judgement((Mistake(MistakeKind.OTHER_OUTCOME, self.pod, given=given, expected=right),))


# How has an object to be changed?

_MOST_GOALS: Final = 20
# Whoever is not created or not tried meets no goal that asks where it goes.
_NOT_TRIED: Final = (PodIsRefused, PodIsHeldBack, NoScheduler)


@dataclass(frozen=True, slots=True)
class ManifestQuestion(Question):
    """A change of an object that meets goals. The answer is the changed object, as a map that its schema accepts.

    ``object`` is ``Kind/name`` or ``Kind/namespace/name``; ``goals`` are a list, each a name or a map from a name to an
    argument; ``keep`` are paths of fields that stay as they are; ``solution`` is a merge patch (RFC 7386) that shows
    one way. The object takes the place of the other one as if it were created like that; pods that exist beside it
    stay.
    """

    name: ObjectName
    goals: tuple[Goal, ...]
    keep: tuple[FieldPath, ...] = ()
    patch: Document | None = None

    kind: ClassVar[str] = "manifest"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset(
        {MistakeKind.GOAL, MistakeKind.KEPT_FIELD, MistakeKind.REFUSED}
    )

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        fields = arguments.fields("object", "goals", "keep", "solution")
        text = fields.text("object")
        kind, *rest = text.split("/")
        if not kind or len(rest) not in (1, 2) or not all(rest):
            raise ChangeError(f"{fields.path}.object", InvalidValue(shown(text), ("Node/worker-1", "Pod/shop/web")))
        is_namespaced = kind != "Node" and kind not in CLUSTER_SCOPED
        namespace = rest[0] if len(rest) == 2 else "default"
        name = ObjectName(kind, namespace if is_namespaced else "", rest[-1])
        given = fields.listed("goals", _MOST_GOALS)
        if not given:
            raise fields.bad("goals", Empty())
        goals = tuple(read_goal(each, f"{fields.path}.goals[{place}]") for place, each in enumerate(given))
        paths = enumerate(fields.texts("keep"))
        keep = tuple(FieldPath.read(each, f"{fields.path}.keep[{place}]") for place, each in paths)
        return cls(name, goals, keep, fields.document("solution") if fields.has("solution") else None)

    def special_words(self, kind: MistakeKind) -> Collection[str]:
        return tuple(goal.key for goal in self.goals) if kind is MistakeKind.GOAL else ()

    def check(self, situation: Situation) -> None:
        """Find out whether the object is there, a goal is not met, and the solution right. Raises UnsolvableError."""
        document = situation.written(self.name)
        if all(_is_met(goal, situation) for goal in self.goals):
            raise UnsolvableError(GoalsMet())
        if self.patch is not None and not self.judge(situation, _patched(document, self.patch)).is_right:
            raise UnsolvableError(SolutionIsWrong())

    def solution(self, situation: Situation) -> RawAnswer:
        """Return the object with the lesson's own solution, or else with the first edit that meets the goals.

        Edits are those that lift a requirement of a pod.

        Raises UnsolvableError where there is none; a learner may find others.
        """
        self.check(situation)
        document = situation.written(self.name)
        if self.patch is not None:
            return _patched(document, self.patch)
        if self._is_in_question(situation):
            for edits in _edits(situation, self.goals):
                changed: Document = document
                for edit in edits:
                    changed = edit.apply(changed)
                if self.judge(situation, changed).is_right:
                    return changed
        raise UnsolvableError(NoKnownEdit())

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        before = situation.written(self.name)
        if not isinstance(answer, Mapping):
            raise UnreadableAnswerError(NotAnObject(shown(answer)))
        if object_name(answer) != self.name:
            raise UnreadableAnswerError(MustBe(str(object_name(answer)), str(self.name)))
        kept = (path for path in self.keep if path.of(before) != path.of(answer))
        changed = (Mistake(MistakeKind.KEPT_FIELD, path.text) for path in kept)
        return Judgement((*changed, *self._unmet(situation, answer)))

    def _is_in_question(self, situation: Situation) -> bool:
        return situation.admission is not None and object_name(situation.admission.pod) == self.name

    def _unmet(self, situation: Situation, answer: Document) -> Iterator[Mistake]:
        try:
            after = situation.with_object(answer)
        except SituationError as error:
            yield Mistake(MistakeKind.REFUSED, error.field, problem=error.problem)
            return
        if after.refusal is not None and self._is_in_question(situation):
            yield Mistake(MistakeKind.REFUSED, after.refusal.field, problem=after.refusal.problem)
            return
        for goal in self.goals:
            try:
                if not goal.holds(after):
                    yield Mistake(MistakeKind.GOAL, goal.subject, given=goal.key)
            except UnsolvableError as error:
                yield Mistake(MistakeKind.GOAL, goal.subject, given=goal.key, problem=error.problem)


def _patched(document: Document, patch: Document) -> Document:
    """Merge a patch into a document as RFC 7386 says: null takes a field away, lists are replaced."""
    found = {name: value for name, value in document.items() if patch.get(name, value) is not None}
    for name, value in patch.items():
        if isinstance(value, Mapping):
            inner = found.get(name)
            found[name] = _patched(inner if isinstance(inner, Mapping) else {}, value)
        elif value is not None:
            found[name] = value
    return found


def _is_met(goal: Goal, situation: Situation) -> bool:
    try:
        return goal.holds(situation)
    except UnsolvableError as error:
        if isinstance(error.problem, _NOT_TRIED):
            return False
        raise


def _edits(situation: Situation, goals: Sequence[Goal]) -> Iterator[tuple[Edit, ...]]:
    """Edits of the pod in question, those first that change least."""
    try:
        explanation = situation.explanation
    except UnsolvableError:
        return
    yield (RemoveGates(),)
    rows = situation.snapshot.nodes.index
    for node in dict.fromkeys(goal.subject for goal in goals if goal.subject in rows):
        remedy = remedy_for_node(explanation.cycle, rows[node])
        lowered = {each.resource for each in remedy.reductions}
        lifted = (each.edit for each in remedy.lifted if requested_resource(each) not in lowered)
        yield (*(edit for edit in lifted if edit is not None), *(each.edit for each in remedy.reductions))
    found = explanation.relaxations
    yield from ((each.edit,) for each in found.reductions)
    yield from (each.edits for each in (*found.singles, *found.pairs) if each.edits)
    yield tuple(each.edit for each in found.together)


# Which node does kube-scheduler take?


@dataclass(frozen=True, slots=True)
class NodeQuestion(Question):
    """The node that the pod in question is scheduled to. The answer is the name of a node, or null for none.

    Any node is right that kube-scheduler may take: of several with the highest total each, also where it nearly always
    takes the first. None is right where no node passes the filters, and for a pod that is gated or that the API server
    refuses. ``nominated`` (``nominated: true``): where preemption makes room, the node that the pod is nominated for is
    right instead of none.
    """

    nominated: bool = False

    kind: ClassVar[str] = "node"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset(
        {MistakeKind.REJECTED, MistakeKind.LOWER_SCORE, MistakeKind.NOWHERE, MistakeKind.SOMEWHERE}
    )

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        return cls(arguments.fields("nominated").flag("nominated"))

    def special_words(self, kind: MistakeKind) -> Collection[str]:
        return tuple(PLUGINS) if kind in (MistakeKind.REJECTED, MistakeKind.SOMEWHERE) else ()

    def solution(self, situation: Situation) -> RawAnswer:
        right = self.acceptable(situation)
        likely = likely_row(situation.attempt()) if len(right) > 1 and situation.attempt().fits else None
        return next(iter(right), None) if likely is None else situation.node_names[likely]

    def acceptable(self, situation: Situation) -> list[str]:
        """Every node that is right, in order of name; empty where none is. Raises UnsolvableError."""
        if not situation.is_tried:
            return []
        attempt = situation.attempt()
        if attempt.fits:
            return attempt.choices
        preemption = situation.preemption() if self.nominated else None
        return [] if preemption is None else sorted(each.node for each in preemption.choices)

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        right = self.acceptable(situation)
        if answer is None:
            return Judgement((Mistake(MistakeKind.NOWHERE, expected=right[0]),) if right else ())
        node = read_word(answer, situation.node_names)
        return Judgement() if node in right else Judgement((self._mistake(situation, node, right),))

    def _mistake(self, situation: Situation, node: str, right: list[str]) -> Mistake:
        plugin = decider_on(situation.explanation, node) if situation.is_tried else ""
        if not right:
            return Mistake(MistakeKind.SOMEWHERE, node, plugin, given=node)
        given, best = (total_on(situation.explanation, each) for each in (node, right[0]))
        if plugin or given is None:
            return Mistake(MistakeKind.REJECTED, node, plugin, given=node, expected=right[0])
        return Mistake(MistakeKind.LOWER_SCORE, node, given=str(given), expected=str(best))


# Which nodes pass, are rejected, or score highest?

_FEASIBLE, _REJECTED, _BEST = _WHICH = ("feasible", "rejected", "best")
_REJECTED_BY: Final = "rejectedBy"


@dataclass(frozen=True, slots=True)
class NodesQuestion(Question):
    """All nodes of a sort. The answer is a list of names in any order, which may be empty.

    ``which``: ``feasible`` (those that pass every filter), ``rejected``, or ``best`` (those with the highest total, all
    that tie). ``plugin`` (``which: {rejectedBy: PLUGIN}``): those for which kube-scheduler records that plugin, which
    is the first whose filter rejects the pod there.
    """

    which: str
    plugin: str = ""

    kind: ClassVar[str] = "nodes"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset(
        {MistakeKind.MISSED, MistakeKind.EXTRA, MistakeKind.LOWER_SCORE}
    )

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        fields = arguments.fields("which")
        if isinstance(fields.given("which"), Mapping):
            return cls(_REJECTED_BY, fields.inner("which", _REJECTED_BY).plugin(_REJECTED_BY))
        return cls(fields.choice("which", _WHICH))

    def special_words(self, kind: MistakeKind) -> Collection[str]:
        return tuple(PLUGINS) if kind in (MistakeKind.MISSED, MistakeKind.EXTRA) else ()

    def solution(self, situation: Situation) -> RawAnswer:
        attempt = situation.attempt()
        if self.which == _FEASIBLE:
            return attempt.feasible
        if self.which == _BEST:
            return attempt.best
        names = situation.node_names
        if self.which == _REJECTED:
            return [name for name in names if deciders_on(attempt, name)]
        return [name for name in names if self.plugin in deciders_on(attempt, name)]

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        right, given = self.solution(situation), read_words(answer, situation.node_names)
        attempt = situation.attempt()
        missed = (Mistake(MistakeKind.MISSED, node, decider_on(attempt, node)) for node in right if node not in given)
        extra = (self._extra(attempt, node, right) for node in given if node not in right)
        return Judgement((*missed, *extra))

    def _extra(self, attempt: Explanation, node: str, right: list[str]) -> Mistake:
        total = total_on(attempt, node)
        if self.which == _BEST and total is not None and right:
            return Mistake(MistakeKind.LOWER_SCORE, node, given=str(total), expected=str(total_on(attempt, right[0])))
        return Mistake(MistakeKind.EXTRA, node, decider_on(attempt, node))


# Which number?

_SUFFIX: Final = f"{ascii_letters}% "
_NO_SUFFIX: Final = frozenset({""})
_EXAMPLES: Final = {NumberUnit.CPU: ("1500m", "1.5"), NumberUnit.BYTES: ("2Gi",)}
_SUFFIXES: Final = {
    NumberUnit.CPU: frozenset({"", "n", "u", "m", "k"}),
    NumberUnit.BYTES: frozenset({"", *"kMGTPE", *(f"{each}i" for each in "KMGTPE")}),
}
# As pages and people write units.
_SPOKEN: Final = {
    NumberUnit.CPU: {"cpu": "", "cpus": "", "core": "", "cores": ""},
    NumberUnit.BYTES: {"b": "", "byte": "", "bytes": "", **{f"{each}ib": f"{each.upper()}i" for each in "kmgtpe"}},
    NumberUnit.PERCENT: {"%": ""},
    NumberUnit.SECONDS: {"s": ""},
}


@dataclass(frozen=True, slots=True)
class NumberQuestion(Question):
    """A number of the situation: ``value`` is the name of one of VALUES, beside its own arguments.

    The answer is a number, or a text as Kubernetes writes quantities (``1500m``, ``2Gi``): whole CPUs, bytes, seconds.
    ``tolerance``: by how much an answer may differ, written likewise; without it the number has to be exact.
    """

    value: NumberValue
    tolerance: Fraction = Fraction(0)

    kind: ClassVar[str] = "number"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset({MistakeKind.TOO_SMALL, MistakeKind.TOO_LARGE})

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        known = sorted({name for value in VALUES.values() for name in value.arguments})
        fields = arguments.fields("value", "tolerance", *known)
        value = VALUES[fields.choice("value", tuple(VALUES))]
        fields.only("value", "tolerance", *value.arguments)
        tolerance = fields.given("tolerance")
        read = value.read(fields)
        if tolerance is None:
            return cls(read)
        try:
            return cls(read, abs(_number(tolerance, read.unit)))
        except UnreadableAnswerError as error:
            raise fields.bad("tolerance", error.problem) from None

    def solution(self, situation: Situation) -> RawAnswer:
        return as_text(self.value.of(situation), self.value.unit)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        """Return the arithmetic of the number; nothing where it does not come to exactly that."""
        steps = self.value.working(situation)
        return steps if outcome(steps) == self.value.of(situation) else ()

    def amount(self, answer: RawAnswer) -> Fraction:
        """Return the number that an answer says. Raises UnreadableAnswerError."""
        return _number(answer, self.value.unit)

    def written(self, answer: RawAnswer) -> str:
        """Write an answer so that equal numbers look alike. Raises UnreadableAnswerError."""
        return as_text(_number(answer, self.value.unit), self.value.unit)

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        right, given = self.value.of(situation), _number(answer, self.value.unit)
        if abs(right - given) <= self.tolerance:
            return Judgement()
        kind = MistakeKind.TOO_SMALL if given < right else MistakeKind.TOO_LARGE
        unit = self.value.unit
        return Judgement((Mistake(kind, given=as_text(given, unit), expected=as_text(right, unit)),))


def as_text(number: Fraction, unit: NumberUnit) -> str:
    """A number as a learner writes it: amounts as quantities, others with the decimals that they have, at most nine."""
    nanos = round(number * 10**NANO)
    written = QuantityFormat.BINARY_SI if unit is NumberUnit.BYTES else QuantityFormat.DECIMAL_SI
    if unit.is_amount:
        return canonical_text(nanos, written)
    whole, rest = divmod(abs(nanos), 10**NANO)
    decimals = f"{rest:0{NANO}d}".rstrip("0")
    return f"{'-' if nanos < 0 else ''}{whole}{'.' if decimals else ''}{decimals}"


def _number(answer: RawAnswer, unit: NumberUnit) -> Fraction:
    """A number or quantity, also with the unit as pages write it. Raises UnreadableAnswerError."""
    if isinstance(answer, bool) or not isinstance(answer, str | int | float):
        raise UnreadableAnswerError(NotAText(shown(answer)))
    try:
        if isinstance(answer, str):
            # Return a number with the suffix of a quantity alone. Raises UnreadableAnswerError for one of another unit
            text = answer.strip()
            number = text.rstrip(_SUFFIX)
            suffix = text[len(number) :].strip()
            suffix = _SPOKEN.get(unit, {}).get(suffix.lower(), suffix)
            if number and suffix not in _SUFFIXES.get(unit, _NO_SUFFIX):
                raise UnreadableAnswerError(InvalidValue(shown(suffix), _EXAMPLES.get(unit, ("3",))))
            answer = f"{number}{suffix}"
        return Fraction(parsed(answer).nano_units, 10**NANO)
    except QuantityError:
        raise UnreadableAnswerError(NotAQuantity(shown(answer))) from None


# In which order?

_ON_NODES: Final = ("pressure", "oom")


@dataclass(frozen=True, slots=True)
class OrderQuestion(Question):
    """The order in which things come. The answer is the whole list; what comes at once may stand either way.

    Pods are ``namespace/name``. ``of`` is one of

    - ``victims``: the pods that preemption removes, the most important first;
    - ``pressure``: the pods of the node ``on`` as its kubelet evicts them when memory runs out, by the usage given;
    - ``oom``: the pods of the node ``on`` by oom_score_adj, the highest first;
    - ``search``: all nodes as the search visits them from the first;
    - ``queue``: the pending pods that are in the scheduling queue;
    - ``ranking``: the feasible nodes by total, the highest first.
    """

    of: str
    on: str = ""

    kind: ClassVar[str] = "order"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset(
        {MistakeKind.MISSED, MistakeKind.EXTRA, MistakeKind.POSITION}
    )

    @property
    def is_of_nodes(self) -> bool:
        """Whether nodes are put in order, and not pods."""
        return self.of in ("search", "ranking")

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        fields = arguments.fields("of", "on")
        of = fields.choice("of", tuple(_RANKS))
        fields.only("of", *(("on",) if of in _ON_NODES else ()))
        return cls(of, fields.name("on") if of in _ON_NODES else "")

    def solution(self, situation: Situation) -> RawAnswer:
        ranks = self._ranks(situation)[0]
        return sorted(ranks, key=lambda item: (ranks[item], item))

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        known = situation.node_names if self.is_of_nodes else situation.pods
        given = read_words(answer, known)
        return Judgement(min((_mistakes(ranks, given) for ranks in self._ranks(situation)), key=len))

    def places(self, situation: Situation) -> dict[str, frozenset[int]]:
        """Return at which places, counted from 0, each item stands in the orders that are right."""
        found: dict[str, set[int]] = {}
        for ranks in self._ranks(situation):
            in_order = sorted(ranks.values())
            for item, rank in ranks.items():
                alike = range(bisect_left(in_order, rank), bisect_right(in_order, rank))
                found.setdefault(item, set()).update(alike)
        return {item: frozenset(places) for item, places in found.items()}

    def _ranks(self, situation: Situation) -> list[dict[str, Rank]]:
        """Every ranking that is right, at least one."""
        return _RANKS[self.of](situation, self.on)


def _mistakes(ranks: Mapping[str, Rank], given: list[str]) -> tuple[Mistake, ...]:
    """What is missing, what does not belong there, and what stands directly before something that precedes it."""
    missed = (Mistake(MistakeKind.MISSED, item) for item in ranks if item not in given)
    extra = (Mistake(MistakeKind.EXTRA, item) for item in given if item not in ranks)
    placed = [item for item in given if item in ranks]
    wrong = (
        Mistake(MistakeKind.POSITION, item, given=item, expected=following)
        for item, following in pairwise(placed)
        if ranks[item] > ranks[following]
    )
    return (*missed, *extra, *wrong)


def _victims(situation: Situation, _: str) -> list[dict[str, Rank]]:
    found = situation.preemption()
    return [{}] if found is None else [victim_ranks(situation, each) for each in found.choices]


_RANKS: Final[Mapping[str, Callable[[Situation, str], list[dict[str, Rank]]]]] = {
    "victims": _victims,
    "pressure": lambda situation, node: [pressure_ranks(situation, node)],
    "oom": lambda situation, node: [oom_ranks(situation, node)],
    "search": lambda situation, _: [search_ranks(situation)],
    "queue": lambda situation, _: [queue_ranks(situation)],
    "ranking": lambda situation, _: [ranking(situation)],
}

# What becomes of the pod?


@dataclass(frozen=True, slots=True)
class OutcomeQuestion(Question):
    """What becomes of the pod in question. The answer is a value of PodOutcome."""

    kind: ClassVar[str] = "outcome"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset({MistakeKind.OTHER_OUTCOME})

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        arguments.fields()
        return cls()

    def special_words(self, kind: MistakeKind) -> Collection[str]:
        return tuple(PodOutcome)

    def solution(self, situation: Situation) -> RawAnswer:
        return str(outcome_of(situation))

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        right, given = outcome_of(situation), read_word(answer, [str(each) for each in PodOutcome])
        if given == right:
            return Judgement()
        return Judgement((Mistake(MistakeKind.OTHER_OUTCOME, given=given, expected=str(right)),))


# Which pods go, or cannot go?

_EVICTABLE, _VICTIMS, _LEAVING, _BLOCKED, _OOM = "evictable", "victims", "leaving", "blocked", "oomKilledFirst"


@dataclass(frozen=True, slots=True)
class PodsQuestion(Question):
    """All pods of a sort. The answer is a list of ``namespace/name`` in any order, which may be empty.

    ``which`` is one of

    - ``evictable``: pods with a node whose eviction the API server allows now, each by itself; with ``on`` of one node;
    - ``victims``: those that preemption removes for the pod in question, of candidates that it prefers alike any;
    - ``leaving``: those that NoExecute taints evict, at once or later; with ``on`` of one node;
    - ``blocked``: those that a drain does not evict of the nodes ``drain``, one node after the other while no
      replacement is ready, as ``kubectl drain`` with the flags ``force`` and ``deleteEmptyDirData``; pods of
      DaemonSets and static pods are passed over;
    - ``oomKilledFirst``: those of the node ``on`` with the highest oom_score_adj.
    """

    which: str
    on: str = ""
    drain: tuple[str, ...] = ()
    force: bool = False
    delete_empty_dir_data: bool = False

    kind: ClassVar[str] = "pods"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset({MistakeKind.MISSED, MistakeKind.EXTRA})

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        fields = arguments.fields("which", *_ARGUMENTS)
        which = fields.choice("which", tuple(_FOUND))
        fields.only("which", *(name for name, uses in _ARGUMENTS.items() if which in uses))
        if which == _BLOCKED:
            drain = fields.names("drain")
            return cls(which, "", drain, fields.flag("force"), fields.flag("deleteEmptyDirData"))
        on = fields.name("on") if which == _OOM else fields.text_or_none("on") or ""
        return cls(which, on)

    def solution(self, situation: Situation) -> RawAnswer:
        return self.acceptable(situation)[0]

    def acceptable(self, situation: Situation) -> list[list[str]]:
        """Every set of pods that is right, each in order of name. Raises UnsolvableError."""
        return [sorted(found) for found in _FOUND[self.which](self, situation)]

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        right, given = self.acceptable(situation), read_words(answer, situation.pods)
        if any(set(each) == set(given) for each in right):
            return Judgement()
        nearest = min(right, key=lambda each: len(set(each) ^ set(given)))
        missed = (Mistake(MistakeKind.MISSED, pod) for pod in nearest if pod not in given)
        extra = (Mistake(MistakeKind.EXTRA, pod) for pod in given if pod not in nearest)
        return Judgement((*missed, *extra))


def _evictable(asked: PodsQuestion, situation: Situation) -> list[list[str]]:
    return [
        [
            key
            for key, pod in situation.pods.items()
            if Pod(pod).node_name in situation.chosen_nodes(asked.on)
            and eviction_answer(situation.snapshot, pod).is_granted
        ]
    ]


def _pods_victims(_: PodsQuestion, situation: Situation) -> list[list[str]]:
    found = situation.preemption()
    return [[]] if found is None else [list(each.victims) for each in found.choices]


def _leaving(asked: PodsQuestion, situation: Situation) -> list[list[str]]:
    return [[key for node in situation.chosen_nodes(asked.on) for key, _ in driven_out(situation.snapshot, node)]]


def _blocked(asked: PodsQuestion, situation: Situation) -> list[list[str]]:
    for node in asked.drain:
        situation.chosen_nodes(node)
    options = DrainOptions(force=asked.force, empty_dirs=asked.delete_empty_dir_data)
    pods = [pod for node in asked.drain for pod in situation.pods_on(node)]
    residents = residents_of(pods, options, frozenset(map(key_of, situation.snapshot.objects("DaemonSet"))))
    found = first_answers(situation.snapshot, asked.drain, residents, situation.waiting)
    for node in asked.drain:
        _check_order([each for each in found if each.node == node])
    return [
        [
            each.pod
            for each in found
            if not each.handling.treatment.stays and (each.answer is None or not each.answer.is_granted)
        ]
    ]


def _check_order(asked: list[PlannedPod]) -> None:
    """Raise UnsolvableError where it depends on their order which pods of a node a budget lets go."""
    answers = [(each.pod.partition("/")[0], each.answer) for each in asked if each.answer is not None]
    granted = {(namespace, answer.budgets) for namespace, answer in answers if answer.is_charged}
    if any((space, answer.budgets) in granted for space, answer in answers if answer.ground is Ground.EXHAUSTED):
        raise UnsolvableError(DrainOrderUnknown(asked[0].node))


def _oom_killed_first(asked: PodsQuestion, situation: Situation) -> list[list[str]]:
    ranks = oom_ranks(situation, asked.on)
    first = min(ranks.values(), default=0)
    return [[key for key, rank in ranks.items() if rank == first]]


_FOUND: Final[Mapping[str, Callable[[PodsQuestion, Situation], list[list[str]]]]] = {
    _EVICTABLE: _evictable,
    _VICTIMS: _pods_victims,
    _LEAVING: _leaving,
    _BLOCKED: _blocked,
    _OOM: _oom_killed_first,
}
_ARGUMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "on": (_EVICTABLE, _LEAVING, _OOM),
    "drain": (_BLOCKED,),
    "force": (_BLOCKED,),
    "deleteEmptyDirData": (_BLOCKED,),
}

# Which plugin rejects the pod, node by node?

_OFFERS: Final = "offers"


@dataclass(frozen=True, slots=True)
class RejectionsQuestion(Question):
    """What kube-scheduler records for every node. The answer is a map from each node to a plugin, or to null (it fits).

    The plugin is the first one whose filter rejects the pod there. A node that is not in the map is a mistake.
    ``offers``: plugins that a learner can choose beside those that reject the pod somewhere; none for all that filter.
    """

    offers: tuple[str, ...] = ()

    kind: ClassVar[str] = "rejections"
    mistakes: ClassVar[frozenset[MistakeKind]] = frozenset(
        {MistakeKind.MISSED, MistakeKind.REJECTED, MistakeKind.OTHER_PLUGIN, MistakeKind.LATER_PLUGIN}
    )

    @classmethod
    def read(cls, arguments: QuestionArguments) -> Self:
        return cls(arguments.fields(_OFFERS).plugins(_OFFERS))

    def special_words(self, kind: MistakeKind) -> Collection[str]:
        return tuple(PLUGINS)

    def check(self, situation: Situation) -> None:
        """Find out whether the question can be asked here, and whether what it offers leaves something to choose."""
        self.solution(situation)
        filters = situation.attempt().profile.filter
        for plugin in self.offers:
            if plugin not in filters:
                raise UnsolvableError(NotOneOf(plugin, tuple(filters)))
        if self.offers and len(offered := self.offered(situation)) == 1:
            raise UnsolvableError(OnePluginOffered(*offered))

    def offered(self, situation: Situation) -> tuple[str, ...]:
        """Return the plugins of which a learner chooses, in the order in which they filter. Raises UnsolvableError."""
        attempt = situation.attempt()
        if not self.offers:
            return tuple(attempt.profile.filter)
        on_nodes = ((*deciders_on(attempt, node), *rejecting_on(attempt, node)) for node in situation.node_names)
        found = {*self.offers, *chain.from_iterable(on_nodes)}
        return tuple(plugin for plugin in attempt.profile.filter if plugin in found)

    def solution(self, situation: Situation) -> RawAnswer:
        attempt = situation.attempt()
        return {node: decider_on(attempt, node) or None for node in situation.node_names}

    def judge(self, situation: Situation, answer: RawAnswer) -> Judgement:
        attempt, given = situation.attempt(), read_words_by(answer, situation.node_names, PLUGINS)
        found = []
        for node in situation.node_names:
            if node not in given:
                found.append(Mistake(MistakeKind.MISSED, node, decider_on(attempt, node)))
            elif (given[node] or "") not in (deciders_on(attempt, node) or ("",)):
                found.append(_mistake(attempt, node, given[node] or ""))
        return Judgement(tuple(found))


def _mistake(attempt: Explanation, node: str, given: str) -> Mistake:
    right = decider_on(attempt, node)
    if not given:
        kind = MistakeKind.REJECTED
    elif given in rejecting_on(attempt, node):
        kind = MistakeKind.LATER_PLUGIN
    else:
        kind = MistakeKind.OTHER_PLUGIN
    return Mistake(kind, node, right, given=given, expected=right)


QUESTIONS: Final[Mapping[str, type[Question]]] = MappingProxyType(
    {
        each.kind: each
        for each in (
            NodeQuestion,
            NodesQuestion,
            RejectionsQuestion,
            OutcomeQuestion,
            EvictionQuestion,
            PodsQuestion,
            OrderQuestion,
            NumberQuestion,
            ManifestQuestion,
        )
    }
)


def read_question(entry: object, path: str = "question") -> Question:
    """Read a question from a map of one key, its kind, to its arguments; ``path`` leads to it. Raises QuestionError."""
    if not isinstance(entry, Mapping):
        raise QuestionError(path, NotAMap(shown(entry), tuple(QUESTIONS)))
    found = tuple(str(kind)[:60] for kind in entry)
    if len(found) != 1 or found[0] not in QUESTIONS:
        raise QuestionError(path, NeedsOneOf(tuple(QUESTIONS)))
    try:
        return QUESTIONS[found[0]].read(QuestionArguments(entry[found[0]], f"{path}.{found[0]}"))
    except ChangeError as error:
        raise QuestionError(error.path, error.problem) from None
