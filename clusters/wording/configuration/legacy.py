"""Words for a configuration that only earlier kube-schedulers read: what each of its entries is in v1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.configuration import LegacyNote, PluginRole, TranslatedEntry, Translation
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_ALWAYS_THERE: Final = pgettext_lazy("entry of a former scheduler configuration", "always there")

_ADDED: Final = pgettext_lazy("entry of a former scheduler configuration", "added")

# Every plugin by name: which one does what a former entry did.
_NOTES: Final[Mapping[LegacyNote, object]] = {
    LegacyNote.ALWAYS_ADDED: gettext_lazy("Every Policy had it."),
    LegacyNote.MANDATORY: gettext_lazy("Every Policy had this predicate, named or not."),
    LegacyNote.DEFAULT_PREDICATE: gettext_lazy("A default, as the Policy has no predicates."),
    LegacyNote.DEFAULT_PRIORITY: gettext_lazy("A default, as the Policy has no priorities."),
    LegacyNote.DEFAULT_WEIGHT: gettext_lazy("The default weight of that version; greater in v1."),
    LegacyNote.NEWER_PLUGIN: gettext_lazy(
        "Later than any Policy; only for pods with scheduling gates or ResourceClaims."
    ),
    LegacyNote.COUNTS_ALL_DRIVERS: gettext_lazy(
        "In-tree volumes are migrated to CSI; NodeVolumeLimits counts those of every driver."
    ),
    LegacyNote.STILL_COUNTS: gettext_lazy("NodeVolumeLimits counts the volumes of every driver, and stays enabled."),
    LegacyNote.TAINTED_BY_CONDITION: gettext_lazy("Conditions of nodes are taints now, compared by TaintToleration."),
    LegacyNote.SPREADS_BY_DEFAULT: gettext_lazy(
        "SelectorSpread is removed: default constraints of PodTopologySpread replace it."
    ),
    LegacyNote.NO_DEFAULT_SPREADING: gettext_lazy(
        "Only for pods with constraints of their own: without SelectorSpreadPriority there are no default constraints."
    ),
    LegacyNote.ONE_STRATEGY: gettext_lazy(
        "A profile scores resources by one strategy: the one of the greatest weight."
    ),
    LegacyNote.SHAPE_TIMES_TEN: gettext_lazy(
        "Points still score from 0 to 10; kube-scheduler multiplies them by 10, as nodes score from 0 to 100."
    ),
    LegacyNote.EQUAL_SCORES: gettext_lazy("It scored every node alike, so nothing is lost."),
    LegacyNote.LATER_ENTRY_COUNTS: gettext_lazy("A later entry of the same priority counts instead."),
    LegacyNote.ADDED_AFFINITY: gettext_lazy("Every pod of the profile has these labels as required node affinity."),
    LegacyNote.ADDED_AFFINITY_AND_SELECTORS: gettext_lazy(
        "Every pod of the profile has these labels as required node affinity. NodeAffinity also compares "
        "the pods' own node selectors, which was not enabled."
    ),
    LegacyNote.LABELS_NOT_READ: gettext_lazy("Without labels it let every node pass, so nothing is lost."),
    LegacyNote.LABEL_PREFERENCE_GONE: gettext_lazy(
        "The nearest is a preferred addedAffinity of NodeAffinity, but it shares weight and "
        "normalisation with the pods' preferences, so scores would differ."
    ),
    LegacyNote.SERVICE_AFFINITY_GONE: gettext_lazy(
        "Required pod affinity in the pods' manifests replaces it (InterPodAffinity)."
    ),
    LegacyNote.SERVICE_SPREADING_GONE: gettext_lazy(
        "A default constraint of PodTopologySpread with this key is nearest; scores differ."
    ),
    LegacyNote.AVOID_PODS_GONE: gettext_lazy(
        "The annotation scheduler.alpha.kubernetes.io/preferAvoidPods is no longer read; use a taint "
        "with the effect PreferNoSchedule."
    ),
    LegacyNote.RESOURCE_LIMITS_GONE: gettext_lazy("Limits are not scored any more; NodeResourcesFit scores requests."),
    LegacyNote.REASONS_OF_ALL_FILTERS: gettext_lazy(
        "kube-scheduler reports the first filter that rejects a node; explanations show all."
    ),
    LegacyNote.SCORES_ONLY_IF_ENABLED: gettext_lazy(
        "It counts only where InterPodAffinityPriority is among the priorities."
    ),
    LegacyNote.NANOSECONDS: gettext_lazy("A Policy wrote httpTimeout in nanoseconds; v1 writes a unit."),
    LegacyNote.PACKING_PROVIDER: gettext_lazy("This provider scored by MostAllocated instead of LeastAllocated."),
    LegacyNote.PREEMPTION_OFF: gettext_lazy("Without DefaultPreemption no pod preempts others."),
    LegacyNote.FORMER_POINT: gettext_lazy("The extension point has another name today."),
    LegacyNote.RUNS_ONLY: gettext_lazy("It says where kube-scheduler listens; flags set it now."),
    LegacyNote.UNUSED: gettext_lazy("There is no such plugin any more."),
}


def legacy_heading(translation: Translation) -> str:
    """Name what was translated."""
    return _("%(source)s, translated to v1") % {"source": translation.source}


def legacy_sentence(translation: Translation) -> str:
    """Say that a configuration is translated, and how many of its entries have no equivalent."""
    removed = sum(1 for entry in translation.entries if entry.is_removed)
    said = _("Kubernetes 1.34 does not read a %(source)s. It is kept as KubeSchedulerConfiguration v1:") % {
        "source": translation.source
    }
    if not removed:
        return said
    without = ngettext("%(count)s entry has no equivalent.", "%(count)s entries have no equivalent.", removed) % {
        "count": grouped(removed)
    }
    return f"{said} {without}"


def entry_name(entry: TranslatedEntry) -> str:
    """Name an entry; one of a path alone is named by the path."""
    return entry.name or entry.field


def entry_place(entry: TranslatedEntry) -> str:
    """Say where an entry stands, in words for what was there without being written."""
    return entry.field or str(_ADDED if LegacyNote.NEWER_PLUGIN in entry.notes else _ALWAYS_THERE)


def entry_became(entry: TranslatedEntry) -> str:
    """Say which plugins and settings an entry is in v1."""
    if entry.is_removed:
        return _("removed: no equivalent")
    return listed((*map(_role, entry.became), *(_setting(path, value) for path, value in entry.settings)))


def entry_notes(entry: TranslatedEntry) -> str:
    """Say what has to be known about what an entry became, or what decides instead."""
    return " ".join(str(_NOTES[note]) for note in entry.notes)


def _role(role: PluginRole) -> str:
    points: Sequence[str] = [point.value for point in role.points]
    if role.weight:
        return _("%(plugin)s (%(points)s; weight %(weight)s)") % {
            "plugin": role.plugin,
            "points": ", ".join(points),
            "weight": grouped(role.weight),
        }
    return _("%(plugin)s (%(points)s)") % {"plugin": role.plugin, "points": ", ".join(points)}


def _setting(path: str, value: object) -> str:
    # What has parts is read in the document; here is where it stands.
    if isinstance(value, str | int) and value != "":
        return _("%(setting)s: %(value)s") % {"setting": path, "value": value}
    return path
