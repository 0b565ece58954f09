"""Heads and lines of what `manage.py explain` prints around the sentences that the pages show too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.failures import error_of
from clusters.wording.lists import first_of
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.scheduling import Failure


RUNS_ON = message("It runs on %(node)s. If it were pending:")
IF_PENDING: Final = gettext_lazy("If it were pending:")


def comparison(*, holds: bool, plugin: str, label: str) -> str:
    """Say whether what a filter compared holds."""
    return f"{_HOLDS if holds else _FAILS}  {plugin}: {label}"


_HOLDS: Final = pgettext_lazy("comparison of a filter", "holds")
_FAILS: Final = pgettext_lazy("comparison of a filter", "fails")


def with_state(state: str, sentence: str) -> str:
    """Put the state of a pod in front of what is said of it, unless that begins with it."""
    return sentence if sentence.startswith(state) else f"{state}: {sentence}"


REPORTED_HEAD: Final = gettext_lazy("As the scheduler reports it")
INCOMPLETE_HEAD: Final = gettext_lazy("Incomplete data")
FILTERS_HEAD: Final = gettext_lazy("Filters, in their order")


FILTER_COLUMNS: Final = (
    gettext_lazy("Filter"),
    gettext_lazy("Remaining"),
    gettext_lazy("Rejects"),
    gettext_lazy("Alone"),
)


NOTHING_TO_CHECK = message("Nothing to check: %(filters)s.")


MORE_GROUPS = plural(
    "… and %(groups)s more group (nodes: %(nodes)s), see -o json",
    "… and %(groups)s more groups (nodes: %(nodes)s), see -o json",
    by="groups",
)
ALSO = message("also %(plugin)s: %(reasons)s")


SCORES_HEAD = plural(
    "Scores of the best %(shown)s of %(nodes)s feasible node",
    "Scores of the best %(shown)s of %(nodes)s feasible nodes",
    by="nodes",
)


SCORE_COLUMNS: Final = gettext_lazy("Plugin"), gettext_lazy("Weight")


TOTAL: Final = gettext_lazy("total")


NOTHING_TO_SCORE = message("Nothing to score: %(plugins)s.")


PREEMPTION_HEAD: Final = gettext_lazy("Preemption")


CANDIDATE_COLUMNS: Final = (
    gettext_lazy("Node"),
    gettext_lazy("Victims"),
    gettext_lazy("Highest priority"),
    gettext_lazy("Budgets violated"),
    gettext_lazy("Which"),
)


MORE = message("… and %(number)s more, see -o json")


SELECTED = message("The scheduler would remove %(victims)s from %(node)s.")


def pod_group(group: str, *, pods: int, least: int | None) -> str:
    """Say which group a pod names, how many pods of it exist, and how many it needs; None where it needs no number."""
    if least is None:
        return ngettext(
            "Pod group %(group)s: %(pods)s pod exists.",
            "Pod group %(group)s: %(pods)s pods exist.",
            pods,
        ) % {"group": group, "pods": grouped(pods)}
    return ngettext(
        "Pod group %(group)s: %(pods)s pod exists, minCount %(least)s.",
        "Pod group %(group)s: %(pods)s pods exist, minCount %(least)s.",
        pods,
    ) % {"group": group, "pods": grouped(pods), "least": grouped(least)}


POD = message("Profile %(profile)s, priority %(priority)s; requests %(requests)s.")
NOTHING: Final = pgettext_lazy("requests of a pod", "nothing")
PENDING = plural(
    "%(pods)s pod is pending.",
    "%(pods)s pods are pending, evaluated independently.",
    by="pods",
)
NOT_COMPUTED = plural("%(pods)s pod could not be computed.", "%(pods)s pods could not be computed.", by="pods")
ROW_NOT_COMPUTED = message("Could not be computed: %(error)s (%(reference)s).")


def pod_not_computed(failure: Failure) -> str:
    """Say why the pod that was asked about could not be computed."""
    if failure.excess is not None:
        return error_of(failure)
    return _("The pod could not be computed: %(error)s.") % {"error": failure.error}


IS_A_DEFECT: Final = gettext_lazy("It is a defect of Berth: report it with the lines above.")
OTHER_SCHEDULER = message("Another scheduler: %(scheduler)s.")


PENDING_COLUMNS: Final = gettext_lazy("Pod"), gettext_lazy("Priority"), gettext_lazy("Verdict")


MISSING_KINDS = message("Missing from this dump, so dependent answers are uncertain: %(kinds)s (docs/ingest.md).")


def would_count(pods: Sequence[str], most: int) -> str:
    """Name the pods on missing nodes that a pod's spreading or affinity would count."""
    return _("Its spreading or affinity would count %(pods)s.") % {"pods": first_of(pods, most=most)}
