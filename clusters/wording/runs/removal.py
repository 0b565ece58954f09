"""Removable nodes: which nodes a study found that could be drained for good, and why the others stay."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.simulation import Keeps
from clusters.wording.messages import message, plural

# Why a node stays.
WHY: Final = {
    Keeps.CONTROL_PLANE: gettext_lazy("Control plane"),
    Keeps.USED: gettext_lazy("Too much requested"),
    Keeps.ANNOTATION: gettext_lazy("Pods annotated as not safe to evict"),
    Keeps.BARE: gettext_lazy("Pods without a controller"),
    Keeps.CUSTOM: gettext_lazy("Pods of custom controllers"),
    Keeps.SYSTEM: gettext_lazy("kube-system pods without a budget"),
    Keeps.LOCAL_STORAGE: gettext_lazy("Pods with local storage"),
    Keeps.BUDGET: gettext_lazy("Evictions refused by budgets"),
    Keeps.NO_ROOM: gettext_lazy("Pods unschedulable elsewhere"),
    Keeps.OTHER_SCHEDULER: gettext_lazy("Pods of a scheduler without profile"),
    Keeps.LIMIT: gettext_lazy("Not evaluated: study limit"),
}

NOTHING_TO_MOVE: Final = gettext_lazy("no pod to move")
YES: Final = pgettext_lazy("removable", "yes")
NO: Final = pgettext_lazy("removable", "no")
# Columns of the file.


REMOVABLE = plural(
    "%(removed)s of %(nodes)s node is removable.", "%(removed)s of %(nodes)s nodes are removable.", by="nodes"
)
# Where some are not evaluated, more may be removable.
AT_LEAST = plural(
    "At least %(removed)s of %(nodes)s node is removable; %(others)s not evaluated.",
    "At least %(removed)s of %(nodes)s nodes are removable; %(others)s not evaluated.",
    by="nodes",
)
MOVING = message("Pods evicted and placed elsewhere: %(pods)s.")
IN_FILE = message("%(nodes)s more in the file.")
