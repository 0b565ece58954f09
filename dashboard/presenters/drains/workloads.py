"""The workloads that a plan of a drain touches: key numbers, and rows, the gravest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.engine.simulation import WorkloadEffect
from clusters.wording.amounts import grouped
from clusters.wording.drains import workloads as words
from clusters.wording.runs import affected as effects
from dashboard.presenters.shared.links import workload_links

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.disruption import Plan
    from clusters.models import Cluster

_SHOWN = 15


@dataclass(frozen=True, slots=True)
class DrainedWorkloadRow:
    """A workload; `badge`: the effect and its kind. `url` is empty where the cluster has no such workload."""

    kind: str
    namespace: str
    name: str
    url: str
    badge: tuple[str, str]
    before: str
    evicted: str
    at_once: str
    after: str
    unschedulable: str
    refused: str


@dataclass(frozen=True, slots=True)
class DrainedWorkloadsView:
    """The workloads: the gravest in `rows`, the others in `more`, opened by `more_title`."""

    rows: tuple[DrainedWorkloadRow, ...]
    more: tuple[DrainedWorkloadRow, ...]
    more_title: str
    not_listed: str
    meaning: str


def workload_tiles(workloads: Mapping[str, Any], plan: Plan) -> list[tuple[str, str]]:
    """Return the key numbers of a plan."""
    said = [
        (words.EVICTIONS, sum(len(batch.evictions) for batch in plan.batches)),
        (effects.WORKLOADS, workloads["workloads"]),
        (effects.FEWER, workloads["fewer"]),
        (effects.QUORUM_LOST, workloads["quorum_lost"] + workloads["quorum_interrupted"]),
        (words.UNSCHEDULABLE, workloads["unschedulable"]),
        (words.REFUSED, workloads["refused"]),
    ]
    return [(str(name), grouped(number)) for name, number in said]


def workloads_view(workloads: Mapping[str, Any], cluster: Cluster) -> DrainedWorkloadsView | None:
    """Present the workloads that a plan touches; None where there is none."""
    first: Sequence[Mapping[str, Any]] = workloads["first"]
    if not first:
        return None
    links = workload_links(cluster, [(each["kind"], each["namespace"], each["name"]) for each in first])
    rows = [_row(each, links) for each in first]
    grave = sum(map(_is_grave, first)) or min(_SHOWN, len(rows))
    others, unlisted = len(rows) - grave, workloads["workloads"] - len(rows)
    return DrainedWorkloadsView(
        rows=tuple(rows[:grave]),
        more=tuple(rows[grave:]),
        more_title=effects.MORE_WORKLOADS(workloads=others) if others else "",
        not_listed=effects.NOT_LISTED(workloads=unlisted) if unlisted else "",
        meaning=str(words.MEANING),
    )


def _is_grave(each: Mapping[str, Any]) -> bool:
    return bool(each["missing"] or each["unschedulable"] or each["refused"] or each["quorum"] != "kept")


def _row(each: Mapping[str, Any], links: Mapping[tuple[str, str, str], str]) -> DrainedWorkloadRow:
    return DrainedWorkloadRow(
        kind=each["kind"],
        namespace=each["namespace"],
        name=each["name"],
        url=links.get((each["kind"], each["namespace"], each["name"]), ""),
        badge=_effect(each),
        before=grouped(each["before"]),
        evicted=grouped(each["evicted"]),
        at_once=words.at_once(each["at_once"]) if each["at_once"] > 1 else "",
        after=grouped(each["after"]),
        unschedulable=grouped(each["unschedulable"]),
        refused=grouped(each["refused"]),
    )


def _effect(each: Mapping[str, Any]) -> tuple[str, str]:
    """Name the gravest effect, in the order in which workloads are listed."""
    holds = (
        (each["quorum"] == "lost", effects.EFFECTS[WorkloadEffect.LOSES_QUORUM], "bad"),
        (each["missing"] and not each["after"], effects.EFFECTS[WorkloadEffect.STOPPED], "bad"),
        (each["quorum"] == "interrupted", effects.EFFECTS[WorkloadEffect.QUORUM_INTERRUPTED], "warn"),
        (each["missing"], effects.EFFECTS[WorkloadEffect.RUNS_FEWER], "warn"),
        (each["unschedulable"], words.KEEPS_UNSCHEDULABLE, "bad"),
        (each["refused"], words.KEEPS_REFUSED, "warn"),
        (True, effects.EFFECTS[WorkloadEffect.RECREATED], "good"),
    )
    return next((str(label), kind) for is_so, label, kind in holds if is_so)
