"""What an upgrade changes for the drain of each node pool, as it is written down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.documents.explanation import Part
from clusters.documents.upgrade_rules import UpgradeRule, written_rules
from clusters.engine.disruption.drain_plan import Block
from clusters.engine.upgrading.drains import DrainAspect

if TYPE_CHECKING:
    from clusters.engine.upgrading.drain_changes import DrainChange, PoolDrain
    from clusters.engine.upgrading.drains import NodeDrainAnswer, ReplacedPod

# So many pods are written of each answer; the rest is counted.
MOST_PODS: Final = 20


class UpgradeReplacement(Part, frozen=True, kw_only=True):
    """An evicted pod and the node of its replacement; where that is not certain, something is not computed."""

    pod: str
    node: str
    is_certain: bool


class UpgradePending(Part, frozen=True, kw_only=True):
    """A pod whose replacement would have no node."""

    pod: str
    message: str


class UpgradeDrainAnswer(Part, frozen=True, kw_only=True):
    """What the drain of a node meets; ``block`` is null where it is drained.

    ``replacements``: where nodes alone differ, those that do.
    """

    block: Block | None
    replacements: tuple[UpgradeReplacement, ...]
    replacement_count: int
    pending: tuple[UpgradePending, ...]
    pending_count: int
    refused: tuple[str, ...]
    refused_count: int
    budgets: tuple[str, ...]


class UpgradeDrainDifference(Part, frozen=True, kw_only=True):
    """One thing that the drain of a node meets otherwise under a release than under the minor before it."""

    release: str
    difference: DrainAspect
    rules: tuple[UpgradeRule, ...]
    node: str
    before: UpgradeDrainAnswer
    after: UpgradeDrainAnswer


class UpgradePool(Part, frozen=True, kw_only=True):
    """A pool, empty for nodes without one: how many nodes it has, were drained, and differ."""

    pool: str
    node_count: int
    nodes_drained: int
    nodes_changed: int
    differences: tuple[UpgradeDrainDifference, ...]


def upgrade_pool(drain: PoolDrain) -> UpgradePool:
    """Write down the drain of a pool."""
    return UpgradePool(
        pool=drain.name,
        node_count=drain.node_count,
        nodes_drained=len(drain.nodes),
        nodes_changed=len(drain.changed_nodes),
        differences=tuple(map(_difference, drain.changes)),
    )


def _difference(change: DrainChange) -> UpgradeDrainDifference:
    before, after = change.before, change.after
    is_of_nodes = change.aspect is DrainAspect.NODES
    return UpgradeDrainDifference(
        release=change.minor,
        difference=change.aspect,
        rules=written_rules(change.amendments),
        node=change.node,
        before=_answer(before, frozenset(after.replaced) if is_of_nodes else frozenset()),
        after=_answer(after, frozenset(before.replaced) if is_of_nodes else frozenset()),
    )


def _answer(answer: NodeDrainAnswer, known: frozenset[ReplacedPod]) -> UpgradeDrainAnswer:
    replaced = [each for each in answer.replaced if each not in known]
    return UpgradeDrainAnswer(
        block=answer.block,
        replacements=tuple(
            UpgradeReplacement(pod=each.pod, node=each.node, is_certain=each.is_certain)
            for each in replaced[:MOST_PODS]
        ),
        replacement_count=len(replaced),
        pending=tuple(UpgradePending(pod=each.pod, message=each.message) for each in answer.pending[:MOST_PODS]),
        pending_count=len(answer.pending),
        refused=answer.refused[:MOST_PODS],
        refused_count=len(answer.refused),
        budgets=answer.budgets[:MOST_PODS],
    )
