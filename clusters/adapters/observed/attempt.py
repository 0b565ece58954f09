"""One attempt to schedule one pod, as somebody else recorded it: the normal form of every source.

A document holds what was recorded, and of these keys only those:

- ``preFilter``, ``preScore``, ``reserve``, ``permit``, ``permitTimeout``, ``preBind``, ``bind``: {plugin: text}
- ``preFilterNodes``: {plugin: [node]}, the nodes that PreFilter narrowed the search to
- ``filters``: {node: {plugin: "passed" or the reasons}}, ``postFilter``: {node: {plugin: text}}
- ``scores``: {node: {plugin: raw}}, ``finalScores``: {node: {plugin: normalised × weight}}
- ``extenders``: {node: {extender: score}}, ``totals``: {node: score}
- ``preFilterMessage``, ``postFilterMessage``, ``message``: texts; the last is why the pod was unschedulable
- ``selectedNode``, ``nominatedNode``: names; ``evaluatedNodes``, ``feasibleNodes``: counts
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.models.observation import Observation, unpacked

if TYPE_CHECKING:
    from datetime import datetime

SIMULATOR, LOG = Observation.Source.SIMULATOR, Observation.Source.LOG
PASSED = "passed"
SUCCESS = "success"

# Kinds of cells: what was said about a node by a plugin or an extender, or summed up over them.
_BY_NODE_AND_PLUGIN = ("filters", "scores", "finalScores", "extenders")


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt ready to be kept; `key` tells it from the other attempts of its pod, the same on every reading.

    `uid` is empty where the source names the pod only; `number` counts from 1 where the source numbers attempts.
    """

    source: str
    namespace: str
    name: str
    uid: str
    key: str
    number: int | None
    observed_at: datetime | None
    cells: int
    packed: bytes

    @property
    def document(self) -> dict[str, Any]:
        """What was recorded, in the normal form."""
        return unpacked(self.packed)


def cells_in(document: dict[str, Any]) -> int:
    """Return how many cells a document holds."""
    by_plugin = sum(len(cells) for kind in _BY_NODE_AND_PLUGIN for cells in document.get(kind, {}).values())
    return by_plugin + len(document.get("totals", ()))
