"""The states that the scheduler may have had in front of it when it decided.

What Berth hears is what was written. The scheduler knew its own bindings and nominations before they were written,
wrote them in an order that need not be the one in which it decided, and heard of what others wrote a little later than
that was written. So a decision is compared with the state just before it was written, and then with states nearby:

- without the latest of what others wrote; of nodes alone too, which reach the scheduler by a watch of their own;
- with some of what the scheduler wrote afterwards; a pod whose volumes are still being bound counts on its node for
  seconds before that is written, while many others overtake it;
- without the latest of what the scheduler wrote;
- as the queue would have it: the scheduler takes up pods by priority and age, so what was bound later although it had
  waited longer counts, and what was bound earlier although it came later does not. Where the pods were seen to come,
  their order is known exactly, and this is the likeliest state in a burst. A pod that is tried again is taken up
  somewhere among new ones.

The likelier ones are tried in turn. Where a state can be told to be farther from the decision or nearer, as the numbers
of a refusal's text do, a search goes on from there: it changes one kind of deviation after the other, as long as that
leads nearer."""

from __future__ import annotations

from functools import cache
from heapq import nsmallest
from itertools import islice, product
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson
from msgspec import Struct

from clusters.adapters.rows import OBJECT, Row
from clusters.engine.journal import History, RecordedChange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from clusters.services.journal.ledger import PodFact

# In which order the scheduler took up the pods that it decided about.
#
# Bindings are written side by side, and what waits for the API server is told in another order than it was decided.
# The scheduler takes up pods by priority, and those of one priority in the order in which it heard of them, which is
# that of their creation. A pod that was tried before is taken up again at a moment that nobody outside knows, mostly
# together with others like it: it is compared with such pods, and with those that were in the queue before it came.
#
# Upstream: ``Less`` of ``pkg/scheduler/framework/plugins/queuesort/priority_sort.go`` v1.34.1.


class QueuePlace(NamedTuple):
    """What orders pods in the queue: the lower of two that were tried before, or of two that were not, comes first."""

    was_tried: bool
    urgency: int
    # The version of its creation.
    came: int

    def is_before(self, other: QueuePlace) -> bool:
        """Whether the scheduler took up this pod first, as far as that is known."""
        if self.was_tried == other.was_tried:
            return self < other
        # It was waiting in the queue when the other one was created, and so when that was queued once more.
        return other.was_tried and self.urgency <= other.urgency and self.came < other.came


def place_in_queue(step: RecordedChange) -> QueuePlace | None:
    """Return the place of the pod about which a step tells a decision; None where nobody saw the pod come."""
    if step.came is None:
        return None
    priority = (step.document.get("spec") or {}).get("priority") or 0
    return QueuePlace(_was_tried(step), -int(priority), step.came)


def earlier_ones(step: RecordedChange, others: Iterable[RecordedChange]) -> list[RecordedChange]:
    """Return the steps that tell what the scheduler took up before the pod of this one, in that order."""
    place = place_in_queue(step)
    if place is None:
        return []
    places = ((place_in_queue(each), each) for each in others)
    earlier = [(other, each) for other, each in places if other is not None and other.is_before(place)]
    return [each for _, each in sorted(earlier, key=itemgetter(0))]


def later_ones(step: RecordedChange, others: Iterable[RecordedChange]) -> list[RecordedChange]:
    """Return the steps that tell what the scheduler took up after the pod of this one."""
    place = place_in_queue(step)
    if place is None:
        return []
    return [each for each in others if (other := place_in_queue(each)) is not None and place.is_before(other)]


def incomparable_ones(step: RecordedChange, others: Iterable[RecordedChange]) -> list[RecordedChange]:
    """Return, in order, the steps of pods taken up before or after the pod of this one, nobody knows which."""
    place = place_in_queue(step)
    if place is None:
        return []
    places = ((place_in_queue(each), each) for each in others)
    open_ones = [
        (other, each)
        for other, each in places
        if other is not None and not place.is_before(other) and not other.is_before(place)
    ]
    return [each for _, each in sorted(open_ones, key=itemgetter(0))]


def _was_tried(step: RecordedChange) -> bool:
    """Whether the scheduler had refused the pod before, or it was gated."""
    status = (step.before or {}).get("status") or {}
    return any(
        each.get("type") == "PodScheduled" and each.get("status") == "False" for each in status.get("conditions") or ()
    )


if TYPE_CHECKING:
    _Object = Mapping[str, Any]

