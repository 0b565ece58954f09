"""Changes to a cluster: read strictly from plain maps, and applied to make the case that a simulation begins with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.simulation.changes.adding import AddNodes
from clusters.engine.simulation.changes.change import Change
from clusters.engine.simulation.changes.errors import ChangeError
from clusters.engine.simulation.changes.leaving import DrainNodes, LoseZone, RemoveNodes
from clusters.engine.simulation.changes.marking import Cordon, LabelNodes, TaintNodes, Uncordon
from clusters.engine.simulation.changes.policies import PutBudget, PutPriorityClass, RemoveBudget
from clusters.engine.simulation.changes.reading import Fields
from clusters.engine.simulation.changes.scaling import Scale
from clusters.engine.simulation.changes.traces import Trace
from clusters.engine.simulation.changes.workloads import AddWorkload, Place, RemoveWorkload
from clusters.engine.simulation.changes.world import Note, World
from clusters.engine.simulation.limits import MOST_CHANGES
from clusters.engine.simulation.showing import counted, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.objects import Document
    from clusters.engine.simulation.case import Case

__all__ = ["KINDS", "Change", "ChangeError", "Note", "Prepared", "prepared", "read_changes"]

KINDS: Mapping[str, type[Change]] = {
    kind.change: kind
    for kind in (
        AddNodes,
        RemoveNodes,
        Cordon,
        Uncordon,
        LabelNodes,
        TaintNodes,
        LoseZone,
        DrainNodes,
        Scale,
        AddWorkload,
        RemoveWorkload,
        PutBudget,
        RemoveBudget,
        PutPriorityClass,
        Trace,
        Place,
    )
}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A case, and what is to be said about how it came about."""

    case: Case
    notes: tuple[Note, ...]


def read_changes(entries: Sequence[Mapping[str, Any]]) -> list[Change]:
    """Read changes; the field ``change`` of an entry says which one it is. Raises ChangeError."""
    if not isinstance(entries, list | tuple):
        raise ChangeError("changes", f"{shown(entries)} is not a list.", "Write a list of changes.")
    if len(entries) > MOST_CHANGES:
        raise ChangeError("changes", f"There are {len(entries):,} changes.", f"Write at most {MOST_CHANGES}.")
    return [_read(entry, f"changes[{number}]") for number, entry in enumerate(entries)]


def prepared(
    base: Iterable[Document],
    changes: Sequence[Change],
    configuration: SchedulerConfiguration,
    *,
    seed: int = 0,
    samples: bool = False,
) -> Prepared:
    """Apply changes, one after another, to the objects of a cluster. Raises ChangeError.

    The pods of the base that wait for a node are wanted first. The objects stay as they are.
    """
    world = World(base, configuration)
    for number, change in enumerate(changes):
        change.apply(world, f"changes[{number}]")
    return Prepared(world.case(seed=seed, samples=samples), (*world.notes, *_not_asked(configuration)))


def _not_asked(configuration: SchedulerConfiguration) -> Iterator[Note]:
    """Who would have a say in a real scheduler and has none here."""
    names = {name for profile in configuration.profiles for name in profile.unknown_plugins}
    if names:
        plugins = "plugin" if len(names) == 1 else "plugins"
        text = f"The answers of the {plugins} {', '.join(sorted(names))} cannot be known; pods are placed without."
        yield Note("configuration", text)
    if configuration.extenders:
        extenders = counted(len(configuration.extenders), "extender", "extenders")
        yield Note("configuration", f"The answers of {extenders} cannot be known; pods are placed without.")


def _read(entry: object, path: str) -> Change:
    named = entry.get("change") if isinstance(entry, Mapping) else None
    kind = KINDS.get(named) if isinstance(named, str) else None
    if kind is None:
        problem = f"{shown(named)} is not a change." if named is not None else "It does not say what is changed."
        raise ChangeError(f"{path}.change", problem, f"Write one of {', '.join(KINDS)}.")
    return kind.read(Fields(entry, path, ("change", *kind.known)))
