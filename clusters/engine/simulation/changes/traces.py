"""Pods that arrive and leave as a trace says, and the nodes of the trace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from clusters.engine.simulation import openb
from clusters.engine.simulation.changes.change import ClusterChange
from clusters.engine.simulation.changes.problems import EmptyTrace
from clusters.engine.simulation.changes.reading import ChangeFields
from clusters.engine.simulation.limits import MOST_NODES, MOST_WANTED
from clusters.engine.simulation.remarks import ColumnMissing, FractionalGpus

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.simulation.changes.world import ClusterDocuments
    from clusters.engine.simulation.openb import Column

_FORMATS = ("openb",)


@dataclass(frozen=True, slots=True)
class Trace(ClusterChange):
    """Rows of a trace, as `clusters.adapters.traces` reads them from files."""

    format: str
    pods: tuple[Mapping[str, Any], ...]
    nodes: tuple[Mapping[str, Any], ...] = ()

    change: ClassVar[str] = "trace"
    known: ClassVar[tuple[str, ...]] = ("format", "nodes", "pods")

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        kind = given.word("format", _FORMATS)
        nodes = _rows(given, "nodes", openb.NODE_COLUMNS, MOST_NODES)
        pods = _rows(given, "pods", openb.POD_COLUMNS, MOST_WANTED)
        if not pods:
            raise given.bad("pods", EmptyTrace())
        return cls(kind, pods, nodes)

    def apply(self, world: ClusterDocuments, path: str) -> None:
        for node in openb.nodes_of(self.nodes):
            world.add_node(f"{path}.nodes", node)
        world.want(f"{path}.pods", openb.pods_of(self.pods))
        for rows, columns in ((self.nodes, openb.NODE_COLUMNS), (self.pods, openb.POD_COLUMNS)):
            for column in openb.missing(columns, rows) if rows else ():
                if column.matters:
                    world.remarks.append(ColumnMissing(column.name))
        parts = sum(map(openb.is_fractional, self.pods))
        if parts:
            world.remarks.append(FractionalGpus(parts))


def _rows(given: ChangeFields, name: str, columns: Sequence[Column], most: int) -> tuple[Mapping[str, Any], ...]:
    """Rows, checked cell by cell. Raises ChangeError."""
    names = [column.name for column in columns]
    found = []
    for number, entry in enumerate(given.listed(name, most)):
        # Its errors name the row; what is in it is checked by column.
        ChangeFields(entry, f"{given.path}.{name}[{number}]", names)
        try:
            for column in columns:
                openb.check(column, entry)
            if columns is openb.POD_COLUMNS:
                openb.check_pod(entry)
        except openb.CellError as error:
            raise given.bad(f"{name}[{number}].{error.column}", error.problem) from None
        found.append(entry)
    return tuple(found)
