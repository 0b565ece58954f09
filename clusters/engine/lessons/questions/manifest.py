"""How has an object to be changed?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Self

from clusters.engine.configuration.problems import NoScheduler
from clusters.engine.lessons.errors import SituationError
from clusters.engine.lessons.fields import FieldPath
from clusters.engine.lessons.goals import Goal, read_goal
from clusters.engine.lessons.lesson import ObjectName
from clusters.engine.lessons.mistakes import Mistake, MistakeKind
from clusters.engine.lessons.problems import (
    GoalsMet,
    NoKnownEdit,
    NotAnObjectPath,
    NotThatObject,
    PodIsHeldBack,
    PodIsRefused,
    SolutionIsWrong,
)
from clusters.engine.lessons.question import Judgement, Question, UnreadableAnswerError, UnsolvableError
from clusters.engine.lessons.situation import object_name
from clusters.engine.problems import Empty, NotAnObject
from clusters.engine.relaxing.edits import RemoveGates
from clusters.engine.relaxing.relaxations import remedy_for_node, requested_resource
from clusters.engine.showing import shown
from clusters.engine.simulation.changes.errors import ChangeError
from clusters.engine.snapshot import CLUSTER_SCOPED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from clusters.engine.lessons.arguments import QuestionArguments
    from clusters.engine.lessons.question import RawAnswer
    from clusters.engine.lessons.situation import Situation
    from clusters.engine.objects import Document
    from clusters.engine.relaxing.edits import Edit

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
        name = _object_name(fields.text("object"), f"{fields.path}.object")
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
            raise UnreadableAnswerError(NotThatObject(str(object_name(answer)), str(self.name)))
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


def _object_name(text: str, path: str) -> ObjectName:
    kind, *rest = text.split("/")
    if not kind or len(rest) not in (1, 2) or not all(rest):
        raise ChangeError(path, NotAnObjectPath(shown(text)))
    is_namespaced = kind != "Node" and kind not in CLUSTER_SCOPED
    namespace = rest[0] if len(rest) == 2 else "default"
    return ObjectName(kind, namespace if is_namespaced else "", rest[-1])
