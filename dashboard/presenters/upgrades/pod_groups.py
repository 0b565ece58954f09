"""The groups of pods that an upgrade places otherwise, as its page shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.documents.upgrade_pod_groups import pod_group_in_words
from clusters.documents.upgrade_words import rules_in_words
from clusters.wording.upgrades import differences as words
from clusters.wording.upgrades import page as page_words
from dashboard.presenters.shared.links import address

if TYPE_CHECKING:
    from clusters.documents.upgrade_pod_groups import PodGroupInWords, UpgradePodGroup
    from clusters.documents.upgrades import UpgradeDocument
    from clusters.models import Cluster

# So many groups are shown; the terminal and the API have all.
MOST_ROWS: Final = 20


@dataclass(frozen=True, slots=True)
class UpgradedGroupRow:
    """One group that a release places otherwise, with its page."""

    name: str
    url: str
    release: str
    rules: tuple[str, ...]
    said: PodGroupInWords


def pod_group_rows(cluster: Cluster, document: UpgradeDocument) -> list[UpgradedGroupRow]:
    """Return the groups that are placed otherwise, with links."""
    return [_row(cluster, each) for each in document.pod_groups[:MOST_ROWS]]


def more_pod_groups(document: UpgradeDocument) -> str:
    """Count the differences that are not shown; empty where all are."""
    left = len(document.pod_groups) - MOST_ROWS
    return words.more(left) if left > 0 else ""


def _row(cluster: Cluster, difference: UpgradePodGroup) -> UpgradedGroupRow:
    namespace, _, name = difference.group.partition("/")
    return UpgradedGroupRow(
        difference.group,
        address("pod-group", cluster=cluster.name, namespace=namespace, name=name),
        page_words.release(difference.release),
        tuple(rules_in_words(difference.rules)),
        pod_group_in_words(difference),
    )
