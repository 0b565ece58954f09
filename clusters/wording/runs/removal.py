"""Removable nodes: which nodes a study found that could be drained for good, and why the others stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.simulation import Keeps
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

# Why a node stays.
WHY: Final = {
    Keeps.CONTROL_PLANE: gettext_lazy("It runs the control plane"),
    Keeps.USED: gettext_lazy("Too much of it is requested"),
    Keeps.ANNOTATION: gettext_lazy("Pods are annotated as not safe to evict"),
    Keeps.BARE: gettext_lazy("Pods without a controller"),
    Keeps.CUSTOM: gettext_lazy("Pods of custom controllers"),
    Keeps.SYSTEM: gettext_lazy("Pods of kube-system without a budget"),
    Keeps.LOCAL_STORAGE: gettext_lazy("Pods with local storage"),
    Keeps.BUDGET: gettext_lazy("Budgets refuse the evictions"),
    Keeps.NO_ROOM: gettext_lazy("Pods are unschedulable on the other nodes"),
    Keeps.OTHER_SCHEDULER: gettext_lazy("Pods of a scheduler that has no profile"),
    Keeps.LIMIT: gettext_lazy("Not evaluated: the study is at its limit"),
}

NOTHING_TO_MOVE: Final = gettext_lazy("no pod to move")
YES: Final = pgettext_lazy("is a node removable", "yes")
NO: Final = pgettext_lazy("is a node removable", "no")
# Columns of the file.
COLUMNS: Final = (
    pgettext_lazy("column of a file", "node"),
    pgettext_lazy("column of a file", "requested"),
    pgettext_lazy("column of a file", "removable"),
    pgettext_lazy("column of a file", "why not"),
)


def why(kept: str) -> str:
    """Say why a node stays, by what a study stored."""
    return str(WHY[Keeps(kept)])


def none_removable(nodes: int, *, not_evaluated: int) -> str:
    """Say that every node has to stay, of those that were evaluated."""
    if not_evaluated:
        return ngettext(
            "None of %(nodes)s evaluated node is removable; %(others)s not evaluated.",
            "None of %(nodes)s evaluated nodes is removable; %(others)s not evaluated.",
            nodes - not_evaluated,
        ) % {"nodes": grouped(nodes - not_evaluated), "others": grouped(not_evaluated)}
    return ngettext("The %(nodes)s node is not removable.", "None of %(nodes)s nodes is removable.", nodes) % {
        "nodes": grouped(nodes)
    }


def removable(*, removed: int, nodes: int, not_evaluated: int) -> str:
    """Say how many nodes are removable; at least, where some are not evaluated."""
    if not_evaluated:
        return ngettext(
            "At least %(removed)s of %(nodes)s node is removable; %(others)s not evaluated.",
            "At least %(removed)s of %(nodes)s nodes are removable; %(others)s not evaluated.",
            nodes,
        ) % {"removed": grouped(removed), "nodes": grouped(nodes), "others": grouped(not_evaluated)}
    return ngettext(
        "%(removed)s of %(nodes)s node is removable.",
        "%(removed)s of %(nodes)s nodes are removable.",
        nodes,
    ) % {"removed": grouped(removed), "nodes": grouped(nodes)}


MOVING = plural(
    "%(pods)s pod is evicted and placed elsewhere.", "%(pods)s pods are evicted and placed elsewhere.", by="pods"
)
MOVED = message("%(pod)s to %(node)s", context="a pod that is moved")
AND_MORE = message("and %(pods)s more")
IN_FILE = plural("%(nodes)s more is in the file.", "%(nodes)s more are in the file.", by="nodes")


def some_pods(pods: Sequence[str]) -> str:
    """Name the first pods that keep a node; empty without any."""
    return first_of(pods) if pods else ""
