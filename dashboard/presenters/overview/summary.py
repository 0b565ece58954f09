"""What sums a cluster up: what is wrong, at risk and wasteful, the most urgent first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.spreading import worst_of
from clusters.engine.workloads import bare_pods, host_port_pods, late, refused
from clusters.wording import workload_failures as failure_words
from clusters.wording.overview import summary as words
from clusters.wording.pods import troubles as trouble_words
from dashboard.presenters.overview.cards import page, stranded_amount
from dashboard.presenters.spread import groups as spread_groups

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.spreading import SpreadGroup
    from clusters.engine.workloads import Failures
    from clusters.models import Cluster
    from clusters.services.disruption import ClusterBudgets
    from clusters.services.mirror.state import ClusterSpread, ClusterUtilisation
    from clusters.services.workloads.failing import PodTroubles


@dataclass(frozen=True, slots=True)
class OverviewFinding:
    """One thing that is not as it should be, and the page that shows it."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class OverviewFindings:
    """Findings of one sort; ``label`` is empty for what is wrong now."""

    label: str
    findings: tuple[OverviewFinding, ...]


def summary(
    cluster: Cluster,
    *,
    failures: Failures,
    pending: int,
    found: ClusterUtilisation,
    budgets: ClusterBudgets,
    spread: ClusterSpread | None,
    troubles: PodTroubles,
) -> list[OverviewFindings]:
    """Return what is wrong, at risk and wasteful, the most urgent first; empty where nothing is."""
    violated = [group for group in (spread.groups.values() if spread else ()) if group.violation]
    not_ready, pressed = int(found.health.not_ready.sum()), int(found.health.pressure.sum())
    creating = len(refused(failures))
    missed, failing = len(late(failures)), page("workloads", cluster, "state=failing")
    others = len(failures) - creating - missed
    lasting = sum(drain.lasts for drain in budgets.drains)
    for_now = len(budgets.drains) - lasting
    bare, with_ports = bare_pods(found.snapshot), host_port_pods(found.snapshot)
    rows = {int(row) for each in found.stranded for row in each.rows}
    wrong = [
        creating
        and OverviewFinding(failure_words.CANNOT_CREATE(workloads=creating), f"{page('pending', cluster)}#refused"),
        others and OverviewFinding(failure_words.OTHERWISE_FAILING(workloads=others), failing),
        missed and OverviewFinding(failure_words.MISSED_STARTS(cron_jobs=missed), failing),
        not_ready and OverviewFinding(words.not_ready(not_ready), page("nodes", cluster, "ready=no")),
        pending and OverviewFinding(words.PENDING(pods=pending), page("pending", cluster)),
        *_troubles(cluster, troubles),
        pressed and OverviewFinding(words.UNDER_PRESSURE(nodes=pressed), page("nodes", cluster, "health=pressure")),
        _exceeded([group for group in violated if group.blocks], page("spread", cluster, "state=blocking")),
    ]
    at_risk = [
        lasting
        and OverviewFinding(words.BLOCKED_UNTIL_CHANGED(nodes=lasting), page("drain", cluster, "state=lasting")),
        for_now and OverviewFinding(words.BLOCKED_FOR_NOW(nodes=for_now), page("blocked-drains", cluster)),
        _exceeded([group for group in violated if not group.blocks], page("spread", cluster, "state=violated")),
        bare and OverviewFinding(words.NOT_RECREATED(pods=bare), page("workloads", cluster, "kind=Pod")),
        with_ports and OverviewFinding(words.HOST_PORTS(pods=with_ports), page("pods", cluster)),
    ]
    left = [stranded_amount(each) for each in found.stranded]
    wasteful = [rows and OverviewFinding(words.stranded(len(rows), left), f"{page('cluster', cluster)}#card-waste")]
    sorts = (("", wrong), (str(words.AT_RISK), at_risk), (str(words.WASTEFUL), wasteful))
    every = (
        OverviewFindings(label, tuple(each for each in some if isinstance(each, OverviewFinding)))
        for label, some in sorts
    )
    return [each for each in every if each.findings]


def _troubles(cluster: Cluster, found: PodTroubles) -> Iterator[OverviewFinding]:
    """Yield what is wrong with pods that have a node."""
    for pods, say, state in (
        (found.rejected, trouble_words.rejected_pods, "rejected"),
        (found.unstartable, trouble_words.unstartable_pods, "Pending"),
        (found.stuck, trouble_words.stuck_pods, "terminating"),
        (found.held, trouble_words.held_pods, "terminating"),
        (found.killed, trouble_words.killed_pods, "killed"),
    ):
        if pods:
            yield OverviewFinding(say(pods), page("pods", cluster, f"state={state}"))


def _exceeded(groups: list[SpreadGroup], url: str) -> OverviewFinding | None:
    worst = worst_of(groups)
    if worst is None:
        return None
    text = words.EXCEEDED(
        constraints=len(groups),
        worst=spread_groups.group_name(worst),
        skew=worst.largest_skew,
        max_skew=worst.constraint.max_skew,
    )
    return OverviewFinding(text, url)
