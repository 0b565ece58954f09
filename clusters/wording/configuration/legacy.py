"""Words for a configuration that only earlier kube-schedulers read: what each of its entries is in v1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.configuration import LegacyNote, PluginRole, TranslatedEntry, Translation
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Mapping


_ALWAYS_THERE: Final = pgettext_lazy("entry of a former scheduler configuration", "always there")

_ADDED: Final = pgettext_lazy("entry of a former scheduler configuration", "added")

# Every plugin by name: which one does what a former entry did.
_NOTES: Final[Mapping[LegacyNote, object]] = {
    LegacyNote.ALWAYS_ADDED: gettext_lazy("Every Policy had it."),
    LegacyNote.MANDATORY: gettext_lazy("Every Policy had this predicate."),
    LegacyNote.DEFAULT_PREDICATE: gettext_lazy("A default, as the Policy has no predicates."),
    LegacyNote.DEFAULT_PRIORITY: gettext_lazy("A default, as the Policy has no priorities."),
    LegacyNote.DEFAULT_WEIGHT: gettext_lazy("That version's default weight; greater in v1."),
    LegacyNote.NEWER_PLUGIN: gettext_lazy("Newer than Policies; for pods with scheduling gates or ResourceClaims."),
    LegacyNote.COUNTS_ALL_DRIVERS: gettext_lazy("NodeVolumeLimits counts volumes of every driver."),
    LegacyNote.STILL_COUNTS: gettext_lazy("NodeVolumeLimits counts volumes of every driver and stays enabled."),
    LegacyNote.TAINTED_BY_CONDITION: gettext_lazy("TaintToleration compares conditions of nodes as taints."),
    LegacyNote.SPREADS_BY_DEFAULT: gettext_lazy("Default constraints of PodTopologySpread replace SelectorSpread."),
    LegacyNote.NO_DEFAULT_SPREADING: gettext_lazy("Without SelectorSpreadPriority there are no default constraints."),
    LegacyNote.ONE_STRATEGY: gettext_lazy("A profile has one strategy: that of the greatest weight."),
    LegacyNote.SHAPE_TIMES_TEN: gettext_lazy("Points from 0 to 10 are multiplied by 10."),
    LegacyNote.EQUAL_SCORES: gettext_lazy("It scored every node alike."),
    LegacyNote.LATER_ENTRY_COUNTS: gettext_lazy("A later entry of this priority counts."),
    LegacyNote.ADDED_AFFINITY: gettext_lazy("Required node affinity of every pod of the profile."),
    LegacyNote.ADDED_AFFINITY_AND_SELECTORS: gettext_lazy(
        "Required node affinity of every pod of the profile. NodeAffinity also compares the pods' own selectors."
    ),
    LegacyNote.LABELS_NOT_READ: gettext_lazy("Without labels every node passed."),
    LegacyNote.LABEL_PREFERENCE_GONE: gettext_lazy(
        "A preferred addedAffinity of NodeAffinity is nearest; scores would differ."
    ),
    LegacyNote.SERVICE_AFFINITY_GONE: gettext_lazy("Use required pod affinity in the pods' manifests."),
    LegacyNote.SERVICE_SPREADING_GONE: gettext_lazy(
        "A default constraint of PodTopologySpread with this key is nearest; scores differ."
    ),
    LegacyNote.AVOID_PODS_GONE: gettext_lazy("Instead of the annotation preferAvoidPods use a PreferNoSchedule taint."),
    LegacyNote.RESOURCE_LIMITS_GONE: gettext_lazy("NodeResourcesFit scores requests, not limits."),
    LegacyNote.REASONS_OF_ALL_FILTERS: gettext_lazy("Explanations show every filter that rejects a node."),
    LegacyNote.SCORES_ONLY_IF_ENABLED: gettext_lazy("Counts only with InterPodAffinityPriority."),
    LegacyNote.NANOSECONDS: gettext_lazy("httpTimeout was in nanoseconds; v1 has a unit."),
    LegacyNote.PACKING_PROVIDER: gettext_lazy("This provider scored by MostAllocated."),
    LegacyNote.PREEMPTION_OFF: gettext_lazy("No pod preempts others."),
    LegacyNote.FORMER_POINT: gettext_lazy("The extension point is renamed."),
    LegacyNote.RUNS_ONLY: gettext_lazy("Flags set it now."),
    LegacyNote.UNUSED: gettext_lazy("The plugin no longer exists."),
}


HEADING = message("%(source)s, translated to v1")
_KEPT = message("Kubernetes 1.34 does not read a %(source)s. It is kept as KubeSchedulerConfiguration v1.")
_WITHOUT_EQUIVALENT = plural("%(count)s entry has no equivalent.", "%(count)s entries have no equivalent.", by="count")
_ROLE = message("%(plugin)s (%(points)s)")
_WEIGHTED_ROLE = message("%(plugin)s (%(points)s; weight %(weight)s)")
_SETTING = message("%(setting)s: %(value)s")
_REMOVED = message("removed: no equivalent")


def legacy_sentence(translation: Translation) -> str:
    """Say that a configuration is translated, and how many of its entries have no equivalent."""
    removed = sum(1 for entry in translation.entries if entry.is_removed)
    said = _KEPT(source=translation.source)
    return " ".join((said, _WITHOUT_EQUIVALENT(count=removed))) if removed else said


def entry_name(entry: TranslatedEntry) -> str:
    """Name an entry; one of a path alone is named by the path."""
    return entry.name or entry.field


def entry_place(entry: TranslatedEntry) -> str:
    """Say where an entry stands, in words for what was there without being written."""
    return entry.field or str(_ADDED if LegacyNote.NEWER_PLUGIN in entry.notes else _ALWAYS_THERE)


def entry_became(entry: TranslatedEntry) -> str:
    """Say which plugins and settings an entry is in v1."""
    if entry.is_removed:
        return _REMOVED()
    return listed((*map(_role, entry.became), *(_setting(path, value) for path, value in entry.settings)))


def entry_notes(entry: TranslatedEntry) -> str:
    """Say what has to be known about what an entry became, or what decides instead."""
    return " ".join(str(_NOTES[note]) for note in entry.notes)


def _role(role: PluginRole) -> str:
    points = ", ".join(point.value for point in role.points)
    if role.weight:
        return _WEIGHTED_ROLE(plugin=role.plugin, points=points, weight=role.weight)
    return _ROLE(plugin=role.plugin, points=points)


def _setting(path: str, value: object) -> str:
    # What has parts is read in the document; here is where it stands.
    return _SETTING(setting=path, value=str(value)) if isinstance(value, str | int) and value != "" else path
