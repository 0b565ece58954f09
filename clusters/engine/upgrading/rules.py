"""What brings a difference: the amendments of each minor, what defaults mean to it, and what keeps it from starting."""

from __future__ import annotations

import enum
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.configuration import (
    PluginChange,
    ProfileDifference,
    SchedulerConfiguration,
    compare_configurations,
)
from clusters.engine.versions import LOCKED, RELEASES, REMOVED, DeviceRules, Gate, Release, Rules, is_locked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.objects import Document


# What one minor's table of versions has otherwise than the one before it, rule by rule, each to be applied alone.


class AmendmentKind(enum.StrEnum):
    """Which part of a minor's table an amendment is of."""

    RULE = "rule"
    DEVICE_RULE = "device-rule"
    GATE = "gate"
    PLUGINS = "plugins"


# What of a release its default profile is made of.
_OF_PROFILE: Final = ("plugins", "points", "gated_points")


class Amendment(Struct, frozen=True, order=True):
    """One entry of a minor's table that is not as in the minor before.

    ``name``: the field of the rules or the feature gate; empty for the plugins with their points, order and weights.
    """

    kind: AmendmentKind
    name: str = ""


def releases_between(before: Release, after: Release) -> tuple[Release, ...]:
    """Return the releases from one to another, both included, in their order.

    Feature gates that are set in the first one stay as they are in those that have them. Later ones are as their
    latest patches.
    """
    minors = list(RELEASES)
    later = minors[minors.index(before.minor) + 1 : minors.index(after.minor) + 1]
    set_gates = {Gate(name): is_on for name, is_on in before.changed_gates.items()}
    return (before, *(RELEASES[minor].newest_patch.with_gates(set_gates) for minor in later))


def amendments_of(before: Release, after: Release) -> tuple[Amendment, ...]:
    """Return everything that the table of a release has otherwise than that of another one."""
    gates = [gate for gate in Gate if before.enables(gate) != after.enables(gate)]
    is_other_profile = any(getattr(before, name) != getattr(after, name) for name in _OF_PROFILE)
    return (
        *(Amendment(AmendmentKind.RULE, name) for name in _unlike(before.rules, after.rules)),
        *(Amendment(AmendmentKind.GATE, gate.value) for gate in gates),
        *((Amendment(AmendmentKind.PLUGINS),) if is_other_profile else ()),
        *(Amendment(AmendmentKind.DEVICE_RULE, name) for name in _unlike(before.device_rules, after.device_rules)),
    )


def amended(before: Release, after: Release, amendment: Amendment) -> Release:
    """Return a release with one entry of its table as a later one has it."""
    name = amendment.name
    match amendment.kind:
        case AmendmentKind.RULE:
            return replace(before, rules=replace(before.rules, **{name: getattr(after.rules, name)}))
        case AmendmentKind.DEVICE_RULE:
            value = getattr(after.device_rules, name)
            return replace(before, device_rules=replace(before.device_rules, **{name: value}))
        case AmendmentKind.GATE:
            gate = Gate(name)
            return replace(before, gates={**before.gates, gate: after.enables(gate)})
        case AmendmentKind.PLUGINS:
            return replace(before, **{name: getattr(after, name) for name in _OF_PROFILE})


def _unlike(before: Rules | DeviceRules, after: Rules | DeviceRules) -> list[str]:
    return [name for name in before.__struct_fields__ if getattr(before, name) != getattr(after, name)]


# What a scheduler configuration means otherwise to the next minor, without a word in it being changed.


class DefaultKind(enum.StrEnum):
    """What of a configuration has another meaning."""

    PLUGIN = "plugin"
    ORDER = "order"
    SETTING = "setting"


class ChangedDefault(Struct, frozen=True):
    """Something that a minor reads into a profile otherwise than the one before it.

    ``name``: the extension point, or the path of a setting below the plugin's arguments. ``before`` and ``after``: the
    weight of a plugin that scores, True where it takes part otherwise, None where it does not; the order of plugins;
    the value of the setting, None where it has none.
    """

    minor: str
    profile: str
    kind: DefaultKind
    plugin: str
    name: str
    before: Any
    after: Any


