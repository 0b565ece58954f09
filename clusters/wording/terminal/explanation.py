"""Heads and lines of what `manage.py explain` prints around the sentences that the pages show too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from clusters.wording.amounts import grouped
from clusters.wording.failures import error_of
from clusters.wording.lists import first_of, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.scheduling import Failure

_MOST_NAMES = 6


def runs_on(node: str) -> str:
    """Say that a pod runs, and is evaluated as if it were pending."""
    return _("It runs on %(node)s; this is what would be decided if it were pending.") % {"node": node}


def if_pending() -> str:
    """Introduce what would be decided of a pod that has a node and is not well there."""
    return _("What would be decided if it were pending:")


def subject(pod: str) -> str:
    """Name the pod that an error is about."""
    return pgettext("subject of an error", "Pod %(pod)s") % {"pod": pod}


def pod_on(pod: str, node: str) -> str:
    """Head what is compared for a pod on one node."""
    return pgettext("heading in the terminal", "%(pod)s on %(node)s") % {"pod": pod, "node": node}


def comparison(*, holds: bool, plugin: str, label: str) -> str:
    """Say whether what a filter compared holds."""
    if holds:
        return _("holds  %(plugin)s: %(label)s") % {"plugin": plugin, "label": label}
    return _("fails  %(plugin)s: %(label)s") % {"plugin": plugin, "label": label}


def fact(*, name: str, value: str) -> str:
    """Write a value that a filter compared, with its name."""
    return pgettext("fact in the terminal", "%(name)s %(value)s") % {"name": name, "value": value}


def rejecting(*, plugin: str, reasons: str) -> str:
    """Say what rejects the nodes of a group, in the scheduler's words; some rejections are no plugin's."""
    if not plugin:
        return reasons
    return pgettext("rejection in the terminal", "%(plugin)s: %(reasons)s") % {"plugin": plugin, "reasons": reasons}


def counting_nominated(rejection: str, nominated: str) -> str:
    """Say of a rejection that nominated pods count for it."""
    return pgettext("rejection in the terminal", "%(rejection)s (%(nominated)s)") % {
        "rejection": rejection,
        "nominated": nominated,
    }


def with_state(state: str, sentence: str) -> str:
    """Put the state of a pod in front of what is said of it, unless that begins with it."""
    if sentence.startswith(state):
        return sentence
    return pgettext("state of a pod in the terminal", "%(state)s: %(sentence)s") % {
        "state": state,
        "sentence": sentence,
    }


def reported_head() -> str:
    """Name the section with the scheduler's own message."""
    return _("As the scheduler reports it")


def incomplete_head() -> str:
    """Name the section with what is not computed."""
    return _("Incomplete data")


def filters_head() -> str:
    """Name the section with the filters."""
    return _("Filters, in their order")


def filter_columns() -> tuple[str, str, str, str]:
    """Name the columns of the filters: filter, nodes left after it, nodes it rejects, nodes it rejects alone."""
    return _("Filter"), _("Remaining"), _("Rejects"), _("Alone")


def nothing_to_check(filters: Sequence[str]) -> str:
    """Name the filters that have nothing to check."""
    return _("Nothing to check for this pod: %(filters)s.") % {"filters": listed(filters)}


def groups_head() -> str:
    """Name the section with the groups of nodes."""
    return _("Nodes by verdict")


def more_groups(groups: int, nodes: int) -> str:
    """Say how many more groups of nodes there are."""
    return ngettext(
        "… and %(groups)s more group (nodes: %(nodes)s); -o json has them all.",
        "… and %(groups)s more groups (nodes: %(nodes)s); -o json has them all.",
        groups,
    ) % {"groups": grouped(groups), "nodes": grouped(nodes)}


def also(plugin: str, reasons: str) -> str:
    """Say what else rejects the nodes of a group, in the scheduler's words."""
    return _("also %(plugin)s: %(reasons)s") % {"plugin": plugin, "reasons": reasons}


def scores_head(shown: int, feasible: int) -> str:
    """Name the section with the scores, and say how many of the feasible nodes it shows."""
    if shown < feasible:
        return ngettext(
            "Scores of the best %(shown)s of %(nodes)s feasible node",
            "Scores of the best %(shown)s of %(nodes)s feasible nodes",
            feasible,
        ) % {"shown": grouped(shown), "nodes": grouped(feasible)}
    return ngettext("Scores of the %(nodes)s feasible node", "Scores of all %(nodes)s feasible nodes", feasible) % {
        "nodes": grouped(feasible)
    }


def score_columns() -> tuple[str, str]:
    """Name the first columns of the scores."""
    return _("Plugin"), _("Weight")


def total() -> str:
    """Name the row with the totals."""
    return _("total")


