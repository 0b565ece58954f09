"""What a changed object has to bring about: goals, each of which the engine finds met or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.disruption.eviction import eviction_answer
from clusters.engine.lessons.arguments import ArgumentFields, not_one_of
from clusters.engine.lessons.copies import place_copies
from clusters.engine.lessons.outcomes import PodOutcome, outcome_of
from clusters.engine.lessons.problems import NotOneGoal
from clusters.engine.problems import NotABoolean
from clusters.engine.showing import shown
from clusters.engine.simulation.changes.errors import ChangeError
from clusters.engine.spreading.skew import skews_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusters.engine.lessons.situation import Situation

MOST_COPIES: Final = 500


@dataclass(frozen=True, slots=True)
class Goal:
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
        raise ChangeError(path, NotOneGoal(shown(entry), tuple(_HOLDS)))
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


def _not_on(goal: Goal, situation: Situation) -> bool:
    return not _fits_on(goal, situation)


def _chosen(goal: Goal, situation: Situation) -> bool:
    situation.chosen_nodes(goal.subject)
    attempt = situation.attempt()
    return attempt.fits and attempt.choices == [goal.subject]


def _fits_times(goal: Goal, situation: Situation) -> bool:
    return place_copies(situation, goal.number).placed == goal.number


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
    "notOn": _not_on,
    "chosen": _chosen,
    _GATED: lambda goal, situation: (outcome_of(situation) is PodOutcome.GATED) is goal.is_wanted,
    _FITS_TIMES: _fits_times,
    _SKEW_AT_MOST: _skew_at_most,
    _EVICTABLE: _evictable,
}
GOALS: Final = tuple(_HOLDS)
