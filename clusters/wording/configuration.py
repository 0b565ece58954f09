"""The scheduler's configuration in words: settings, what differs, and what older files say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext, pgettext_lazy

from clusters.engine.configuration import (
    LegacyNote,
    PluginAtPoint,
    PluginChange,
    PluginRole,
    TranslatedEntry,
    Translation,
)
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural
from clusters.wording.plugins import argument, argument_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.configuration import Extender


# -- Words for the settings of a scheduler configuration --------------------------------------------------------------


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
        return ", ".join(_SCORED(utilization=str(each["utilization"]), score=str(each["score"])) for each in value)
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    return ""


def _number(name: str, value: int) -> str:
    if name in _SECONDS:
        return pgettext("seconds", "%(number)s\u00a0s") % {"number": grouped(value)}
    if name in _PERCENT:
        return pgettext("percentage", "%(number)s\u00a0%%") % {"number": grouped(value)}
    return grouped(value)


_SCORED = message("%(utilization)s\u00a0%% → %(score)s", context="utilization and the score for it")


# -- Words for what one scheduler configuration has otherwise than another --------------------------------------------


UNKNOWN_DISABLED = plural(
    "kube-scheduler ignores “disabled” for %(names)s, which is not a plugin of Kubernetes %(minor)s.",
    "kube-scheduler ignores “disabled” for %(names)s, which are not plugins of Kubernetes %(minor)s.",
    by="number",
)
NOT_ENABLED: Final = pgettext_lazy("state of a plugin", "not enabled")
ENABLED_AT = message("enabled at %(points)s")
WEIGHTED_POINT = message("%(point)s (weight %(weight)s)")
WEIGHT_OF = message("%(plugin)s, weight")
FOREIGN_PLUGIN = message("%(plugin)s, not part of Kubernetes")
ORDER_AT = message("Order at %(point)s")
BY_DEFAULT = message("%(value)s, by default")
PROFILE_ITSELF: Final = gettext_lazy("Profile")
ALL_PROFILES: Final = gettext_lazy("All profiles")
PROFILE_ABSENT: Final = pgettext_lazy("a profile", "absent")
PROFILE_PRESENT: Final = pgettext_lazy("a profile", "present")
PROFILE_ADDED = plural("present, for %(pods)s pod", "present, for %(pods)s pods", by="pods")
PROFILE_REMOVED = plural(
    "absent: %(pods)s pod is left to another scheduler",
    "absent: %(pods)s pods are left to another scheduler",
    by="pods",
)
EXTENDERS: Final = gettext_lazy("Extenders")
NO_EXTENDERS: Final = pgettext_lazy("extenders", "none")

# What became of a plugin as a whole, and of one at some of its extension points only.
_BADGES: Final = {
    PluginChange.ADDED: pgettext_lazy("state of a plugin", "Added"),
    PluginChange.REMOVED: pgettext_lazy("state of a plugin", "Disabled"),
    PluginChange.WEIGHT: pgettext_lazy("state of a plugin", "Weight"),
}
_PARTLY: Final = {
    PluginChange.ADDED: gettext_lazy("Partly added"),
    PluginChange.REMOVED: gettext_lazy("Partly disabled"),
    PluginChange.WEIGHT: pgettext_lazy("state of a plugin", "Weight"),
}


def change_badge(change: PluginChange, *, partly: bool) -> str:
    """Name what became of a plugin, at all of its extension points or ``partly``."""
    return str((_PARTLY if partly else _BADGES)[change])


ARGUMENTS_BADGE: Final = gettext_lazy("Arguments")
FOREIGN_BADGE: Final = gettext_lazy("Not in Kubernetes")
OFF: Final = pgettext_lazy("mark of a plugin at an extension point", "off")


_WEIGHT = message("weight %(weight)s")
_TURN = message("number %(turn)s")
_ADDED_WEIGHT = message("weight %(weight)s, added")
_ADDED_TURN = message("number %(turn)s, added")
_OTHER_WEIGHT = message("weight %(weight)s instead of %(before)s")
_DISABLED = message("disabled", context="a plugin at an extension point")
_DISABLED_WEIGHT = message("disabled, weight %(before)s by default")


def plugin_at_point(found: PluginAtPoint, turn: int) -> str:
    """Say what a plugin has at an extension point: its weight, or its ``turn`` in the order of calls."""
    match found.change:
        case PluginChange.REMOVED:
            return _DISABLED_WEIGHT(before=found.weight_before) if found.weight_before else _DISABLED()
        case PluginChange.WEIGHT:
            return _OTHER_WEIGHT(weight=found.weight, before=found.weight_before)
        case PluginChange.ADDED:
            return _ADDED_WEIGHT(weight=found.weight) if found.weight else _ADDED_TURN(turn=turn)
        case _same:
            return _WEIGHT(weight=found.weight) if found.weight else _TURN(turn=turn)


FOREIGN_AT_POINT: Final = gettext_lazy("enabled; its answers are not known")
FOREIGN_AT_MULTI_POINT: Final = gettext_lazy("Enabled at multiPoint: its source decides where.")


# -- Words for a configuration that only earlier kube-schedulers read -------------------------------------------------


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
_WEIGHTED_ROLE = message("%(plugin)s (%(points)s; weight %(weight)s)")
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
    return f"{role.plugin} ({points})"


def _setting(path: str, value: object) -> str:
    # What has parts is read in the document; here is where it stands.
    return f"{path}: {value}" if isinstance(value, str | int) and value != "" else path


# -- Words of the page of a scheduler configuration -------------------------------------------------------------------


# Whose configuration is in force.
GIVEN_TO_LIVE: Final = gettext_lazy("A configuration given to Berth applies.")
GIVEN_TO_DUMP: Final = gettext_lazy("A configuration given to Berth applies, also to newer dumps.")
OF_DUMP: Final = gettext_lazy("The dump's configuration applies.")
DEFAULTS_OF_LIVE: Final = gettext_lazy(
    "kube-scheduler's defaults apply: the API server does not tell its configuration."
)
DEFAULTS_OF_DUMP: Final = gettext_lazy("kube-scheduler's defaults apply: the dump has no configuration.")

# The form.
FILE_LABEL: Final = gettext_lazy("Or a file")
TEXT_HELP: Final = gettext_lazy("YAML or JSON; a Policy and versions before v1 are translated.")
FILE_TOO_LONG = message("The file has %(size)s bytes, a configuration at most %(most)s.")
NOTHING_GIVEN: Final = gettext_lazy("Paste the configuration, choose a file, or restore the previous one.")
GIVEN_ONE_REMOVED: Final = gettext_lazy("The configuration that was given to Berth is removed.")
NEW_ONE_IN_FORCE: Final = gettext_lazy("The new configuration is in force.")
RESTORED_DUMP: Final = gettext_lazy("Go back to the dump's own")
RESTORED_DEFAULTS: Final = gettext_lazy("Go back to kube-scheduler's defaults")

# At how many feasible nodes the search ends.
NO_NODES: Final = gettext_lazy("This cluster has no nodes.")

# Extenders.
_FILTER: Final = pgettext_lazy("what an extender is called for", "filtering")
_SCORE: Final = pgettext_lazy("what an extender is called for", "scoring with weight %(weight)s")
_PREEMPT: Final = pgettext_lazy("what an extender is called for", "preemption")
_BIND: Final = pgettext_lazy("what an extender is called for", "binding")
_CALLED_FOR = message("Called for %(verbs)s.")
_NEVER_CALLED = message("Never called: it has no verb.")
_ONLY_FOR = message("Only for pods that request %(resources)s.")
_IGNORABLE = message("Ignorable: scheduling continues without its answer.")
_NOT_IGNORABLE = message("Not ignorable: without its answer no pod is scheduled.")


def extender_sentences(extender: Extender) -> str:
    """Say what an extender is called for, for which pods, and what happens while it does not answer."""
    verbs = tuple(_verbs(extender))
    said = [_CALLED_FOR(verbs=listed(verbs)) if verbs else _NEVER_CALLED()]
    if extender.managed_resources:
        said.append(_ONLY_FOR(resources=listed(resource.name for resource in extender.managed_resources)))
    said.append(_IGNORABLE() if extender.ignorable else _NOT_IGNORABLE())
    return " ".join(said)


def _verbs(extender: Extender) -> Iterator[str]:
    if extender.filter_verb:
        yield str(_FILTER)
    if extender.prioritize_verb:
        yield str(_SCORE % {"weight": grouped(extender.weight)})
    if extender.preempt_verb:
        yield str(_PREEMPT)
    if extender.bind_verb:
        yield str(_BIND)
