"""What an upgrade changes for groups of pods."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

TITLE: Final = gettext_lazy("Pod groups")
GROUP: Final = pgettext_lazy("column in the terminal", "Pod group")
ALONE: Final = gettext_lazy("Each pod is scheduled by itself.")
NOT_FOUND: Final = gettext_lazy("The group does not exist: its pods stay out of the queue.")
GATED: Final = gettext_lazy("SchedulingGated: a gated pod keeps the whole group out of the queue.")
ERROR: Final = gettext_lazy("SchedulerError: every attempt ends with an error.")
UNCERTAIN: Final = pgettext_lazy("what becomes of a group of pods", "Uncertain: it is not computed.")
HEADLINE = plural(
    "%(changed)s of %(evaluated)s pod group with pending pods would be placed otherwise.",
    "%(changed)s of %(evaluated)s pod groups with pending pods would be placed otherwise.",
    by="evaluated",
)
LEFT_OUT = plural(
    "%(groups)s pod group with pending pods was not evaluated.",
    "%(groups)s pod groups with pending pods were not evaluated.",
    by="groups",
)
WAITING = plural(
    "Waiting for pods: %(pods)s of minCount %(least)s pod exists.",
    "Waiting for pods: %(pods)s of minCount %(least)s pods exist.",
    by="least",
)
SCHEDULED = plural(
    "Scheduled: %(found)s pod on %(nodes)s.",
    "Scheduled: %(found)s pods on %(nodes)s.",
    by="found",
)
SCHEDULED_IN = plural(
    "Scheduled in the topology domain %(domain)s: %(found)s pod on %(nodes)s.",
    "Scheduled in the topology domain %(domain)s: %(found)s pods on %(nodes)s.",
    by="found",
)
UNSCHEDULABLE = plural(
    "Unschedulable: %(found)s of minCount %(least)s pod has or finds a node.",
    "Unschedulable: %(found)s of minCount %(least)s pods have or find a node.",
    by="least",
)
WAITS_ON_PERMIT = plural(
    "Unschedulable for now: %(found)s of minCount %(least)s pod waits at Permit.",
    "Unschedulable for now: %(found)s of minCount %(least)s pods wait at Permit.",
    by="least",
)
PREEMPTS = message("Fits by preemption of %(names)s.")
