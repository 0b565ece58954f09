"""The feature gates of a cluster as rows, each with what it decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.versions import COMPUTED, is_locked, refused_settings, scheduling_settings, stage_of
from clusters.services.mirror.snapshots import differing_gates, refused_gates
from clusters.wording import feature_gates as words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.versions import GateSettings, Release
    from clusters.models import Cluster

PREFIX: Final = "gate-"
_VALUES: Final = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class GateRow:
    """A feature gate that a minor has; `choice` is what it is set to, empty where it is at its default."""

    name: str
    field: str
    stage: str
    decides: str
    default: str
    choice: str
    is_locked: bool
    is_computed: bool
    values: tuple[str, ...] = tuple(_VALUES)


def gate_rows(release: Release, settings: GateSettings) -> list[GateRow]:
    """Return the gates of a release by name, as they are with these settings."""
    counting = {**settings, **release.changed_gates}
    for name in refused_settings(settings, release):
        counting.pop(name, None)
    return [
        GateRow(
            name=gate.value,
            field=f"{PREFIX}{gate.value}",
            stage=str(words.STAGES[stage_of(gate, release.minor)]),
            decides=str(words.DECIDES[gate]),
            default=str(release.known_gates[gate]).lower(),
            choice=_written(counting.get(gate.value)),
            is_locked=is_locked(gate, release.minor),
            is_computed=gate in COMPUTED,
        )
        for gate in sorted(release.known_gates)
    ]


def posted_settings(posted: Mapping[str, str]) -> GateSettings:
    """Return what a form sets: the gates that are not left at their default."""
    return {
        field.removeprefix(PREFIX): _VALUES[value]
        for field, value in posted.items()
        if field.startswith(PREFIX) and value in _VALUES
    }


def gates_origin(cluster: Cluster, minor: str) -> str:
    """Say whose feature gates are in force."""
    if cluster.chosen_feature_gates is not None:
        return str(words.GATES_GIVEN)
    if not scheduling_settings(cluster.feature_gates):
        return words.GATES_OF_MINOR(minor=minor)
    return str(words.GATES_OF_PODS) if cluster.is_live else str(words.GATES_OF_DUMP)


def differing(cluster: Cluster) -> str:
    """Say which gates not all replicas of kube-scheduler are started alike with; empty where there are none."""
    names = differing_gates(cluster)
    return words.gates_differ(names) if names else ""


def refused(cluster: Cluster, minor: str) -> str:
    """Say which gates are set as the cluster's minor does not let them be set; empty where there are none."""
    settings = refused_gates(cluster)
    return words.gates_refused(settings, minor) if settings else ""


def _written(is_on: bool | None) -> str:
    return "" if is_on is None else str(is_on).lower()
