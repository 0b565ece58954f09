"""A plan of a drain in a few sentences: how many nodes it drains, in how many batches, and what blocks the others."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from clusters.engine.disruption import Block
from clusters.wording.drains import plan as words
from clusters.wording.drains.kept import held_sentence, refused_sentence
from clusters.wording.drains.pods import refused
from clusters.wording.drains.workloads import sentences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.disruption import BlockedNode, Eviction, Plan


def headline(plan: Plan, workloads: Mapping[str, Any] | None) -> str:
    """Say how many of the nodes can be drained, and what that does to workloads."""
    total, blocked = len(plan.nodes), len(plan.blocked)
    if total == 1:
        said = words.node_drained(plan.nodes[0], is_blocked=bool(blocked))
    else:
        said = words.DRAINED(done=total - blocked, nodes=total)
    return " ".join((said, *(sentences(workloads) if workloads and blocked < total else ())))


def course(plan: Plan) -> str:
    """Say in how many batches nodes are drained, what becomes of their pods, and what blocks the others."""
    said = []
    if plan.batches:
        said.append(words.IN_BATCHES(batches=len(plan.batches)))
        said += _evicted([eviction for batch in plan.batches for eviction in batch.evictions])
    blocked = Counter(node.kind for node in plan.blocked)
    said += [words.blocked(kind, blocked[kind]) for kind in Block if blocked[kind]]
    if plan.blocked:
        said.append(_kept(plan.blocked[0]))
    return " ".join(filter(None, said))


def _kept(node: BlockedNode) -> str:
    """Say which pods block a node for want of a flag or by a budget; empty where it is something else."""
    mine = [blocker for blocker in node.blockers if blocker.kind is node.kind]
    names = [blocker.pod for blocker in mine]
    if node.kind is Block.FLAG:
        flag = mine[0].handling.wants[0]
        wanting = [blocker.pod for blocker in mine if flag in blocker.handling.wants]
        return held_sentence(node.name, flag, wanting, len(wanting))
    if mine and mine[0].answer is not None and mine[0].landing is None:
        return refused_sentence(node.name, names, len(names), refused(mine[0].answer))
    return ""


def _evicted(evictions: Sequence[Eviction]) -> list[str]:
    """Say how many pods are evicted and what becomes of them; every replacement of a plan is placed."""
    if not evictions:
        return [str(words.NOTHING_TO_EVICT)]
    lost = sum(eviction.handling.is_unmanaged for eviction in evictions)
    placed = sum(eviction.landing is not None for eviction in evictions)
    uncertain = sum(eviction.landing is not None and bool(eviction.landing.uncertain) for eviction in evictions)
    counts = (
        (placed, words.placed),
        (uncertain, words.uncertain),
        (len(evictions) - placed - lost, words.without_replacement),
        (lost, words.not_recreated),
    )
    return [words.EVICTED(pods=len(evictions)), *(sentence(number) for number, sentence in counts if number)]
