"""All nodes of a list at one glance: by zone, the fullest first, with what each has and is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.resources import CPU, EPHEMERAL_STORAGE, MEMORY, PODS
from clusters.wording import amounts
from clusters.wording.amounts import Unit, quantity, resource_unit
from clusters.wording.nodes import heat_map as words
from clusters.wording.resources import resource_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.status import Ints

FULL = 0.9
_ALWAYS = (CPU, MEMORY, PODS)


@dataclass(frozen=True, slots=True)
class Listed:
    """A node that passes the list's filters; `state` is empty for one that is ready and schedulable.

    `mark` is the name of that state in pictures: open, not-ready, unknown or cordoned.
    """

    name: str
    zone: str
    state: str
    mark: str = "open"


@dataclass(frozen=True, slots=True)
class HeatCell:
    """One node: `share` of the resource that is requested, and that in words."""

    name: str
    share: float
    text: str
    state: str
    mark: str


@dataclass(frozen=True, slots=True)
class ZoneBlock:
    """The nodes of one zone, the fullest first, and what they have together."""

    zone: str
    cells: tuple[HeatCell, ...]
    requested: str
    allocatable: str
    percent: str
    full: int


@dataclass(frozen=True, slots=True)
class NodeMap:
    """`resource` as people write it; `without` counts the nodes that have none of it and are left out, or is empty."""

    resource: str
    title: str
    sentence: str
    blocks: tuple[ZoneBlock, ...]
    count: int
    without: str


def resources(snapshot: Snapshot) -> list[tuple[str, str]]:
    """Return what the map can show: the resources that some node has, with their names as people write them."""
    table = snapshot.nodes
    present = {name for number, name in enumerate(table.resources) if (table.allocatable[:, number] > 0).any()}
    others = sorted(present - {*_ALWAYS, EPHEMERAL_STORAGE})
    storage = [EPHEMERAL_STORAGE] if EPHEMERAL_STORAGE in present else []
    return [(name, label_of(name)) for name in (*_ALWAYS, *storage, *others)]


def label_of(resource: str) -> str:
    """Write a resource's name as the head of something."""
    name = str(words.PODS_LABEL) if resource == PODS else resource_name(resource)
    return f"{name[:1].upper()}{name[1:]}" if "/" not in name else name


def columns_of(snapshot: Snapshot, resource: str) -> tuple[Ints, Ints]:
    """Return what is requested of a resource and what is allocatable, shape (N,) each, in base units."""
    table = snapshot.nodes
    if resource == PODS:
        return table.pod_count, table.allowed_pods
    column = table.resources.index(resource)
    return table.requested[:, column], table.allocatable[:, column]


def node_map(snapshot: Snapshot, nodes: Iterable[Listed], resource: str) -> NodeMap:
    """Lay the nodes out for a resource."""
    requested, allocatable = columns_of(snapshot, resource)
    index = snapshot.nodes.index
    listed = [(node, index[node.name]) for node in nodes if node.name in index]
    rows = np.array([row for _, row in listed], np.intp)
    asked, has = requested[rows].tolist(), allocatable[rows].tolist()
    # Nodes are of few sizes and hold pods of few sizes: the same amounts are written once.
    texts: dict[tuple[int, int], str] = {}
    zones: dict[str, list[tuple[HeatCell, int, int]]] = {}
    for (node, _), used, total in zip(listed, asked, has, strict=True):
        if total > 0:
            text = texts.get((used, total))
            if text is None:
                text = texts[used, total] = _text(resource, used, total)
            cell = HeatCell(node.name, used / total, text, node.state, node.mark)
            zones.setdefault(node.zone, []).append((cell, used, total))
    blocks = tuple(_block(zone, zones[zone], resource) for zone in sorted(zones, key=lambda zone: (not zone, zone)))
    count = sum(len(block.cells) for block in blocks)
    without, label = len(listed) - count, label_of(resource)
    return NodeMap(
        resource=label,
        title=words.TITLE(resource=label),
        sentence=_sentence(blocks, resource, sum(asked), sum(has)),
        blocks=blocks,
        count=count,
        without=words.WITHOUT(nodes=without, resource=label) if without else "",
    )


def _text(resource: str, used: int, total: int) -> str:
    return words.CELL(
        requested=quantity(resource, used), allocatable=quantity(resource, total), share=amounts.percent(used, total)
    )


def _block(zone: str, members: list[tuple[HeatCell, int, int]], resource: str) -> ZoneBlock:
    used, total = sum(each[1] for each in members), sum(each[2] for each in members)
    cells = sorted((cell for cell, _, _ in members), key=lambda cell: (-cell.share, cell.name))
    return ZoneBlock(
        zone=zone or str(words.NO_ZONE),
        cells=tuple(cells),
        requested=quantity(resource, used),
        allocatable=quantity(resource, total),
        percent=amounts.percent(used, total),
        full=sum(cell.share >= FULL for cell in cells),
    )


def _sentence(blocks: Sequence[ZoneBlock], resource: str, used: int, total: int) -> str:
    """Say how full all nodes are together, and how many are nearly or more than full."""
    count = sum(len(block.cells) for block in blocks)
    if not count:
        return words.NO_NODE_HAS(resource=label_of(resource))
    return " ".join(
        (
            words.requested(
                resource="" if resource_unit(resource) is Unit.MILLI_CPU else resource_name(resource),
                is_pods=resource == PODS,
                requested=quantity(resource, used),
                allocatable=quantity(resource, total),
                share=amounts.percent(used, total),
                nodes=count,
                zones=len(blocks),
            ),
            words.nearly_full(
                full=sum(block.full for block in blocks),
                over=sum(cell.share > 1 for block in blocks for cell in block.cells),
            ),
        )
    )
