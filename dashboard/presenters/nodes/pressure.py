"""The order in which a kubelet evicts under memory pressure, as rows and a sentence."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.disruption.pressure import KnownMemory
from clusters.wording import amounts
from clusters.wording.amounts import grouped
from clusters.wording.nodes import pressure as words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.disruption.pressure import PressureRank


@dataclass(frozen=True, slots=True)
class RankView:
    """A pod's rank; empty for one that is never evicted. `reason` says why it has its rank."""

    namespace: str
    name: str
    rank: str
    is_certain: bool
    qos_class: str
    priority: str
    requested: str
    limited: str
    reason: str


def rank_views(ranks: Sequence[PressureRank]) -> list[RankView]:
    """Present the pods in their order."""
    return [_view(rank) for rank in ranks]


def _view(rank: PressureRank) -> RankView:
    namespace, _, name = rank.key.partition("/")
    return RankView(
        namespace=namespace,
        name=name,
        rank="" if rank.standing.is_exempt else words.ranks(rank.earliest, rank.latest),
        is_certain=rank.earliest == rank.latest,
        qos_class=str(rank.quality),
        priority=grouped(rank.priority),
        requested=amounts.size(rank.requested) if rank.requested else str(words.NO_AMOUNT),
        limited=str(words.NO_AMOUNT) if rank.limited is None else amounts.size(rank.limited),
        reason=str(words.REASONS[rank.standing]),
    )


def sentence(ranks: Sequence[PressureRank]) -> str:
    """Say who certainly goes first, for whom it depends, who goes last, and who never."""
    if not ranks:
        return words.no_pods()
    counts = Counter(_fate(rank) for rank in ranks)
    return " ".join([words.one_at_a_time(), *(say(counts[fate]) for fate, say in _FATES.items() if counts[fate])])


_FIRST, _DEPENDS, _LAST, _NEVER = range(4)
_FATES = {
    _FIRST: words.certainly_above,
    _DEPENDS: words.depends_on_usage,
    _LAST: words.cannot_exceed,
    _NEVER: words.never_evicted,
}

_FATE_OF = {KnownMemory.NOTHING_REQUESTED: _FIRST, KnownMemory.NOTHING_AS_A_WHOLE: _FIRST, KnownMemory.CAPPED: _LAST}


def _fate(rank: PressureRank) -> int:
    if rank.standing.is_exempt:
        return _NEVER
    return _FATE_OF.get(rank.standing, _DEPENDS)
