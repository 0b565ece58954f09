"""What a plan of a drain does to workloads: the sentence, the key numbers and the columns of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message
from clusters.wording.runs.affected import FEWER_PODS, grave_sentences

if TYPE_CHECKING:
    from collections.abc import Mapping

# Key numbers.
EVICTIONS: Final = gettext_lazy("evictions")
UNSCHEDULABLE: Final = gettext_lazy("replacements unschedulable")
REFUSED: Final = gettext_lazy("evictions refused by budgets")

# Effects on a workload, beside those of runs.
KEEPS_UNSCHEDULABLE: Final = pgettext_lazy("effect on a workload", "Replacements unschedulable")
KEEPS_REFUSED: Final = pgettext_lazy("effect on a workload", "Evictions refused")

AT_ONCE = message("%(pods)s at once")


def sentences(workloads: Mapping[str, Any]) -> list[str]:
    """Say what a plan does to workloads, those that stop or are without their quorum by name."""
    if not workloads["workloads"]:
        return []
    return [FEWER_PODS(fewer=workloads["fewer"], workloads=workloads["workloads"]), *grave_sentences(workloads)]
