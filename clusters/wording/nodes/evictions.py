"""What a drain of one node meets now: the answer to each eviction, and the flags that kubectl needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from clusters.engine.disruption.drain import Flag, Treatment
from clusters.wording.amounts import grouped

if TYPE_CHECKING:
    from collections.abc import Mapping

STAYS: Final = {
    Treatment.DAEMON_SET: gettext_lazy(
        "Stays: kubectl drain ignores DaemonSet pods, which their controller would recreate at once."
    ),
    Treatment.STATIC: gettext_lazy("Stays: a static pod, which the kubelet runs from a file."),
}


def answer(code: int) -> str:
    """Name an answer of the Eviction API."""
    match code:
        case 200:
            return pgettext("answer to an eviction", "Allowed (200)")
        case 429:
            return pgettext("answer to an eviction", "Refused by a budget (429)")
        case 500:
            return pgettext("answer to an eviction", "Misconfigured (500)")
        case _:
            return pgettext("answer to an eviction", "Refused (%(code)s)") % {"code": code}


def needs_force() -> str:
    """Say that kubectl needs --force for a pod, and why."""
    return _("%(flag)s: it has no controller") % {"flag": Flag.FORCE}


def needs_empty_dir() -> str:
    """Say that kubectl needs --delete-emptydir-data for a pod, and why."""
    return _("%(flag)s: its emptyDir is lost") % {"flag": Flag.EMPTY_DIR}


def nothing_to_evict() -> str:
    """Say that a drain evicts nothing."""
    return _("A drain evicts nothing here.")


def evictions(number: int, answers: Mapping[int, int]) -> str:
    """Say how many evictions a drain requests, and how many of them are answered how; ``answers`` by code."""
    counts = [
        _("%(answer)s: %(number)s") % {"answer": answer(code), "number": grouped(count)}
        for code, count in answers.items()
    ]
    return ngettext(
        "A drain started now requests %(number)s eviction. %(answers)s.",
        "A drain started now requests %(number)s evictions. %(answers)s.",
        number,
    ) % {"number": grouped(number), "answers": "; ".join(counts)}


def repeated() -> str:
    """Say what kubectl does with evictions that a budget refuses."""
    return _("kubectl retries evictions that a budget refuses every 5 s.")


def staying(pods: int) -> str:
    """Count the pods that a drain leaves on the node."""
    return ngettext("%(pods)s pod stays.", "%(pods)s pods stay.", pods) % {"pods": grouped(pods)}


def force_needed(pods: int) -> str:
    """Count the pods for which kubectl drain does not begin without --force."""
    return ngettext(
        "kubectl drain does not begin without %(flag)s: %(pods)s pod has no controller.",
        "kubectl drain does not begin without %(flag)s: %(pods)s pods have no controller.",
        pods,
    ) % {"flag": Flag.FORCE, "pods": grouped(pods)}


def empty_dir_needed(pods: int) -> str:
    """Count the pods for which kubectl drain does not begin without --delete-emptydir-data."""
    return ngettext(
        "kubectl drain does not begin without %(flag)s: %(pods)s pod has an emptyDir.",
        "kubectl drain does not begin without %(flag)s: %(pods)s pods have an emptyDir.",
        pods,
    ) % {"flag": Flag.EMPTY_DIR, "pods": grouped(pods)}
