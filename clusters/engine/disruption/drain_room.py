"""Whether the pods of nodes fit on other nodes, each node drained by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.disruption.drain import Treatment, replacement_of
from clusters.engine.disruption.drain_plan import Block, Blocker
from clusters.engine.disruption.drain_world import DrainWorld

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.disruption.drain_plan import Resident
    from clusters.engine.failure import Note
    from clusters.engine.snapshot import Snapshot


def room_blockers(
    snapshot: Snapshot,
    configuration: SchedulerConfiguration,
    residents: Mapping[str, Sequence[Resident]],
    note: Note | None = None,
) -> dict[str, tuple[Blocker, ...]]:
    """The pods of each node that keep it from being drained though budgets allow it: empty where none does.

    They need a flag, or their replacements are unschedulable. ``residents``: every pod of the nodes
    in question, by node. ``note`` is told of replacements whose place cannot be computed. The snapshot stays as it is.
    """
    world = DrainWorld(snapshot, configuration, preemptions=0, note=note)
    return {node: _held(pods) or _homeless(world, node, pods) for node, pods in residents.items()}


def _held(residents: Sequence[Resident]) -> tuple[Blocker, ...]:
    held = (each for each in residents if each.handling.treatment is Treatment.HELD)
    return tuple(Blocker(each.pod.key, Block.FLAG, each.handling) for each in held)


def _homeless(world: DrainWorld, node: str, residents: Sequence[Resident]) -> tuple[Blocker, ...]:
    """Drain a node, note whose replacements are unschedulable, and take all of it back."""
    going = [each for each in residents if each.handling.treatment is Treatment.EVICTED]
    mark = world.mark()
    world.cordon(node)
    for resident in going:
        world.remove(resident.pod.document)
    found = []
    for number, resident in enumerate(going, 1):
        replacement = replacement_of(resident.pod, number)
        landing = None if replacement is None else world.place(replacement)
        if landing is not None and not landing.node:
            found.append(Blocker(resident.pod.key, Block.NO_ROOM, resident.handling, landing=landing))
    world.back_to(mark)
    return tuple(found)
