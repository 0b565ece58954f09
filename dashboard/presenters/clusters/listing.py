"""Clusters as rows of a table and as a page of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse

from clusters.documents.gaps import worded_gap
from clusters.problems.inputs import OtherGap
from clusters.wording import amounts
from clusters.wording.clusters import gaps as gap_words
from clusters.wording.clusters import listing as words
from clusters.wording.clusters.gaps import with_effect
from dashboard.presenters.shared.linked import linked

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from clusters.models import Cluster, Ingest
    from dashboard.presenters.clusters.live import LiveStatus


@dataclass(frozen=True, slots=True)
class Counts:
    """How much of a cluster is mirrored."""

    nodes: int = 0
    pods: int = 0
    waiting: int = 0
    budgets: int = 0
    events: int = 0
    others: int = 0


@dataclass(frozen=True, slots=True)
class Gap:
    """What the source lacks, why, and which answers are uncertain for it."""

    kind: str
    label: str
    why: str
    affects: str


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """One cluster of the list; `first_run` reads the first dump of one."""

    name: str
    source: str
    version: str
    nodes: str
    pods: str
    waiting: str
    revision: int
    last_sync: datetime | None
    gaps: tuple[str, ...]
    first_run: Ingest | None
    # None of a cluster that is mirrored from dumps.
    live: LiveStatus | None


def gaps(cluster: Cluster) -> list[Gap]:
    """Present what the source lacks."""
    return [Gap(gap.kind, gap.label, gap.why, gap.affects) for gap in map(worded_gap, cluster.gaps)]


_CONTROLLERS = frozenset({"ReplicationController", "ReplicaSet", "StatefulSet"})


def spread_gaps(cluster: Cluster) -> list[str]:
    """Say what the source lacks of what spreading is computed from."""
    concerned = {"Node", OtherGap.MISSING_NODE, "Pod", "Service", *_CONTROLLERS}
    lacks = ((gap.label, f"{gap.why} {gap.affects}") for gap in gaps(cluster) if gap.kind in concerned)
    return _by_effect(cluster, lacks)


def budget_gaps(cluster: Cluster) -> list[str]:
    """Say what the source lacks of what budgets are computed from."""
    effects = {
        "PodDisruptionBudget": words.NO_BUDGETS_READ,
        "Pod": words.NO_PODS_READ,
        OtherGap.MISSING_NODE: words.NODE_MISSING,
        **dict.fromkeys(_CONTROLLERS, words.NO_CONTROLLERS_READ),
    }
    lacks = ((gap.label, f"{gap.why} {effects[gap.kind]}") for gap in gaps(cluster) if gap.kind in effects)
    return _by_effect(cluster, lacks)


def _by_effect(cluster: Cluster, lacks: Iterable[tuple[str, str]]) -> list[str]:
    """Say once what leads to the same, with links to what it names."""
    labels: dict[str, list[str]] = {}
    for label, effect in lacks:
        labels.setdefault(effect, []).append(label)
    return [linked(with_effect(lacking, effect), cluster) for effect, lacking in labels.items()]


def cluster_row(
    cluster: Cluster, counts: Counts, *, first_run: Ingest | None = None, live: LiveStatus | None = None
) -> ClusterRow:
    """Present a cluster with its counts, the run that reads its first dump, and how a live one is doing."""
    felt = [gap["kind"] for gap in cluster.gaps if gap["felt"]]
    others = [kind for kind in felt if kind in set(OtherGap)]
    kinds = len(felt) - len(others)
    return ClusterRow(
        name=cluster.name,
        source=str(words.LIVE if cluster.is_live else words.FROM_DUMP),
        version=cluster.kube_version or str(words.UNKNOWN_VERSION),
        nodes=amounts.grouped(counts.nodes),
        pods=amounts.grouped(counts.pods),
        waiting=amounts.grouped(counts.waiting),
        revision=cluster.revision,
        last_sync=cluster.last_sync,
        gaps=(*([words.KINDS_MISSING(number=kinds)] if kinds else ()), *dict.fromkeys(map(gap_words.label, others))),
        first_run=first_run,
        live=live,
    )


def tiles(cluster: Cluster, counts: Counts) -> list[tuple[str, str, str]]:
    """Return the counts that have a page as large numbers: word, number, address."""
    pending, pods, nodes, budgets = (
        reverse(page, kwargs={"cluster": cluster.name}) for page in ("pending", "pods", "nodes", "budgets")
    )
    return [
        (str(words.PENDING_PODS), amounts.grouped(counts.waiting), pending),
        (str(words.PODS), amounts.grouped(counts.pods), pods),
        (str(words.NODES), amounts.grouped(counts.nodes), nodes),
        (str(words.BUDGETS), amounts.grouped(counts.budgets), budgets),
    ]


def also_mirrored(counts: Counts) -> str:
    """Return the counts that have no page in a sentence."""
    return words.ALSO_MIRRORED(events=counts.events, others=counts.others)
