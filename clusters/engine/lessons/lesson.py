"""What a lesson is made of, in typed values: read from files by the services, judged by the questions."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct, field

from clusters.engine.disruption.budgets import eviction_answer
from clusters.engine.lessons.asking import (
    ArgumentFields,
    PodOutcome,
    Question,
    Term,
    not_one_of,
    outcome_of,
    place_copies,
)
from clusters.engine.problems import NotABoolean, NotOneOf, Problem, shown
from clusters.engine.simulation.problems import ChangeError
from clusters.engine.spreading.constraints import skews_of

if TYPE_CHECKING:
    from clusters.engine.lessons.situation import Situation
    from clusters.engine.objects import Document
    from clusters.engine.versions import Gate


class ObjectName(NamedTuple):
    """An object by kind, namespace (empty for what belongs to the whole cluster) and name."""

    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        """The object as the files of lessons name it: ``Kind/namespace/name``, or ``Kind/name``."""
        return "/".join(part for part in self if part)


class SituationParts(Struct, frozen=True):
    """What a situation is built of, as it was written: nothing is admitted or filled in yet.

    ``pod``: the pod in question as ``namespace/name``, or empty. ``kubernetes``: the version as which the scheduler
    decides, empty for the newest known; ``gates``: its feature gates that are set. ``usage``: bytes of memory that pods
    use, by ``namespace/name``.
    """

    objects: tuple[Document, ...]
    pod: str = ""
    kubernetes: str = ""
    gates: Mapping[Gate, bool] = {}
    configuration: Document | None = None
    kubelet: Document | None = None
    usage: Mapping[str, int] = field(default_factory=dict)


class StepTexts(Struct, frozen=True):
    """What a step says in one language; ``mistakes`` by their keys, ``hints`` in the order in which they are shown."""

    title: str
    text: str
    ask: str
    reveal: str
    hints: tuple[str, ...] = ()
    mistakes: Mapping[str, str] = field(default_factory=dict)


class LessonTexts(Struct, frozen=True):
    """What a lesson says in one language; ``steps`` by their names."""

    title: str
    about: str
    steps: Mapping[str, StepTexts]


class LessonStep(Struct, frozen=True):
    """One situation and what is asked about it.

    ``shows_decision``: with the answer the whole decision is shown, which tells more than the answer. ``terms``: the
    words that are explained beside it, in the order in which its texts use them.
    """

    name: str
    situation: SituationParts
    question: Question
    shows_decision: bool = True
    terms: tuple[Term, ...] = ()


class Lesson(Struct, frozen=True):
    """A lesson; ``texts`` by language, ``minutes`` is how long it takes."""

    name: str
    minutes: int
    steps: tuple[LessonStep, ...]
    texts: Mapping[str, LessonTexts]

    def step(self, name: str) -> LessonStep | None:
        """The step of a name."""
        return next((each for each in self.steps if each.name == name), None)


# What a changed object has to bring about: goals, each of which the engine finds met or not.

MOST_COPIES: Final = 500


class Goal(Struct, frozen=True):
    """A goal. ``key``: its name in the files of lessons, which says what the other fields mean.

    - ``fits``: the pod in question is scheduled without preemption; ``unschedulable``: it stays pending, and preempts
      nobody; ``preempts``, ``doesNotPreempt``: whether other pods are removed for it; ``admitted``: it is created;
    - ``fitsOn``, ``notOn``: ``subject`` is a node that passes every filter, or does not;
    - ``chosen``: ``subject`` is the one node that kube-scheduler takes, without a tie;
    - ``gated``: whether the pod is held back, as ``is_wanted`` says;
    - ``fitsTimes``: ``number`` copies of the pod are created and scheduled, one after the other;
    - ``skewAtMost``: after ``copies`` copies were scheduled the skew of the pod's spread constraint with the topology
      key ``subject`` is at most ``number``;
    - ``evictable``: the API server allows the eviction of the pod ``subject`` (``namespace/name``).
    """

    key: str
    subject: str = ""
    number: int = 0
    copies: int = 0
    is_wanted: bool = True

    def holds(self, situation: Situation) -> bool:
        """Whether the goal is met. Raises UnsolvableError where that is not certain, or where it cannot be asked."""
        return _HOLDS[self.key](self, situation)


def read_goal(entry: object, path: str) -> Goal:
    """Read a goal: its name, or a map from it to its argument; ``path`` leads to it. Raises ChangeError."""
    if isinstance(entry, str):
        return _plain(entry, path)
    if not isinstance(entry, Mapping) or len(entry) != 1:
        raise ChangeError(path, NotOneOf(shown(entry), tuple(_HOLDS)))
    fields = ArgumentFields(entry, path, tuple(_HOLDS))
    (key,) = entry
    if key in _WITH_NODE:
        return Goal(key, fields.name(key))
    if key == _EVICTABLE:
        return Goal(key, fields.key(key))
    if key == _FITS_TIMES:
        return Goal(key, number=fields.integer(key, 1, MOST_COPIES))
    if key == _SKEW_AT_MOST:
        inner = fields.inner(key, "topologyKey", "value", "copies")
        value = inner.integer("value", 0, MOST_COPIES)
        return Goal(key, inner.text("topologyKey"), value, inner.integer("copies", 1, MOST_COPIES))
    value_given = fields.given(key)
    if not isinstance(value_given, bool) or (not value_given and key != _GATED):
        raise fields.bad(key, NotABoolean(shown(value_given)))
    return Goal(key, is_wanted=value_given)


def _plain(key: str, path: str) -> Goal:
    plain = [each for each in _HOLDS if each not in (*_WITH_NODE, _EVICTABLE, _FITS_TIMES, _SKEW_AT_MOST)]
    if key not in plain:
        raise ChangeError(path, not_one_of(key, plain))
    return Goal(key)


def _has_outcome(*outcomes: PodOutcome) -> Callable[[Goal, Situation], bool]:
    return lambda _, situation: outcome_of(situation) in outcomes


def _fits_on(goal: Goal, situation: Situation) -> bool:
    situation.chosen_nodes(goal.subject)
    return goal.subject in situation.attempt().feasible


def _chosen(goal: Goal, situation: Situation) -> bool:
    situation.chosen_nodes(goal.subject)
    attempt = situation.attempt()
    return attempt.fits and attempt.choices == [goal.subject]


def _skew_at_most(goal: Goal, situation: Situation) -> bool:
    copies = place_copies(situation, goal.copies)
    attempt = situation.attempt()
    skews = skews_of(copies.snapshot, attempt.pod.document, attempt.profile)
    found = [each.skew for each in skews if each.topology_key == goal.subject]
    return copies.placed == goal.copies and bool(found) and max(found) <= goal.number


def _evictable(goal: Goal, situation: Situation) -> bool:
    return eviction_answer(situation.snapshot, situation.pod(goal.subject)).is_granted


_WITH_NODE: Final = ("fitsOn", "notOn", "chosen")
_EVICTABLE, _FITS_TIMES, _SKEW_AT_MOST, _GATED = "evictable", "fitsTimes", "skewAtMost", "gated"
_HOLDS: Final[Mapping[str, Callable[[Goal, Situation], bool]]] = {
    "fits": _has_outcome(PodOutcome.SCHEDULED),
    "unschedulable": _has_outcome(PodOutcome.UNSCHEDULABLE),
    "preempts": _has_outcome(PodOutcome.PREEMPTS),
    "doesNotPreempt": _has_outcome(PodOutcome.SCHEDULED, PodOutcome.UNSCHEDULABLE, PodOutcome.GATED),
    "admitted": lambda _, situation: outcome_of(situation) is not PodOutcome.REFUSED,
    "fitsOn": _fits_on,
    "notOn": lambda goal, situation: not _fits_on(goal, situation),
    "chosen": _chosen,
    _GATED: lambda goal, situation: (outcome_of(situation) is PodOutcome.GATED) is goal.is_wanted,
    _FITS_TIMES: lambda goal, situation: place_copies(situation, goal.number).placed == goal.number,
    _SKEW_AT_MOST: _skew_at_most,
    _EVICTABLE: _evictable,
}
GOALS: Final = tuple(_HOLDS)

# What is wrong with an answer, in typed values: the texts of a lesson may have a hint of their own for each.


class MistakeKind(enum.StrEnum):
    """In which way an answer differs from what the engine finds; the value is the key in the texts of a lesson."""

    REJECTED = "rejected"
    """A node was named that rejects the pod."""
    LOWER_SCORE = "lower-score"
    """A node was named whose total is not the highest."""
    NOWHERE = "nowhere"
    """None was named, and there is one."""
    SOMEWHERE = "somewhere"
    """One was named, and there is none."""
    MISSED = "missed"
    """One is not named that belongs to the answer."""
    EXTRA = "extra"
    """One is named that does not belong to the answer."""
    OTHER_PLUGIN = "other-plugin"
    """A plugin was named for a node that does not reject the pod there."""
    LATER_PLUGIN = "later-plugin"
    """A plugin was named that rejects the pod on a node, too, but after another one."""
    OTHER_OUTCOME = "other-outcome"
    """Something else becomes of it."""
    POSITION = "position"
    """One stands before another that has to come first."""
    TOO_SMALL = "too-small"
    TOO_LARGE = "too-large"
    GOAL = "goal"
    """The changed object does not do what was asked."""
    KEPT_FIELD = "kept-field"
    """A field was changed that has to stay as it is."""
    REFUSED = "refused"
    """The API server would refuse the changed object."""


class Mistake(Struct, frozen=True):
    """One thing that is wrong with an answer.

    ``subject`` is the node, the pod or the field that it is about. ``plugin`` is the one that decides there, ``given``
    and ``expected`` are what was answered and what would be right, as they are written; each empty where there is none.
    ``problem``: what the API server has against the changed object, or why a goal cannot be asked of it.
    """

    kind: MistakeKind
    subject: str = ""
    plugin: str = ""
    given: str = ""
    expected: str = ""
    problem: Problem | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """Under which keys the texts of a lesson may have a hint for it, the most special one first."""
        special = self.given if self.kind in _TOLD_BY_WHAT_IS_GIVEN else self.plugin
        return (f"{self.kind}/{special}", str(self.kind)) if special else (str(self.kind),)


_TOLD_BY_WHAT_IS_GIVEN = frozenset({MistakeKind.OTHER_OUTCOME, MistakeKind.GOAL})
