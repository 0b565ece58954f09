"""Changes to a cluster: read strictly from plain maps, and applied to make the case that a simulation begins with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from clusters.engine.problems import Missing, NotAList, NotOneOf, TooMany, shown
from clusters.engine.simulation.case import MOST_CHANGES, Case
from clusters.engine.simulation.changes.change import ChangeFields, ClusterChange
from clusters.engine.simulation.changes.cluster import Base, ChangedCluster, NodeDocuments
from clusters.engine.simulation.changes.nodes import (
    AddNodes,
    Cordon,
    DrainNodes,
    FailNodes,
    LabelNodes,
    LoseZone,
    RemoveNodes,
    TaintNodes,
    Uncordon,
)
from clusters.engine.simulation.changes.workloads import (
    AddWorkload,
    Place,
    PutBudget,
    PutPriorityClass,
    RemoveBudget,
    RemoveWorkload,
    Scale,
    SetRequests,
    Trace,
)
from clusters.engine.simulation.problems import ChangeError
from clusters.engine.simulation.remarks import ExtendersNotAsked, Remark, UnknownPlugins

if TYPE_CHECKING:
    from clusters.engine.configuration import SchedulerConfiguration

__all__ = ["KINDS", "ChangeError", "ClusterChange", "Prepared", "prepared", "read_changes"]

KINDS: Mapping[str, type[ClusterChange]] = {
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
        FailNodes,
        Scale,
        SetRequests,
        AddWorkload,
        RemoveWorkload,
        PutBudget,
        RemoveBudget,
        PutPriorityClass,
        Trace,
        Place,
    )
}


class Prepared(Struct, frozen=True):
    """A case, what was simplified or left out on the way to it, and its nodes by name."""

    case: Case
    remarks: tuple[Remark, ...]
    nodes: NodeDocuments


def read_changes(entries: Sequence[Mapping[str, Any]]) -> list[ClusterChange]:
    """Read changes; the field ``change`` of an entry says which one it is. Raises ChangeError."""
    if not isinstance(entries, list | tuple):
        raise ChangeError("changes", NotAList(shown(entries)))
    if len(entries) > MOST_CHANGES:
        raise ChangeError("changes", TooMany(len(entries), MOST_CHANGES))
    return [_read(entry, f"changes[{number}]") for number, entry in enumerate(entries)]


def prepared(
    base: Base,
    changes: Sequence[ClusterChange],
    configuration: SchedulerConfiguration,
    *,
    seed: int = 0,
    samples: bool = False,
    is_graceful: bool = False,
) -> Prepared:
    """Apply changes, one after another, to a cluster of the configuration's release. Raises ChangeError.

    The pods of the base that wait for a node are wanted first.
    """
    world = ChangedCluster(base, configuration)
    for number, change in enumerate(changes):
        change.apply(world, f"changes[{number}]")
    return Prepared(
        world.case(seed=seed, samples=samples, is_graceful=is_graceful),
        (*world.remarks, *_not_asked(configuration)),
        world.nodes,
    )


def _not_asked(configuration: SchedulerConfiguration) -> Iterator[Remark]:
    """Who would have a say in a real scheduler and has none here."""
    names = {name for profile in configuration.profiles for name in profile.unknown_plugins}
    if names:
        yield UnknownPlugins(tuple(sorted(names)))
    if configuration.extenders:
        addresses = tuple(extender.address for extender in configuration.extenders)
        yield ExtendersNotAsked(len(addresses), addresses)


def _read(entry: object, path: str) -> ClusterChange:
    named = entry.get("change") if isinstance(entry, Mapping) else None
    kind = KINDS.get(named) if isinstance(named, str) else None
    if kind is None:
        known = tuple(KINDS)
        raise ChangeError(f"{path}.change", Missing(known) if named is None else NotOneOf(shown(named), known))
    known = tuple(field.name for field in fields(kind))  # type: ignore[arg-type]
    return kind.read(ChangeFields(entry, path, ("change", *known)))
