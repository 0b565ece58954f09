"""Semantic versions as ``semver()`` of Kubernetes' CEL library reads and compares them.

Upstream: ``k8s.io/apiserver/pkg/cel`` (``semver.go``, ``library/semverlib.go``) v0.34.1; precedence as in
semver.org 2.0.0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering
from typing import Final

_NUMBER: Final = r"(0|[1-9][0-9]*)"
_IDENTIFIERS: Final = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
_GRAMMAR: Final = re.compile(rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-({_IDENTIFIERS}))?(?:\+({_IDENTIFIERS}))?")
_PADDED: Final = re.compile(r"0[0-9]+")
_PARTS: Final = 3


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """A version; what it was built from (after the ``+``) does not count in comparisons."""

    major: int
    minor: int
    patch: int
    pre_release: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Version:
        """Read a version strictly. Raises ValueError."""
        found = _GRAMMAR.fullmatch(text)
        identifiers = tuple(found[4].split(".")) if found and found[4] else ()
        if found is None or any(_PADDED.fullmatch(each) for each in identifiers):
            raise ValueError(text)
        return cls(int(found[1]), int(found[2]), int(found[3]), identifiers)

    @classmethod
    def normalised(cls, text: str) -> Version:
        """Read a version that may lead with ``v`` or zeros, or lack parts, which is put right. Raises ValueError."""
        numbers, sign, rest = re.fullmatch(r"v?([0-9.]*)([-+]?)(.*)", text).groups()  # type: ignore[union-attr]
        parts = [part.lstrip("0") or "0" for part in numbers.split(".")]
        return cls.parse(".".join([*parts, *["0"] * (_PARTS - len(parts))]) + sign + rest)

    def _key(self) -> tuple[object, ...]:
        # A version without a pre-release comes after all that have one; numbers come before texts.
        identifiers = tuple((0, int(each), "") if each.isdigit() else (1, 0, each) for each in self.pre_release)
        return self.major, self.minor, self.patch, not identifiers, identifiers

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self._key() == other._key()

    def __lt__(self, other: Version) -> bool:
        return self._key() < other._key()

    def __hash__(self) -> int:
        return hash(self._key())
