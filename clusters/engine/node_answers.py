"""What an explanation says of nodes: those that are answered alike, those that each filter leaves, scores of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.status import Index, Rejection, Status


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """Nodes about which all filters and the verdict say the same.

    ``rows`` index the snapshot's nodes in order of name; ``filters`` holds the rejections by plugin, in plugin order;
    ``verdict`` is what the scheduler would record (None: feasible).
    """

    rows: Index
    filters: Mapping[str, Status]
    verdict: Rejection | None

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """One plugin's score of one node: raw, brought to 0..100, and times the plugin's weight."""

    plugin: str
    raw: int
    normalised: int
    weighted: int
