"""Pods that could run elsewhere, so that a pod fits on their node: tried, and not guessed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from clusters.engine.analysis.remedies import MovePods, passing_but_for_room
from clusters.engine.disruption.drains import DrainOptions, DrainWorld, Ledger, Treatment, handling_of, replacement_of
from clusters.engine.objects import Document, Pod, key_of

# NodeResourcesFit by name: room is what pods that go leave behind.
from clusters.engine.plugins.node_resources_fit import NodeResourcesFit
from clusters.engine.scheduling.cycle import Verb, run_cycle

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.scheduling.explanation import Explanation
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints


# So many nodes are looked at, those that lack the least; so many pods of one node go; so many choices are tried, of so
# many at once that are asked whether they may go, so often.
_MOST_NODES: Final = 32
_MOST_PODS: Final = 3
_MOST_TRIED: Final = 8
_MOST_ASKED: Final = 32
_MOST_ROUNDS: Final = 8
# Pods that are not evicted, or that no controller makes again.
_STAYING: Final = frozenset({"DaemonSet", "Node"})


class _Choice(NamedTuple):
    """Pods whose leaving makes room on a node; ``share``: of the node's allocatable, all resources summed."""

    number: int
    share: float
    row: int
    slots: tuple[int, ...]


class _Room(NamedTuple):
    """Pods of a node that could go: what each holds, shape (P, R), and its share of the node; and what is lacking."""

    row: int
    slots: Ints
    held: Ints
    size: NDArray[np.float64]
    lacking: Ints
    over: int

    def choices(self, refused: Collection[int]) -> Iterator[_Choice]:
        """Yield any pod that is enough alone, and of the others those together that hold most of what is lacking."""
        stays = ~np.isin(self.slots, list(refused))
        enough = (self.held >= self.lacking).all(axis=1) & (self.over <= 1)
        for at in np.flatnonzero(stays & enough).tolist():
            yield _Choice(1, float(self.size[at]), self.row, (int(self.slots[at]),))
        others, chosen, left = stays & ~enough, list[int](), self.lacking
        while left.any() or len(chosen) < self.over:
            if len(chosen) == _MOST_PODS or not others.any():
                return
            parts = (np.minimum(self.held, left) / np.maximum(left, 1)).sum(axis=1)
            best = int(np.argmax(np.where(others, parts, -1)))
            chosen.append(best)
            others[best] = False
            left = np.maximum(left - self.held[best], 0)
        yield _Choice(len(chosen), float(self.size[chosen].sum()), self.row, tuple(self.slots[chosen].tolist()))


def pods_to_move(
    explanation: Explanation,
    configuration: SchedulerConfiguration,
    documents: Callable[[Sequence[str]], Sequence[Document]],
) -> MovePods | None:
    """Return a few pods of one node that fit elsewhere and without which the pod fits there.

    Of the choices that are tried it is the one of the fewest and smallest pods; None where none of these will do, which
    is no proof that no others would. Each pod may be evicted now, and its controller makes it again. ``documents``
    returns pods by ``namespace/name``. None either where preemption makes room, or an extender would have to be asked.
    """
    cycle, preemption = explanation.cycle, explanation.preemption
    if explanation.fits or explanation.error is not None or cycle.stopped_by is not None:
        return None
    is_extended = any(call.verb is Verb.FILTER for call in cycle.calls)
    makes_room = preemption is not None and preemption.selected is not None
    if is_extended or makes_room or explanation.pod.nominated_node_name or NodeResourcesFit.name not in cycle.filters:
        return None
    named: dict[str, Document] = {}
    choices = _allowed(explanation.snapshot, list(_rooms(explanation)), documents, named)
    world = DrainWorld(explanation.snapshot, configuration, preemptions=0)
    for choice in choices:
        keys = [explanation.snapshot.pods.keys[slot] for slot in choice.slots]
        mark = world.mark()
        if onto := _moved(explanation, world, choice.row, [named[key] for key in keys]):
            return MovePods(explanation.snapshot.nodes.names[choice.row], tuple(keys), onto)
        world.back_to(mark)
    return None


