"""What is said of workloads that fail: what their controllers cannot do, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.engine.workloads import FailureKind, WorkloadFailure
from clusters.wording import refusals
from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence


_BY_KIND: Final = {
    FailureKind.DELETE: gettext_lazy("Remove the cause; the controller tries again."),
    FailureKind.PROGRESS: gettext_lazy(
        "See why its pods are not available, or go back: kubectl rollout undo %(kind)s/%(workload)s -n %(namespace)s"
    ),
    FailureKind.STARTS: gettext_lazy(
        "Check kube-controller-manager, clocks, and the events of %(namespace)s/%(workload)s."
    ),
    FailureKind.JOB: gettext_lazy("Read the logs of its failed pods, and create the Job again."),
}


_CANNOT_CREATE = plural("cannot create %(pods)s pod", "cannot create %(pods)s pods", by="pods")
_MISSED = plural("missed %(starts)s start", "missed %(starts)s starts", by="starts")
_HEADLINES: Final = {
    FailureKind.CREATE: gettext_lazy("cannot create pods"),
    FailureKind.DELETE: gettext_lazy("cannot delete pods"),
    FailureKind.PROGRESS: gettext_lazy("does not progress"),
}
_NO_JOBS: Final = gettext_lazy("cannot create Jobs")
_FAILED: Final = gettext_lazy("has failed")
_SENTENCE = message("%(kind)s %(workload)s: %(headline)s.", context="failing workload")


def headline(failure: WorkloadFailure) -> str:
    """Say what the controller cannot do, as it stands beside the workload's name."""
    match failure.kind:
        case FailureKind.CREATE if failure.missing:
            return _CANNOT_CREATE(pods=failure.missing)
        case FailureKind.CREATE if failure.workload.kind == "CronJob" and failure.missing is None:
            return str(_NO_JOBS)
        case FailureKind.STARTS if failure.missed is not None:
            return _MISSED(starts=failure.missed.starts)
        case _:
            return str(_HEADLINES.get(failure.kind, _FAILED))


def sentence(failure: WorkloadFailure) -> str:
    """Say which workload cannot do what."""
    workload = failure.workload
    named = f"{workload.namespace}/{workload.name}"
    return _SENTENCE(kind=workload.kind, workload=named, headline=headline(failure))


def quoted(failure: WorkloadFailure) -> str:
    """Return the controller's own words: its reason and its message; empty where it reports nothing."""
    return f"{failure.reason}: {failure.message}" if failure.message else failure.reason


def remedy(failure: WorkloadFailure, among: Sequence[WorkloadFailure]) -> str:
    """Say what to do about one of the failures of a workload, ``among`` all of them, the gravest first."""
    workload = failure.workload
    if failure.kind is FailureKind.PROGRESS and among[0].kind is FailureKind.CREATE:
        return _("It goes on once pods can be created.")
    if failure.missed is not None and among[0].kind is FailureKind.CREATE:
        return _("The latest start is made up for once Jobs can be created.")
    if failure.missed is not None and failure.missed.is_put_off:
        return _("concurrencyPolicy is Forbid: see why its active Job does not end.")
    if failure.refusal is not None:
        return refusals.remedy([failure])
    names = {"namespace": workload.namespace, "workload": workload.name, "kind": workload.kind.lower()}
    return str(_BY_KIND[failure.kind] % names)


CANNOT_CREATE = plural(
    "%(workloads)s workload cannot create pods", "%(workloads)s workloads cannot create pods", by="workloads"
)


def counted(creating: int, others: int, late: int) -> str:
    """Say, after the number of workloads whose pods cannot be created, what they cannot do and how many others fail.

    Without any of these, of the others; ``late`` of them have missed starts.
    """
    if not creating and others == late:
        return ngettext("CronJob missed starts", "CronJobs missed starts", late)
    if not creating and late:
        return _("do not progress, failed or missed starts")
    if not creating:
        return _("do not progress or failed")
    if not others:
        return _("cannot create pods")
    return ngettext("cannot create pods; %(others)s more fails", "cannot create pods; %(others)s more fail", others) % {
        "others": grouped(others)
    }


MISSED_STARTS = plural("%(cron_jobs)s CronJob missed starts", "%(cron_jobs)s CronJobs missed starts", by="cron_jobs")
OTHERWISE_FAILING = plural(
    "%(workloads)s workload does not progress or has failed",
    "%(workloads)s workloads do not progress or have failed",
    by="workloads",
)
