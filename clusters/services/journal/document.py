"""An explanation as the journal keeps it: what a page needs years later, in less than 20 KB.

Everything is counted in full; what is listed is bounded, by number and, as names and reasons can be long, by bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Explanation, NodeGroup
    from clusters.engine.cycle import Rejection
    from clusters.engine.cycle_error import CycleError
    from clusters.engine.preemption import Candidate
    from clusters.engine.status import Index

VERSION = 1
MOST_BYTES = 20_000


@dataclass(frozen=True, slots=True)
class _Bounds:
    """How many of each are listed, and how many bytes a text may have."""

    group_examples: int
    best_examples: int
    victims: int
    ranking: int
    groups: int
    reasons: int
    text: int
    message: int


# From the full document to one that is small whatever stands in it: examples go before groups, groups before reasons.
_LADDER = (
    _Bounds(group_examples=3, best_examples=20, victims=20, ranking=5, groups=20, reasons=8, text=512, message=4000),
    _Bounds(group_examples=1, best_examples=8, victims=8, ranking=5, groups=20, reasons=8, text=512, message=4000),
    _Bounds(group_examples=0, best_examples=3, victims=3, ranking=5, groups=20, reasons=8, text=512, message=3000),
    _Bounds(group_examples=0, best_examples=1, victims=1, ranking=3, groups=12, reasons=6, text=320, message=2000),
    _Bounds(group_examples=0, best_examples=1, victims=1, ranking=3, groups=5, reasons=4, text=256, message=1000),
    _Bounds(group_examples=0, best_examples=1, victims=1, ranking=1, groups=1, reasons=2, text=128, message=500),
)


def decision_document(explanation: Explanation, chosen: str | None) -> dict[str, Any]:
    """Return the journal document of an explanation; ``chosen`` is the node that the cluster decided for.

    ``dropped`` names what was listed more briefly than usual: "examples", "groups", "reasons", "message". At most
    MOST_BYTES long as JSON.
    """
    document: dict[str, Any] = {}
    for bounds in _LADDER:
        document = _Writer(explanation, bounds).document(chosen)
        if len(orjson.dumps(document)) <= MOST_BYTES:
            break
    return document


class _Writer:
    """Writes one document within bounds, and remembers what did not fit."""

    def __init__(self, explanation: Explanation, bounds: _Bounds) -> None:
        self.explanation = explanation
        self.bounds = bounds
        self.dropped: set[str] = set()
        usual = _LADDER[0]
        if bounds.group_examples < usual.group_examples:
            self.dropped.add("examples")
        if bounds.groups < usual.groups and len(explanation.groups) > bounds.groups:
            self.dropped.add("groups")

    def document(self, chosen: str | None) -> dict[str, Any]:
        explanation, cycle = self.explanation, self.explanation.cycle
        sampling = explanation.sampling
        document = {
            "version": VERSION,
            "nodes": explanation.node_count,
            "considered": int(cycle.considered.sum()),
            "feasible": len(cycle.feasible),
            "fits": explanation.fits,
            "conclusion": explanation.conclusion.value,
            "sampling": {"wanted": sampling.wanted, "nodes": sampling.nodes},
            "schedulerName": self._text(explanation.pod.scheduler_name),
            "message": self._message(explanation.message),
            "preFilterVerdict": self._rejection(cycle.stopped_by),
            "groups": [self._group(group) for group in explanation.groups[: self.bounds.groups]],
            "otherGroups": _others(explanation.groups[self.bounds.groups :]),
            "funnel": [
                {
                    "plugin": self._text(step.plugin),
                    "left": step.left,
                    "rejectedHere": step.rejected_here,
                    "rejectedAlone": step.rejected_alone,
                    "skipped": step.skipped,
                }
                for step in explanation.funnel
            ],
            "error": self._error(explanation.error),
            "takesNominated": explanation.takes_nominated,
            "best": self._best(),
            "ranking": self._ranking(),
            "chosen": None if chosen is None else self._chosen(chosen),
            "preemption": self._preemption(),
            "unknownPlugins": self._texts(explanation.unknown_plugins),
        }
        return {**document, "dropped": sorted(self.dropped)}

    # -- texts -----------------------------------------------------------------------------------------------------

    def _cut(self, text: str, limit: int, dropped: str) -> str:
        encoded = text.encode()
        if len(encoded) <= limit:
            return text
        self.dropped.add(dropped)
        return f"{encoded[:limit].decode(errors='ignore')}…"

    def _text(self, text: str) -> str:
        return self._cut(text, self.bounds.text, "reasons")

    def _texts(self, texts: Iterable[str]) -> list[str]:
        every = list(texts)
        if len(every) > self.bounds.reasons:
            self.dropped.add("reasons")
        return [self._text(text) for text in every[: self.bounds.reasons]]

    def _message(self, message: str | None) -> str | None:
        return None if message is None else self._cut(message, self.bounds.message, "message")

    def _rejection(self, rejection: Rejection | None) -> dict[str, Any] | None:
        if rejection is None:
            return None
        return {
            "plugin": self._text(rejection.plugin),
            "code": str(rejection.status.code),
            "reasons": self._texts(rejection.status.reasons),
        }

    # -- nodes -----------------------------------------------------------------------------------------------------

    def _names(self, rows: Index, most: int) -> list[str]:
        names = self.explanation.snapshot.nodes.names
        return [names[row] for row in rows[:most].tolist()]

    def _group(self, group: NodeGroup) -> dict[str, Any]:
        return {
            "count": len(group),
            "examples": self._names(group.rows, self.bounds.group_examples),
            "verdict": self._rejection(group.verdict),
            "filters": {plugin: self._texts(status.reasons) for plugin, status in group.filters.items()},
        }

    def _error(self, error: CycleError | None) -> dict[str, Any] | None:
        if error is None:
            return None
        return {
            "phase": error.phase,
            "plugin": error.plugin,
            "node": error.node,
            "message": self._message(error.message),
        }

    def _best(self) -> dict[str, Any] | None:
        rows = self.explanation.cycle.choices
        if not len(rows):
            return None
        return {
            "total": self.explanation.total_of(int(rows[0])),
            "count": len(rows),
            "examples": self._names(rows, self.bounds.best_examples),
        }

    def _ranking(self) -> list[dict[str, Any]]:
        names = self.explanation.snapshot.nodes.names
        return [
            {"node": names[row], "total": self.explanation.total_of(row), "scores": self._scores(row)}
            for row in self.explanation.ranking()[: self.bounds.ranking].tolist()
        ]

    def _scores(self, row: int) -> dict[str, list[int]]:
        return {cell.plugin: [cell.raw, cell.normalised, cell.weighted] for cell in self.explanation.cells_of(row)}

    def _chosen(self, node: str) -> dict[str, Any]:
        """Describe the chosen node; one that the state does not hold is not ``known``."""
        row = self.explanation.snapshot.nodes.index.get(node)
        if row is None:
            return {
                "node": node, "known": False, "total": None, "rank": None, "scores": {}, "verdict": None, "filters": {},
            }  # fmt: skip
        total = self.explanation.total_of(row)
        return {
            "node": node,
            "known": True,
            "total": total,
            "rank": None if total is None else 1 + int(np.count_nonzero(self.explanation.cycle.totals > total)),
            "scores": self._scores(row),
            "verdict": self._rejection(self.explanation.verdict_of(row)),
            "filters": {
                plugin: self._texts(status.reasons) for plugin, status in self.explanation.rejections_of(row).items()
            },
        }

    # -- preemption ------------------------------------------------------------------------------------------------

    def _preemption(self) -> dict[str, Any] | None:
        found = self.explanation.preemption
        if found is None:
            return None
        return {
            "eligible": found.eligible,
            "message": self._message(found.message),
            "selected": None if found.selected is None else self._candidate(found.selected),
            "candidates": len(found.candidates),
        }

    def _candidate(self, candidate: Candidate) -> dict[str, Any]:
        return {
            "node": candidate.node,
            "victims": list(candidate.victims[: self.bounds.victims]),
            "victimCount": len(candidate.victims),
            "pdbViolations": candidate.pdb_violations,
        }


def _others(groups: list[NodeGroup]) -> dict[str, int] | None:
    """Count the groups that are not listed."""
    return {"groups": len(groups), "nodes": sum(map(len, groups))} if groups else None
