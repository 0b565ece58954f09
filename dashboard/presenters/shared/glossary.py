"""The words, shapes and colours that the pages use, and the keys that move between them."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.pictures.patterns import STROKES
from dashboard.pictures.tokens import PLUGIN_PATTERNS, plugin_colour

# The keys of sections, pressed after `g`, by the section's name.
SECTION_KEYS = {
    "Overview": "o",
    "Pending": "q",
    "Pods": "p",
    "Workloads": "w",
    "Nodes": "n",
    "Drain": "d",
    "Simulate": "m",
    "Spread": "s",
    "Budgets": "b",
    "Journal": "j",
    "Reviews": "r",
    "Scheduler": "c",
}

VERDICTS = (
    ("fits", "Every filter lets the pod through: the node is feasible."),
    ("rejected", "A filter refuses the node, and evicting pods would not change that."),
    ("preemptible", "A filter refuses the node, and evicting pods of lower priority may change that."),
    (
        "uncertain",
        "All that Berth computes lets the pod through, and something that it does not compute may reject it.",
    ),
    ("unknown", "The mirror lacks what a filter would have to read, so Berth does not say."),
    ("chosen", "The feasible node with the highest score, or the one that the pod is on."),
)

TERMS = (
    ("Agreement", "How many of the cluster's decisions Berth computes the same way; the others are listed with why."),
    ("Blocked drain", "A node that cannot be emptied by evictions, because a disruption budget refuses one of them."),
    ("Cordoned", "The node is marked unschedulable: it keeps its pods and takes no new ones."),
    ("Disruption budget", "How many of a workload's pods may be away at a time; an eviction beyond that is refused."),
    ("Feasible", "A node that passes every filter. Only feasible nodes are scored."),
    ("Filter and score", "A filter says whether a node is possible, a score how good it is; the highest sum wins."),
    ("Gap", "What a dump lacks, or Berth may not read. Answers that depend on it are marked unknown."),
    ("Gated", "A scheduling gate holds the pod back; the scheduler does not try it before the gate is removed."),
    ("Headroom", "How many more pods of a shape fit, on which nodes, and what stops the next one."),
    ("Nominated", "A preemption made room for the pod on this node; it is likely, not certain, to go there."),
    ("Pending", "The pod has no node yet, and neither has finished nor is on its way out."),
    ("Preemption", "Evicting pods of lower priority so that a pod fits."),
    ("Request", "What a pod asks for. The scheduler counts requests, never what is used."),
    ("Revision", "The number of a state of the mirror. It grows with every change."),
    ("Sampled", "In large clusters the scheduler stops at enough feasible nodes; Berth looks at all of them."),
    ("Simulation", "Pods placed, one after another or all at once, on a copy of a cluster that somebody changed."),
    ("Skew", "Pods in a domain minus those in the domain with the fewest; a constraint says how much is allowed."),
    ("Spread domain", "Nodes with the same value of a label, such as a zone or a host."),
    ("Taint and toleration", "A taint keeps pods off a node; a toleration lets a pod on in spite of it."),
    ("Tie", "Several nodes share the highest score. The scheduler picks one of them at random, so any is right."),
)


@dataclass(frozen=True, slots=True)
class PluginMark:
    """A plugin as figures show it: a fill, and the strokes of its pattern as an SVG path."""

    name: str
    fill: str
    strokes: str


def plugin_marks() -> list[PluginMark]:
    """Return every plugin with a colour, those that score first."""
    return [PluginMark(name, plugin_colour(name), STROKES[pattern]) for name, pattern in PLUGIN_PATTERNS.items()]
