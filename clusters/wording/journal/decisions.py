"""A decision of the journal in a few words: what it is, how it was judged and why, and the columns of lists of them."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording import states
from clusters.wording.messages import plural

# By the values of Decision.Kind, Decision.Verdict and Decision.Reason.
KINDS: Final = {
    "bound": pgettext_lazy("decision about a pod", "Bound"),
    "unschedulable": states.UNSCHEDULABLE,
    "gated": states.GATED,
    "nominated": states.NOMINATED,
    "preempted": pgettext_lazy("decision about a pod", "Preempted"),
    "evicted": pgettext_lazy("decision about a pod", "Evicted"),
}
_KINDS_ON_NODES: Final = {
    "bound": gettext_lazy("Bound to %(node)s"),
    "nominated": gettext_lazy("Nominated to %(node)s"),
    "preempted": gettext_lazy("Preempted on %(node)s"),
    "evicted": gettext_lazy("Evicted from %(node)s"),
}
VERDICTS: Final = {
    "waiting": pgettext_lazy("verdict on a decision", "Not judged yet"),
    "agrees": pgettext_lazy("verdict on a decision", "Agrees"),
    "sampled": pgettext_lazy("verdict on a decision", "Agrees within sampling"),
    "disagrees": pgettext_lazy("verdict on a decision", "Disagrees"),
    "unjudged": pgettext_lazy("verdict on a decision", "Not judged"),
}
REASONS: Final = {
    "infeasible": gettext_lazy("The chosen node rejects the pod"),
    "lower-score": gettext_lazy("Another node scores higher"),
    "fits": gettext_lazy("The pod fits"),
    "other-message": gettext_lazy("The message differs"),
    "snapshot-lag": gettext_lazy("The state just before is uncertain"),
    "extender": gettext_lazy("An extender takes part"),
    "other-scheduler": gettext_lazy("Another scheduler decided"),
    "unknown-plugin": gettext_lazy("A plugin that Berth does not compute"),
    "other-release": gettext_lazy("The cluster runs another Kubernetes minor"),
    "configuration": gettext_lazy("The scheduler's configuration cannot be read"),
    "gap": gettext_lazy("Berth did not see the state just before"),
    "error": gettext_lazy("Judging it failed"),
    "no-decision": gettext_lazy("Nothing to compare with"),
    "simulated": gettext_lazy("Recorded from a simulation"),
    "search": gettext_lazy("By where its search began"),
    "tie": gettext_lazy("One of several nodes with the highest total"),
}
NO_REASON: Final = gettext_lazy("No reason given")

COLUMNS: Final = (
    pgettext_lazy("column of a file", "id"),
    pgettext_lazy("column of a file", "observed at"),
    pgettext_lazy("column of a file", "last observed at"),
    pgettext_lazy("column of a file", "reported at"),
    pgettext_lazy("column of a file", "attempts"),
    pgettext_lazy("column of a file", "decision"),
    pgettext_lazy("column of a file", "namespace"),
    pgettext_lazy("column of a file", "pod"),
    pgettext_lazy("column of a file", "uid"),
    pgettext_lazy("column of a file", "workload"),
    pgettext_lazy("column of a file", "scheduler"),
    pgettext_lazy("column of a file", "priority"),
    pgettext_lazy("column of a file", "node"),
    pgettext_lazy("column of a file", "message"),
    pgettext_lazy("column of a file", "preemptor"),
    pgettext_lazy("column of a file", "verdict"),
    pgettext_lazy("column of a file", "reason"),
    pgettext_lazy("column of a file", "judged on"),
)

DECISION: Final = pgettext_lazy("label of a filter", "Decision")
VERDICT: Final = pgettext_lazy("label of a filter", "Verdict of Berth")
REASON: Final = pgettext_lazy("label of a filter", "Reason")
OBSERVED_FROM: Final = pgettext_lazy("label of a filter", "Observed from")
OBSERVED_BEFORE: Final = pgettext_lazy("label of a filter", "Observed before")
SEARCH_HINT: Final = gettext_lazy("Part of a pod's name or of a message")
WORKLOAD_HINT: Final = gettext_lazy("Part of its name")


def kind(value: str, *, node: str) -> str:
    """Name a decision, with its node where it has one: `Bound to compute-a-01`."""
    if node and value in _KINDS_ON_NODES:
        return str(_KINDS_ON_NODES[value] % {"node": node})
    return str(KINDS[value])


ATTEMPTS = plural("%(attempts)s attempt", "%(attempts)s attempts", by="attempts")