def nothing_to_score(plugins: Sequence[str]) -> str:
    """Name the plugins that have nothing to score."""
    return _("Nothing to score for this pod: %(plugins)s.") % {"plugins": listed(plugins)}


def preemption_head() -> str:
    """Name the section with the nodes where preemption makes room."""
    return _("Preemption")


def candidate_columns() -> tuple[str, str, str, str, str]:
    """Name the columns of the nodes where preemption makes room."""
    return _("Node"), _("Victims"), _("Highest priority"), _("Budgets violated"), _("Which")


def more_nodes(nodes: int) -> str:
    """Say how many more nodes there are where preemption makes room."""
    return ngettext(
        "… and %(nodes)s more node; -o json has them all.", "… and %(nodes)s more nodes; -o json has them all.", nodes
    ) % {"nodes": grouped(nodes)}


def selected(node: str, victims: Sequence[str]) -> str:
    """Say which pods the scheduler would remove from which node."""
    return _("The scheduler would remove %(victims)s from %(node)s.") % {
        "victims": first_of(victims, most=_MOST_NAMES),
        "node": node,
    }


def pod_group(group: str, *, pods: int, least: int | None) -> str:
    """Say which group a pod names, how many pods of it exist, and how many it needs; None where it needs no number."""
    if least is None:
        return ngettext(
            "Pod group %(group)s, of which %(pods)s pod exists.",
            "Pod group %(group)s, of which %(pods)s pods exist.",
            pods,
        ) % {"group": group, "pods": grouped(pods)}
    return ngettext(
        "Pod group %(group)s, of which %(pods)s pod exists; minCount is %(least)s.",
        "Pod group %(group)s, of which %(pods)s pods exist; minCount is %(least)s.",
        pods,
    ) % {"group": group, "pods": grouped(pods), "least": grouped(least)}


def pod(*, profile: str, priority: int, requests: str) -> str:
    """Say which profile schedules a pod, its priority, and what it requests."""
    if not requests:
        return _("Profile %(profile)s, priority %(priority)s; requests nothing.") % {
            "profile": profile,
            "priority": grouped(priority),
        }
    return _("Profile %(profile)s, priority %(priority)s; requests %(requests)s.") % {
        "profile": profile,
        "priority": grouped(priority),
        "requests": requests,
    }


def ways_head() -> str:
    """Name the section with what makes a pod schedulable."""
    return _("Ways to make it schedulable")


def more_changes(count: int) -> str:
    """Say how many more changes there are."""
    return ngettext(
        "… and %(count)s more change; -o json has them all.",
        "… and %(count)s more changes; -o json has them all.",
        count,
    ) % {"count": grouped(count)}


def none_pending() -> str:
    """Say that no pod is pending."""
    return _("No pod is pending.")


def pending(pods: int) -> str:
    """Say how many pods are pending, and how they are evaluated."""
    return ngettext(
        "%(pods)s pod is pending. It is evaluated as if it were the next one.",
        "%(pods)s pods are pending. They are evaluated independently, each as if it were the next one.",
        pods,
    ) % {"pods": grouped(pods)}


def not_computed(pods: int) -> str:
    """Say for how many pods there is no answer."""
    return ngettext("%(pods)s pod could not be computed.", "%(pods)s pods could not be computed.", pods) % {
        "pods": grouped(pods)
    }


def row_not_computed(error: str, reference: str) -> str:
    """Say that one pod could not be computed, and under which reference the log has the error."""
    return _("Could not be computed: %(error)s (%(reference)s).") % {"error": error, "reference": reference}


def pod_not_computed(failure: Failure) -> str:
    """Say why the pod that was asked about could not be computed."""
    if failure.excess is not None:
        return error_of(failure)
    return _("The pod could not be computed: %(error)s.") % {"error": failure.error}


def is_a_defect() -> str:
    """Say what to do about a pod that could not be computed."""
    return _("It is a defect of Berth: report it with the lines above; other pods are not affected.")


def other_scheduler(scheduler: str) -> str:
    """Say that another scheduler schedules a pod."""
    return _("Another scheduler: %(scheduler)s.") % {"scheduler": scheduler}


def pending_columns() -> tuple[str, str, str]:
    """Name the columns of pending pods."""
    return _("Pod"), _("Priority"), _("Verdict")


def missing_kinds(kinds: Sequence[str]) -> str:
    """Name the kinds that a dump lacks."""
    return _(
        "Not in this dump, so answers that depend on them are uncertain: %(kinds)s. docs/ingest.md says how to take a "
        "dump that has them."
    ) % {"kinds": ", ".join(kinds)}


def would_count(pods: Sequence[str], most: int) -> str:
    """Name the pods on missing nodes that a pod's spreading or affinity would count."""
    return _("This pod's spreading or affinity would count %(pods)s.") % {"pods": first_of(pods, most=most)}