# How many of the latest steps a state may lack, or of the next ones have: of each kind all small numbers, and some
# large ones, which a burst makes as likely.
_NEWS_OF_NODES = range(41)
_NEWS = (*range(9), 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
_AHEAD = (*range(17), 20, 24, 32, 48, 64, 96, 128, 192, 256)
_UNDECIDED = (*range(5), 6, 8)
# The same for the search that follows where a state leads nearer.
_SEARCHED = (
    range(97),
    (*range(65), *range(72, 257, 8)),
    (*range(33), *range(48, 513, 16)),
    range(9),
    (False, True),
    (False, True),
)
# So many steps leave more states open than are looked at.
_MANY_NEWS, _MANY_AHEAD = 24, 16
_SECONDS = 5.0
# The scheduler sends 50 writes a second by default, so what it decides in a burst is written seconds later.
_SECONDS_AHEAD = 10.0
# Binding volumes takes longer than binding pods, and so do bindings that queue up at a slow API server.
_MOST_SECONDS_AHEAD = 30.0
# Decisions that were taken up one after the other are written within so many, unless the API server is slow.
_SECONDS_IN_QUEUE = 3.0
_REACH_OF_QUEUE = 400
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


class NearbyState(NamedTuple):
    """A state nearby: the steps it lacks, and those it has although they were written later."""

    without: tuple[RecordedChange, ...]
    beyond: tuple[RecordedChange, ...]

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


JUST_BEFORE = NearbyState((), ())


class Surroundings(Struct, frozen=True):
    """What surrounds a decision: steps by which a state may differ from the one just before, the nearest first.

    ``past_nodes``, ``past_others`` (nodes among them) and ``past_own`` were written before it, by others and by the
    scheduler; ``ahead`` the scheduler wrote afterwards, ``volumes`` too, for pods that wait for those. The order of the
    queue, as far as creation times tell it, takes away ``overtaking`` and adds ``overtaken``.
    """

    past_nodes: Sequence[RecordedChange]
    past_others: Sequence[RecordedChange]
    past_own: Sequence[RecordedChange]
    ahead: Sequence[RecordedChange]
    volumes: Sequence[RecordedChange]
    overtaking: Sequence[RecordedChange]
    overtaken: Sequence[RecordedChange]

    @property
    def is_crowded(self) -> bool:
        """Whether there are more states nearby than are looked at."""
        return len(self.past_others) > _MANY_NEWS or len(self.ahead) > _MANY_AHEAD

    def states(self, most: int) -> Iterator[NearbyState]:
        """Yield states nearby, the likelier ones first."""
        return (self._state(shape) for shape in islice(filter(self._allows, _shapes()), most))

    def nearest(self, distance: Callable[[NearbyState], int], *, most: int) -> NearbyState:
        """Search the state from which a decision is least far, and measure up to a number of states for that.

        ``distance`` is 0 for one in which the scheduler may have decided so.
        """
        best = _Shape(0, 0, 0, 0, volumes=False, by_queue=False)
        least = distance(self._state(best))
        measured, has_improved = 1, True
        while has_improved:
            has_improved = False
            for field, values in zip(_Shape._fields, _SEARCHED, strict=True):
                for shape in filter(self._allows, [best._replace(**{field: value}) for value in values]):
                    if least == 0 or measured >= most:
                        return self._state(best)
                    measured += 1
                    if (found := distance(self._state(shape))) < least:
                        best, least, has_improved = shape, found, True
        return self._state(best)

    def _allows(self, shape: _Shape) -> bool:
        return (
            shape.nodes <= len(self.past_nodes)
            and shape.others <= len(self.past_others)
            and shape.ahead <= len(self.ahead)
            and shape.undecided <= len(self.past_own)
            and (bool(self.volumes) or not shape.volumes)
            and (bool(self.overtaken or self.overtaking) or not shape.by_queue)
        )

    def _state(self, shape: _Shape) -> NearbyState:
        without = {
            *self.past_nodes[: shape.nodes],
            *self.past_others[: shape.others],
            *self.past_own[: shape.undecided],
            *(self.overtaking if shape.by_queue else ()),
        }
        beyond = {
            *self.ahead[: shape.ahead],
            *(self.volumes if shape.volumes else ()),
            *(self.overtaken if shape.by_queue else ()),
        }
        return NearbyState(tuple(without), tuple(beyond))


class Arrivals:
    """With which version each pending pod came, of those that were seen to come."""

    def __init__(self) -> None:
        self._versions: dict[str, int] = {}

    def of(
        self, uid: str, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None, version: int
    ) -> int | None:
        """Return the version with which a pod came that changed, and forget it once the pod is bound or gone."""
        if before is None and after is not None and not _has_node(after):
            self._versions[uid] = version
        if after is None or _has_node(after):
            return self._versions.pop(uid, None)
        return self._versions.get(uid)


def steps_of(
    heard: Iterable[Heard],
    before: Mapping[str, Mapping[str, Mapping[str, Any]]],
    *,
    after_version: int,
    arrivals: Arrivals,
) -> Iterator[RecordedChange]:
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
            came = arrivals.of(each.uid, known, after, after_version) if each.kind == "Pod" else None
            yield RecordedChange(after_version, known, after, each.moment, came)


def moment_of(history: History, step: RecordedChange) -> Surroundings:
    """Return what surrounds a pod's step."""
    version, moment = step.version, step.moment
    past = [each for each in history.before(version, _REACH) if each.matters and abs(each.moment - moment) <= _SECONDS]
    past.reverse()
    later = [
        each
        for each in history.since(version + 1, _REACH)
        if each.matters and each.is_by_scheduler and each.moment - moment <= _MOST_SECONDS_AHEAD
    ]
    others = [each for each in past if not each.is_by_scheduler]
    own = [each for each in past if each.is_by_scheduler]
    place = _place_in_queue(step)
    # Of a pod that was seen to come the exact place is known: see as_queued and interleaved.
    unordered, unordered_later = (own, later) if step.came is None else ([], [])
    return Surroundings(
        past_nodes=[each for each in others if each.identity[0] == "Node"],
        past_others=others,
        past_own=own,
        ahead=[each for each in later if each.moment - moment <= _SECONDS_AHEAD],
        volumes=[each for each in later if _has_claims(each)],
        overtaking=[each for each in unordered if _place_in_queue(each) > place],
        overtaken=[each for each in unordered_later if _place_in_queue(each) < place],
    )


def as_queued(history: History, step: RecordedChange) -> NearbyState:
    """Return the state in which all counts that the scheduler took up before a pod, by the order of the queue.

    The state just before where that order is not known, or is the one in which the decisions were written.
    """
    past = history.before(step.version, _REACH_OF_QUEUE)
    later = history.since(step.version + 1, _REACH_OF_QUEUE)
    return NearbyState(
        tuple(reversed(later_ones(step, _decided_around(step, past)))),
        tuple(earlier_ones(step, _decided_around(step, later))),
    )


def interleaved(history: History, step: RecordedChange) -> Iterator[NearbyState]:
    """Yield the states of all orders that the queue leaves open for a pod that is tried again, the likeliest first.

    Such pods are taken up among new ones: each kind in its own order, and how many new ones came first nobody outside
    knows; about as many as were written first. Of a new pod there is the state of the queue alone: most of its burst is
    compared with it, and each state more is one more in which a wrong decision may agree.
    """
    queued = as_queued(history, step)
    past = history.before(step.version, _REACH_OF_QUEUE)
    later = history.since(step.version + 1, _REACH_OF_QUEUE)
    is_past = set(past)
    place = place_in_queue(step)
    is_tried_again = place is not None and place.was_tried
    others = incomparable_ones(step, _decided_around(step, (*past, *later))) if is_tried_again else []
    written = sum(each in is_past for each in others)
    for first in sorted(range(len(others) + 1), key=lambda count: abs(count - written)):
        yield NearbyState(
            (*queued.without, *(each for each in others[first:] if each in is_past)),
            (*queued.beyond, *(each for each in others[:first] if each not in is_past)),
        )


def _decided_around(step: RecordedChange, others: Iterable[RecordedChange]) -> Iterator[RecordedChange]:
    """What the scheduler wrote about the time of a decision."""
    return (each for each in others if each.is_by_scheduler and abs(each.moment - step.moment) <= _SECONDS_IN_QUEUE)


def _has_node(pod: Mapping[str, Any]) -> bool:
    return bool((pod.get("spec") or {}).get("nodeName"))


def _place_in_queue(step: RecordedChange) -> tuple[int, str]:
    """Return what orders pending pods; times of creation are whole seconds."""
    document = step.document
    priority = (document.get("spec") or {}).get("priority") or 0
    return -int(priority), str((document.get("metadata") or {}).get("creationTimestamp") or "")


def _has_claims(step: RecordedChange) -> bool:
    volumes = (step.document.get("spec") or {}).get("volumes") or ()
    return any("persistentVolumeClaim" in volume or "ephemeral" in volume for volume in volumes)


# What a watcher heard, as the judge of decisions takes it.


class Heard(NamedTuple):
    """One change as it was heard, none left out: of an object's states a batch writes only the last."""

    kind: str
    uid: str
    version: str
    # None of an object that is gone.
    row: Row | None
    # By the monotonic clock.
    moment: float


class HeardBatch(NamedTuple):
    """What judging needs of a batch that the writer committed; no list, which may be as large as the cluster."""

    # Changes of kinds that were not listed in the same batch; None where some are missing.
    heard: list[Heard] | None
    # The objects that the batch replaced or removed as they were, by kind and UID.
    before: Mapping[str, Mapping[str, Mapping[str, Any]]]
    facts: list[PodFact]
    revision: int
