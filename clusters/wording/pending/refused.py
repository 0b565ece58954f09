"""Workloads on the page of pending pods whose pods the API server refuses to create."""

from __future__ import annotations

from typing import Final

from django.utils.translation import ngettext, pgettext_lazy

from clusters.wording.amounts import grouped

# The columns of a file.
REFUSED: Final = (
    pgettext_lazy("column of a file", "namespace"),
    pgettext_lazy("column of a file", "workload kind"),
    pgettext_lazy("column of a file", "workload"),
    pgettext_lazy("column of a file", "missing pods"),
    pgettext_lazy("column of a file", "since"),
    pgettext_lazy("column of a file", "kinds of causes"),
    pgettext_lazy("column of a file", "cause"),
    pgettext_lazy("column of a file", "now"),
    pgettext_lazy("column of a file", "remedy"),
    pgettext_lazy("column of a file", "reason"),
    pgettext_lazy("column of a file", "message"),
)


def sentence(*, workloads: int, pods: int) -> str:
    """Say how many workloads cannot create how many pods."""
    if not pods:
        return ngettext(
            "%(workloads)s workload cannot create pods.", "%(workloads)s workloads cannot create pods.", workloads
        ) % {"workloads": grouped(workloads)}
    if workloads == 1:
        return ngettext("1 workload cannot create %(pods)s pod.", "1 workload cannot create %(pods)s pods.", pods) % {
            "pods": grouped(pods)
        }
    return ngettext(
        "%(workloads)s workloads cannot create %(pods)s pod.",
        "%(workloads)s workloads cannot create %(pods)s pods.",
        pods,
    ) % {"workloads": grouped(workloads), "pods": grouped(pods)}


def title(*, workloads: int, pods: int) -> str:
    """Count the pods that are missing for one cause."""
    if workloads == 1:
        return ngettext(
            "%(pods)s pod of 1 workload cannot be created", "%(pods)s pods of 1 workload cannot be created", pods
        ) % {"pods": grouped(pods)}
    return ngettext(
        "%(pods)s pod of %(workloads)s workloads cannot be created",
        "%(pods)s pods of %(workloads)s workloads cannot be created",
        pods,
    ) % {"pods": grouped(pods), "workloads": grouped(workloads)}


def more(workloads: int) -> str:
    """Count the workloads of a cause that have no row."""
    return ngettext("and %(workloads)s more workload", "and %(workloads)s more workloads", workloads) % {
        "workloads": grouped(workloads)
    }


def more_causes(causes: int) -> str:
    """Count the causes that are not shown."""
    return ngettext("%(causes)s more cause", "%(causes)s more causes", causes) % {"causes": grouped(causes)}
