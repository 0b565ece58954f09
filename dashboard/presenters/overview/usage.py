"""The card about requests that are far from what is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.amounts import grouped
from clusters.wording.overview import cards as words
from clusters.wording.usage import page as usage_words
from dashboard.presenters.overview.cards import NAMED, Card, Line, page, unknown_card

if TYPE_CHECKING:
    from clusters.engine.usage import WorkloadSizing
    from clusters.models import Cluster
    from clusters.services.usage.sizings import ClusterSizing


def usage_card(cluster: Cluster, found: ClusterSizing | None) -> Card:
    """Answer which workloads request much more or less than they use, and what that would free."""
    if found is None:
        return unknown_card(cluster, "usage", str(words.NO_USAGE))
    off = [each for each in found.workloads if each.changes]
    return Card(
        key="usage",
        title=str(words.USAGE),
        url=page("usage", cluster, "state=changes" if off else ""),
        number=grouped(len(off)),
        unit=words.OF_REQUESTS(workloads=len(found.workloads)),
        badge=(str(words.REQUESTS_OFF), "warn") if off else (str(words.REQUESTS_FIT), "good"),
        sentence=usage_words.freed(*found.freed) if off else str(usage_words.NOTHING_TO_CHANGE),
        lines=tuple(_sizing_line(cluster, each) for each in off[:NAMED]),
    )


def _sizing_line(cluster: Cluster, sizing: WorkloadSizing) -> Line:
    workload = sizing.workload
    place = {"kind": workload.kind, "namespace": workload.namespace, "name": workload.name}
    named = f"{workload.namespace}/{workload.name}"
    return Line(named, page("workload", cluster, **place), usage_words.freed_by_one(*sizing.freed))
