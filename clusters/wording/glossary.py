"""The words that the pages use, each with what it means: Kubernetes' own where it has one."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording import states

# By the token of a verdict, which is also the name of its colour and shape.
VERDICTS: Final = (
    ("fits", gettext_lazy("Every filter passes the node.")),
    ("rejected", gettext_lazy("A filter rejects the node; preemption is not helpful.")),
    (
        "preemptible",
        gettext_lazy("A filter rejects the node; preemption may help."),
    ),
    (
        "uncertain",
        gettext_lazy("Computed filters pass; others may reject."),
    ),
    ("unknown", gettext_lazy("A filter lacks data.")),
    ("chosen", gettext_lazy("The node of the highest score, or of the pod.")),
)

TERMS: Final = (
    (
        gettext_lazy("Agreement"),
        gettext_lazy("The share of decisions that Berth computes alike."),
    ),
    (
        gettext_lazy("Blocked drain"),
        gettext_lazy("A node that evictions cannot empty, because of a budget."),
    ),
    (
        pgettext_lazy("state of a node", "Cordoned"),
        gettext_lazy("Rejects new pods that do not tolerate it."),
    ),
    (
        gettext_lazy("Disruption budget"),
        gettext_lazy("How many pods may be disrupted at a time."),
    ),
    (
        states.FEASIBLE,
        gettext_lazy("A node that passes every filter and is scored."),
    ),
    (
        gettext_lazy("Filter and score"),
        gettext_lazy("Filters reject nodes; of the others the highest total score wins."),
    ),
    (
        gettext_lazy("Gap"),
        gettext_lazy("What a dump lacks, or Berth may not read."),
    ),
    (
        gettext_lazy("Headroom"),
        gettext_lazy("How many more pods of a shape fit."),
    ),
    (
        states.NOMINATED,
        gettext_lazy("Preemption selected this node; the pod may still go elsewhere."),
    ),
    (
        states.PENDING,
        gettext_lazy("The pod has no node yet."),
    ),
    (gettext_lazy("Preemption"), gettext_lazy("Removing pods of lower priority for a pod.")),
    (
        gettext_lazy("Request"),
        gettext_lazy("What the scheduler counts, whatever a pod uses."),
    ),
    (
        gettext_lazy("Revision"),
        gettext_lazy("The number of a state of the cluster."),
    ),
    (
        gettext_lazy("Sampled"),
        gettext_lazy("In large clusters the scheduler stops at enough feasible nodes."),
    ),
    (
        states.GATED,
        gettext_lazy("A scheduling gate keeps the pod out of the queue."),
    ),
    (
        gettext_lazy("Simulation"),
        gettext_lazy("Pods placed on a changed copy of a cluster."),
    ),
    (
        gettext_lazy("Skew"),
        gettext_lazy("Pods in a domain minus the fewest in any."),
    ),
    (
        gettext_lazy("Spread domain"),
        gettext_lazy("Nodes with one value of a label, such as a zone."),
    ),
    (
        gettext_lazy("Taint and toleration"),
        gettext_lazy("A taint rejects pods without a toleration."),
    ),
    (
        gettext_lazy("Tie"),
        gettext_lazy(
            "Several nodes share the highest score: Kubernetes 1.34 picks one at random, later releases nearly "
            "always the first of their search."
        ),
    ),
    (
        states.UNSCHEDULABLE,
        gettext_lazy("No node passes every filter."),
    ),
)
