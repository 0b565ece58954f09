"""Which changes of a node are in the journal: what decides which pods it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from clusters.adapters.rows import OBJECT, TABLES
from clusters.models import NodeChange

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from clusters.adapters.rows import Row
    from clusters.models import Cluster

Kind = NodeChange.Kind

_NAME = TABLES["Node"].columns.index("name")
_PRESSURES = ("MemoryPressure", "DiskPressure", "PIDPressure")


class _Condition(NamedTuple):
    """How a node is, as far as the journal tells it."""

    is_ready: bool
    is_cordoned: bool
    pressures: frozenset[str]


def changes_of(
    cluster: Cluster, rows: Mapping[str, Row | None], before: Mapping[str, Mapping[str, Any]], at: datetime
) -> Iterator[NodeChange]:
    """Yield what became of nodes, given as they are now (None: gone) and as they were, by UID."""
    for uid, row in rows.items():
        known = before.get(uid)
        if row is None:
            if known is not None:
                yield _change(cluster, Kind.REMOVED, (known.get("metadata") or {}).get("name", ""), at)
            continue
        document = orjson.loads(row[OBJECT])
        if known is None:
            yield _change(cluster, Kind.ADDED, row[_NAME], at)
        else:
            for kind, condition in _told(_condition(known), _condition(document)):
                yield _change(cluster, kind, row[_NAME], at, condition)


def _told(before: _Condition, now: _Condition) -> Iterator[tuple[Kind, str]]:
    if before.is_cordoned != now.is_cordoned:
        yield Kind.CORDONED if now.is_cordoned else Kind.UNCORDONED, ""
    if before.is_ready != now.is_ready:
        yield Kind.READY if now.is_ready else Kind.NOT_READY, ""
    for pressure in sorted(now.pressures - before.pressures):
        yield Kind.PRESSURE, pressure
    for pressure in sorted(before.pressures - now.pressures):
        yield Kind.RELIEVED, pressure


def _condition(node: Mapping[str, Any]) -> _Condition:
    conditions = {each.get("type"): each.get("status") for each in (node.get("status") or {}).get("conditions") or ()}
    return _Condition(
        is_ready=conditions.get("Ready") == "True",
        is_cordoned=bool((node.get("spec") or {}).get("unschedulable")),
        pressures=frozenset(name for name in _PRESSURES if conditions.get(name) == "True"),
    )


def _change(cluster: Cluster, kind: Kind, node: str, at: datetime, condition: str = "") -> NodeChange:
    return NodeChange(cluster=cluster, kind=kind, node_name=node, heard_at=at, condition=condition)