def changed_defaults(before: SchedulerConfiguration, after: SchedulerConfiguration) -> tuple[ChangedDefault, ...]:
    """Return what a configuration means otherwise to a minor than to the one before it."""
    found = compare_configurations(before, after)
    return tuple(
        each for profile, unlike in found.profiles.items() for each in _of_profile(after.release.minor, profile, unlike)
    )


def _of_profile(minor: str, profile: str, unlike: ProfileDifference) -> Iterator[ChangedDefault]:
    for each in unlike.changed_plugins:
        before = None if each.change is PluginChange.ADDED else each.weight_before or True
        after = None if each.change is PluginChange.REMOVED else each.weight or True
        yield ChangedDefault(minor, profile, DefaultKind.PLUGIN, each.plugin, each.point.value, before, after)
    for order in unlike.reordered:
        yield ChangedDefault(minor, profile, DefaultKind.ORDER, "", order.point.value, order.before, order.after)
    for setting in unlike.changed_settings:
        yield ChangedDefault(
            minor, profile, DefaultKind.SETTING, setting.plugin, setting.name, setting.before, setting.value
        )


# What keeps kube-scheduler of a later minor from starting as it is started now, beside its configuration's fields, and
# what ends it once it runs.
#
# Upstream: ``Score`` of ``plugins/volumebinding`` v1.37.2 and v1.38.0-beta.0 reads ``capacity`` of the
# CSIStorageCapacity that would take a volume, also where the object has ``maximumVolumeSize`` alone, and panics.


class ObstacleKind(enum.StrEnum):
    """What is in the way."""

    LOCKED_GATE = "locked-gate"
    REMOVED_GATE = "removed-gate"
    TAKEN_NAME = "taken-name"
    CRASH = "crash"


class StartObstacle(Struct, frozen=True):
    """A feature gate or a plugin with which a minor does not start, and the one before it does, or what crashes it.

    ``value``: what the gate is set to; None for a plugin, whose name is that of one of Kubernetes' own, and for a
    StorageClass of which a CSIStorageCapacity crashes it.
    """

    minor: str
    kind: ObstacleKind
    name: str
    value: bool | None = None


def start_obstacles(
    settings: Mapping[str, bool],
    configuration: SchedulerConfiguration,
    releases: Sequence[Release],
    capacities: Iterable[Document] = (),
) -> tuple[StartObstacle, ...]:
    """Return what is in the way, in the order of releases.

    ``settings``: gates by name, as kube-scheduler has them. ``capacities``: the CSIStorageCapacities.
    """
    crashing = sorted({str(each.get("storageClassName") or "") for each in capacities if not _can_be_scored(each)})
    own = {name for profile in configuration.profiles for name in profile.unknown_plugins}
    return tuple(
        obstacle
        for before, after in pairwise(releases)
        for obstacle in (
            *_gates(settings, before, after),
            *(
                StartObstacle(after.minor, ObstacleKind.TAKEN_NAME, name)
                for name in sorted(own & (_in_tree(after) - _in_tree(before)))
            ),
            *(
                StartObstacle(after.minor, ObstacleKind.CRASH, name)
                for name in crashing
                if after.enables(Gate.STORAGE_CAPACITY_SCORING) and not before.enables(Gate.STORAGE_CAPACITY_SCORING)
            ),
        )
    )


def _gates(settings: Mapping[str, bool], before: Release, after: Release) -> Iterator[StartObstacle]:
    locked = dict(LOCKED.get(after.minor, {}))
    for gate in Gate:
        if is_locked(gate, after.minor) and not is_locked(gate, before.minor):
            locked[gate.value] = after.known_gates[gate]
    known = {gate.value for gate in before.known_gates.keys() - after.known_gates.keys()}
    removed = REMOVED.get(after.minor, frozenset()) | known
    for name, value in sorted(settings.items()):
        if name in removed:
            yield StartObstacle(after.minor, ObstacleKind.REMOVED_GATE, name, value)
        elif name in locked and locked[name] != value:
            yield StartObstacle(after.minor, ObstacleKind.LOCKED_GATE, name, value)


def _can_be_scored(capacity: Document) -> bool:
    return capacity.get("maximumVolumeSize") is None or capacity.get("capacity") is not None


def _in_tree(release: Release) -> frozenset[str]:
    return release.configuration.in_tree | release.points.keys()
