"""The workloads and budgets that are the worse for a simulation, as rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.http import urlencode

from clusters.engine.simulation import WorkloadEffect
from clusters.services.runs.results import pending_after
from clusters.services.runs.summary import effect_of
from clusters.wording.amounts import grouped
from clusters.wording.runs import affected as words
from clusters.wording.runs import summary as summary_words
from dashboard.presenters.shared.links import address, workload_links

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.models import Cluster

    Summary = Mapping[str, Any]

_SHOWN = 15
_BADGES = {
    WorkloadEffect.LOSES_QUORUM: "bad",
    WorkloadEffect.STOPPED: "bad",
    WorkloadEffect.QUORUM_INTERRUPTED: "warn",
    WorkloadEffect.RUNS_FEWER: "warn",
    WorkloadEffect.MORE_PENDING: "warn",
    WorkloadEffect.RECREATED: "good",
}


@dataclass(frozen=True, slots=True)
class AffectedRow:
    """A workload; ``badge``: the effect and its kind. ``url`` is empty where the cluster has no such workload."""

    kind: str
    namespace: str
    name: str
    url: str
    pods_url: str
    before: str
    left: str
    after: str
    pending: str
    badge: tuple[str, str]


@dataclass(frozen=True, slots=True)
class BrokenBudgetRow:
    """A budget with fewer healthy pods than it requires."""

    name: str
    url: str
    desired: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class AffectedView:
    """What a simulation did to workloads: the gravest in ``rows``, the others in ``more``, opened by ``more_title``."""

    rows: tuple[AffectedRow, ...]
    more: tuple[AffectedRow, ...]
    more_title: str
    not_listed: str
    budgets: tuple[BrokenBudgetRow, ...]
    meaning: str


def affected_of(summary: Summary) -> Mapping[str, Any] | None:
    """Return what a run did to running pods; None where it made none leave its node."""
    found: Mapping[str, Any] = summary["affected"]
    return found if found["left"] else None


def affected_headline(summary: Summary) -> str:
    """Say what a loss or a drain comes to; empty for a run that makes no running pod leave."""
    found = affected_of(summary)
    if found is None:
        return ""
    return " ".join(filter(None, words.affected_sentences(found, pending_after(summary["origins"]).newly)))


def affected_tiles(summary: Summary) -> list[tuple[str, str]]:
    """Return the key numbers of a loss or a drain."""
    found = affected_of(summary)
    if found is None:
        return []
    said = [
        (str(summary_words.NEWLY_PENDING), pending_after(summary["origins"]).newly),
        (str(words.WORKLOADS), found["workloads"]),
        (str(words.FEWER), found["fewer"]),
        (str(words.QUORUM_LOST), found["quorum_lost"] + found["quorum_interrupted"]),
        (str(words.BUDGETS), found["budgets"]),
    ]
    return [(name, grouped(number)) for name, number in said]


def affected_view(summary: Summary, run: int, cluster: Cluster | None) -> AffectedView | None:
    """Present the workloads that are affected, the gravest first."""
    found = affected_of(summary)
    if found is None:
        return None
    first: Sequence[Mapping[str, Any]] = found["first"]
    links = workload_links(cluster, [(each["kind"], each["namespace"], each["name"]) for each in first])
    rows = [_row(each, links, run) for each in first]
    grave = sum(_is_grave(each) for each in first) or min(_SHOWN, len(rows))
    others = len(first) - grave
    return AffectedView(
        rows=tuple(rows[:grave]),
        more=tuple(rows[grave:]),
        more_title=words.MORE_WORKLOADS(workloads=others) if others else "",
        not_listed=words.NOT_LISTED(workloads=found["workloads"] - len(first))
        if found["workloads"] > len(first)
        else "",
        budgets=tuple(_budget(each, cluster) for each in found["broken_budgets"]),
        meaning=str(words.QUORUM_MEANING),
    )


def _is_grave(each: Mapping[str, Any]) -> bool:
    return bool(each["missing"] or each["pending"] or each["quorum"] != "kept")


def _row(each: Mapping[str, Any], links: Mapping[tuple[str, str, str], str], run: int) -> AffectedRow:
    name = each["kind"], each["namespace"], each["name"]
    effect = effect_of(each)
    return AffectedRow(
        kind=each["kind"],
        namespace=each["namespace"],
        name=each["name"],
        url=links.get(name, ""),
        pods_url=_pods_address(run, each),
        before=grouped(each["before"]),
        left=grouped(each["left"]),
        after=grouped(each["after"]),
        pending=grouped(each["pending"]),
        badge=(str(words.EFFECTS[effect]), _BADGES[effect]),
    )


def _pods_address(run: int, each: Mapping[str, Any]) -> str:
    """Return the table of the run's pods with those of a workload alone."""
    if each["kind"] == "Pod":
        query = {"q": f"{each['namespace']}/{each['name']}"}
    else:
        query = {"namespace": each["namespace"], "workload": f"{each['kind']}/{each['name']}"}
    return f"{reverse('run', kwargs={'pk': run})}?{urlencode(query)}#pods"


def _budget(each: Mapping[str, Any], cluster: Cluster | None) -> BrokenBudgetRow:
    namespace, _, name = each["budget"].partition("/")
    return BrokenBudgetRow(
        name=each["budget"],
        url="" if cluster is None else address("budget", cluster=cluster.name, namespace=namespace, name=name),
        desired=grouped(each["desired"]),
        before=grouped(each["before"]),
        after=grouped(each["after"]),
    )
