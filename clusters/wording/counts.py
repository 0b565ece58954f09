"""Numbers of things with their noun, as a table, a badge or the end of a sentence shows them: `2 pods`."""

from __future__ import annotations

from django.utils.translation import ngettext

from clusters.wording.amounts import grouped
from clusters.wording.messages import plural


def pods(number: int) -> str:
    """Count pods."""
    return ngettext("%(number)s pod", "%(number)s pods", number) % {"number": grouped(number)}


def pending_pods(number: int) -> str:
    """Count pods that have no node."""
    return ngettext("%(number)s pending pod", "%(number)s pending pods", number) % {"number": grouped(number)}


def nodes(number: int) -> str:
    """Count nodes."""
    return ngettext("%(number)s node", "%(number)s nodes", number) % {"number": grouped(number)}


ZONES = plural("%(number)s zone", "%(number)s zones", by="number")
TAINTS = plural("%(number)s taint", "%(number)s taints", by="number")
VOLUMES = plural("%(number)s volume", "%(number)s volumes", by="number")


def workloads(number: int) -> str:
    """Count workloads."""
    return ngettext("%(number)s workload", "%(number)s workloads", number) % {"number": grouped(number)}


def budgets(number: int) -> str:
    """Count disruption budgets."""
    return ngettext("%(number)s budget", "%(number)s budgets", number) % {"number": grouped(number)}


def pod_groups(number: int) -> str:
    """Count groups of pods that are scheduled together."""
    return ngettext("%(number)s pod group", "%(number)s pod groups", number) % {"number": grouped(number)}


def groups(number: int) -> str:
    """Count groups of pods that one spread constraint counts together."""
    return ngettext("%(number)s group", "%(number)s groups", number) % {"number": grouped(number)}


def simulations(number: int) -> str:
    """Count simulations."""
    return ngettext("%(number)s simulation", "%(number)s simulations", number) % {"number": grouped(number)}


def decisions(number: int) -> str:
    """Count decisions of a scheduler."""
    return ngettext("%(number)s decision", "%(number)s decisions", number) % {"number": grouped(number)}
