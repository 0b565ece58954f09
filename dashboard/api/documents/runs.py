# ruff: noqa: UP013 - names in camel case are no attributes of classes here
"""Simulation runs, studies and reviews as the API answers and takes them; docs/api.md explains every field."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from dashboard.api.documents.mirror import Explanation, UncertaintyInWords

Run = TypedDict(
    "Run",
    {
        "id": int,
        "title": str,
        "cluster": str | None,
        "revision": int | None,
        "state": str,
        "podsTotal": int,
        "podsDone": int,
        "steps": int,
        "createdAt": str,
        "startedAt": str | None,
        "finishedAt": str | None,
        "error": dict[str, Any] | None,
        "page": str,
    },
)


class RunInFull(Run):
    """A run with what was asked and, once it is done, its summary."""

    spec: dict[str, Any]
    summary: dict[str, Any] | None


class Runs(TypedDict):
    """Runs, newest first; `next` is what to send as before for those after them, null at the end."""

    runs: list[Run]
    next: int | None


class VictimsWait(TypedDict):
    """How long a preemptor waits at most for so many victims to terminate."""

    seconds: int
    victims: int


Step = TypedDict(
    "Step",
    {
        "number": int,
        "at": int,
        "outcome": str,
        "pod": str,
        "node": str | None,
        "total": int | None,
        "ties": int,
        "feasible": int,
        "lookedAt": int,
        "plugins": list[str],
        "message": str | None,
        "by": str | None,
        "uncertainties": list[UncertaintyInWords],
        "waits": VictimsWait | None,
        "grace": int,
    },
)


class Steps(TypedDict):
    """A stretch of a run's steps; `next` is the number to go on at, null at the end of what there is."""

    run: int
    steps: list[Step]
    next: int | None


RunPodRow = TypedDict(
    "RunPodRow",
    {
        "pod": str,
        "workload": str | None,
        "outcome": str,
        "node": str | None,
        "step": int,
        "attempts": int,
        "message": str | None,
    },
)


class RunPods(TypedDict):
    """Where the pods of a run ended; `next` is the offset to go on at, null at the end."""

    run: int
    count: int
    pods: list[RunPodRow]
    next: int | None


class RunState(TypedDict):
    """The cluster of a run after a step: what is allocatable and requested, and the pending pods."""

    run: int
    step: int
    nodes: int
    pods: int
    allocatable: dict[str, int]
    requested: dict[str, int]
    pending: int
    examples: list[str]


class RunDecision(TypedDict):
    """The decision of a step, in the form of the journal's."""

    run: int
    step: int
    explanation: Explanation


class Compared(TypedDict):
    """Two runs side by side."""

    left: int
    right: int
    comparison: dict[str, Any]


class GroupOfRun(TypedDict):
    """How a group of pods ends in a run; `way` is `pods` or `batch`, `beside` the answer of the other one.

    Of `pods` that exist `placed` have a node, and `found` have one or find one at another attempt. `least` is minCount,
    null with the policy basic. `refused` is the first pod that finds none, `message` what kube-scheduler says.
    """

    group: str
    least: int | None
    pods: int
    placed: int
    end: str
    found: int
    refused: str
    message: str
    victims: int
    topology: str
    domain: str
    state: str
    sentence: str
    way: Literal["pods", "batch"]
    beside: dict[str, Any] | None


class Fits(TypedDict):
    """Whether everything fits, a line for a log, and the run that shows it; `fits` is null where it is uncertain.

    `conclusion` is null, too, while the run is not over. `placed` counts the pods that have a node for certain;
    `pending`, `forbidden` (refused by the API server) and `uncertain` name the first of the others, `uncertainties` say
    why those are uncertain; where no pod is pending, `kept` names the first pods that keep a node from being drained.
    `podGroups`: how the groups of pods end.
    """

    fits: bool | None
    conclusion: Literal["fits", "unschedulable", "uncertain"] | None
    reason: str
    run: int
    placed: int
    pending: list[str]
    forbidden: list[str]
    kept: list[str]
    uncertain: list[str]
    uncertainties: list[UncertaintyInWords]
    podGroups: list[GroupOfRun]


class StudyPart(TypedDict):
    """One part of a study, and its answer."""

    number: int
    label: str
    state: str
    result: dict[str, Any] | None
    error: dict[str, Any] | None


class Study(TypedDict):
    """A question in several parts."""

    id: int
    kind: str
    title: str
    cluster: str | None
    done: int
    parts: list[StudyPart]
    page: str


Review = TypedDict(
    "Review",
    {
        "id": int,
        "title": str,
        "cluster": str,
        "run": int | None,
        "state": str,
        "error": dict[str, Any] | None,
        "createdAt": str,
        "finishedAt": str | None,
        "formats": dict[str, str],
        "page": str,
    },
)
Dump = TypedDict(
    "Dump",
    {
        "id": int,
        "cluster": str,
        "state": str,
        "fileName": str,
        "bytesTotal": int,
        "bytesRead": int,
        "kept": dict[str, int],
        "skipped": list[dict[str, Any]],
        "revision": int | None,
        "error": dict[str, Any] | None,
        "page": str,
    },
)
