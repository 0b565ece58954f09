"""The card of a cluster's overview about workloads whose controllers fail: the first thing to see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.workloads import late, refused
from clusters.wording import workload_failures as words
from clusters.wording.amounts import grouped
from clusters.wording.overview import pending as card_words
from dashboard.presenters.overview.cards import NAMED, Card, Line, page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.workloads import Failures, WorkloadFailure
    from clusters.models import Cluster


def failing_card(cluster: Cluster, failures: Failures) -> Card | None:
    """Answer which workloads fail, and what to do; None where none does."""
    if not failures:
        return None
    every = page("workloads", cluster, "state=failing")
    creating = len(refused(failures))
    rest = len(failures) - NAMED
    lines = [_line(cluster, found) for found in list(failures.values())[:NAMED]]
    return Card(
        key="failing",
        title=str(card_words.FAILING),
        url=every,
        number=grouped(creating or len(failures)),
        unit=words.counted(creating, len(failures) - creating, len(late(failures))),
        badge=(str(card_words.BADGE_FAILING), "bad"),
        lines=tuple(lines),
        links=(Line(card_words.MORE_WORKLOADS(workloads=rest), every),) if rest > 0 else (),
    )


def _line(cluster: Cluster, found: Sequence[WorkloadFailure]) -> Line:
    failure, workload = found[0], found[0].workload
    return Line(
        words.sentence(failure),
        page("workload", cluster, kind=workload.kind, namespace=workload.namespace, name=workload.name),
        words.remedy(failure, found),
        words.quoted(failure),
    )
