"""What became of a configuration that today's kube-scheduler does not read: a v1 document, and a row for each entry."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.versions import ExtensionPoint


class LegacyNote(StrEnum):
    """What has to be said about an entry beside what it became, or what decides instead where nothing did."""

    ALWAYS_ADDED = "always added"
    MANDATORY = "mandatory predicate"
    DEFAULT_PREDICATE = "default predicate"
    DEFAULT_PRIORITY = "default priority"
    DEFAULT_WEIGHT = "default weight"
    NEWER_PLUGIN = "newer plugin"
    COUNTS_ALL_DRIVERS = "counts all drivers"
    STILL_COUNTS = "still counts"
    TAINTED_BY_CONDITION = "tainted by condition"
    SPREADS_BY_DEFAULT = "spreads by default"
    NO_DEFAULT_SPREADING = "no default spreading"
    ONE_STRATEGY = "one strategy"
    SHAPE_TIMES_TEN = "shape times ten"
    EQUAL_SCORES = "equal scores"
    LATER_ENTRY_COUNTS = "later entry counts"
    ADDED_AFFINITY = "added affinity"
    ADDED_AFFINITY_AND_SELECTORS = "added affinity and selectors"
    LABELS_NOT_READ = "labels not read"
    LABEL_PREFERENCE_GONE = "label preference gone"
    SERVICE_AFFINITY_GONE = "service affinity gone"
    SERVICE_SPREADING_GONE = "service spreading gone"
    AVOID_PODS_GONE = "avoid pods gone"
    RESOURCE_LIMITS_GONE = "resource limits gone"
    REASONS_OF_ALL_FILTERS = "reasons of all filters"
    SCORES_ONLY_IF_ENABLED = "scores only if enabled"
    NANOSECONDS = "nanoseconds"
    PACKING_PROVIDER = "packing provider"
    PREEMPTION_OFF = "preemption off"
    FORMER_POINT = "former point"
    RUNS_ONLY = "runs only"
    UNUSED = "unused"


@dataclass(frozen=True, slots=True)
class PluginRole:
    """A plugin of today with the extension points where it takes part; the weight is 0 where it does not score."""

    plugin: str
    points: tuple[ExtensionPoint, ...]
    weight: int = 0


@dataclass(frozen=True, slots=True)
class TranslatedEntry:
    """What one entry became: plugins, settings of v1 by their paths, or neither where it has no equivalent.

    ``field``: its path in the old document, empty for what its kind or version always had. ``settings``: paths below
    the profile or the document, with their values.
    """

    field: str
    name: str
    became: tuple[PluginRole, ...] = ()
    settings: tuple[tuple[str, Any], ...] = ()
    notes: tuple[LegacyNote, ...] = ()

    @property
    def is_removed(self) -> bool:
        return not self.became and not self.settings


@dataclass(frozen=True, slots=True)
class Translation:
    """A document of v1 and how it came about.

    ``source``: kind and version of the old document, as in ``Policy v1``. ``moved``: paths of the new document whose
    values stood elsewhere in the old one.
    """

    source: str
    document: dict[str, Any]
    entries: tuple[TranslatedEntry, ...]
    moved: Mapping[str, str]

    def original_path(self, path: str) -> str:
        """Return where the value at a path of the new document stood in the old one."""
        beginnings = [new for new in self.moved if path == new or path.startswith((f"{new}.", f"{new}["))]
        if not beginnings:
            return path
        longest = max(beginnings, key=len)
        return (self.moved[longest] + path[len(longest) :]).lstrip(".")
