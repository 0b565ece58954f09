"""What all changes have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self

from clusters.engine.matching.taints import Taint
from clusters.engine.problems import Empty
from clusters.engine.simulation.changes.errors import ChangeError
from clusters.engine.simulation.changes.problems import (
    NodesChosenTwice,
    NoNodesChosen,
    NoNodeSelected,
    NoSuchNode,
    NoSuchZone,
)
from clusters.engine.simulation.changes.selecting import read_selector

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.simulation.changes.reading import ChangeFields
    from clusters.engine.simulation.changes.world import ClusterDocuments

_MOST_NAMED = 8


class ClusterChange(ABC):
    """Something that is done to a cluster before pods are placed. Kinds are frozen dataclasses of what they say."""

    __slots__ = ()

    # What the field ``change`` of an entry says, and the entry's other fields.
    change: ClassVar[str]
    known: ClassVar[tuple[str, ...]]

    @classmethod
    @abstractmethod
    def read(cls, given: ChangeFields) -> Self:
        """Read the fields of an entry. Raises ChangeError."""

    @abstractmethod
    def apply(self, world: ClusterDocuments, path: str) -> None:
        """Change the world; ``path`` is where the change stands among others. Raises ChangeError."""

    def as_dict(self) -> dict[str, Any]:
        """The entry that is read as this change."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        given = {name: _plain(value) for name, value in values.items() if value is not None and value != ()}
        return {"change": self.change, **{name: value for name, value in given.items() if value != {}}}


@dataclass(frozen=True, slots=True)
class NodesChange(ClusterChange):
    """A change to some nodes: those named, those that a label selector means, or those of a zone."""

    nodes: tuple[str, ...] = ()
    selector: str | None = None
    zone: str | None = None

    @staticmethod
    def read_choice(given: ChangeFields) -> dict[str, Any]:
        """Read which nodes are meant: in one way of the three."""
        ways = [name for name in ("nodes", "selector", "zone") if given.has(name)]
        if len(ways) != 1:
            raise ChangeError(given.path, NodesChosenTwice(tuple(ways)) if ways else NoNodesChosen())
        selector = read_selector(given, "selector") if ways == ["selector"] else None
        names = given.texts("nodes")
        if ways == ["nodes"] and not names:
            raise given.bad("nodes", Empty())
        return {"nodes": names, "selector": selector, "zone": given.text_or_none("zone")}

    def chosen(self, world: ClusterDocuments, path: str) -> list[str]:
        """The nodes that are meant, in order of name. Raises ChangeError where there are none."""
        if self.nodes:
            for number, name in enumerate(self.nodes):
                if name not in world.nodes:
                    problem = NoSuchNode(name, first(world.nodes), len(world.nodes))
                    raise ChangeError(f"{path}.nodes[{number}]", problem)
            return sorted(set(self.nodes))
        if self.zone is not None:
            return nodes_of_zone(world, self.zone, path)
        found = [name for name in sorted(world.nodes) if world.selects(self.selector or "", name)]
        if not found:
            raise ChangeError(f"{path}.selector", NoNodeSelected(self.selector or ""))
        return found


def nodes_of_zone(world: ClusterDocuments, zone: str, path: str) -> list[str]:
    """The nodes of a zone, in order of name. Raises ChangeError where there are none."""
    found = [name for name in sorted(world.nodes) if world.zone_of(name) == zone]
    if not found:
        zones = {world.zone_of(name) for name in world.nodes} - {""}
        raise ChangeError(f"{path}.zone", NoSuchZone(zone, first(zones), len(zones)))
    return found


def first(names: Iterable[str]) -> tuple[str, ...]:
    """The first few names that there are, for an error about one that there is not."""
    return tuple(sorted(names)[:_MOST_NAMED])


def _plain(value: Any) -> Any:
    if isinstance(value, Taint):
        return {
            name: part for name, part in (("key", value.key), ("value", value.value), ("effect", value.effect)) if part
        }
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return dict(value) if isinstance(value, Mapping) else value
