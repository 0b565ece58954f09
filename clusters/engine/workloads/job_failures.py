"""Which pods of a Job count as failed, and what follows from one that did.

Upstream (v1.34.1): ``isPodFailed``, ``onlyReplaceFailedPods`` and ``matchPodFailurePolicy`` of ``pkg/controller/job``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.objects import metadata

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.engine.objects import Document

# Set in evictions: by the Eviction API, taints, preemption and the kubelet.
DISRUPTION_TARGET: Final = "DisruptionTarget"


class FailureAction(StrEnum):
    """What a rule of podFailurePolicy does with a pod that failed."""

    COUNT = "Count"
    IGNORE = "Ignore"
    FAIL_INDEX = "FailIndex"
    FAIL_JOB = "FailJob"


_ACTIONS: Final = {action.value: action for action in FailureAction}


@dataclass(frozen=True, slots=True)
class MatchedRule:
    """The action for a pod that failed, and the number of the rule that says so; None where no rule matches it."""

    action: FailureAction
    rule: int | None

    @property
    def counts(self) -> bool:
        return self.action is not FailureAction.IGNORE


@dataclass(frozen=True, slots=True)
class DisruptedPods:
    """The ``action`` for pods that are evicted or preempted; rules before it may match the exit code of a container."""

    action: FailureAction
    may_exit_otherwise: bool


def replaces_only_failed(spec: Document) -> bool:
    """Whether a pod is replaced, and counts, only once it has ended, rather than when its deletion begins."""
    return spec.get("podReplacementPolicy") == "Failed" or spec.get("podFailurePolicy") is not None


def is_failed(pod: Document, spec: Document) -> bool:
    """Whether a pod of a Job failed; one that is being deleted did, unless such are replaced only once they ended."""
    phase = (pod.get("status") or {}).get("phase")
    if phase == "Failed" or replaces_only_failed(spec):
        return bool(phase == "Failed")
    return bool(metadata(pod).get("deletionTimestamp")) and phase != "Succeeded"


def rules_of(spec: Document) -> Sequence[Document]:
    """The rules of a Job's podFailurePolicy, in order."""
    return (spec.get("podFailurePolicy") or {}).get("rules") or ()


def matched_rule(pod: Document, spec: Document) -> MatchedRule:
    """What a Job does with a pod that failed."""
    status = pod.get("status") or {}
    for number, rule in enumerate(rules_of(spec)):
        if rule.get("onExitCodes") is not None:
            matches = any(_exits(status, rule["onExitCodes"]))
        else:
            matches = any(_has(status, pattern) for pattern in rule.get("onPodConditions") or ())
        if matches and rule.get("action") in _ACTIONS:
            return MatchedRule(_ACTIONS[rule["action"]], number)
    return MatchedRule(FailureAction.COUNT, None)


def disrupted_pods(spec: Document) -> DisruptedPods:
    """What a Job does with pods that are evicted or preempted, by their condition alone."""
    may_exit = False
    disrupted = {"conditions": [{"type": DISRUPTION_TARGET, "status": "True"}]}
    for rule in rules_of(spec):
        if rule.get("onExitCodes") is not None:
            may_exit = True
        elif rule.get("action") in _ACTIONS and any(
            _has(disrupted, pattern) for pattern in rule.get("onPodConditions") or ()
        ):
            return DisruptedPods(_ACTIONS[rule["action"]], may_exit)
    return DisruptedPods(FailureAction.COUNT, may_exit)


def _exits(status: Mapping[str, Any], required: Document) -> Iterator[bool]:
    """Whether each container that failed did so with an exit code that is required."""
    for statuses in ("containerStatuses", "initContainerStatuses"):
        for each in status.get(statuses) or ():
            code = ((each.get("state") or {}).get("terminated") or {}).get("exitCode")
            if code and required.get("containerName") in (None, each.get("name")):
                is_listed = code in (required.get("values") or ())
                yield is_listed if required.get("operator") == "In" else not is_listed


def _has(status: Mapping[str, Any], pattern: Document) -> bool:
    wanted = pattern.get("type"), pattern.get("status") or "True"
    return any((each.get("type"), each.get("status")) == wanted for each in status.get("conditions") or ())
