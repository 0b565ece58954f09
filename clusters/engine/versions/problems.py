"""Why feature gates cannot be set."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class NotAGateSetting(Problem):
    """Something else than the name of a gate, an equals sign, and ``true`` or ``false``."""

    found: str


@dataclass(frozen=True, slots=True)
class UnknownGate(Problem):
    """A gate that a minor does not have, or that does not concern scheduling; ``close`` is written most alike.

    ``minor`` is empty where no minor is known to have it.
    """

    found: str
    minor: str
    known: tuple[str, ...]
    close: str = ""


@dataclass(frozen=True, slots=True)
class LockedGate(Problem):
    """A gate that the minor has locked to its default, which is ``is_on``."""

    gate: str
    minor: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class GateWithoutDependency(Problem):
    """A gate that is on, while others that it depends on are off, which are ``missing``."""

    gate: str
    minor: str
    missing: tuple[str, ...]
