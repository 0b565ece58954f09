"""The states that the scheduler may have had in front of it when it decided.

What Berth hears is what was written. The scheduler knew its own bindings and nominations before they were written,
wrote them in an order that need not be the one in which it decided, and heard of what others wrote a little later than
that was written. So a decision is compared with the state just before it was written, and then with states nearby:

- without the latest of what others wrote; of nodes alone too, which reach the scheduler by a watch of their own;
- with some of what the scheduler wrote afterwards; a pod whose volumes are still being bound counts on its node for
  seconds before that is written, while many others overtake it;
- without the latest of what the scheduler wrote;
- as the queue would have it: the scheduler takes up pods by priority and age, so what was bound later although it had
  waited longer counts, and what was bound earlier although it came later does not.
"""

from __future__ import annotations

from functools import cache
from heapq import nsmallest
from itertools import islice, product
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from clusters.adapters.rows import OBJECT
from clusters.engine.history import History, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.services.live import Heard

# How many of the latest steps a state may lack, or of the next ones have: of each kind all small numbers, and some
# large ones, which a burst makes as likely.
_NEWS_OF_NODES = range(41)
_NEWS = (*range(9), 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
_AHEAD = (*range(17), 20, 24, 32, 48)
_UNDECIDED = (*range(5), 6, 8)
# So many steps leave more states open than are looked at.
_MANY_NEWS, _MANY_AHEAD = 24, 16
_SECONDS = 5.0
# Binding volumes takes longer than binding pods, and so do bindings that queue up at a slow API server.
_MOST_SECONDS_AHEAD = 30.0
# Steps that are looked through for those that matter.
_REACH = 1_200
_MOST_SHAPES = 2_000
# Of shapes that make it into so many.
_HIGHEST_RANKS = 40


class _Shape(NamedTuple):
    """How many steps of each kind a state differs by."""

    nodes: int
    others: int
    ahead: int
    undecided: int
    # Whether all pods that waited for their volumes count as decided.
    volumes: bool
    # Whether the order of the queue decides which pods do.
    by_queue: bool


@cache
def _shapes() -> list[_Shape]:
    """Return the shapes of states nearby, the likelier ones first: deviations of one kind before those of several."""
    found = []
    for nodes, others, ahead, undecided in product(*map(enumerate, (_NEWS_OF_NODES, _NEWS, _AHEAD, _UNDECIDED))):
        ranks = nodes[0], others[0], ahead[0], 2 * undecided[0]
        if sum(ranks) > _HIGHEST_RANKS:
            continue
        for volumes, by_queue in product((False, True), repeat=2):
            deviations = sum(rank > 0 for rank in ranks) + volumes
            if deviations + by_queue:
                cost = sum(ranks) + 2 * volumes + 3 * (deviations - 1) if deviations > 1 else sum(ranks) / 4
                shape = _Shape(nodes[1], others[1], ahead[1], undecided[1], volumes, by_queue)
                found.append((cost + by_queue, shape))
    return [shape for _, shape in nsmallest(_MOST_SHAPES, found)]


class State(NamedTuple):
    """A state nearby: the steps it lacks, and those it has although they were written later."""

    without: tuple[Step, ...]
    beyond: tuple[Step, ...]

    def basis(self, moment: float) -> dict[str, Any]:
        """Return how far it is from the state just before, as a Decision keeps it."""
        steps = (*self.without, *self.beyond)
        if not steps:
            return {"state": "before", "ahead": 0, "behind": 0, "milliseconds": 0}
        farthest = max(abs(step.moment - moment) for step in steps)
        return {
            "state": "nearby",
            "ahead": len(self.beyond),
            "behind": len(self.without),
            "milliseconds": round(1000 * farthest),
        }


JUST_BEFORE = State((), ())


class Moment(NamedTuple):
    """When a decision was written, and the states nearby; `is_crowded` tells that there are more than are looked at."""

    states: Sequence[State]
    is_crowded: bool


def steps_of(
    heard: Iterable[Heard], before: Mapping[str, Mapping[str, Mapping[str, Any]]], *, after_version: int
) -> Iterator[Step]:
    """Yield what was heard as steps of a history; `before` holds the objects as they were in the mirror.

    An opaque version, as no API server of Kubernetes has them, follows the one before it.
    """
    latest: dict[tuple[str, str], Mapping[str, Any] | None] = {}
    for each in heard:
        key = each.kind, each.uid
        known = latest.get(key, before.get(each.kind, {}).get(each.uid))
        after = None if each.row is None else orjson.loads(each.row[OBJECT])
        latest[key] = after
        after_version = int(each.version) if each.version.isdecimal() else after_version + 1
        if known != after:
            yield Step(after_version, known, after, each.moment)


def moment_of(history: History, step: Step, *, most_states: int) -> Moment:
    """Return the states nearby the one just before a pod's step, the likelier ones first."""
    version, moment = step.version, step.moment
    past = [each for each in history.before(version, _REACH) if each.matters and abs(each.moment - moment) <= _SECONDS]
    past.reverse()
    later = [
        each
        for each in history.since(version + 1, _REACH)
        if each.matters and each.is_by_scheduler and each.moment - moment <= _MOST_SECONDS_AHEAD
    ]
    ahead = [each for each in later if each.moment - moment <= _SECONDS]
    volumes = [each for each in later if _has_claims(each)]
    others = [each for each in past if not each.is_by_scheduler]
    nodes = [each for each in others if each.identity[0] == "Node"]
    own = [each for each in past if each.is_by_scheduler]
    place = _place_in_queue(step)
    overtaken = [each for each in later if _place_in_queue(each) < place]
    overtaking = [each for each in own if _place_in_queue(each) > place]
    possible = (
        shape
        for shape in _shapes()
        if shape.nodes <= len(nodes)
        and shape.others <= len(others)
        and shape.ahead <= len(ahead)
        and shape.undecided <= len(own)
        and (volumes or not shape.volumes)
        and (overtaken or overtaking or not shape.by_queue)
    )
    states = [
        State(
            tuple(
                {
                    *nodes[: shape.nodes],
                    *others[: shape.others],
                    *own[: shape.undecided],
                    *(overtaking if shape.by_queue else ()),
                }
            ),
            tuple(
                {
                    *ahead[: shape.ahead],
                    *(volumes if shape.volumes else ()),
                    *(overtaken if shape.by_queue else ()),
                }
            ),
        )
        for shape in islice(possible, most_states)
    ]
    return Moment(states, len(others) > _MANY_NEWS or len(ahead) > _MANY_AHEAD)


def _place_in_queue(step: Step) -> tuple[int, str]:
    """Return what orders pods that wait for the scheduler; times of creation are whole seconds."""
    document = step.document
    priority = (document.get("spec") or {}).get("priority") or 0
    return -int(priority), str((document.get("metadata") or {}).get("creationTimestamp") or "")


def _has_claims(step: Step) -> bool:
    volumes = (step.document.get("spec") or {}).get("volumes") or ()
    return any("persistentVolumeClaim" in volume or "ephemeral" in volume for volume in volumes)
