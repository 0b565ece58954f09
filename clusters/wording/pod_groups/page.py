"""What the pages of groups of pods say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording import states
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterable

SEARCH_HINT: Final = gettext_lazy("Part of a group's or pod's name")
POLICY_LABEL: Final = pgettext_lazy("label of a filter", "Policy")
GANG_CHOICE: Final = pgettext_lazy("policy of a group of pods", "gang")

# Heads of columns that no other page has.
COLUMN_GROUP: Final = pgettext_lazy("column", "Pod group")
COLUMN_POLICY: Final = pgettext_lazy("column", "Policy")
COLUMN_SCHEDULED: Final = states.SCHEDULED
COLUMN_PENDING: Final = states.PENDING
COLUMN_MISSING: Final = pgettext_lazy("column", "Missing")
COLUMN_OWNER: Final = pgettext_lazy("column", "Belongs to")

# Facts of a group.
POLICY: Final = pgettext_lazy("fact of a group of pods", "Policy")
WORKLOAD: Final = pgettext_lazy("fact of a group of pods", "Workload")
TEMPLATE: Final = pgettext_lazy("fact of a group of pods", "Template")
REPLICA: Final = pgettext_lazy("fact of a group of pods", "Replica key")
PARENT: Final = pgettext_lazy("fact of a group of pods", "Part of CompositePodGroup")
TOPOLOGY: Final = pgettext_lazy("fact of a group of pods", "One topology domain")
DISRUPTION: Final = pgettext_lazy("fact of a group of pods", "Disruption mode")
PRIORITY: Final = pgettext_lazy("fact of a group of pods", "Priority")
PREEMPTION: Final = pgettext_lazy("fact of a group of pods", "Preemption")
CLAIMS: Final = pgettext_lazy("fact of a group of pods", "Resource claims")
NEVER_PREEMPTS: Final = pgettext_lazy("fact of a group of pods", "never preempts pods of lower priority")
ONE_BY_ONE: Final = pgettext_lazy("fact of a group of pods", "single: its pods can be removed one by one")
ALL_AT_ONCE: Final = pgettext_lazy("fact of a group of pods", "all: its pods are removed together")

# The picture.
TITLE: Final = gettext_lazy("Pods of the group and minCount")
SCHEDULED: Final = states.SCHEDULED
FINDING: Final = pgettext_lazy("part of a picture", "Pending, finds a node")
REFUSED: Final = pgettext_lazy("part of a picture", "Pending, finds no node")
PENDING: Final = pgettext_lazy("part of a picture", "Pending, not tried")
MISSING: Final = states.NOT_CREATED

NOT_TRIED: Final = pgettext_lazy("pod in an attempt for its group", "not tried")


FINDS = message("finds %(node)s", context="pod in an attempt for its group")


def topology(keys: Iterable[str]) -> str:
    """Say where all pods of a group have to run."""
    return _("all pods on nodes with one value of %(keys)s") % {"keys": listed(keys)}


def priority(number: str, name: str) -> str:
    """Write a priority with its class."""
    return _("%(number)s (%(name)s)") % {"number": number, "name": name} if number and name else number or name


LINE = message("minCount: %(least)s", context="line in a picture")
PART = message("%(label)s: %(pods)s", context="part of a picture")
SUMMARY = message("%(scheduled)s scheduled, %(pending)s pending, %(missing)s not created.")


def unmet(waiting: int, pending: int, total: int) -> str:
    """Say how many groups have pods that are not scheduled."""
    if not waiting + pending:
        return ngettext(
            "The pods of %(total)s pod group are scheduled.",
            "The pods of all %(total)s pod groups are scheduled.",
            total,
        ) % {"total": grouped(total)}
    return ngettext(
        "Of %(total)s pod group: waiting for pods to be created %(waiting)s, pending %(pending)s.",
        "Of %(total)s pod groups: waiting for pods to be created %(waiting)s, pending %(pending)s.",
        total,
    ) % {"total": grouped(total), "waiting": grouped(waiting), "pending": grouped(pending)}


NOT_FOUND = plural(
    "Pods name %(groups)s group of which no object is held. If the cluster has it, this page is incomplete until "
    "the source includes it.",
    "Pods name %(groups)s groups of which no object is held. If the cluster has them, this page is incomplete "
    "until the source includes them.",
    by="groups",
)


def nothing(*, is_live: bool) -> str:
    """Say that there are no groups, and what would bring them."""
    if is_live:
        return _(
            "No pod names a group, and the API server has no PodGroup or Workload of scheduling.k8s.io, or serves none."
        )
    return _(
        "No pod names a group, and the source holds no PodGroup or Workload of scheduling.k8s.io. If the cluster has "
        "any, read a dump that has them too, as this command writes it:"
    )


def condition(kind: str, status: str, reason: str) -> str:
    """Write a condition that kube-scheduler reported."""
    return _("%(kind)s=%(status)s (%(reason)s)") % {"kind": kind, "status": status, "reason": reason or "–"}
