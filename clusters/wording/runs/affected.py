"""What a simulation did to workloads and disruption budgets: sentences and key numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.simulation import WorkloadEffect
from clusters.wording.lists import first_of
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Key numbers.
WORKLOADS: Final = gettext_lazy("affected workloads")
FEWER: Final = gettext_lazy("run fewer pods")
QUORUM_LOST: Final = gettext_lazy("quorum lost")
BUDGETS: Final = gettext_lazy("budgets broken")
EFFECTS: Final = {
    WorkloadEffect.LOSES_QUORUM: pgettext_lazy("effect", "Quorum lost"),
    WorkloadEffect.QUORUM_INTERRUPTED: pgettext_lazy("effect", "No quorum until recreated"),
    WorkloadEffect.STOPPED: pgettext_lazy("effect", "No pod runs"),
    WorkloadEffect.RUNS_FEWER: pgettext_lazy("effect", "Runs fewer pods"),
    WorkloadEffect.RECREATED: pgettext_lazy("effect", "Recreated in full"),
    WorkloadEffect.MORE_PENDING: pgettext_lazy("effect", "More pods pending"),
}
NEWLY_PENDING = plural("%(pods)s pod is newly pending.", "%(pods)s pods are newly pending.", by="pods")
FEWER_PODS = plural(
    "%(fewer)s of %(workloads)s affected workload runs fewer pods.",
    "%(fewer)s of %(workloads)s affected workloads run fewer pods.",
    by="workloads",
)
_STOPPED: Final = message("No pod left of %(workloads)s.")
_QUORUM_LOST: Final = message("Quorum lost: %(workloads)s.")
_INTERRUPTED: Final = message("No quorum until recreated: %(workloads)s.")
_BROKEN: Final = message("Fewer healthy pods than required: %(budgets)s.")


def affected_sentences(affected: Mapping[str, Any], newly: int) -> list[str]:
    """Say what a loss or a drain comes to: newly pending pods, workloads with fewer pods, quorums and budgets.

    ``newly``: how many pods are newly pending.
    """
    budgets = [each["budget"] for each in affected["broken_budgets"]]
    return [
        NEWLY_PENDING(pods=newly),
        FEWER_PODS(fewer=affected["fewer"], workloads=affected["workloads"]),
        *grave_sentences(affected),
        _BROKEN(budgets=first_of(budgets, total=affected["budgets"])) if affected["budgets"] else "",
    ]


def grave_sentences(affected: Mapping[str, Any]) -> list[str]:
    """Name the workloads that stop or are without their quorum, at the end or for a while."""
    first: Sequence[Mapping[str, Any]] = affected["first"]
    told = (
        (_STOPPED, affected["stopped"], [each for each in first if not each["after"] and each["missing"]]),
        (_QUORUM_LOST, affected["quorum_lost"], [each for each in first if each["quorum"] == "lost"]),
        (_INTERRUPTED, affected["quorum_interrupted"], [each for each in first if each["quorum"] == "interrupted"]),
    )
    return [say(workloads=first_of(list(map(full_name, named)), total=number)) for say, number, named in told if number]


def full_name(workload: Mapping[str, Any]) -> str:
    """Name a workload with its kind and namespace."""
    return f"{workload['kind']} {workload['namespace']}/{workload['name']}"


MORE_WORKLOADS = plural(
    "%(workloads)s more workload, recreated in full",
    "%(workloads)s more workloads, recreated in full",
    by="workloads",
)
NOT_LISTED = message("%(workloads)s more are not listed.")
