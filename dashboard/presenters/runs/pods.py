"""The pods of a simulation as rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse

from clusters.documents.run_words import message_in_words, read_message
from clusters.engine.configuration import NoScheduler
from clusters.models import RunPod
from clusters.wording.runs.pods import OUTCOMES
from dashboard.presenters.shared.links import node_links, workload_links

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.models import Cluster

COLUMNS = ("namespace", "pod", "workload", "outcome", "node", "step", "attempts", "message")

_BADGES = {
    RunPod.Outcome.PLACED: "good",
    RunPod.Outcome.UNCERTAIN: "uncertain",
    RunPod.Outcome.UNSCHEDULABLE: "bad",
    RunPod.Outcome.FORBIDDEN: "bad",
    RunPod.Outcome.NOT_COMPUTED: "warn",
    RunPod.Outcome.PREEMPTED: "warn",
    RunPod.Outcome.EVICTED: "warn",
    RunPod.Outcome.DELETED: "warn",
    RunPod.Outcome.REFUSED: "warn",
    RunPod.Outcome.HELD: "warn",
}
_DECIDED = (RunPod.Outcome.PLACED, RunPod.Outcome.UNCERTAIN, RunPod.Outcome.UNSCHEDULABLE)


@dataclass(frozen=True, slots=True)
class RunPodRow:
    """One pod; ``step`` counts from 0, ``decision`` is the step whose decision is shown, None where there is none.

    ``url``: its decision in the run, or the step at which it ended. ``workload_url`` and ``node_url`` are empty where
    the cluster has no such object, which then is one that the simulation added.
    """

    namespace: str
    name: str
    workload: str
    badge: tuple[str, str]
    node: str
    step: int
    shown_step: int
    attempts: int
    message: str
    decision: int | None
    url: str
    workload_url: str
    node_url: str


def decision_of(pod: RunPod) -> int | None:
    """Return the step that decided about a pod, None where none did; it needs the pod's outcome, message and step."""
    if RunPod.Outcome(pod.outcome) not in _DECIDED:
        return None
    return None if isinstance(read_message(pod.message).problem, NoScheduler) else pod.step


def pod_rows(pods: Sequence[RunPod], cluster: Cluster | None) -> list[RunPodRow]:
    """Present pods of a run with links to the objects of its cluster."""
    nodes = node_links(cluster, (pod.node_name for pod in pods if pod.node_name))
    workloads = workload_links(cluster, (_workload(pod) for pod in pods if pod.workload))
    return [_pod_row(pod, workloads.get(_workload(pod), ""), nodes.get(pod.node_name, "")) for pod in pods]


def _workload(pod: RunPod) -> tuple[str, str, str]:
    kind, _, name = pod.workload.partition("/")
    return kind, pod.namespace, name


def _pod_row(pod: RunPod, workload_url: str, node_url: str) -> RunPodRow:
    outcome, decision = RunPod.Outcome(pod.outcome), decision_of(pod)
    if decision is None:
        url = reverse("run-state", kwargs={"pk": pod.run_id, "number": pod.step})
    else:
        url = reverse("run-decision", kwargs={"pk": pod.run_id, "number": decision})
    return RunPodRow(
        namespace=pod.namespace,
        name=pod.name,
        workload=pod.workload,
        badge=(str(OUTCOMES[outcome]), _BADGES.get(outcome, "")),
        node=pod.node_name,
        step=pod.step,
        shown_step=pod.step + 1,
        attempts=pod.attempts,
        message="" if outcome is RunPod.Outcome.PLACED else message_in_words(pod.message),
        decision=decision,
        url=url,
        workload_url=workload_url,
        node_url=node_url,
    )


def cells(pod: RunPod) -> tuple[str | int, ...]:
    """Return a pod's row of the file."""
    return (
        pod.namespace, pod.name, pod.workload, pod.outcome, pod.node_name, pod.step + 1, pod.attempts,
        message_in_words(pod.message),
    )  # fmt: skip
