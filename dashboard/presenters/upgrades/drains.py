"""The drains of an upgrade as its page shows them: a picture by pool, and the differences node by node."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.http import urlencode

from clusters.documents.upgrade_words import drain_difference_in_words, drains_headline_of, rules_in_words
from clusters.engine.upgrading import DrainAspect
from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.upgrades import drains as drain_words
from clusters.wording.upgrades import page as page_words
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import BarPart, StackRow, StackSpec
from dashboard.presenters.shared.links import address
from dashboard.presenters.upgrades.rows import rows_left

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.documents.upgrade_words import DrainDifferenceInWords
    from clusters.documents.upgrades import UpgradeDocument, UpgradeDrainDifference, UpgradePool
    from clusters.models import Cluster

_COLOURS: Final = {
    DrainAspect.VERDICT: "verdict-rejected-solid",
    DrainAspect.NODES: "verdict-chosen-solid",
    DrainAspect.MESSAGE: "verdict-unknown-solid",
}


@dataclass(frozen=True, slots=True)
class UpgradedDrainRow:
    """One difference of the drain of a node, with the plan of its drain."""

    node: str
    url: str
    release: str
    rules: tuple[str, ...]
    said: DrainDifferenceInWords
    is_quoted: bool


@dataclass(frozen=True, slots=True)
class PoolView:
    """The differences of one pool; ``more`` is empty where all are shown."""

    title: str
    evaluated: str
    counted: str
    rows: tuple[UpgradedDrainRow, ...]
    more: str


def drains_figure(document: UpgradeDocument) -> Figure | None:
    """Draw a bar for each pool, with its nodes by what differs in their drain; None where nothing does."""
    if not any(pool.differences for pool in document.drains):
        return None
    changed = [_by_aspect(pool) for pool in document.drains]
    return Figure(
        id="upgrade-drains",
        title=str(drain_words.FIGURE),
        summary=drains_headline_of(document),
        spec=StackSpec(tuple(_bar(pool, found) for pool, found in zip(document.drains, changed, strict=True))),
        columns=(
            str(drain_words.POOL),
            *(str(drain_words.ASPECTS[aspect]) for aspect in DrainAspect),
            str(drain_words.SAME),
            str(drain_words.NOT_DRAINED),
        ),
        rows=[
            (
                drain_words.pool_name(pool.pool),
                *(grouped(found[aspect]) for aspect in DrainAspect),
                grouped(pool.nodes_drained - pool.nodes_changed),
                grouped(pool.node_count - pool.nodes_drained),
            )
            for pool, found in zip(document.drains, changed, strict=True)
        ],
    )


def pool_views(cluster: Cluster, document: UpgradeDocument, most: int) -> list[PoolView]:
    """Return the pools whose drain differs, with the first `most` differences in order of release and node."""
    return [_pool(cluster, pool, most) for pool in document.drains if pool.differences]


def _pool(cluster: Cluster, pool: UpgradePool, most: int) -> PoolView:
    return PoolView(
        drain_words.pool_name(pool.pool),
        drain_words.DRAINED_OF(drained=pool.nodes_drained, nodes=pool.node_count),
        page_words.DIFFERENCES(number=len(pool.differences)),
        tuple(_row(cluster, each) for each in pool.differences[:most]),
        rows_left(len(pool.differences), most),
    )


def _row(cluster: Cluster, difference: UpgradeDrainDifference) -> UpgradedDrainRow:
    chosen = urlencode({"node": difference.node, "after": "uncordon"})
    url = f"{address('drain', cluster=cluster.name)}?{chosen}"
    return UpgradedDrainRow(
        difference.node,
        url,
        page_words.release(difference.release),
        tuple(rules_in_words(difference.rules)),
        drain_difference_in_words(difference),
        difference.difference is DrainAspect.MESSAGE,
    )


def _by_aspect(pool: UpgradePool) -> Mapping[DrainAspect, int]:
    """Count the nodes of a pool by what weighs most of all that differs in their drain."""
    gravest: dict[str, DrainAspect] = {}
    order = list(DrainAspect)
    for each in pool.differences:
        gravest[each.node] = min(gravest.get(each.node, each.difference), each.difference, key=order.index)
    return Counter(gravest.values())


def _bar(pool: UpgradePool, changed: Mapping[DrainAspect, int]) -> StackRow:
    parts = [
        BarPart(str(drain_words.ASPECTS[aspect]), _COLOURS[aspect], changed[aspect], grouped(changed[aspect]))
        for aspect in DrainAspect
        if changed[aspect]
    ]
    same = pool.nodes_drained - pool.nodes_changed
    if same:
        parts.append(BarPart(str(drain_words.SAME), "verdict-fits-solid", same, grouped(same), "light"))
    return StackRow(drain_words.pool_name(pool.pool), tuple(parts), pool.node_count, counts.nodes(pool.node_count))
