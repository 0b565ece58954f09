"""What can be wrong with JSON and YAML before anybody looks at what they say."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class JsonLacksEnd(Problem):
    """A JSON text that does not end with its closing bracket."""

    closing: str


@dataclass(frozen=True, slots=True)
class JsonBreaksOff(Problem):
    """A JSON text that ends within a value."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class BrokenJson(Problem):
    """A text that is no JSON; ``reason`` is the word of the library that reads it."""

    line: int
    column: int
    reason: str


@dataclass(frozen=True, slots=True)
class BrokenYaml(Problem):
    """A text that is no YAML; ``reason`` is the word of the library, and ``line`` 0 where that does not say."""

    line: int
    column: int
    reason: str


@dataclass(frozen=True, slots=True)
class LargeInMemory(Problem):
    """A document that would take more memory than may be used for one."""

    most_bytes: int


@dataclass(frozen=True, slots=True)
class NestingLimit(Problem):
    """Maps and lists within each other, more than any object has."""


@dataclass(frozen=True, slots=True)
class CollectionAsKey(Problem):
    """A map or a list where YAML has a key."""


@dataclass(frozen=True, slots=True)
class DuplicateKey(Problem):
    """A key that a map has twice."""

    found: str


@dataclass(frozen=True, slots=True)
class AliasAsKey(Problem):
    """An alias where YAML has a key."""


@dataclass(frozen=True, slots=True)
class UnknownAlias(Problem):
    """An alias of an anchor that no value before it has."""

    name: str


@dataclass(frozen=True, slots=True)
class AliasBomb(Problem):
    """Aliases that stand for more values than are read."""

    most: int


@dataclass(frozen=True, slots=True)
class MergeOfNoMap(Problem):
    """Something else than a map is merged into a map."""


@dataclass(frozen=True, slots=True)
class ForeignTag(Problem):
    """A YAML tag that asks for something else than a map, a list or a text."""

    found: str


@dataclass(frozen=True, slots=True)
class NulInText(Problem):
    """A text with a NUL character, which no database stores."""


@dataclass(frozen=True, slots=True)
class HalfACharacter(Problem):
    """A text with half of a surrogate pair."""


@dataclass(frozen=True, slots=True)
class BrokenManifest(Problem):
    """A manifest that somebody writes, and that is no YAML or JSON: as BrokenYaml and BrokenJson."""

    line: int
    column: int
    reason: str


@dataclass(frozen=True, slots=True)
class ManyBytes(Problem):
    """A text of more bytes than are read."""

    found: int
    most: int
