"""What the pages of groups of pods say."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording import states
from clusters.wording.messages import message, plural

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
NEVER_PREEMPTS: Final = pgettext_lazy("fact of a group of pods", "never preempts")
ONE_BY_ONE: Final = pgettext_lazy("fact of a group of pods", "single: pods are removed one by one")
ALL_AT_ONCE: Final = pgettext_lazy("fact of a group of pods", "all: pods are removed together")

# The picture.
TITLE: Final = gettext_lazy("Pods of the group and minCount")
SCHEDULED: Final = states.SCHEDULED
FINDING: Final = pgettext_lazy("part of a picture", "Pending, finds a node")
REFUSED: Final = pgettext_lazy("part of a picture", "Pending, finds no node")
PENDING: Final = pgettext_lazy("part of a picture", "Pending, not tried")
MISSING: Final = states.NOT_CREATED

NOT_TRIED: Final = pgettext_lazy("pod in an attempt for its group", "not tried")


FINDS = message("finds %(node)s", context="pod in an attempt for its group")


TOPOLOGY_KEYS = message("all pods on nodes with one value of %(keys)s")
PRIORITY_OF_CLASS = message("%(number)s (%(name)s)")
LINE = message("minCount: %(least)s", context="line in a picture")
PART = message("%(label)s: %(pods)s", context="part of a picture")
SUMMARY = message("%(scheduled)s scheduled, %(pending)s pending, %(missing)s not created.")


ALL_SCHEDULED = plural(
    "The pods of %(total)s pod group are scheduled.", "The pods of all %(total)s pod groups are scheduled.", by="total"
)
UNMET = plural(
    "Of %(total)s pod group: waiting for pods %(waiting)s, pending %(pending)s.",
    "Of %(total)s pod groups: waiting for pods %(waiting)s, pending %(pending)s.",
    by="total",
)
NOT_FOUND = plural(
    "Pods name %(groups)s group that the source lacks.",
    "Pods name %(groups)s groups that the source lacks.",
    by="groups",
)
CONDITION = message("%(kind)s=%(status)s (%(reason)s)")

# The columns of a file.
POD_GROUPS: Final = (
    pgettext_lazy("column of a file", "namespace"),
    pgettext_lazy("column of a file", "group"),
    pgettext_lazy("column of a file", "state"),
    pgettext_lazy("column of a file", "policy"),
    pgettext_lazy("column of a file", "minCount"),
    pgettext_lazy("column of a file", "pods"),
    pgettext_lazy("column of a file", "scheduled"),
    pgettext_lazy("column of a file", "pending"),
    pgettext_lazy("column of a file", "missing"),
    pgettext_lazy("column of a file", "workload"),
    pgettext_lazy("column of a file", "controller"),
)
