"""What an upgrade changes for the drain of each node pool, in words: the same for terminal, API and page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.disruption.drain_plan import Block
from clusters.engine.upgrading.drains import DrainAspect
from clusters.wording.lists import first_of
from clusters.wording.upgrades import drains as words

if TYPE_CHECKING:
    from clusters.documents.upgrade_drains import UpgradeDrainAnswer, UpgradeDrainDifference, UpgradeReplacement
    from clusters.documents.upgrades import UpgradeDocument


class DrainDifferenceInWords(NamedTuple):
    """A difference of the drain of a node in words."""

    aspect: str
    before: str
    after: str


def drains_headline_of(document: UpgradeDocument) -> str:
    """Say of how many nodes the drain meets something else; empty where none was drained."""
    if not document.drains:
        return ""
    return words.headline(
        changed=sum(each.nodes_changed for each in document.drains),
        drained=sum(each.nodes_drained for each in document.drains),
        pools=len(document.drains),
    )


def drain_notes_of(document: UpgradeDocument) -> list[str]:
    """Say which pools were not drained."""
    return [words.left_out(document.pools_left_out)] if document.pools_left_out else []


def drain_difference_in_words(difference: UpgradeDrainDifference) -> DrainDifferenceInWords:
    """Say what the drain of a node meets before and after."""
    aspect = difference.difference
    return DrainDifferenceInWords(
        str(words.ASPECTS[aspect]), _answer(aspect, difference.before), _answer(aspect, difference.after)
    )


def _answer(aspect: DrainAspect, answer: UpgradeDrainAnswer) -> str:
    if aspect is DrainAspect.NODES:
        return first_of([*map(_replaced, answer.replacements)], total=answer.replacement_count)
    if aspect is DrainAspect.MESSAGE:
        return answer.pending[0].message
    if answer.block is None:
        return words.drained(answer.replacement_count)
    if answer.block is Block.NO_ROOM and answer.pending:
        pods = [each.pod for each in answer.pending]
        message = answer.pending[0].message
        return words.left_pending(block=answer.block, pods=pods, total=answer.pending_count, message=message)
    if answer.budgets:
        return words.blocked_by(
            block=answer.block, budgets=answer.budgets, pods=answer.refused, total=answer.refused_count
        )
    return words.blocked(answer.block)


def _replaced(replacement: UpgradeReplacement) -> str:
    said = words.replaced_on if replacement.is_certain else words.replaced_uncertainly_on
    return said(pod=replacement.pod, node=replacement.node)
