"""Nodes by what filtering found: the groups of identical verdict, and the nodes of one group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.status import Code
from clusters.wording import counts
from clusters.wording.amounts import percent
from clusters.wording.decisions import filters as words
from clusters.wording.decisions.nodes import total_and_rank, verdict_word
from clusters.wording.evidence import missing
from clusters.wording.reasons import as_reported

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Explanation
    from clusters.engine.scheduling import NodeGroup
    from clusters.engine.status import Rejection, Status


@dataclass(frozen=True, slots=True)
class RejectionView:
    """One plugin's rejection in the scheduler's own words; `resolvable` by removing pods."""

    plugin: str
    reasons: str
    resolvable: bool


@dataclass(frozen=True, slots=True)
class NodeGroupView:
    """Nodes about which everything says the same.

    `verdict` is a word of the verdict tokens. `reported` is what the scheduler records (None: feasible), `everything`
    what each filter says on its own, and `instead` what stands there when no filter says anything. `nominated` names
    the nominated pods that make the scheduler's answer another one; empty where they do not.
    """

    number: int
    count: str
    share: str
    fill: float
    verdict: str
    verdict_text: str
    summary: str
    reported: RejectionView | None
    everything: tuple[RejectionView, ...]
    instead: str
    nominated: str


@dataclass(frozen=True, slots=True)
class NodeLine:
    """One node of a group: what is missing here, or how it scores."""

    name: str
    brief: str


def _fill(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0


def groups(explanation: Explanation) -> list[NodeGroupView]:
    """Present the nodes by identical verdict."""
    return [group(explanation, number) for number in range(len(explanation.groups))]


def group(explanation: Explanation, number: int) -> NodeGroupView:
    """Present one group. Raises IndexError for a number that there is not."""
    found = explanation.groups[number]
    return NodeGroupView(
        number=number,
        count=counts.nodes(len(found)),
        share=percent(len(found), explanation.node_count),
        fill=_fill(len(found), explanation.node_count),
        verdict=verdict_token(found.verdict),
        verdict_text=verdict_word(found.verdict),
        summary=words.group_summary(found),
        reported=None if found.verdict is None else _reported(found.verdict),
        everything=answers(found.filters.items()),
        instead=words.nothing_fails(explanation, found),
        nominated=_nominated(explanation, found),
    )


def _nominated(explanation: Explanation, found: NodeGroup) -> str:
    if not explanation.decided_by_nominated(int(found.rows[0])):
        return ""
    names = dict.fromkeys(name for row in found.rows.tolist() for name in explanation.nominated_on(row))
    return words.counts_nominated(list(names), len(found))


def verdict_token(rejection: Rejection | None) -> str:
    """Return the verdict's token."""
    if rejection is None:
        return "fits"
    match rejection.status.code:
        case Code.UNSCHEDULABLE:
            return "preemptible"
        case Code.ERROR:
            return "unknown"
        case _:
            return "rejected"


def _reported(rejection: Rejection) -> RejectionView:
    return _answer(rejection.plugin or "PreFilter", rejection.status)


def answers(filters: Iterable[tuple[str, Status]]) -> tuple[RejectionView, ...]:
    """Present rejections by plugin."""
    return tuple(_answer(plugin, status) for plugin, status in filters)


def _answer(plugin: str, status: Status) -> RejectionView:
    return RejectionView(plugin, as_reported(status), status.code is Code.UNSCHEDULABLE)


def node_lines(explanation: Explanation, rows: Iterable[int]) -> list[NodeLine]:
    """Present nodes of a list, each with what counts there in one line."""
    return [NodeLine(explanation.snapshot.nodes.names[row], _line(explanation, row)) for row in rows]


def _line(explanation: Explanation, row: int) -> str:
    total = explanation.total_of(row)
    if total is not None:
        return total_and_rank(explanation, total)
    evidence = explanation.evidence(row)
    rejecting = {**explanation.rejections_of(row), **explanation.rejections_with_nominated(row)}
    if rejecting:
        return "; ".join(missing(evidence[plugin]) or as_reported(status) for plugin, status in rejecting.items())
    rejection = explanation.verdict_of(row)
    return "" if rejection is None else as_reported(rejection.status)
