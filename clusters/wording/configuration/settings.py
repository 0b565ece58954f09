"""Words for the settings of a scheduler configuration: what each means, and its value as people write it."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext

from clusters.wording.amounts import grouped
from clusters.wording.plugins import argument, argument_value

# What a setting of all profiles, or of the whole scheduler, is about.
_MEANINGS: Final = {
    "percentageOfNodesToScore": gettext_lazy("feasible nodes that end the search, in percent of all"),
    "parallelism": gettext_lazy("nodes evaluated at the same time; changes no answer"),
    "podInitialBackoffSeconds": gettext_lazy("backoff after the first failure, doubled by each further one"),
    "podMaxBackoffSeconds": gettext_lazy("the longest backoff after a failure"),
}
_SECONDS: Final = frozenset({"bindTimeoutSeconds", "podInitialBackoffSeconds", "podMaxBackoffSeconds"})
_PERCENT: Final = frozenset({"minCandidateNodesPercentage", "percentageOfNodesToScore"})


def setting_meaning(plugin: str, name: str) -> str:
    """Say what a setting of a plugin, or where that is empty of the scheduler, is about; empty where that is unsaid."""
    return argument(plugin, name) if plugin else str(_MEANINGS.get(name, ""))


def setting_value(plugin: str, name: str, value: Any) -> str:
    """Write the value of a setting as people do; empty for one of many parts, for which there are no words."""
    if value is None or value == []:
        return pgettext("value of a setting", "none")
    if isinstance(value, bool):
        return pgettext("value of a setting", "yes") if value else pgettext("value of a setting", "no")
    if name == "percentageOfNodesToScore" and not value:
        return _("by the number of nodes")
    if isinstance(value, int):
        return _number(name, value)
    if isinstance(value, str):
        return argument_value(plugin, name, value)
    if isinstance(value, list) and all("weight" in each for each in value):
        return ", ".join(f"{each['name']} × {each['weight']}" for each in value)
    if isinstance(value, list) and all("utilization" in each for each in value):
        return ", ".join(_scored(each["utilization"], each["score"]) for each in value)
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    return ""


def _number(name: str, value: int) -> str:
    if name in _SECONDS:
        return pgettext("seconds", "%(number)s\u00a0s") % {"number": grouped(value)}
    if name in _PERCENT:
        return pgettext("percentage", "%(number)s\u00a0%%") % {"number": grouped(value)}
    return grouped(value)


def _scored(utilization: int, score: int) -> str:
    return pgettext("utilization and the score for it", "%(utilization)s\u00a0%% → %(score)s") % {
        "utilization": str(utilization),
        "score": str(score),
    }
