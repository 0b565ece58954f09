"""What is said of workloads that fail: what their controllers cannot do, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from clusters.engine.quotas.problems import QuotaExceeded, QuotaUnspecified
from clusters.engine.quotas.raising import raises_for
from clusters.engine.workloads.failures import FailureKind
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed, side_by_side
from clusters.wording.problems import problem_sentence, remedy_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.problems import Problem
    from clusters.engine.quotas.raising import QuotaRaise
    from clusters.engine.workloads.failures import WorkloadFailure

_BY_KIND: Final = {
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
        case FailureKind.CREATE if failure.workload.kind == "CronJob" and failure.missing is None:
            return _("cannot create Jobs")
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
        case FailureKind.CREATE if workload.kind == "CronJob" and failure.missing is None:
            return _("%(kind)s %(workload)s cannot create Jobs.") % names
        case FailureKind.CREATE:
            return _("%(kind)s %(workload)s cannot create pods.") % names
        case FailureKind.DELETE:
            return _("%(kind)s %(workload)s cannot delete pods.") % names
        case FailureKind.PROGRESS:
            return _("%(kind)s %(workload)s does not progress.") % names
        case _never:
            return _("%(kind)s %(workload)s has failed.") % names


def because(failure: WorkloadFailure) -> str:
    """Say why the API server refuses what the controller creates; empty for what fails otherwise."""
    if failure.refusal is None:
        return ""
    return " ".join(_cause(problem) for problem in failure.refusal.problems)


def _cause(problem: Problem) -> str:
    match problem:
        case QuotaExceeded():
            amounts = zip(problem.resources, problem.requested, problem.used, problem.limited, strict=True)
            return _("ResourceQuota %(namespace)s/%(quota)s is exceeded: %(amounts)s.") % {
                "namespace": problem.namespace,
                "quota": problem.quota,
                "amounts": side_by_side(_charged(*each) for each in amounts),
            }
        case QuotaUnspecified() if problem.containers:
            return _(
                "ResourceQuota %(namespace)s/%(quota)s counts %(resources)s, which is not specified for %(containers)s."
            ) % {
                "namespace": problem.namespace,
                "quota": problem.quota,
                "resources": listed(problem.resources),
                "containers": listed(problem.containers),
            }
        case QuotaUnspecified():
            return _("ResourceQuota %(namespace)s/%(quota)s counts %(resources)s, which containers do not specify.") % {
                "namespace": problem.namespace,
                "quota": problem.quota,
                "resources": listed(problem.resources),
            }
        case _other:
            return problem_sentence(problem)


def _charged(resource: str, requested: str, used: str, limited: str) -> str:
    values = {"resource": resource, "requested": requested, "used": used, "limited": limited}
    return (
        pgettext(
            "what a quota is asked for", "%(requested)s of %(resource)s requested with %(used)s of %(limited)s used"
        )
        % values
    )


def quoted(failure: WorkloadFailure) -> str:
    """Return the controller's own words: its reason and its message."""
    return f"{failure.reason}: {failure.message}" if failure.message else failure.reason


def remedy(failure: WorkloadFailure, among: Sequence[WorkloadFailure]) -> str:
    """Say what to do about one of the failures of a workload, ``among`` all of them, the gravest first."""
    workload = failure.workload
    if failure.kind is FailureKind.PROGRESS and among[0].kind is FailureKind.CREATE:
        return _("It goes on once its pods can be created.")
    if failure.refusal is not None:
        pods = (failure.missing or 1) if failure.refusal.resource == "pods" else 0
        return " ".join(dict.fromkeys(_lift(problem, pods) for problem in failure.refusal.problems))
    names = {"namespace": workload.namespace, "workload": workload.name, "kind": workload.kind.lower()}
    return str(_BY_KIND[failure.kind] % names)


def _lift(problem: Problem, pods: int) -> str:
    """Say what lifts a cause; ``pods``: how many are to be created, 0 where it is something else that is refused."""
    match problem:
        case QuotaExceeded() if pods:
            return ngettext(
                "Raise ResourceQuota %(quota)s of namespace %(namespace)s for %(pods)s more pod (%(raised)s), free "
                "what it counts, or request less.",
                "Raise ResourceQuota %(quota)s of namespace %(namespace)s for %(pods)s more pods (%(raised)s), free "
                "what it counts, or request less.",
                pods,
            ) % {
                "quota": problem.quota,
                "namespace": problem.namespace,
                "pods": grouped(pods),
                "raised": side_by_side(map(_raised, raises_for(problem, pods))),
            }
        case QuotaExceeded():
            return _(
                "Raise ResourceQuota %(quota)s of namespace %(namespace)s (%(raised)s), free what it counts, or "
                "request less."
            ) % {
                "quota": problem.quota,
                "namespace": problem.namespace,
                "raised": side_by_side(map(_raised, raises_for(problem, 1))),
            }
        case QuotaUnspecified():
            return _(
                "Write %(resources)s for every container of the pod template, as ResourceQuota %(quota)s requires, or "
                "add a LimitRange."
            ) % {"resources": listed(problem.resources), "quota": problem.quota}
        case _other:
            return remedy_sentence(problem)


def _raised(each: QuotaRaise) -> str:
    return pgettext("amount of a quota", "%(resource)s from %(hard)s to %(needed)s") % {
        "resource": each.resource,
        "hard": each.hard,
        "needed": each.needed,
    }


def cannot_create(workloads: int) -> str:
    """Say of how many workloads pods cannot be created."""
    return ngettext(
        "%(workloads)s workload cannot create pods", "%(workloads)s workloads cannot create pods", workloads
    ) % {"workloads": grouped(workloads)}


def counted(creating: int, others: int) -> str:
    """Say, after the number of workloads whose pods cannot be created, what they cannot do and how many others fail.

    Without any of these, of the others.
    """
    if not creating:
        return _("do not progress or failed")
    if not others:
        return _("cannot create pods")
    return ngettext("cannot create pods; %(others)s more fails", "cannot create pods; %(others)s more fail", others) % {
        "others": grouped(others)
    }


def otherwise_failing(workloads: int) -> str:
    """Say how many workloads fail whose pods can be created."""
    return ngettext(
        "%(workloads)s workload does not progress or has failed",
        "%(workloads)s workloads do not progress or have failed",
        workloads,
    ) % {"workloads": grouped(workloads)}
