"""Nodes as a table of plain values, for files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.resources import PODS
from clusters.wording.amounts import moment, resource_unit
from clusters.wording.nodes import file as words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine import Snapshot
    from clusters.models import Node

_READY = {True: words.YES, False: words.NO, None: words.UNKNOWN}


def columns(snapshot: Snapshot) -> list[str]:
    """Return the heads: facts, then three for each resource that a node or a pod of the cluster mentions."""
    named = (words.amounts_of(name, resource_unit(name)) for name in (PODS, *snapshot.nodes.resources))
    return [*map(str, words.FACTS), *(column for columns in named for column in columns)]


def cells(nodes: Iterable[Node], snapshot: Snapshot) -> Iterator[list[str | int]]:
    """Yield one row for each node that the snapshot holds, with exact amounts."""
    table = snapshot.nodes
    for node in nodes:
        row = table.index.get(node.name)
        if row is None:
            continue
        pairs = [(int(table.allowed_pods[row]), int(table.pod_count[row]))]
        pairs += zip(table.allocatable[row].tolist(), table.requested[row].tolist(), strict=True)
        yield [
            node.name,
            node.zone,
            node.region,
            node.instance_type,
            node.kubelet_version,
            str(_READY[node.ready]),
            str(words.YES if node.unschedulable else words.NO),
            " ".join(f"{taint.key}={taint.value}:{taint.effect}" for taint in table.nodes[row].taints),
            moment(node.created_at),
            *(number for has, asked in pairs for number in (has, asked, has - asked)),
        ]
