"""The pods of a simulation as rows."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.documents.stored_messages import message_in_words, read_message
from clusters.engine.configuration.problems import NoScheduler
from clusters.models import RunPod
from clusters.wording.runs.pods import OUTCOMES

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
    """One pod; ``step`` counts from 0, ``decision`` is the step whose decision is shown, None where there is none."""

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


def decision_of(pod: RunPod) -> int | None:
    """Return the step that decided about a pod, None where none did; it needs the pod's outcome, message and step."""
    if RunPod.Outcome(pod.outcome) not in _DECIDED:
        return None
    return None if isinstance(read_message(pod.message).problem, NoScheduler) else pod.step


def pod_row(pod: RunPod) -> RunPodRow:
    """Present one pod of a run."""
    outcome = RunPod.Outcome(pod.outcome)
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
        decision=decision_of(pod),
    )


def cells(pod: RunPod) -> tuple[str | int, ...]:
    """Return a pod's row of the file."""
    return (
        pod.namespace, pod.name, pod.workload, pod.outcome, pod.node_name, pod.step + 1, pod.attempts,
        message_in_words(pod.message),
    )  # fmt: skip
