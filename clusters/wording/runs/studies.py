"""Studies: how far one is, and the answers to headroom and to the number of nodes that are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

# By the name of its kind.
KINDS: Final = {
    "sweep": gettext_lazy("Several configurations"),
    "headroom": gettext_lazy("Headroom"),
    "nodes-needed": gettext_lazy("Nodes needed"),
    "removable": gettext_lazy("Removable nodes"),
}

NO_ZONE: Final = gettext_lazy("No zone")
UNCERTAIN_ANSWER: Final = gettext_lazy("Uncertain: something may still reject a pod.")
NOT_LEAST: Final = gettext_lazy("Fewer nodes may suffice.")

# Columns of files.
PART_COLUMNS: Final = (
    pgettext_lazy("column", "shape"),
    pgettext_lazy("column", "state"),
    pgettext_lazy("column", "answer"),
    pgettext_lazy("column", "what stops more"),
)


PROGRESS = message("Running: %(answered)s of %(parts)s done.")
LIKE_NODE = message("like %(node)s")
NODE_OF = message("%(cpu)s CPU, %(memory)s")
BELOW = message("< %(percent)s %%")


def shape(workloads: Sequence[tuple[str, int]]) -> str:
    """Name a shape by its workloads, each with how many of it come in each turn."""
    if len(workloads) == 1:
        return workloads[0][0]
    return " + ".join(
        _("%(count)s × %(workload)s") % {"count": grouped(count), "workload": name} for name, count in workloads
    )


DELETED = message("“%(title)s” is deleted.")


# -- headroom ----------------------------------------------------------------------------------------------------------
MORE_FIT = message("%(pods)s more on %(nodes)s.")
PART_OF_MIX = message("%(pods)s of %(name)s")
OF_MIX = message("Of the mix: %(parts)s.")
COUNTING_ENDED = message("Counting ended at %(limit)s; more may fit.")
MORE_NODES = plural("and %(nodes)s more node", "and %(nodes)s more nodes", by="nodes")
REJECTED_BY = message("%(nodes)s: %(plugin)s, %(reasons)s")

# -- nodes needed ------------------------------------------------------------------------------------------------------
NODES_DO_NOT_HELP = plural(
    "More nodes do not help: an empty one rejects %(pods)s pod.",
    "More nodes do not help: an empty one rejects %(pods)s pods.",
    by="pods",
)
NODES_DO_NOT_CREATE = message("More nodes do not help: the API server refuses pods.")
NOT_ENOUGH = message("More than %(nodes)s nodes.")
NODES_NEEDED = plural("%(nodes)s more node for %(pods)s.", "%(nodes)s more nodes for %(pods)s.", by="nodes")
TRIED = message("Tried: %(trials)s.")
ENOUGH = message("%(nodes)s enough")
TOO_FEW = message("%(nodes)s too few")
