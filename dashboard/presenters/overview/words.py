"""The one sentence that sums a cluster up: what is wrong, the most urgent first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.disruption.drain_nodes import Outlook, node_drains
from clusters.wording import workload_failures as failure_words
from clusters.wording.amounts import counted, grouped
from dashboard.presenters.overview.cards import page
from dashboard.presenters.overview.failing import creating_count
from dashboard.presenters.spread import words as spread_words

if TYPE_CHECKING:
    from clusters.engine.spreading.groups import SpreadGroup
    from clusters.engine.workloads.failures import Failures
    from clusters.models import Cluster
    from clusters.services.disruption.budgets import ClusterBudgets
    from clusters.services.mirror.spread import ClusterSpread
    from clusters.services.mirror.utilisation import ClusterUtilisation


_NOTHING = ("", "")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A piece of the sentence that leads somewhere, and the words and signs before it."""

    before: str
    text: str
    url: str


def summary(
    cluster: Cluster,
    *,
    failures: Failures,
    waiting: int,
    found: ClusterUtilisation,
    budgets: ClusterBudgets,
    spread: ClusterSpread | None,
) -> list[Phrase]:
    """Return the sentence in pieces; empty where nothing is stuck, wrong, at risk or wasteful."""
    violated = [group for group in (spread.groups.values() if spread else ()) if group.violation]
    not_ready, pressed = int(found.health.not_ready.sum()), int(found.health.pressure.sum())
    failing, creating = page("workloads", cluster, "state=failing"), creating_count(failures)
    wrong = [
        (failure_words.count(len(failures), creating), failing) if failures else _NOTHING,
        _fact(not_ready, "node is not ready", "nodes are not ready", page("nodes", cluster, "ready=no")),
        _fact(waiting, "pod waits for a node", "pods wait for a node", page("pending", cluster)),
        _fact(pressed, "node is under pressure", "nodes are under pressure", page("nodes", cluster, "health=pressure")),
        *_exceeded([group for group in violated if group.blocks], page("spread", cluster, "state=blocking")),
    ]
    lasting = sum(drain.lasts for drain in budgets.drains)
    at_risk = [
        _fact(lasting, *_drained("until a budget is changed"), page("drain", cluster, "state=lasting")),
        _fact(len(budgets.drains) - lasting, *_drained("for now"), _waiting_drains(cluster, budgets)),
        *_exceeded([group for group in violated if not group.blocks], page("spread", cluster, "state=violated")),
    ]
    rows = {int(row) for each in found.stranded for row in each.rows}
    wasteful = [
        _fact(len(rows), "node strands capacity", "nodes strand capacity", f"{page('cluster', cluster)}#card-waste")
    ]
    return _joined([("", wrong), ("at risk: ", at_risk), ("wasteful: ", wasteful)])


def _fact(number: int, one: str, many: str, url: str) -> tuple[str, str]:
    return (counted(number, one, many), url) if number else _NOTHING


def _waiting_drains(cluster: Cluster, budgets: ClusterBudgets) -> str:
    """Return the address that shows just the drains that are blocked for now; all blocked ones where none does.

    The planner counts a node by what weighs most of that which is in its way: pods that go only by force come first.
    """
    waits = {each.node for each in node_drains(budgets.snapshot, budgets.drains) if each.outlook is Outlook.WAITS}
    is_shown = all(drain.lasts or drain.node in waits for drain in budgets.drains)
    return page("drain", cluster, "state=waits") if is_shown else page("blocked-drains", cluster)


def _drained(how_long: str) -> tuple[str, str]:
    return f"node cannot be drained {how_long}", f"nodes cannot be drained {how_long}"


def _exceeded(groups: list[SpreadGroup], url: str) -> list[tuple[str, str]]:
    if not groups:
        return []
    worst = groups[0]
    skew = f"skew {grouped(worst.largest_skew)}, allowed {grouped(worst.constraint.max_skew)}"
    over = counted(len(groups), "spread constraint is exceeded", "spread constraints are exceeded")
    return [(f"{over} (worst by {spread_words.group_name(worst)}: {skew})", url)]


def _joined(kinds: list[tuple[str, list[tuple[str, str]]]]) -> list[Phrase]:
    """Put commas between what is of one kind and semicolons between kinds; what there is none of is left out."""
    found: list[Phrase] = []
    for label, facts in kinds:
        said = [fact for fact in facts if fact is not _NOTHING]
        for number, (text, url) in enumerate(said):
            sign = ", " if number else "; " if found else ""
            found.append(Phrase(f"{sign}{'' if number else label}", text, url))
    return found
