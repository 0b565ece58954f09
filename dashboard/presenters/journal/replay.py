"""A stretch of the journal scheduled again, beside what was recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse

from clusters.engine.simulation import PodEnding
from clusters.wording.amounts import grouped
from clusters.wording.journal import replay as words
from clusters.wording.runs.affected import full_name
from dashboard.presenters.shared.links import workload_links

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from clusters.models import Cluster
    from clusters.services.journal.replays import ReplayedDecision, StretchReplay

_MOST_WORKLOADS: Final = 50


@dataclass(frozen=True, slots=True)
class ReplayedRow:
    """One pod: the recorded decision with its page, how both ended, and why the pod is pending in the replay."""

    pod: str
    at: datetime
    address: str
    recorded: str
    replayed: str
    message: str
    badges: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ReplayedWorkload:
    """The numbers of one workload; ``url`` is empty of one that is gone."""

    name: str
    url: str
    pods: str
    same: str
    elsewhere: str
    pending_there: str
    pending_here: str
    others: str


def summary(found: StretchReplay) -> str:
    """Say how many pods ended as recorded."""
    total = found.total
    return words.SUMMARY(
        pods=total.pods,
        same=total.same,
        elsewhere=total.elsewhere,
        there=total.pending_there,
        here=total.pending_here,
        others=total.others,
    )


def share(found: StretchReplay) -> str:
    """Say how many decisions came out alike, rounded down; empty where there are none."""
    pods, same = found.total.pods, found.total.same
    return words.SHARE(alike=same, decisions=pods, percent=str(100 * same // pods)) if pods else ""


def notes(found: StretchReplay) -> list[str]:
    """Say what is left out, what is uncertain, and what the replay takes for granted."""
    left_out = found.left_out
    counted = (
        (left_out.unknown, words.not_kept),
        (left_out.other_schedulers, words.other_schedulers),
        (left_out.without_decision, words.without_decision),
        (found.not_computed, words.not_computed),
        (found.uncertain, words.uncertain),
        (found.claims, words.claims),
        (left_out.late, words.late),
        (found.lost, words.lost),
    )
    said = [say(number) for number, say in counted if number]
    if found.preempted_here or found.preempted_there:
        said.append(words.preempted(here=found.preempted_here, there=found.preempted_there))
    return [*said, str(words.ASSUMED)]


def workloads(cluster: Cluster, found: StretchReplay) -> tuple[list[ReplayedWorkload], str]:
    """Present the workloads, those of the most differences first, and count those that are not listed."""
    shown = found.by_workload[:_MOST_WORKLOADS]
    links = workload_links(cluster, [(each.kind, each.namespace, each.name) for each, _ in shown])
    rows = [
        ReplayedWorkload(
            full_name({"kind": workload.kind, "namespace": workload.namespace, "name": workload.name}),
            links.get((workload.kind, workload.namespace, workload.name), ""),
            *(grouped(number) for number in counted),
        )
        for workload, counted in shown
    ]
    more = len(found.by_workload) - len(rows)
    return rows, words.MORE_WORKLOADS(workloads=more) if more else ""


def in_order(found: StretchReplay) -> list[ReplayedDecision]:
    """Return the pods, those that differ first, each in the order of their decisions."""
    return sorted(found.rows, key=lambda row: (row.is_alike, row.decision.heard_at, row.decision.pk))


def rows(found: Iterable[ReplayedDecision], cluster: str) -> list[ReplayedRow]:
    """Present some of the pods."""
    return [
        ReplayedRow(
            row.pod.pod,
            row.decision.heard_at,
            reverse("journaled", kwargs={"cluster": cluster, "pk": row.decision.pk}),
            _ended(row.pod.left, row.pod.left_end),
            _ended(row.pod.right, row.pod.right_end),
            row.message,
            (
                (str(words.ALIKE), "good") if row.is_alike else (str(words.DIFFERS), "warn"),
                *(((str(words.UNCERTAIN), ""),) if row.is_uncertain else ()),
            ),
        )
        for row in found
    ]


def _ended(node: str, ending: PodEnding) -> str:
    if ending is PodEnding.ON_NODE:
        return node
    return str(words.PENDING if ending is PodEnding.PENDING else words.PREEMPTED)
