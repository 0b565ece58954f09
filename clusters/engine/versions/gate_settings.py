"""Feature gates as somebody sets them: as kube-scheduler's ``--feature-gates`` takes them, or as a map.

Upstream: ``k8s.io/component-base/featuregate`` of v0.34.1. ``AllAlpha`` and ``AllBeta`` set every gate of their stage
that is not set by its own name.
"""

from __future__ import annotations

from difflib import get_close_matches
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.versions import retired_gates
from clusters.engine.versions.gates import Gate, GateStage, dependencies_of, is_locked, stage_of
from clusters.engine.versions.matching import match_release
from clusters.engine.versions.problems import GateWithoutDependency, LockedGate, NotAGateSetting, UnknownGate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clusters.engine.problems import Problem
    from clusters.engine.versions.release import Release

GateSettings = dict[str, bool]
# As several replicas are started: None where they are not started alike.
ReplicaSettings = dict[str, bool | None]

_OF_STAGE: Final = MappingProxyType({"AllAlpha": GateStage.ALPHA, "AllBeta": GateStage.BETA})
NAMES: Final = frozenset({*_OF_STAGE, *(gate.value for gate in Gate)})
_KNOWN: Final = NAMES | retired_gates.NAMES
_VALUES: Final = MappingProxyType(
    {
        **dict.fromkeys(("1", "t", "T", "true", "TRUE", "True"), True),
        **dict.fromkeys(("0", "f", "F", "false", "FALSE", "False"), False),
    }
)
_LONGEST_SHOWN: Final = 60


class GateError(Exception):
    """Feature gates that cannot be set, with what is wrong with them."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(repr(problem))
        self.problem = problem


def read_feature_gates(value: Any, release: Release | None) -> GateSettings:
    """Return what is set, by name, strictly: a text such as ``A=true,B=false``, or a map. Raises GateError.

    Without a release any gate is taken that some release has.
    """
    found: GateSettings = {}
    for name, is_on in _pairs(value):
        if name not in _OF_STAGE:
            _check(name, is_on, release)
        found[name] = is_on
    if release is not None:
        _check_dependencies(_with_settings(release, found))
    return found


def known_settings(text: str) -> GateSettings:
    """Return what the value of a scheduler's flag sets of the gates that are known here; the rest is passed over.

    Gates that decide nothing here are known where a later minor does not let them be set.
    """
    pairs = (each.partition("=") for each in text.split(","))
    return {
        name.strip(): _VALUES[value.strip()]
        for name, _, value in pairs
        if name.strip() in _KNOWN and value.strip() in _VALUES
    }


def settings_of_replicas(replicas: Iterable[Mapping[str, bool]]) -> ReplicaSettings:
    """Return what replicas of one scheduler set, each by itself; None where not all set the same."""
    every = list(replicas)
    names = sorted({name for each in every for name in each})
    values = {name: {each.get(name) for each in every} for name in names}
    return {name: found.pop() if len(found) == 1 else None for name, found in values.items()}


def scheduling_settings(settings: Mapping[str, bool | None]) -> GateSettings:
    """Return the settings of gates that decide something here, and that all replicas agree about."""
    return {name: is_on for name, is_on in settings.items() if name in NAMES and is_on is not None}


def release_with(version: str, settings: Mapping[str, bool]) -> Release:
    """Return the release that a version is answered as, with gates set.

    Settings are kept while a cluster goes from one minor to the next: those of gates that the minor does not have, or
    has locked, are passed over.
    """
    return _with_settings(match_release(version).release, settings)


def refused_settings(settings: Mapping[str, bool], release: Release) -> GateSettings:
    """Return the settings that the release's kube-scheduler would not start with.

    Those are gates that it does not have, or has locked to the other value. They count for nothing.
    """
    known = {gate.value: gate for gate in release.known_gates}
    decisive = {gate.value for gate in Gate}
    locked, removed = retired_gates.of_minor(release.minor)

    def is_refused(name: str, is_on: bool) -> bool:
        if name in known:
            return is_locked(known[name], release.minor) and is_on != release.known_gates[known[name]]
        return name in decisive or name in removed or locked.get(name, is_on) != is_on

    return {name: is_on for name, is_on in sorted(settings.items()) if is_refused(name, is_on)}


def _with_settings(release: Release, settings: Mapping[str, bool]) -> Release:
    changed: dict[Gate, bool] = {}
    for gate in release.known_gates:
        if is_locked(gate, release.minor):
            continue
        stage = stage_of(gate, release.minor)
        general = next((name for name, each in _OF_STAGE.items() if each is stage), "")
        for name in (gate.value, general):
            if name in settings:
                changed[gate] = settings[name]
                break
    return release.with_gates(changed) if changed else release


def _pairs(value: Any) -> Iterator[tuple[str, bool]]:
    if isinstance(value, dict):
        for name, is_on in value.items():
            if type(name) is not str or type(is_on) is not bool:
                raise GateError(NotAGateSetting(f"{name}: {is_on}"[:_LONGEST_SHOWN]))
            yield name, is_on
        return
    if type(value) is not str:
        raise GateError(NotAGateSetting(str(value)[:_LONGEST_SHOWN]))
    for pair in value.split(","):
        if not pair.strip():
            continue
        name, _, written = (part.strip() for part in pair.partition("="))
        if written not in _VALUES or not name:
            raise GateError(NotAGateSetting(pair.strip()[:_LONGEST_SHOWN]))
        yield name, _VALUES[written]


def _check_dependencies(release: Release) -> None:
    """Raise GateError for a gate that is on without those that it depends on."""
    for gate, is_on in release.gates.items():
        missing = tuple(sorted(each.value for each in dependencies_of(gate) if not release.gates.get(each, False)))
        if is_on and missing:
            raise GateError(GateWithoutDependency(gate.value, release.minor, missing))


def _check(name: str, is_on: bool, release: Release | None) -> None:
    minor = "" if release is None else release.minor
    known = {gate.value: gate for gate in (Gate if release is None else release.known_gates)}
    gate = known.get(name)
    if gate is None:
        lowered = {each.lower(): each for each in known}
        close = get_close_matches(name.lower()[:_LONGEST_SHOWN], lowered, n=1, cutoff=0.5)
        suggested = lowered[close[0]] if close else ""
        raise GateError(UnknownGate(name[:_LONGEST_SHOWN], minor, tuple(sorted(known)), suggested))
    if release is not None and is_locked(gate, minor) and is_on != release.known_gates[gate]:
        raise GateError(LockedGate(name, minor, release.known_gates[gate]))
