"""The states that the scheduler may have had in front of it when it decided.

What Berth hears is what was written. The scheduler knew its own bindings and nominations before they were written,
wrote them in an order that need not be the one in which it decided, and heard of what others wrote a little later than
that was written. So a decision is compared with the state just before it was written, and then with states nearby:
without the latest of what others wrote, with some of what the scheduler wrote afterwards, without the latest of what it
wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from clusters.adapters.rows import OBJECT
from clusters.engine.history import History, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.services.live import Heard

# How far from the state just before others are looked at, in steps of each kind and in seconds.
_MOST_UNHEARD = 24
_MOST_AHEAD = 16
_MOST_UNDECIDED = 6
_SECONDS = 5.0
# Steps that are looked through for those that matter.
_REACH = 600


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


def moment_of(history: History, version: int, moment: float, *, most_states: int) -> Moment:
    """Return the states nearby the one just before a version, the likelier ones first."""
    past = [step for step in history.before(version, _REACH) if step.matters and abs(step.moment - moment) <= _SECONDS]
    future = [
        step
        for step in history.since(version + 1, _REACH)
        if step.matters and step.is_by_scheduler and abs(step.moment - moment) <= _SECONDS
    ]
    others = [step for step in reversed(past) if not step.is_by_scheduler]
    own = [step for step in reversed(past) if step.is_by_scheduler]
    is_crowded = len(others) > _MOST_UNHEARD or len(future) > _MOST_AHEAD
    unheard = range(min(len(others), _MOST_UNHEARD) + 1)
    ahead = range(min(len(future), _MOST_AHEAD) + 1)
    undecided = range(min(len(own), _MOST_UNDECIDED) + 1)
    # Few deviations are likelier than many, and bindings that overtook each other likelier than news that came late.
    shapes = sorted(
        ((behind, early, late) for behind in unheard for early in ahead for late in undecided),
        key=lambda shape: (shape[0] + shape[1] + 2 * shape[2], shape),
    )
    states = [
        State((*others[:behind], *own[:late]), tuple(future[:early])) for behind, early, late in shapes[1:most_states]
    ]
    return Moment(states, is_crowded)
