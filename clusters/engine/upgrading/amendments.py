"""What one minor's table of versions has otherwise than the one before it, rule by rule, each to be applied alone."""

from __future__ import annotations

import enum
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from clusters.engine.versions import RELEASES, Gate

if TYPE_CHECKING:
    from clusters.engine.versions import Release
    from clusters.engine.versions.device_rules import DeviceRules
    from clusters.engine.versions.rules import Rules


class AmendmentKind(enum.StrEnum):
    """Which part of a minor's table an amendment is of."""

    RULE = "rule"
    DEVICE_RULE = "device-rule"
    GATE = "gate"
    PLUGINS = "plugins"


@dataclass(frozen=True, slots=True, order=True)
class Amendment:
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
    is_other_profile = before.plugins != after.plugins or before.points != after.points
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
            return replace(before, plugins=after.plugins, points=after.points)


def _unlike(before: Rules | DeviceRules, after: Rules | DeviceRules) -> list[str]:
    return [each.name for each in fields(before) if getattr(before, each.name) != getattr(after, each.name)]
