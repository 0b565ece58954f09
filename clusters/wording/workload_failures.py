"""What is said of workloads that fail: what their controllers cannot do, and what to do about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.engine.workloads.failures import FailureKind
from clusters.wording.amounts import grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.workloads.failures import WorkloadFailure

# By what the API server's answer says, the first that matches: what to do. Names in it are those of the message.
_REMEDIES: Final = tuple(
    (re.compile(pattern), remedy)
    for pattern, remedy in (
        (
            r"failed quota: (?P<name>[\w.-]+): must specify (?P<what>[^\s\"]+)",
            gettext_lazy(
                "Write %(what)s for every container of the pod template, as ResourceQuota %(name)s requires, or add a "
                "LimitRange."
            ),
        ),
        (
            r"exceeded quota: (?P<name>[\w.-]+)",
            gettext_lazy(
                "Raise ResourceQuota %(name)s of namespace %(namespace)s, free what it counts, or lower the pods' "
                "requests."
            ),
        ),
        (
            r"violates PodSecurity \"(?P<name>[^\"]+)\"",
            gettext_lazy(
                "Change the security context of the pod template to what %(name)s, enforced in %(namespace)s, allows."
            ),
        ),
        (
            r"service ?account \"?(?:[\w.-]+/)?(?P<name>[\w.-]+)\"?.*not found",
            gettext_lazy(
                "Create ServiceAccount %(name)s in namespace %(namespace)s, or name another one in the pod template."
            ),
        ),
        (
            r"no PriorityClass with name (?P<name>[\w.-]+)",
            gettext_lazy("Create PriorityClass %(name)s, or name another one in the pod template."),
        ),
        (
            r"RuntimeClass \"(?P<name>[\w.-]+)\" not found",
            gettext_lazy("Create RuntimeClass %(name)s, or name another one in the pod template."),
        ),
        (
            r"failed calling webhook \"(?P<name>[^\"]+)\"",
            gettext_lazy("See that the service behind the admission webhook %(name)s answers."),
        ),
        (
            r"admission webhook \"(?P<name>[^\"]+)\" denied",
            gettext_lazy("Change the pod template to what the admission webhook %(name)s allows."),
        ),
        (
            r"(?:minimum|maximum) [\w./-]+ usage per|limit to request ratio per",
            gettext_lazy(
                "Change requests and limits of the pod template to what the LimitRange of namespace %(namespace)s "
                "allows."
            ),
        ),
        (r"is invalid: ", gettext_lazy("Correct the field of the pod template that the message names.")),
    )
)
_BY_KIND: Final = {
    FailureKind.CREATE: gettext_lazy(
        "Remove the cause that the message names; the controller then tries again by itself."
    ),
    FailureKind.DELETE: gettext_lazy(
        "Remove the cause that the message names; the controller then tries again by itself."
    ),
    FailureKind.PROGRESS: gettext_lazy(
        "See why its pods are not available, or go back with: kubectl rollout undo %(kind)s/%(workload)s "
        "-n %(namespace)s"
    ),
    FailureKind.JOB: gettext_lazy(
        "Read the logs of its failed pods, and create the Job again: its controller has given up."
    ),
}


def headline(failure: WorkloadFailure) -> str:
    """Say what the controller cannot do, as it stands beside the workload's name."""
    match failure.kind:
        case FailureKind.CREATE if failure.missing:
            return ngettext("cannot create %(pods)s pod", "cannot create %(pods)s pods", failure.missing) % {
                "pods": grouped(failure.missing)
            }
        case FailureKind.CREATE:
            return _("cannot create pods")
        case FailureKind.DELETE:
            return _("cannot delete pods")
        case FailureKind.PROGRESS:
            return _("does not progress")
        case _never:
            return _("has failed")


def sentence(failure: WorkloadFailure) -> str:
    """Say which workload cannot do what."""
    workload = failure.workload
    names = {"kind": workload.kind, "workload": f"{workload.namespace}/{workload.name}"}
    match failure.kind:
        case FailureKind.CREATE if failure.missing:
            return ngettext(
                "%(kind)s %(workload)s cannot create %(pods)s pod.",
                "%(kind)s %(workload)s cannot create %(pods)s pods.",
                failure.missing,
            ) % {"kind": names["kind"], "workload": names["workload"], "pods": grouped(failure.missing)}
        case FailureKind.CREATE:
            return _("%(kind)s %(workload)s cannot create pods.") % names
        case FailureKind.DELETE:
            return _("%(kind)s %(workload)s cannot delete pods.") % names
        case FailureKind.PROGRESS:
            return _("%(kind)s %(workload)s does not progress.") % names
        case _never:
            return _("%(kind)s %(workload)s has failed.") % names


def quoted(failure: WorkloadFailure) -> str:
    """Return the controller's own words: its reason and its message."""
    return f"{failure.reason}: {failure.message}" if failure.message else failure.reason


def remedy(failure: WorkloadFailure, among: Sequence[WorkloadFailure]) -> str:
    """Say what to do about one of the failures of a workload, ``among`` all of them, the gravest first."""
    workload = failure.workload
    if failure.kind is FailureKind.PROGRESS and among[0].kind is FailureKind.CREATE:
        return _("It goes on once its pods can be created.")
    names = {"namespace": workload.namespace, "workload": workload.name, "kind": workload.kind.lower()}
    if failure.kind is FailureKind.CREATE:
        for pattern, text in _REMEDIES:
            match = pattern.search(failure.message)
            if match is not None:
                return str(text % {**names, **match.groupdict()})
    return str(_BY_KIND[failure.kind] % names)


def cannot_create(workloads: int) -> str:
    """Say of how many workloads pods cannot be created."""
    return ngettext(
        "%(workloads)s workload cannot create pods", "%(workloads)s workloads cannot create pods", workloads
    ) % {"workloads": grouped(workloads)}


def otherwise_failing(workloads: int) -> str:
    """Say how many workloads fail whose pods can be created."""
    return ngettext(
        "%(workloads)s workload does not progress or has failed",
        "%(workloads)s workloads do not progress or have failed",
        workloads,
    ) % {"workloads": grouped(workloads)}
