"""Semantic versions as ``semver()`` of Kubernetes' CEL library reads and compares them.

Upstream: ``k8s.io/apiserver/pkg/cel`` (``semver.go``, ``library/semverlib.go``) v0.34.1; precedence as in
semver.org 2.0.0.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import total_ordering
from typing import Final

MAX_UINT64: Final = 2**64 - 1

_NO_NUMBER: Final = re.compile(r"[^0-9]")
_NO_IDENTIFIER: Final = re.compile(r"[^0-9A-Za-z-]")
_PARTS: Final = 3
_DIGITS: Final = "0123456789"


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
        """Read a version strictly. Raises ValueError with the words of Go's library."""
        if not text:
            raise ValueError("Version string empty")
        parts = text.split(".", _PARTS - 1)
        if len(parts) < _PARTS:
            raise ValueError("No Major.Minor.Patch elements found")
        major, minor = (_number(name, part) for name, part in zip(("major", "minor"), parts, strict=False))
        rest, built, build = parts[-1].partition("+")
        patch, released, pre_release = rest.partition("-")
        found = cls(major, minor, _number("patch", patch), tuple(pre_release.split(".")) if released else ())
        for each in found.pre_release:
            _check_pre_release(each)
        for each in build.split(".") if built else ():
            if not each:
                raise ValueError("Build meta data is empty")
            if _NO_IDENTIFIER.search(each):
                raise ValueError(f"Invalid character(s) found in build meta data {_quoted(each)}")
        return found

    @classmethod
    def normalised(cls, text: str) -> Version:
        """Read a version that may lead with ``v`` or zeros, or lack parts, which is put right. Raises ValueError."""
        parts = [_without_zeros(part) for part in text.removeprefix("v").split(".", _PARTS - 1)]
        if len(parts) < _PARTS and ("+" in parts[-1] or "-" in parts[-1]):
            raise ValueError("short version cannot contain PreRelease/Build meta data")
        return cls.parse(".".join([*parts, *["0"] * (_PARTS - len(parts))]))

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


def _without_zeros(text: str) -> str:
    rest = text.lstrip("0")
    if len(text) < len("00"):
        return text
    return rest if rest[:1] in _DIGITS and rest else f"0{rest}"


def _number(name: str, text: str) -> int:
    if _NO_NUMBER.search(text):
        raise ValueError(f"Invalid character(s) found in {name} number {_quoted(text)}")
    if len(text) > 1 and text[0] == "0":
        raise ValueError(f"{name.capitalize()} number must not contain leading zeroes {_quoted(text)}")
    return _unsigned(text)


def _unsigned(text: str) -> int:
    if not text:
        raise ValueError('strconv.ParseUint: parsing "": invalid syntax')
    if len(text) > len(str(MAX_UINT64)) or int(text) > MAX_UINT64:
        raise ValueError(f"strconv.ParseUint: parsing {_quoted(text)}: value out of range")
    return int(text)


def _check_pre_release(text: str) -> None:
    if not text:
        raise ValueError("Prerelease is empty")
    if _NO_IDENTIFIER.search(text):
        raise ValueError(f"Invalid character(s) found in prerelease {_quoted(text)}")
    if not _NO_NUMBER.search(text):
        if len(text) > 1 and text[0] == "0":
            raise ValueError(f"Numeric PreRelease version must not contain leading zeroes {_quoted(text)}")
        _unsigned(text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
