"""Which pods of a node its NoExecute taints drive out, and after how long.

Upstream: ``processPodOnNode`` and ``getMinTolerationTime`` of ``pkg/controller/tainteviction`` v1.34.1.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.matching.taints import Taint, Toleration

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot

NO_EXECUTE = "NoExecute"
# The longest time that the controller can count, 292 years; what is longer counts as for ever.
_LONGEST = (2**63 - 1) // 1_000_000_000


@dataclass(frozen=True, slots=True)
class TaintEviction:
    """How many pods stay, go at once, and go so many seconds after the taint came."""

    stay: int
    at_once: int
    later: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class TaintStay:
    """How long a pod tolerates one taint NoExecute by itself: ``seconds``, None for ever; 0 where nothing matches."""

    taint: Taint
    is_tolerated: bool
    seconds: int | None


def taint_stay(taint: Taint, tolerations: Sequence[Document]) -> TaintStay:
    """How long a pod with these tolerations stays on account of one taint NoExecute."""
    is_tolerated = any(Toleration.from_dict(each).tolerates(taint) for each in tolerations)
    return TaintStay(taint, is_tolerated, tolerated_seconds([taint], tolerations))


def tolerated_seconds(taints: Sequence[Taint], tolerations: Iterable[Document]) -> int | None:
    """How long a pod with these tolerations stays once a node has these NoExecute taints; None for ever.

    Of each taint the first toleration that matches counts, and of all of them the shortest time.
    """
    given = [(Toleration.from_dict(each), each.get("tolerationSeconds")) for each in tolerations]
    shortest: int | None = None
    for taint in taints:
        used = next(((seconds,) for toleration, seconds in given if toleration.tolerates(taint)), None)
        if used is None:
            return 0
        if used[0] is not None and used[0] <= _LONGEST:
            seconds = max(0, int(used[0]))
            shortest = seconds if shortest is None else min(shortest, seconds)
    return shortest


def driven_out(snapshot: Snapshot, node: str) -> list[tuple[str, int]]:
    """The pods (``namespace/name``) that the NoExecute taints of a node drive out, and after how many seconds each."""
    row, pods = snapshot.nodes.index[node], snapshot.pods
    taints = [taint for taint in snapshot.nodes.nodes[row].taints if taint.effect == NO_EXECUTE]
    slots = pods.on_node(row).tolist()
    seconds = {
        template: tolerated_seconds(taints, pods.templates[template].tolerations)
        for template in {int(pods.template[slot]) for slot in slots}
    }
    found = [(pods.keys[slot], seconds[int(pods.template[slot])]) for slot in slots]
    return sorted((key, after) for key, after in found if after is not None)


def taint_eviction(snapshot: Snapshot, node: str) -> TaintEviction | None:
    """What the NoExecute taints of a node mean for the pods on it; None for a node without one."""
    row, pods = snapshot.nodes.index[node], snapshot.pods
    taints = [taint for taint in snapshot.nodes.nodes[row].taints if taint.effect == NO_EXECUTE]
    if not taints:
        return None
    counts = Counter(pods.template[pods.on_node(row)].tolist())
    stay, later = 0, Counter[int]()
    for template, number in counts.items():
        seconds = tolerated_seconds(taints, pods.templates[template].tolerations)
        if seconds is None:
            stay += number
        else:
            later[seconds] += number
    return TaintEviction(stay, later.pop(0, 0), dict(sorted(later.items())))
