"""The order in which a kubelet evicts under memory pressure, in words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.disruption.pressure import Standing
from clusters.wording import amounts
from clusters.wording.amounts import counted, grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.disruption.pressure import PressureRank

_WHY = {
    Standing.STATIC: "A static pod: the kubelet passes it over.",
    Standing.CRITICAL: "Its priority is critical (2 000 000 000 or more): the kubelet passes it over.".replace(
        " 000", "\u202f000"
    ),
    Standing.STARTING: "Nothing of it may run yet: without statistics it comes before all others.",
    Standing.NOTHING_REQUESTED: "It requests no memory, so whatever it uses is above its request.",
    Standing.NOTHING_AS_A_WHOLE: (
        "It has resources at pod level and requests no memory there, so the kubelet counts a request of 0, "
        "whatever its containers request."
    ),
    Standing.CAPPED: "Its limits are no more than its request, so it cannot use more.",
    Standing.ABOVE_REQUEST: "Its limits are above its request: early if it uses more than it requests, else late.",
    Standing.UNLIMITED: "A container has no memory limit: early if it uses more than it requests, else late.",
    Standing.SIDECARS: "Kubelets do not count the requests of sidecars alike, so its limits prove nothing.",
}


@dataclass(frozen=True, slots=True)
class RankView:
    """A pod's place; `rank` is empty for one that is passed over, `reason` says why it has its place."""

    namespace: str
    name: str
    rank: str
    is_certain: bool
    quality: str
    priority: str
    requested: str
    limited: str
    reason: str


def rank_views(ranks: Sequence[PressureRank]) -> list[RankView]:
    """Present the pods in their order."""
    return [_view(rank) for rank in ranks]


def _view(rank: PressureRank) -> RankView:
    namespace, _, name = rank.key.partition("/")
    places = grouped(rank.earliest)
    if rank.latest != rank.earliest:
        places = f"{places} to {grouped(rank.latest)}"
    return RankView(
        namespace=namespace,
        name=name,
        rank="" if rank.standing.is_exempt else places,
        is_certain=rank.earliest == rank.latest,
        quality=str(rank.quality),
        priority=grouped(rank.priority),
        requested=amounts.size(rank.requested) if rank.requested else "none",
        limited="none" if rank.limited is None else amounts.size(rank.limited),
        reason=_WHY[rank.standing],
    )


def sentence(ranks: Sequence[PressureRank]) -> str:
    """Say who certainly goes first, for whom it depends, who goes last, and who never."""
    if not ranks:
        return "No pod is on the node: there is nothing to evict."
    counts = Counter(_fate(rank) for rank in ranks)
    said = [
        f"{counted(counts[fate], 'pod', 'pods')} {one if counts[fate] == 1 else many}"
        for fate, (one, many) in _FATES.items()
        if counts[fate]
    ]
    return f"When memory runs out, the kubelet evicts one pod at a time: {'; '.join(said)}."


_FIRST, _DEPENDS, _LAST, _NEVER = range(4)
_FATES = {
    _FIRST: ("is certainly above its request", "are certainly above their requests"),
    _DEPENDS: ("may be above or within its request", "may be above or within their requests"),
    _LAST: ("cannot exceed its request and goes last", "cannot exceed their requests and go last, by priority"),
    _NEVER: ("is never chosen", "are never chosen"),
}

_FATE_OF = {Standing.NOTHING_REQUESTED: _FIRST, Standing.NOTHING_AS_A_WHOLE: _FIRST, Standing.CAPPED: _LAST}


def _fate(rank: PressureRank) -> int:
    if rank.standing.is_exempt:
        return _NEVER
    return _FATE_OF.get(rank.standing, _DEPENDS)
