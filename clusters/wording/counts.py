"""Numbers of things with their noun, as a table, a badge or the end of a sentence shows them: `2 pods`."""

from __future__ import annotations

from clusters.wording.messages import plural

PODS = plural("%(number)s pod", "%(number)s pods", by="number")


PENDING_PODS = plural("%(number)s pending pod", "%(number)s pending pods", by="number")


NODES = plural("%(number)s node", "%(number)s nodes", by="number")


ZONES = plural("%(number)s zone", "%(number)s zones", by="number")
TAINTS = plural("%(number)s taint", "%(number)s taints", by="number")


WORKLOADS = plural("%(number)s workload", "%(number)s workloads", by="number")


CONSTRAINTS = plural("%(number)s constraint", "%(number)s constraints", by="number")


BUDGETS = plural("%(number)s budget", "%(number)s budgets", by="number")


POD_GROUPS = plural("%(number)s pod group", "%(number)s pod groups", by="number")


GROUPS = plural("%(number)s group", "%(number)s groups", by="number")


SIMULATIONS = plural("%(number)s simulation", "%(number)s simulations", by="number")


POINTS = plural("%(number)s point", "%(number)s points", by="number")


POOLS = plural("%(number)s pool", "%(number)s pools", by="number")


MORE_PODS = plural("%(number)s more pod", "%(number)s more pods", by="number")


DECISIONS = plural("%(number)s decision", "%(number)s decisions", by="number")


USERS = plural("%(number)s user", "%(number)s users", by="number")


ENTRIES = plural("%(number)s entry", "%(number)s entries", by="number")