def _allowed(
    snapshot: Snapshot,
    rooms: Sequence[_Room],
    documents: Callable[[Sequence[str]], Sequence[Document]],
    named: dict[str, Document],
) -> list[_Choice]:
    """The smallest choices of pods that may go together; pods that may not leave their place to others.

    ``named`` takes the pods that were asked for.
    """
    keys, refused = snapshot.pods.keys, set[int]()
    allowed: list[_Choice] = []
    for _ in range(_MOST_ROUNDS):
        choices = sorted(choice for room in rooms for choice in room.choices(refused))[:_MOST_ASKED]
        asked = [keys[slot] for choice in choices for slot in choice.slots if keys[slot] not in named]
        named.update({key_of(each): each for each in (documents(asked) if asked else ())})
        known = len(refused)
        for choice in choices:
            ledger = Ledger(snapshot)
            refused.update(slot for slot in choice.slots if not _may_go(ledger, named.get(keys[slot])))
        allowed = [choice for choice in choices if refused.isdisjoint(choice.slots)][:_MOST_TRIED]
        if len(allowed) == _MOST_TRIED or len(refused) == known:
            break
    return allowed


def _rooms(explanation: Explanation) -> Iterator[_Room]:
    """Yield the nodes that lack nothing but room, those first that lack the least."""
    snapshot = explanation.snapshot
    nodes, pods = snapshot.nodes, snapshot.pods
    amounts, _ = snapshot.shape_amounts()
    asked = nodes.vector(explanation.pod.requests.items())
    passing = ((nodes.allocatable >= asked) | (asked == 0)).all(axis=1) & passing_but_for_room(explanation)
    lacking = np.where(asked > 0, np.maximum(asked - (nodes.allocatable - nodes.requested), 0), 0)
    over = np.maximum(nodes.pod_count + 1 - nodes.allowed_pods, 0)
    shares = (lacking / np.maximum(nodes.allocatable, 1)).sum(axis=1) + over / np.maximum(nodes.allowed_pods, 1)
    rows = np.flatnonzero(passing & (shares > 0))
    for row in rows[np.argsort(shares[rows], kind="stable")][:_MOST_NODES].tolist():
        slots = np.array([slot for slot in pods.on_node(row).tolist() if _is_movable(snapshot, slot)], np.int64)
        held = amounts[pods.shape[slots]]
        size = (held / np.maximum(nodes.allocatable[row], 1)).sum(axis=1)
        yield _Room(row, slots, held, size, lacking[row], int(over[row]))


def _is_movable(snapshot: Snapshot, slot: int) -> bool:
    controller = snapshot.pods.templates[snapshot.pods.template[slot]].controller
    return controller is not None and controller.kind not in _STAYING and not snapshot.pods.terminating[slot]


def _may_go(ledger: Ledger, document: Document | None) -> bool:
    """Whether a pod may be evicted, after those before it, and its controller makes it again without loss."""
    if document is None:
        return False
    pod = Pod(document)
    handling = handling_of(pod, DrainOptions(empty_dirs=False))
    return handling.treatment is Treatment.EVICTED and ledger.ask(pod).is_granted


def _moved(explanation: Explanation, world: DrainWorld, row: int, moving: Sequence[Document]) -> tuple[str, ...]:
    """Try it: the pods go, the pod comes, and each is made again; the nodes where they then run, or empty."""
    for each in moving:
        world.remove(each)
    then = run_cycle(world.snapshot, explanation.pod, explanation.profile)
    if not len(then.choices) or row not in then.feasible.tolist():
        return ()
    world.hold(explanation.pod.document, explanation.snapshot.nodes.names[row])
    onto = []
    for number, each in enumerate(moving):
        replacement = replacement_of(Pod(each), number)
        landing = None if replacement is None else world.place(replacement)
        if landing is None or not landing.node or landing.uncertain:
            return ()
        onto.append(landing.node)
    return tuple(onto)
