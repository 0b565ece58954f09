"""The groups of pods that an upgrade places otherwise, as its page shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.documents.upgrade_words import rules_in_words
from clusters.documents.upgrades import pod_group_in_words
from clusters.wording.upgrades import page as page_words
from dashboard.presenters.shared.links import address

if TYPE_CHECKING:
    from clusters.documents.upgrades import PodGroupInWords, UpgradeDocument, UpgradePodGroup
    from clusters.models import Cluster


@dataclass(frozen=True, slots=True)
class UpgradedGroupRow:
    """One group that a release places otherwise, with its page."""

    name: str
    url: str
    release: str
    rules: tuple[str, ...]
    said: PodGroupInWords


def pod_group_rows(cluster: Cluster, document: UpgradeDocument, most: int) -> list[UpgradedGroupRow]:
    """Return the first `most` groups that are placed otherwise, with links."""
    return [_row(cluster, each) for each in document.pod_groups[:most]]


def _row(cluster: Cluster, difference: UpgradePodGroup) -> UpgradedGroupRow:
    namespace, _, name = difference.group.partition("/")
    return UpgradedGroupRow(
        difference.group,
        address("pod-group", cluster=cluster.name, namespace=namespace, name=name),
        page_words.release(difference.release),
        tuple(rules_in_words(difference.rules)),
        pod_group_in_words(difference),
    )
