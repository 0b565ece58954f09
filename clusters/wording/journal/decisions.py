"""A decision of the journal in a few words: what it is, how it was judged and why, and the columns of lists of them."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording import states
from clusters.wording.messages import message, plural

# By the values of Decision.Kind, Decision.Verdict and Decision.Reason.
KINDS: Final = {
    "bound": pgettext_lazy("decision", "Bound"),
    "unschedulable": states.UNSCHEDULABLE,
    "gated": states.GATED,
    "nominated": states.NOMINATED,
    "preempted": pgettext_lazy("decision", "Preempted"),
    "evicted": pgettext_lazy("decision", "Evicted"),
}
KINDS_ON_NODES: Final = {
    "bound": message("Bound to %(node)s"),
    "nominated": message("Nominated to %(node)s"),
    "preempted": message("Preempted on %(node)s"),
    "evicted": message("Evicted from %(node)s"),
}
VERDICTS: Final = {
    "waiting": pgettext_lazy("verdict", "Not judged yet"),
    "agrees": pgettext_lazy("verdict", "Agrees"),
    "sampled": pgettext_lazy("verdict", "Agrees within sampling"),
    "disagrees": pgettext_lazy("verdict", "Disagrees"),
    "unjudged": pgettext_lazy("verdict", "Not judged"),
}
REASONS: Final = {
    "infeasible": gettext_lazy("Chosen node rejects the pod"),
    "lower-score": gettext_lazy("Another node scores higher"),
    "fits": gettext_lazy("The pod fits"),
    "other-message": gettext_lazy("The message differs"),
    "snapshot-lag": gettext_lazy("State just before uncertain"),
    "extender": gettext_lazy("An extender takes part"),
    "other-scheduler": gettext_lazy("Another scheduler decided"),
    "unknown-plugin": gettext_lazy("Plugin not computed"),
    "other-release": gettext_lazy("Another Kubernetes minor"),
    "configuration": gettext_lazy("Scheduler configuration unreadable"),
    "gap": gettext_lazy("State just before not seen"),
    "error": gettext_lazy("Judging it failed"),
    "no-decision": gettext_lazy("Nothing to compare with"),
    "simulated": gettext_lazy("Recorded from a simulation"),
    "search": gettext_lazy("By where its search began"),
    "tie": gettext_lazy("One of several best nodes"),
}
NO_REASON: Final = gettext_lazy("No reason given")

COLUMNS: Final = (
    pgettext_lazy("column", "id"),
    pgettext_lazy("column", "observed at"),
    pgettext_lazy("column", "last observed at"),
    pgettext_lazy("column", "reported at"),
    pgettext_lazy("column", "attempts"),
    pgettext_lazy("column", "decision"),
    pgettext_lazy("column", "namespace"),
    pgettext_lazy("column", "pod"),
    pgettext_lazy("column", "uid"),
    pgettext_lazy("column", "workload"),
    pgettext_lazy("column", "scheduler"),
    pgettext_lazy("column", "priority"),
    pgettext_lazy("column", "node"),
    pgettext_lazy("column", "message"),
    pgettext_lazy("column", "preemptor"),
    pgettext_lazy("column", "verdict"),
    pgettext_lazy("column", "reason"),
    pgettext_lazy("column", "judged on"),
)

DECISION: Final = pgettext_lazy("filter", "Decision")
VERDICT: Final = pgettext_lazy("filter", "Verdict of Berth")
REASON: Final = pgettext_lazy("filter", "Reason")
OBSERVED_FROM: Final = pgettext_lazy("filter", "Observed from")
OBSERVED_BEFORE: Final = pgettext_lazy("filter", "Observed before")
SEARCH_HINT: Final = gettext_lazy("Part of a name or message")
WORKLOAD_HINT: Final = gettext_lazy("Part of its name")


def kind(value: str, *, node: str) -> str:
    """Name a decision, with its node where it has one: `Bound to compute-a-01`."""
    if node and value in KINDS_ON_NODES:
        return KINDS_ON_NODES[value](node=node)
    return str(KINDS[value])


ATTEMPTS = plural("%(attempts)s attempt", "%(attempts)s attempts", by="attempts")
