"""What a simulation did to workloads and disruption budgets: sentences, key numbers and the columns of the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.simulation import WorkloadEffect
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Key numbers.
WORKLOADS: Final = gettext_lazy("affected workloads")
FEWER: Final = gettext_lazy("run fewer pods")
QUORUM_LOST: Final = gettext_lazy("quorum lost")
BUDGETS: Final = gettext_lazy("budgets broken")

# Effects on a workload.
EFFECTS: Final = {
    WorkloadEffect.LOSES_QUORUM: pgettext_lazy("effect on a workload", "Quorum lost"),
    WorkloadEffect.QUORUM_INTERRUPTED: pgettext_lazy("effect on a workload", "No quorum until recreated"),
    WorkloadEffect.STOPPED: pgettext_lazy("effect on a workload", "No pod runs"),
    WorkloadEffect.RUNS_FEWER: pgettext_lazy("effect on a workload", "Runs fewer pods"),
    WorkloadEffect.RECREATED: pgettext_lazy("effect on a workload", "Recreated in full"),
    WorkloadEffect.MORE_PENDING: pgettext_lazy("effect on a workload", "More pods pending"),
}

QUORUM_MEANING: Final = gettext_lazy(
    "Quorum: more than half of the replicas of a StatefulSet with at least 3. Running: on a node that reports to be "
    "ready."
)


def affected_sentences(affected: Mapping[str, Any], newly: int) -> list[str]:
    """Say what a loss or a drain comes to: newly pending pods, workloads with fewer pods, quorums and budgets.

    ``newly``: how many pods are newly pending.
    """
    return [
        newly_pending(newly),
        fewer_pods(affected),
        *grave_sentences(affected),
        _broken(affected["budgets"], [each["budget"] for each in affected["broken_budgets"]]),
    ]


def grave_sentences(affected: Mapping[str, Any]) -> list[str]:
    """Name the workloads that stop or are without their quorum, at the end or for a while; empty for what is not."""
    first = affected["first"]
    return [
        _stopped(affected["stopped"], [each for each in first if not each["after"] and each["missing"]]),
        _quorum_lost(affected["quorum_lost"], [each for each in first if each["quorum"] == "lost"]),
        _interrupted(affected["quorum_interrupted"], [each for each in first if each["quorum"] == "interrupted"]),
    ]


def newly_pending(pods: int) -> str:
    """Say how many pods are pending that were not before."""
    if not pods:
        return _("No pod is newly pending.")
    return ngettext("%(pods)s pod is newly pending.", "%(pods)s pods are newly pending.", pods) % {
        "pods": grouped(pods)
    }


def fewer_pods(affected: Mapping[str, Any]) -> str:
    """Say how many of the affected workloads run fewer pods than before."""
    fewer, workloads = affected["fewer"], affected["workloads"]
    if not fewer:
        return ngettext(
            "%(workloads)s affected workload runs as many pods as before.",
            "All %(workloads)s affected workloads run as many pods as before.",
            workloads,
        ) % {"workloads": grouped(workloads)}
    return ngettext(
        "%(fewer)s of %(workloads)s affected workloads runs fewer pods than before.",
        "%(fewer)s of %(workloads)s affected workloads run fewer pods than before.",
        fewer,
    ) % {"fewer": grouped(fewer), "workloads": grouped(workloads)}


def _stopped(number: int, first: Sequence[Mapping[str, Any]]) -> str:
    """Name workloads of which no pod runs any more; empty where there is none."""
    if not number:
        return ""
    return ngettext("%(workloads)s has no running pod left.", "%(workloads)s have no running pods left.", number) % {
        "workloads": first_of([full_name(each) for each in first], total=number)
    }


def _quorum_lost(number: int, first: Sequence[Mapping[str, Any]]) -> str:
    """Name StatefulSets without a majority of their replicas afterwards; empty where there is none."""
    if not number:
        return ""
    return ngettext("%(workloads)s loses its quorum.", "%(workloads)s lose their quorum.", number) % {
        "workloads": first_of([full_name(each) for each in first], total=number)
    }


def _interrupted(number: int, first: Sequence[Mapping[str, Any]]) -> str:
    """Name StatefulSets without a majority until their pods are recreated; empty where there is none."""
    if not number:
        return ""
    return ngettext(
        "%(workloads)s has no quorum until its pods are recreated.",
        "%(workloads)s have no quorum until their pods are recreated.",
        number,
    ) % {"workloads": first_of([full_name(each) for each in first], total=number)}


def _broken(number: int, names: Sequence[str]) -> str:
    if not number:
        return ""
    return ngettext(
        "Budget %(budgets)s has fewer healthy pods than it requires.",
        "Budgets %(budgets)s have fewer healthy pods than they require.",
        number,
    ) % {"budgets": first_of(names, total=number)}


def full_name(workload: Mapping[str, Any]) -> str:
    """Name a workload with its kind and namespace."""
    return f"{workload['kind']} {workload['namespace']}/{workload['name']}"


MORE_WORKLOADS = plural(
    "%(workloads)s more workload: its pods are recreated in full",
    "%(workloads)s more workloads: their pods are recreated in full",
    by="workloads",
)
NOT_LISTED = plural(
    "%(workloads)s more affected workload is not listed.",
    "%(workloads)s more affected workloads are not listed.",
    by="workloads",
)
PENDING_SPLIT = message("At the end: %(newly)s newly pending, %(before)s pending as before")
