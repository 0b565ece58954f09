"""Clusters as rows of a table and as a page of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse

from clusters.adapters.gaps import MISSING_NODE
from dashboard.presenters import amounts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from clusters.models import Cluster
    from dashboard.presenters.live import LiveStatus


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
    """A kind that the source lacks, why, and which answers are uncertain for it."""

    kind: str
    why: str
    affects: str


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """One cluster of the list; `is_empty` until the first ingest is done."""

    name: str
    source: str
    version: str
    nodes: str
    pods: str
    waiting: str
    revision: int
    last_sync: datetime | None
    gaps: str
    is_empty: bool
    # None of a cluster that is mirrored from dumps.
    live: LiveStatus | None


def gaps(cluster: Cluster) -> list[Gap]:
    """Present what the source lacks."""
    return [Gap(str(gap["kind"]), str(gap["why"]), str(gap["affects"])) for gap in cluster.gaps]


_CONTROLLERS = frozenset({"ReplicationController", "ReplicaSet", "StatefulSet"})


def spread_gaps(cluster: Cluster) -> list[str]:
    """Say what the source lacks of what spreading is computed from."""
    concerned = {"Node", MISSING_NODE, "Pod", "Service", *_CONTROLLERS}
    return _by_effect((gap.kind, f"{gap.why} {gap.affects}") for gap in gaps(cluster) if gap.kind in concerned)


def budget_gaps(cluster: Cluster) -> list[str]:
    """Say what the source lacks of what budgets are computed from."""
    effects = {
        "PodDisruptionBudget": "There may be budgets that nothing here knows of.",
        "Pod": "Budgets seem to select nothing.",
        MISSING_NODE: "Budgets count its pods; whether it can be drained is not looked at.",
        **dict.fromkeys(_CONTROLLERS, "How many pods a budget should expect may not be known."),
    }
    return _by_effect((gap.kind, f"{gap.why} {effects[gap.kind]}") for gap in gaps(cluster) if gap.kind in effects)


def _by_effect(lacks: Iterable[tuple[str, str]]) -> list[str]:
    """Say once what several kinds have in common."""
    kinds: dict[str, list[str]] = {}
    for kind, effect in lacks:
        kinds.setdefault(effect, []).append(kind)
    return [f"{', '.join(names)}: {effect}" for effect, names in kinds.items()]


def cluster_row(cluster: Cluster, counts: Counts, live: LiveStatus | None = None) -> ClusterRow:
    """Present a cluster with its counts and, of a live one, how it is doing."""
    return ClusterRow(
        name=cluster.name,
        source=cluster.get_source_display(),
        version=cluster.kube_version or "unknown",
        nodes=amounts.grouped(counts.nodes),
        pods=amounts.grouped(counts.pods),
        waiting=amounts.grouped(counts.waiting),
        revision=cluster.revision,
        last_sync=cluster.last_sync,
        gaps=amounts.counted(len(cluster.gaps), "gap", "gaps") if cluster.gaps else "",
        is_empty=cluster.last_sync is None,
        live=live,
    )


def tiles(counts: Counts, cluster: str) -> list[tuple[str, str, str]]:
    """Return the counts as large numbers with their words, and the addresses of the pages about them."""

    def page(name: str) -> str:
        return reverse(name, kwargs={"cluster": cluster})

    return [
        (word, amounts.grouped(number), address)
        for word, number, address in (
            ("nodes", counts.nodes, page("nodes")),
            ("pods", counts.pods, page("pods")),
            ("waiting for a node", counts.waiting, f"{page('pods')}?state=waiting"),
            ("disruption budgets", counts.budgets, page("budgets")),
            ("events", counts.events, ""),
            ("other objects", counts.others, ""),
        )
    ]


@dataclass(frozen=True, slots=True)
class ZoneCapacity:
    """Milli-CPU of a zone: allocatable on its nodes, requested by the pods on them."""

    zone: str
    allocatable: int
    requested: int


def zone_capacities(allocatable: Sequence[tuple[str, str, int]], requested: Mapping[str, int]) -> list[ZoneCapacity]:
    """Sum per zone; `allocatable` holds (node, zone, milli-CPU), `requested` milli-CPU per node."""
    sums: dict[str, list[int]] = {}
    for node, zone, milli in allocatable:
        total = sums.setdefault(zone or "no zone label", [0, 0])
        total[0] += milli
        total[1] += requested.get(node, 0)
    return [ZoneCapacity(zone, *sums[zone]) for zone in sorted(sums)]
