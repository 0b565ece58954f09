"""What can be wrong with a sandbox as a whole."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class EmptySandboxFile(Problem):
    """A file without objects."""


@dataclass(frozen=True, slots=True)
class LargeSandbox(Problem):
    """A sandbox whose objects have more characters together than are kept."""

    characters: int
    most: int


@dataclass(frozen=True, slots=True)
class ManyInSandbox(Problem):
    """More objects of a kind than a sandbox may have."""

    kind_name: str
    found: int
    most: int
