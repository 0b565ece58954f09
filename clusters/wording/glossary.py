"""The words that the pages use, each with what it means: Kubernetes' own where it has one."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording import states

# By the token of a verdict, which is also the name of its colour and shape.
VERDICTS: Final = (
    ("fits", gettext_lazy("Every filter passes the node: it is feasible.")),
    ("rejected", gettext_lazy("A filter rejects the node, and preemption is not helpful there.")),
    (
        "preemptible",
        gettext_lazy("A filter rejects the node, and preempting pods of lower priority may change that."),
    ),
    (
        "uncertain",
        gettext_lazy("Every computed filter passes; something not computed may reject."),
    ),
    ("unknown", gettext_lazy("A filter lacks data, so there is no verdict.")),
    ("chosen", gettext_lazy("The feasible node with the highest score, or the one that the pod is on.")),
)

TERMS: Final = (
    (
        gettext_lazy("Agreement"),
        gettext_lazy("The share of decisions that Berth computes alike; the others are listed with reasons."),
    ),
    (
        gettext_lazy("Blocked drain"),
        gettext_lazy("A node that evictions cannot empty because of a disruption budget."),
    ),
    (
        pgettext_lazy("state of a node", "Cordoned"),
        gettext_lazy("The node keeps its pods and rejects pods that do not tolerate it."),
    ),
    (
        gettext_lazy("Disruption budget"),
        gettext_lazy("How many pods may be disrupted at a time; further evictions are refused."),
    ),
    (
        states.FEASIBLE,
        gettext_lazy("A node that passes every filter. Only feasible nodes are scored."),
    ),
    (
        gettext_lazy("Filter and score"),
        gettext_lazy("A filter says whether a node is feasible, a score how good it is; the highest total wins."),
    ),
    (
        gettext_lazy("Gap"),
        gettext_lazy("What a dump lacks, or Berth may not read. Dependent answers are uncertain."),
    ),
    (
        gettext_lazy("Headroom"),
        gettext_lazy("How many more pods of a shape fit, on which nodes, and what stops the next one."),
    ),
    (
        states.NOMINATED,
        gettext_lazy("Preemption selected this node; the pod waits for its victims, and may still go elsewhere."),
    ),
    (
        states.PENDING,
        gettext_lazy("The pod has no node, has not finished and is not being deleted."),
    ),
    (gettext_lazy("Preemption"), gettext_lazy("Removing pods of lower priority so that a pod fits.")),
    (
        gettext_lazy("Request"),
        gettext_lazy("What a pod requests. The scheduler counts requests, never use."),
    ),
    (
        gettext_lazy("Revision"),
        gettext_lazy("The number of a state of the cluster; it grows with every change."),
    ),
    (
        gettext_lazy("Sampled"),
        gettext_lazy("In large clusters the scheduler stops at enough feasible nodes; Berth evaluates all."),
    ),
    (
        states.GATED,
        gettext_lazy(
            "A scheduling gate keeps the pod out of the queue; the scheduler does not try it until the gate is removed."
        ),
    ),
    (
        gettext_lazy("Simulation"),
        gettext_lazy("Pods placed, one after another or all at once, on a copy of a cluster that somebody changed."),
    ),
    (
        gettext_lazy("Skew"),
        gettext_lazy("Pods in a domain minus the fewest in any; maxSkew limits it."),
    ),
    (
        gettext_lazy("Spread domain"),
        gettext_lazy("Nodes with the same value of a label, such as a zone or a host."),
    ),
    (
        gettext_lazy("Taint and toleration"),
        gettext_lazy("A taint keeps pods without a toleration off a node."),
    ),
    (
        gettext_lazy("Tie"),
        gettext_lazy(
            "Several nodes share the highest score. Kubernetes 1.34 picks one of them at random, so any is right; "
            "later releases nearly always take the first in the order of their search."
        ),
    ),
    (
        states.UNSCHEDULABLE,
        gettext_lazy("No node passes every filter for the pod."),
    ),
)
