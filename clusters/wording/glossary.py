"""The words that the pages use, each with what it means: Kubernetes' own where it has one."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.lessons import Term
from clusters.wording import states
from clusters.wording.lessons.terms import TERMS as EXPLAINED

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
        EXPLAINED[Term.BUDGET][1],
    ),
    (
        states.FEASIBLE,
        EXPLAINED[Term.FEASIBLE][1],
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
        EXPLAINED[Term.PENDING][1],
    ),
    (gettext_lazy("Preemption"), EXPLAINED[Term.PREEMPTION][1]),
    (
        gettext_lazy("Request"),
        EXPLAINED[Term.REQUEST][1],
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
        EXPLAINED[Term.SCHEDULING_GATE][1],
    ),
    (
        gettext_lazy("Simulation"),
        gettext_lazy("Pods placed on a changed copy of a cluster."),
    ),
    (
        gettext_lazy("Skew"),
        EXPLAINED[Term.SKEW][1],
    ),
    (
        gettext_lazy("Spread domain"),
        EXPLAINED[Term.TOPOLOGY_DOMAIN][1],
    ),
    (
        gettext_lazy("Taint and toleration"),
        EXPLAINED[Term.TAINT][1],
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
