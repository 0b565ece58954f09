"""Pods that could run elsewhere, so that a pod fits on their node: tried, and not guessed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from clusters.engine.analysis.remedies import MovePods
from clusters.engine.disruption.drains import DrainOptions, DrainWorld, Ledger, Treatment, handling_of, replacement_of
from clusters.engine.objects import Pod, key_of
from clusters.engine.plugins.node_resources_fit import NodeResourcesFit
from clusters.engine.scheduling.cycle import Verb, run_cycle
from clusters.engine.world import no_changes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.objects import Document
    from clusters.engine.scheduling.explanation import Explanation
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints

# NodeResourcesFit by name: room is what pods that go leave behind.


# So many nodes are looked at, those that lack the least; so many pods of one node go; so many choices are tried.
_MOST_NODES: Final = 32
_MOST_PODS: Final = 3
_MOST_TRIED: Final = 8
# Pods that are not evicted, or that no controller makes again.
_STAYING: Final = frozenset({"DaemonSet", "Node"})


class _Choice(NamedTuple):
    """Pods whose leaving makes room on a node; ``share``: of the node's allocatable, all resources summed."""

    number: int
    share: float
    row: int
    slots: tuple[int, ...]


def pods_to_move(
    explanation: Explanation,
    configuration: SchedulerConfiguration,
    documents: Callable[[Sequence[str]], Sequence[Document]],
) -> MovePods | None:
    """Return the fewest pods of one node that fit elsewhere and without which the pod fits there; None for none.

    Each may be evicted now, and its controller makes it again. ``documents`` returns pods by ``namespace/name``. None
    either where preemption makes room, or an extender would have to be asked.
    """
    cycle, preemption = explanation.cycle, explanation.preemption
    if explanation.fits or explanation.error is not None or cycle.stopped_by is not None:
        return None
    is_extended = any(call.verb is Verb.FILTER for call in cycle.calls)
    makes_room = preemption is not None and preemption.selected is not None
    if is_extended or makes_room or explanation.pod.nominated_node_name or NodeResourcesFit.name not in cycle.filters:
        return None
    choices = sorted(_choices(explanation))[:_MOST_TRIED]
    if not choices:
        return None
    found = documents([explanation.snapshot.pods.keys[slot] for choice in choices for slot in choice.slots])
    named = {key_of(each): each for each in found}
    world = DrainWorld(explanation.snapshot, configuration, preemptions=0)
    for choice in choices:
        keys = [explanation.snapshot.pods.keys[slot] for slot in choice.slots]
        ledger = Ledger(explanation.snapshot)
        moving = [named[key] for key in keys if key in named and _may_go(ledger, Pod(named[key]))]
        mark = world.mark()
        if len(moving) == len(keys) and (onto := _moved(explanation, world, choice.row, moving)):
            return MovePods(explanation.snapshot.nodes.names[choice.row], tuple(keys), onto)
        world.back_to(mark)
    return None


def _choices(explanation: Explanation) -> Iterator[_Choice]:
    """Yield pods that hold what the pod lacks on a node: any one that is enough, else the largest together."""
    snapshot = explanation.snapshot
    nodes, pods, cycle = snapshot.nodes, snapshot.pods, explanation.cycle
    amounts, _ = snapshot.shape_amounts()
    asked = nodes.vector(explanation.pod.requests.items())
    passing = ~cycle.left_out & ((nodes.allocatable >= asked) | (asked == 0)).all(axis=1)
    for name in cycle.filters:
        failed = None if name == NodeResourcesFit.name else cycle.plugins[name].filter(no_changes()).failed
        if failed is not None:
            passing &= ~failed
    lacking = np.where(asked > 0, np.maximum(asked - (nodes.allocatable - nodes.requested), 0), 0)
    over = np.maximum(nodes.pod_count + 1 - nodes.allowed_pods, 0)
    shares = (lacking / np.maximum(nodes.allocatable, 1)).sum(axis=1) + over / np.maximum(nodes.allowed_pods, 1)
    rows = np.flatnonzero(passing & (shares > 0))
    for row in rows[np.argsort(shares[rows], kind="stable")][:_MOST_NODES].tolist():
        movable = [slot for slot in pods.on_node(row).tolist() if _is_movable(snapshot, slot)]
        held = {slot: amounts[pods.shape[slot]] for slot in movable}
        size = {slot: float((held[slot] / np.maximum(nodes.allocatable[row], 1)).sum()) for slot in movable}
        enough = [slot for slot in movable if (held[slot] >= lacking[row]).all()] if over[row] <= 1 else []
        if enough:
            yield from (_Choice(1, size[slot], row, (slot,)) for slot in enough)
        elif together := _together(held, lacking[row], int(over[row])):
            yield _Choice(len(together), sum(size[slot] for slot in together), row, together)


def _is_movable(snapshot: Snapshot, slot: int) -> bool:
    controller = snapshot.pods.templates[snapshot.pods.template[slot]].controller
    return controller is not None and controller.kind not in _STAYING and not snapshot.pods.terminating[slot]


def _together(held: dict[int, Ints], lacking: Ints, over: int) -> tuple[int, ...]:
    """Pods that hold together what is lacking, those first that hold most of it; empty where few are not enough."""
    chosen: list[int] = []
    left = lacking.copy()
    while left.any() or len(chosen) < over:
        rest = [slot for slot in held if slot not in chosen]
        if len(chosen) == _MOST_PODS or not rest:
            return ()
        best = max(rest, key=lambda slot: float((np.minimum(held[slot], left) / np.maximum(left, 1)).sum()))
        chosen.append(best)
        left = np.maximum(left - held[best], 0)
    return tuple(chosen)


def _may_go(ledger: Ledger, pod: Pod) -> bool:
    """Whether a pod may be evicted, after those before it, and its controller makes it again without loss."""
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
