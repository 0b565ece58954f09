"""What is said of workloads that fail: what their controllers cannot do, and what to do about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from clusters.engine.workloads.failures import FailureKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.workloads.failures import WorkloadFailure

# By what the API server's answer says, the first that matches: what to do. Names in it are those of the message.
_REMEDIES: Final = tuple(
    (re.compile(pattern), remedy)
    for pattern, remedy in (
        (
            r"failed quota: (?P<name>[\w.-]+): must specify (?P<what>[^\s\"]+)",
            "Write {what} for every container of the pod template, as ResourceQuota {name} asks, or add a LimitRange.",
        ),
        (
            r"exceeded quota: (?P<name>[\w.-]+)",
            "Raise ResourceQuota {name} of namespace {namespace}, free what it counts, or let the pods request less.",
        ),
        (
            r"violates PodSecurity \"(?P<name>[^\"]+)\"",
            "Change the security context of the pod template to what {name}, enforced in {namespace}, allows.",
        ),
        (
            r"service ?account \"?(?:[\w.-]+/)?(?P<name>[\w.-]+)\"?.*not found",
            "Create ServiceAccount {name} in namespace {namespace}, or name another one in the pod template.",
        ),
        (
            r"no PriorityClass with name (?P<name>[\w.-]+)",
            "Create PriorityClass {name}, or name another one in the pod template.",
        ),
        (
            r"RuntimeClass \"(?P<name>[\w.-]+)\" not found",
            "Create RuntimeClass {name}, or name another one in the pod template.",
        ),
        (
            r"failed calling webhook \"(?P<name>[^\"]+)\"",
            "See that the service behind the admission webhook {name} answers.",
        ),
        (
            r"admission webhook \"(?P<name>[^\"]+)\" denied",
            "Change the pod template to what the admission webhook {name} allows.",
        ),
        (
            r"(?:minimum|maximum) [\w./-]+ usage per|limit to request ratio per",
            "Change requests and limits of the pod template to what the LimitRange of namespace {namespace} allows.",
        ),
        (r"is invalid: ", "Mend the field of the pod template that the message names."),
    )
)
_BY_KIND: Final = {
    FailureKind.CREATE: "Remove the cause that the message names; the controller then tries again by itself.",
    FailureKind.DELETE: "Remove the cause that the message names; the controller then tries again by itself.",
    FailureKind.PROGRESS: "See why its pods are not available, or go back with: "
    "kubectl rollout undo {kind}/{workload} -n {namespace}",
    FailureKind.JOB: "Read the logs of its failed pods, and create the Job anew: its controller has given up.",
}


def headline(failure: WorkloadFailure) -> str:
    """Say what the controller cannot do, as the end of a sentence that begins with the workload."""
    match failure.kind:
        case FailureKind.CREATE if failure.missing:
            return f"cannot create {_pods(failure.missing)}"
        case FailureKind.CREATE:
            return "cannot create pods"
        case FailureKind.DELETE:
            return "cannot delete pods"
        case FailureKind.PROGRESS:
            return "does not progress"
        case _:
            return "has failed"


def sentence(failure: WorkloadFailure) -> str:
    """Say which workload cannot do what."""
    workload = failure.workload
    return f"{workload.kind} {workload.namespace}/{workload.name} {headline(failure)}."


def quoted(failure: WorkloadFailure) -> str:
    """Return the controller's own words: its reason and its message."""
    return f"{failure.reason}: {failure.message}" if failure.message else failure.reason


def remedy(failure: WorkloadFailure, among: Sequence[WorkloadFailure]) -> str:
    """Say what to do about one of the failures of a workload, ``among`` all of them, the gravest first."""
    workload = failure.workload
    if failure.kind is FailureKind.PROGRESS and among[0].kind is FailureKind.CREATE:
        return "It goes on once its pods can be created."
    names = {"namespace": workload.namespace, "workload": workload.name, "kind": workload.kind.lower()}
    if failure.kind is FailureKind.CREATE:
        for pattern, text in _REMEDIES:
            match = pattern.search(failure.message)
            if match is not None:
                return text.format(**{**names, **match.groupdict()})
    return _BY_KIND[failure.kind].format(**names)


def count(failures: int, creating: int) -> str:
    """Say of how many workloads pods cannot be created, and how many others fail."""
    others = failures - creating
    said = []
    if creating:
        said.append(f"{creating:,} {'workload' if creating == 1 else 'workloads'} cannot create pods")
    if others:
        more = "more " if creating else ""
        said.append(f"{others:,} {more}{'workload does' if others == 1 else 'workloads do'} not progress or failed")
    return ", ".join(said)


def _pods(number: int) -> str:
    return f"{number:,} {'pod' if number == 1 else 'pods'}"
