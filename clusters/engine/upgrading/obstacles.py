"""What keeps kube-scheduler of a later minor from starting as it is started now, beside its configuration's fields."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from clusters.engine.versions import Gate, is_locked
from clusters.engine.versions.retired_gates import LOCKED, REMOVED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.versions import Release


class ObstacleKind(enum.StrEnum):
    """What is in the way."""

    LOCKED_GATE = "locked-gate"
    REMOVED_GATE = "removed-gate"
    TAKEN_NAME = "taken-name"


@dataclass(frozen=True, slots=True)
class StartObstacle:
    """A feature gate or a plugin with which a minor does not start, and the one before it does.

    ``value``: what the gate is set to; None for a plugin, whose name is that of one of Kubernetes' own.
    """

    minor: str
    kind: ObstacleKind
    name: str
    value: bool | None = None


def start_obstacles(
    settings: Mapping[str, bool], configuration: SchedulerConfiguration, releases: Sequence[Release]
) -> tuple[StartObstacle, ...]:
    """Return what is in the way, in the order of releases; ``settings``: gates by name, as kube-scheduler has them."""
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


def _in_tree(release: Release) -> frozenset[str]:
    return release.configuration.in_tree | release.points.keys()
